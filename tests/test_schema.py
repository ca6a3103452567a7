"""The API does what its OpenAPI page says: schemathesis makes requests from the page, good and bad, as everybody."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from service_process import People, Service, bearer, database, opening

TABLE = "one"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, dict[str, str]]]:
    """The service with a table, and the tokens of a patron and of a pit manager at it."""
    with database("sqlite") as store:
        people = People(store.url)
        tokens = {"patron": people.patron("ann"), "staff": people.staff("lee", "pit-manager"), "nobody": ""}
        people.close()
        with Service(tmp_path_factory.mktemp("schema"), store.url, rate=1e6, burst=1_000_000) as service:
            service.start()
            opened = httpx.post(
                f"{service.address}/api/tables/{TABLE}/commands",
                json=opening("wu-song"),
                headers=bearer(tokens["staff"]),
            )
            assert opened.status_code == 200, opened.text
            yield service, tokens


CONFIG = """
[checks.positive_data_acceptance]
expected-statuses = ["2xx", "400", "403", "404", "409"]
"""
"""What the page cannot say, such as which limits make sense, may be refused with 400 all the same."""


@pytest.mark.parametrize(
    ("who", "where", "phases"),
    [
        ("staff", TABLE, "examples,coverage,fuzzing"),
        ("patron", TABLE, "examples,fuzzing"),
        ("nobody", None, "examples,fuzzing"),
    ],
)
def test_the_api_does_what_its_page_says(
    who: str, where: str | None, phases: str, served: tuple[Service, dict[str, str]], tmp_path: Path
) -> None:
    service, tokens = served
    config = tmp_path / "schemathesis.toml"
    config.write_text((f'[parameters]\n"path.name" = "{where}"\n' if where else "") + CONFIG, encoding="utf-8")
    command = [
        *(str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run"),
        *("--phases", phases, "--max-examples", "8", "--generation-deterministic"),
        *("--warnings", "off", "--continue-on-failure", "--suppress-health-check", "all"),
        *("--exclude-checks", "allow_header_conformance"),  # Litestar answers OPTIONS for the first handler of a path
    ]
    if tokens[who]:
        command += ["--header", f"Authorization: {bearer(tokens[who])['Authorization']}"]
        command += ["--exclude-path", "/api/logout"]  # which makes the token worthless
    command.append(f"{service.address}/api/schema/openapi.json")
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=120, env={**os.environ, "NO_COLOR": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert httpx.get(f"{service.address}/health").json() == {"ok": True, "tables": 1}
