"""The settings of the service: from a TOML file, the environment and the command line, which overrides the others."""

import math
import os
import tomllib
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path
from typing import Literal
from urllib.parse import SplitResult, urlsplit

import msgspec

from punto.service.days import start_of_days

PREFIX = "PUNTO_"
LEVELS = ("debug", "info", "warning", "error", "critical")
_LISTS = ("origins", "trusted_proxies", "second_factor")
_OTHERS = ("PUNTO_CHAOS", "PUNTO_DEVICE_TOKEN", "PUNTO_FULL")
"""Names in the environment that are no settings of the service, but mean something elsewhere."""

RANGES: dict[str, tuple[float, float]] = {
    "port": (0, 65535),
    "rate": (0.001, 1e9),
    "burst": (1, 10**9),
    "read_rate": (0.001, 1e9),
    "read_burst": (1, 10**9),
    "sockets": (1, 10**6),
    "largest": (1024, 16 * 1024 * 1024),
    "betting_seconds": (0.01, 86_400),
    "pace": (0, 1000),
    "idle_seat_minutes": (0.01, 1440),
    "checkpoint_every": (1, 10**9),
    "feed_port": (0, 65535),
    "connections": (1, 10**6),
    "connections_by_address": (1, 10**6),
    "head_seconds": (0.1, 600),
    "body_seconds": (0.1, 3600),
    "idle_seconds": (1, 3600),
    "unsent_seconds": (1, 3600),
    "ping_seconds": (0.1, 3600),
    "bytes_a_second": (1024, 10**9),
    "store_seconds": (0.1, 600),
    "stop_seconds": (0.1, 3600),
    "texts_an_hour": (1, 10**9),
    "tables_an_hour": (1, 10**9),
    "play_most": (0, 10**15),
    "buy_in_most": (0, 10**15),
    "buy_in_person_day": (0, 10**15),
    "buy_in_table_day": (0, 10**15),
    "wallet_seconds": (0.1, 600),
}
"""The least and the most that a number may be."""


class BadSettings(ValueError):
    """Settings that cannot be used. The message is a sentence."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that can be set. `origins` are pages of other hosts that may use the API.

    Where a setting is None it follows from others: reading is limited to ten times `rate` and `burst`, and cookies are
    for TLS alone where there is a certificate.
    """

    database: str = "sqlite:///punto.db"
    host: str = "127.0.0.1"
    port: int = 8000
    key_file: str = "punto.key"
    master_key: str | None = None
    """The key that wraps the secrets of the store, as 64 hexadecimal digits: best by the environment."""
    master_key_file: str | None = None
    """The file of that key; None for the one beside `key_file`, with `.master` at its end."""
    master_key_command: str | None = None
    """A command that prints that key."""
    books: str | None = None
    """A folder with rulebooks of the house's own, as TOML: tables can be opened by them as by those that ship."""
    games: bool = False
    """Whether tables can be opened by the public games, too: they come with Punto and are no approved texts."""
    dealt_folder: str | None = None
    """Where it is noted how far virtual tables have dealt; None for the one beside `key_file`, with `.dealt`."""
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
    idle_seat_minutes: float | None = None
    """Minutes after which the seat of a patron who does nothing is given back; None for never."""
    checkpoint_every: int = 500
    witness: str | None = None
    """The address of an outside witness that signs checkpoints."""
    guests: bool = False
    """Whether people may come in and play without an account made for them."""
    fresh_shoes: bool = False
    """End virtual shoes that are found in use before their next round: for a start after a restore."""
    second_factor: tuple[str, ...] | None = None
    """The ranks that need a second factor to log in with a password; None for those that decide money."""
    oidc_issuer: str | None = None
    """The provider by which the staff may sign in (OpenID Connect)."""
    oidc_client_id: str | None = None
    oidc_client_secret: str | None = None
    """What the house is called there, and its secret: best by the environment."""
    oidc_claim: str = "sub"
    """What of a person at the provider is linked to an account."""
    log_level: str = "info"
    log_format: Literal["auto", "json", "plain"] = "auto"
    """How the log is written: JSON lines for programs, plain ones for people; auto: plain on a terminal."""
    secure_cookies: bool | None = None
    trusted_proxies: tuple[str, ...] = ()
    money: Literal["cage", "play", "wallet"] = "cage"
    """Where money comes from: cashiers and table staff, nowhere (play money, as much as `play_most`), or a wallet."""
    play_most: int = 1_000_000_00
    """The most play money that somebody may have at a table by their own taking, in minor units."""
    buy_in_most: int | None = None
    """The most of one buy-in, in minor units; the next two: of one person, and of one table, on a gaming day."""
    buy_in_person_day: int | None = None
    buy_in_table_day: int | None = None
    day_starts: str = "00:00+00:00"
    """When gaming days begin, with the zone."""
    wallet: str | None = None
    """The address of a wallet of somebody else; None for the house's own."""
    wallet_token: str | None = None
    wallet_seconds: float = 5
    feed_host: str = "127.0.0.1"
    feed_port: int | None = None
    """The port where card-reading shoes connect; None for no port."""
    feed_serial: str | None = None
    """The serial line of a card-reading shoe: `/dev/ttyUSB0`, or with its speed `/dev/ttyUSB0:9600`."""
    connections: int | None = None
    """Connections at once; None for as many as the limit of files allows."""
    connections_by_address: int | None = None
    """Connections at once from one address, or of one account; None for a quarter of all."""
    head_seconds: float = 10
    body_seconds: float = 20
    idle_seconds: int = 5
    """Seconds that a connection may take for a head, for a body, and between two requests."""
    unsent_seconds: float = 30
    """Seconds in which the other side has to take what it is sent."""
    ping_seconds: float = 15
    """Seconds between two pings on a socket, and for the answer to one."""
    bytes_a_second: int = 256 * 1024
    """Bytes that one connection may send, for as long as it likes."""
    store_seconds: float = 5
    """Seconds that the store has for an answer."""
    stop_seconds: float = 4.5
    """Seconds after which the service ends at once when it is told to, whatever hangs."""
    texts_an_hour: int = 30
    """Notes, reasons, disputes and complaints of one patron; ten times as many of one of the staff."""
    tables_an_hour: int = 200
    """Tables that one account opens: each takes memory for as long as the service runs."""

    def __post_init__(self) -> None:
        """Refuse settings that are out of their range or form, or contradict themselves."""
        for name in self.__struct_fields__:
            _check_text(name, getattr(self, name))
        for origin in self.origins:
            _check_origin(origin)
        if self.log_level.lower() not in LEVELS:
            raise ValueError(f"log_level is one of {', '.join(LEVELS)}, not {self.log_level!r}")
        if self.certificate_key is not None and self.certificate is None:
            raise ValueError("certificate_key is for a certificate, and no certificate is set")
        try:
            start_of_days(self.day_starts)
        except ValueError:
            raise ValueError(f"day_starts is a time with its zone, like 06:00+08:00, not {self.day_starts!r}") from None
        if self.wallet is not None and self.money != "wallet":
            raise ValueError("wallet is for money = wallet, and money is " + self.money)
        _check_oidc(self.oidc_issuer, self.oidc_client_id)
        masters = (self.master_key, self.master_key_file, self.master_key_command)
        if sum(each is not None for each in masters) > 1:
            raise ValueError("master_key, master_key_file and master_key_command exclude each other: set one")
        for name, (least, most) in RANGES.items():
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and least <= value <= most):
                raise ValueError(f"{name} is {_number(least)} to {_number(most)}, not {value}")

    @property
    def address(self) -> str:
        """Where browsers find the service, if no proxy stands before it.

        >>> Settings(port=9000).address
        'http://127.0.0.1:9000'
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}"

    @property
    def for_tls_alone(self) -> bool:
        """Whether browsers send our cookie over TLS alone."""
        return self.certificate is not None if self.secure_cookies is None else self.secure_cookies

    @property
    def reading(self) -> tuple[float, int]:
        """Reading requests that one address may make: a second, and at once."""
        rate, burst = self.read_rate, self.read_burst
        return 10 * self.rate if rate is None else rate, 10 * self.burst if burst is None else burst


def settings(file: Path | None = None, environment: dict[str, str] | None = None, **given: object) -> Settings:
    """Settings from a file, the environment and what was given; a later source overrides an earlier one.

    >>> settings(None, {"PUNTO_PORT": "9000"}, host="0.0.0.0").port
    9000
    """
    found: dict[str, object] = {}
    if file is not None:
        try:
            found |= tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadSettings(f"{file} cannot be read: {_reason(error)}.") from None
    for name, value in (dict(os.environ) if environment is None else environment).items():
        key = name.removeprefix(PREFIX).lower()
        if name.startswith(PREFIX) and key in Settings.__struct_fields__:
            found[key] = [each.strip() for each in value.split(",") if each.strip()] if key in _LISTS else value
    found |= {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise BadSettings(f"The settings cannot be used: {error}.") from None


def _reason(error: Exception) -> str:
    """Why a file cannot be read, in words."""
    if isinstance(error, OSError):
        return str(error.strerror)
    return "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)


def unknown_names(environment: Collection[str]) -> list[str]:
    """A sentence for every name in the environment that looks like a setting and is none.

    >>> unknown_names(["PUNTO_PORT", "HOME", "PUNTO_PROT"])
    ['PUNTO_PROT is no setting: it is ignored. Is it PUNTO_PORT?']
    """
    known = [f"{PREFIX}{name.upper()}" for name in Settings.__struct_fields__]
    told = []
    for name in sorted(set(environment) - {*known, *_OTHERS}):
        if name.upper().startswith(PREFIX):
            near = get_close_matches(name.upper(), known, 1)
            told.append(f"{name} is no setting: it is ignored." + (f" Is it {near[0]}?" if near else ""))
    return told


def _check_text(name: str, value: object) -> None:
    """Refuse a text that says nothing, or has characters in it that nobody sees: an empty host would be every one."""
    if isinstance(value, str) and not value.strip():
        raise ValueError(f"{name} is empty: leave it out, or say what it is")
    if isinstance(value, str) and not value.isprintable():
        raise ValueError(f"{name} has characters in it that cannot be seen")


def check_addresses(settings: Settings) -> None:
    """Refuse to serve with what is not the address of a service that is spoken to by HTTP: it might be a file.

    >>> check_addresses(Settings(witness="file:///etc/passwd"))
    Traceback (most recent call last):
    punto.service.settings.BadSettings: witness is an address like https://witness.example, not 'file:///etc/passwd'.
    """
    for name, value in (("wallet", settings.wallet), ("witness", settings.witness)):
        found = None if value is None else _taken_apart(value)
        good = found is not None and found.scheme in ("http", "https") and not found.query and not found.fragment
        if value is not None and not good:
            raise BadSettings(f"{name} is an address like https://{name}.example, not {value!r}.")


def _check_origin(value: str) -> None:
    """Refuse what no browser names as the origin of a page."""
    found = _taken_apart(value)
    if found is None or value != f"{found.scheme}://{found.netloc}" or found.username is not None:
        raise ValueError(f"origins are like https://screens.example, without a path, not {value!r}")


def _taken_apart(address: str) -> SplitResult | None:
    """The parts of an address with a host; None if it is none."""
    try:
        found = urlsplit(address)
        return found if found.hostname and " " not in address and found.port != 0 else None
    except ValueError:  # a port that is no number
        return None


def _check_oidc(issuer: str | None, client: str | None) -> None:
    """Refuse a provider that cannot be used; one without TLS is for this machine alone."""
    if (issuer is None) != (client is None):
        raise ValueError("oidc_issuer and oidc_client_id belong together: set both or neither")
    if issuer is None:
        return
    found = urlsplit(issuer)
    here = found.scheme == "http" and found.hostname in ("127.0.0.1", "::1", "localhost")
    if not found.hostname or not (here or found.scheme == "https") or found.query or found.fragment:
        raise ValueError(f"oidc_issuer is an address like https://sign-in.example, not {issuer!r}")


def _number(value: float) -> str:
    """A bound of a range, as people write it."""
    return f"{value:,.3f}".rstrip("0").rstrip(".")
