"""compose.yaml, as far as that can be told without a container engine."""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # it has no types of its own

from punto.journal import Journal
from punto.service.settings import Settings, settings

ROOT = Path(__file__).parent.parent
PARTS = {"services", "volumes"}
KEYS = {
    "build",
    "depends_on",
    "environment",
    "healthcheck",
    "image",
    "ports",
    "restart",
    "stop_grace_period",
    "volumes",
}
"""Keys of a service, as the Compose Specification has them; no others are used."""


@pytest.fixture(scope="module")
def compose() -> Any:
    """What it says, with its anchors and merges followed."""
    return yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def test_it_has_a_database_and_two_services(compose: Any) -> None:
    assert set(compose) == PARTS
    assert set(compose["services"]) == {"database", "first", "second"}
    for service in compose["services"].values():
        assert set(service) <= KEYS
        assert ("image" in service) != ("build" in service)
        for needed, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert "healthcheck" in compose["services"][needed]
    mounted = [each for service in compose["services"].values() for each in service["volumes"]]
    assert {each.partition(":")[0] for each in mounted} == set(compose["volumes"])
    ports = [each for name in ("first", "second") for each in compose["services"][name]["ports"]]
    assert len({each.partition(":")[0] for each in ports}) == len(ports)


@pytest.mark.parametrize("name", ["first", "second"])
def test_the_service_understands_its_settings(compose: Any, name: str) -> None:
    service, database = compose["services"][name], compose["services"]["database"]
    password = "${POSTGRES_PASSWORD}"
    given = {key: value.replace(password, "secret") for key, value in service["environment"].items()}
    assert {key.removeprefix("PUNTO_").lower() for key in given} <= set(Settings.__struct_fields__)
    read = settings(None, given)
    url = Journal(read.database).url
    names = database["environment"]
    assert (url.host, url.database, url.username) == ("database", names["POSTGRES_DB"], names["POSTGRES_USER"])
    assert service["ports"][0].partition(":")[2] == str(read.port)
    folder = read.key_file.rpartition("/")[0]
    assert folder in {each.partition(":")[2] for each in service["volumes"]}


def test_what_it_builds_is_there(compose: Any) -> None:
    build = compose["services"]["first"]["build"]
    steps = (ROOT / build["context"] / build["dockerfile"]).read_text(encoding="utf-8").splitlines()
    copied = [step.split()[1] for step in steps if step.startswith("COPY")]
    assert copied
    assert all((ROOT / each).exists() for each in copied)


def test_no_secret_and_no_data_goes_into_the_image() -> None:
    docker = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    assert (ROOT / ".containerignore").read_text(encoding="utf-8") == docker
    left_out = [line for line in docker.splitlines() if not line.startswith(("#", "!"))]
    for name in (".env", ".git", ".venv", "punto.db", "punto.db-wal", "punto.db.lease", "punto.key", "house.pem"):
        assert any(fnmatchcase(name, pattern.removeprefix("**/")) for pattern in left_out), name
    for name in ("src", "locks", "pyproject.toml", "README.md", "LICENSE"):
        assert not any(fnmatchcase(name, pattern.removeprefix("**/")) for pattern in left_out), name
    ours = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"punto.db*", "punto.key"} <= set(ours)
