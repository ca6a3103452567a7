"""Settings that cannot be used are a sentence before anything begins; those that can be are on the page about them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from punto.service.http.app import build
from punto.service.run import GRACE
from punto.service.settings import BadSettings, Settings, settings
from service_process import free_port

from console import DOCS


def _serve(folder: Path, **given: str) -> subprocess.CompletedProcess[str]:
    told = {"PORT": str(free_port()), "KEY_FILE": f"{folder}/new.key", "DATABASE": f"sqlite:///{folder}/p.db", **given}
    command = [sys.executable, "-c", "from punto.cli import main; main()", "serve"]
    environment = {**os.environ, **{f"PUNTO_{name}": value for name, value in told.items()}}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


def test_a_service_that_is_told_to_stop_has_less_than_five_seconds() -> None:
    """And more than the requests get that run by then."""
    assert GRACE < settings(None, {}).stop_seconds < 5


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"LOG_LEVEL": "loud"}, "log_level is one of debug, info, warning, error, critical, not 'loud'"),
        ({"CERTIFICATE_KEY": "house.key"}, "no certificate is set"),
        ({"CERTIFICATE": "none.pem"}, "The certificate cannot be used"),
        ({"CERTIFICATE": "wrong.key"}, "The certificate cannot be used"),
        ({"DATABASE": "nonsense"}, "not the address of a database"),
        ({"DATABASE": "mysql://house/punto"}, "SQLite or PostgreSQL"),
        ({"DATABASE": "sqlite:////no/such/folder/p.db"}, "The store did not answer"),
        ({"DATABASE": "sqlite:///wrong.key"}, "The store did not answer"),
        ({"DATABASE": "postgresql://punto:secret@127.0.0.1:1/punto"}, "The store did not answer"),
        ({"KEY_FILE": "wrong.key"}, "holds no key that signs"),
        ({"KEY_FILE": "/no/such/folder/punto.key"}, "No such file or directory"),
        ({"PORT": "x"}, "Expected `int`"),
        ({"HOST": ""}, "host is empty"),
        ({"MONEY": "wallet", "WALLET": "file:///etc/passwd"}, "wallet is an address like https://wallet.example"),
    ],
    ids=lambda value: "-".join(value.values()).replace("/", "_") if isinstance(value, dict) else "",
)
def test_what_cannot_be_used_is_a_sentence(given: dict[str, str], says: str, tmp_path: Path) -> None:
    (tmp_path / "wrong.key").write_text("this is neither a key nor a certificate nor a database\n" * 40)
    done = _serve(tmp_path, **given)
    assert done.returncode == 1, done.stderr
    [line] = done.stderr.splitlines()
    assert line.startswith("punto: ")
    assert says in line
    assert "secret" not in line


TEXTS = [
    name
    for name, kind in Settings.__annotations__.items()
    if kind in (str, str | None) and name not in ("day_starts", "log_level")
]


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_is_empty_or_has_what_cannot_be_seen(name: str) -> None:
    """An empty host would be every address of the machine."""
    for value, says in (("", "is empty"), ("  ", "is empty"), ("x\ny", "cannot be seen"), ("x\x00", "cannot be seen")):
        with pytest.raises(BadSettings, match=f"{name} (is empty|has characters)") as refused:
            settings(None, {f"PUNTO_{name.upper()}": value})
        assert says in str(refused.value)


@pytest.mark.parametrize("name", ["wallet", "witness"])
def test_an_address_is_one_that_is_spoken_to_by_http(name: str) -> None:
    wrong = (
        "wallet",
        "file:///etc/passwd",
        "ftp://a.example",
        "http://",
        "http://a b",
        "http://a:x",
        "http://a/?b",
        "//a",
    )
    for value in wrong:
        with pytest.raises(BadSettings, match=f"{name} is an address like https://{name}.example, not "):
            build(settings(None, {f"PUNTO_{name.upper()}": value, "PUNTO_MONEY": "wallet"}))
    for value in ("http://10.0.0.9:8200", "https://a.example/punto/", "http://[::1]:8200"):
        build(settings(None, {f"PUNTO_{name.upper()}": value, "PUNTO_MONEY": "wallet"}))


@pytest.mark.parametrize(
    "value", ["*", "screens.example", "https://a.example/", "https://a.example/x", "https://u@a", "null"]
)
def test_an_origin_is_what_browsers_name(value: str) -> None:
    with pytest.raises(BadSettings, match=r"origins are like https://screens.example, without a path"):
        settings(None, {"PUNTO_ORIGINS": f"https://good.example, {value}"})
    assert settings(None, {"PUNTO_ORIGINS": "https://a.example:8443,http://[::1]"}).origins


@pytest.mark.parametrize("level", ["debug", "INFO", "Warning"])
def test_a_level_is_written_as_one_likes(level: str) -> None:
    assert settings(None, {"PUNTO_LOG_LEVEL": level}).log_level == level
    with pytest.raises(BadSettings):
        settings(None, {"PUNTO_LOG_LEVEL": f"{level}x"})


def test_lists_come_with_commas() -> None:
    found = settings(None, {"PUNTO_TRUSTED_PROXIES": "10.0.0.1, 10.0.0.2", "PUNTO_ORIGINS": ""})
    assert found.trusted_proxies == ("10.0.0.1", "10.0.0.2")
    assert found.origins == ()


def test_reading_may_be_ten_times_as_frequent_unless_it_is_said() -> None:
    assert settings(None, {}, rate=3, burst=7).reading == (30, 70)
    assert settings(None, {}, rate=3, burst=7, read_rate=1, read_burst=2).reading == (1, 2)


def test_every_setting_is_on_the_page() -> None:
    text = "".join((DOCS / name).read_text(encoding="utf-8") for name in ("operations.md", "feed.md"))
    assert [name for name in Settings.__struct_fields__ if f"`{name}`" not in text] == []
