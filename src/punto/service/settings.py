"""Settings of the service: from a TOML file, then the environment, then the command line."""

import os
import tomllib
from pathlib import Path

import msgspec

PREFIX = "PUNTO_"
LEVELS = ("debug", "info", "warning", "error", "critical")
_LISTS = ("origins", "trusted_proxies")


class BadSettings(ValueError):
    """Settings that cannot be used. The message is a sentence."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set. `origins` are the pages that may open a socket besides our own.

    What is None follows from the rest: ten times `rate` and `burst` for reading, cookies for TLS alone where there is
    a certificate.
    """

    database: str = "sqlite:///punto.db"
    host: str = "127.0.0.1"
    port: int = 8000
    key_file: str = "punto.key"
    certificate: str | None = None
    certificate_key: str | None = None
    origins: tuple[str, ...] = ()
    rate: float = 50
    burst: int = 200
    read_rate: float | None = None
    read_burst: int | None = None
    sockets: int = 2000
    largest: int = 64 * 1024
    betting_seconds: float = 15
    pace: float = 1
    checkpoint_every: int = 500
    guests: bool = False
    """Whether anybody may come in and play, without an account of their own."""
    fresh_shoes: bool = False
    """Virtual shoes that are found in use are ended before their next round: after a restore."""
    log_level: str = "info"
    secure_cookies: bool | None = None
    trusted_proxies: tuple[str, ...] = ()
    feed_host: str = "127.0.0.1"
    feed_port: int | None = None
    """Where card-reading shoes connect; none do without."""
    feed_serial: str | None = None
    """A serial line with a card-reading shoe at its end, `/dev/ttyUSB0` or with its speed `/dev/ttyUSB0:9600`."""

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.log_level.lower() not in LEVELS:
            raise ValueError(f"log_level is one of {', '.join(LEVELS)}, not {self.log_level!r}")
        if self.certificate_key is not None and self.certificate is None:
            raise ValueError("certificate_key is for a certificate, and no certificate is set")

    @property
    def for_tls_alone(self) -> bool:
        """Whether browsers are to send our cookie over TLS alone."""
        return self.certificate is not None if self.secure_cookies is None else self.secure_cookies

    @property
    def reading(self) -> tuple[float, int]:
        """How many requests a second one address may make for what there is to read, and how many at once."""
        rate, burst = self.read_rate, self.read_burst
        return 10 * self.rate if rate is None else rate, 10 * self.burst if burst is None else burst


def settings(file: Path | None = None, environment: dict[str, str] | None = None, **given: object) -> Settings:
    """Settings from a file, the environment and what was given, the later before the earlier.

    >>> settings(None, {"PUNTO_PORT": "9000"}, host="0.0.0.0").port
    9000
    """
    found: dict[str, object] = {}
    if file is not None:
        try:
            found |= tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadSettings(f"{file} cannot be read: {error}.") from None
    for name, value in (dict(os.environ) if environment is None else environment).items():
        key = name.removeprefix(PREFIX).lower()
        if name.startswith(PREFIX) and key in Settings.__struct_fields__:
            found[key] = [each.strip() for each in value.split(",") if each.strip()] if key in _LISTS else value
    found |= {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise BadSettings(f"The settings cannot be used: {error}.") from None
