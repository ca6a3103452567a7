"""What a request handler may use: tables, accounts, settings, limits on requests, what screens show, and the pages."""

import asyncio
from dataclasses import dataclass, field
from itertools import count
from uuid import uuid4
from weakref import WeakValueDictionary

from litestar.di import NamedDependency

from punto.journal import Journal
from punto.service.accounts.guesses import GuessLimit
from punto.service.accounts.registry import Accounts
from punto.service.accounts.sign_in import SignIn
from punto.service.hourly import HourlyLimit
from punto.service.http.desks import Desks
from punto.service.http.page_files import PageFiles
from punto.service.http.texts import TextLimit
from punto.service.limits import OpenLimit, RateLimit
from punto.service.runtime.counting import Counting
from punto.service.runtime.faces import Faces
from punto.service.runtime.floor import Floor
from punto.service.runtime.money_requests import MoneyRequests
from punto.service.runtime.screens import Screens
from punto.service.runtime.store_health import StoreHealth
from punto.service.runtime.teller import Teller
from punto.service.settings import Settings
from punto.service.store_calls import StoreCalls
from punto.service.threads import Threads

_PASSWORDS_AT_ONCE = 2
"""Passwords that are checked at the same time, of strangers and of known browsers: each takes a processor a while."""


_SIGN_INS_AT_ONCE = 4
"""Sign-ins that wait for the provider at the same time: each takes a thread, also while it does not answer."""

_WORKED_OUT_AT_ONCE = 2
"""Odds and drills that are worked out at the same time."""

_COSTLY = 50
"""A drill, the OpenAPI document or a new desk takes as long as many other requests: one address, or one account of the
staff, asks for this part of them."""

_TOLD_A_READ, _SEARCHED_A_READ = 4, 16
"""Entries of the past that are told, or only looked through, for somebody: so many take as long as a request."""

_LISTED_A_READ = 20
"""Tables of a lobby: so many take as long as a request."""

_TURN = 0.1
"""Seconds between two looks whether an address that has read much of the past may read on."""

_GUESTS_AN_HOUR = 200
"""New guests from one address: each is an entry in the chain of the house."""

GUESTS_OF_A_SITE = 10
"""So many times as many come in from all addresses of a site, which one person may have."""


_OWN_LIMITS_AN_HOUR = 30
"""Changes of one patron's own limits: each is an entry in the chain of the house. Pauses are counted by themselves, so
that nobody is kept from one by what they changed before."""


class RequestLimits:
    """How much the API takes: commands and texts by account, log-ins and reading by address, sockets by either."""

    def __init__(self, settings: Settings, journal: Journal, ask_store: StoreCalls) -> None:
        self.commands = RateLimit(settings.rate, settings.burst)
        self.log_ins = RateLimit(settings.rate / 10, max(settings.burst // 10, 1))
        self.reads = RateLimit(*settings.reading)
        rate, burst = settings.reading
        self.costly = RateLimit(rate / _COSTLY, max(burst // _COSTLY, 1))
        self.sockets = OpenLimit(settings.sockets)
        self.texts = TextLimit(HourlyLimit(journal, "texts", settings.texts_an_hour), ask_store)
        self.opened = HourlyLimit(journal, "tables", settings.tables_an_hour)
        self.own_limits = HourlyLimit(journal, "own limits", _OWN_LIMITS_AN_HOUR)
        self.pauses = HourlyLimit(journal, "pauses", _OWN_LIMITS_AN_HOUR)
        self.guests = HourlyLimit(journal, "guests", _GUESTS_AN_HOUR)
        self.guesses = GuessLimit()
        self.passwords, self.known_passwords = (asyncio.Semaphore(_PASSWORDS_AT_ONCE) for _ in range(2))
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """By address: whoever is next to be told of the past."""

    def listed(self, address: str, tables: int) -> None:
        """Count the tables of a lobby that an address is told, for what they take."""
        self.reads.owe(address, tables / _LISTED_A_READ)

    def told_past(self, address: str, entries: int) -> None:
        """Count entries of the past that an address is told, for what they take."""
        self.reads.owe(address, entries / _TOLD_A_READ)

    def searched_past(self, address: str, entries: int) -> None:
        """Count entries of the past that were looked through for an address, for what they take."""
        self.reads.owe(address, entries / _SEARCHED_A_READ)

    async def turn_to_read(self, address: str, entries: int) -> None:
        """Wait until an address may be told more of the past, one after the other, and count what it is told."""
        async with self._turns.setdefault(address, asyncio.Lock()):
            while not self.reads.has(address):
                await asyncio.sleep(_TURN)
            self.told_past(address, entries)


class CommandKeys:
    """Idempotency keys for commands that came without one: unique, and made without asking the system each time."""

    def __init__(self) -> None:
        self._prefix = uuid4().hex
        self._numbers = count()

    def new(self) -> str:
        """A key that no other command has."""
        return f"{self._prefix}-{next(self._numbers)}"


@dataclass(frozen=True)
class Casino:
    """What a request handler may use."""

    floor: Floor
    accounts: Accounts
    faces: Faces
    settings: Settings
    limits: RequestLimits
    screens: Screens
    teller: Teller
    requests: MoneyRequests
    counting: Counting
    store_health: StoreHealth
    sign_in: SignIn | None = None
    pages: PageFiles = field(default_factory=PageFiles.shipped)
    keys: CommandKeys = field(default_factory=CommandKeys)
    work_out: Threads = field(default_factory=lambda: Threads(_WORKED_OUT_AT_ONCE, "work"))
    desks: Desks = field(default_factory=Desks)
    ask_provider: Threads = field(default_factory=lambda: Threads(_SIGN_INS_AT_ONCE, "provider"))

    def close(self) -> None:
        """Let the threads go that only requests use."""
        self.work_out.close()
        self.desks.close()
        self.ask_provider.close()
        self.counting.close()


UsesCasino = NamedDependency[Casino]
"""The annotation of the parameter `casino` of a handler."""
