"""Who gives a command: the house itself, or an account whose post counts when the command is decided, not before."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

import msgspec

from punto.journal import Append, Proviso
from punto.messages import say
from punto.service.accounts.account import ACCOUNT, Account, HeldPost, Kind, SignedIn
from punto.service.accounts.own_limits import OwnLimits
from punto.service.accounts.registry import Accounts
from punto.service.accounts.sessions import ENDED
from punto.service.accounts.tokens import Denied
from punto.table import Table, commands, events

Given = Callable[[Account, Table | None], list[commands.Command]]
"""What an account says at a table as it stands: its taking up its post, where that is due, and then the command."""


class LiveTable(Protocol):
    """A table as this process knows it."""

    name: str
    table: Table | None
    sequence: int


Along = Callable[[LiveTable, tuple[events.Event, ...]], Awaitable[Append | None]]
"""What goes to another chain in the same commit as the events of a command, or nothing."""

AlongOf = Callable[[Account, LiveTable, tuple[events.Event, ...]], Awaitable[Append | None]]
"""The same for the command of an account, as the account stands when the command is decided."""


class Speaker(Protocol):
    """Whoever gives a command."""

    @property
    def who(self) -> str:
        """The name that the journal keeps."""

    @property
    def provisos(self) -> tuple[Proviso, ...]:
        """The records by which it is decided that they may; the command is committed only if these are unchanged."""

    @property
    def fence(self) -> int | None:
        """The number of the lease under which alone it is done, if there is one."""

    @property
    def along(self) -> Along | None:
        """What goes to other chains together with it."""

    def said(self, table: Table | None) -> list[commands.Command]:
        """What they say at a table as it stands now; `Denied` if they may not."""

    async def renewed(self, *, outdated: bool = False) -> bool:
        """Read these records anew, all of them if one is `outdated`; whether they say something else than before."""


class Overtaken(Exception):
    """What was planned is not to be done any more: somebody has acted at the table meanwhile."""


class HouseSpeaker(msgspec.Struct, frozen=True):
    """The house itself: its dealer, its recovery. What it says together, nobody comes between."""

    given: tuple[commands.Command, ...]
    who: str
    fence: int | None = None
    along: Along | None = None
    provisos: tuple[()] = ()
    holds: Callable[[Table | None], bool] | None = None
    """Whether this is still what is to be said at a table as it stands; None if it always is."""

    def said(self, table: Table | None) -> list[commands.Command]:
        """The commands; `Overtaken` if they are not for the table as it stands now."""
        if self.holds is not None and not self.holds(table):
            raise Overtaken
        return list(self.given)

    async def renewed(self, **_: bool) -> bool:
        """Nothing can have changed."""
        return False


class _Standing(msgspec.Struct, frozen=True):
    """What of an account decides as whom it acts; its passwords and failures do not."""

    kind: Kind
    posts: dict[str, HeldPost]
    version: int
    own: OwnLimits | None = None

    @classmethod
    def of(cls, account: Account) -> "_Standing":
        """That of an account as it was read."""
        return cls(account.kind, account.posts, account.version, account.own)


_standings = msgspec.json.Decoder(_Standing)


def not_closed(account: Account) -> tuple[Proviso, ...]:
    """The provisos that an account is not being removed and its tokens are good, where money begins to move by it."""
    version = account.version
    own = Proviso(ACCOUNT, account.name, lambda body: _version_of(body) == version, held=True)
    return own, *_not_ended(account)


def _not_ended(account: Account) -> tuple[Proviso, ...]:
    """The proviso that the session by which somebody acts has not been ended, in whichever process."""
    session = account.session if isinstance(account, SignedIn) else ""
    return (Proviso(ENDED, session, lambda body: body is None),) if session else ()


def _version_of(body: str | None) -> int | None:
    return None if body is None else _standings.decode(body).version


class AccountSpeaker:
    """An account. As whom it acts is worked out when its command is decided, and checked once more in the commit."""

    fence = None

    def __init__(
        self, accounts: Accounts, account: Account, given: Given, along: AlongOf | None = None, *, held: bool = False
    ) -> None:
        self._accounts, self._account, self._given, self._along, self._held = accounts, account, given, along, held
        self._not_ended = _not_ended(account)

    @property
    def who(self) -> str:
        """The account's person."""
        return self._account.person

    @property
    def provisos(self) -> tuple[Proviso, ...]:
        """The account must have the posts and limits that it was taken to have, and its session not have ended."""
        return Proviso(ACCOUNT, self._account.name, self._is_unchanged, self._held), *self._not_ended

    @property
    def along(self) -> Along | None:
        """What goes along with a command of the account as it was read last."""
        return None if self._along is None else partial(self._along, self._account)

    def said(self, table: Table | None) -> list[commands.Command]:
        """What the account says, in the post that it holds."""
        return self._given(self._account, table)

    async def renewed(self, *, outdated: bool = False) -> bool:
        """Read the account from the store; `Denied` if it is gone, its tokens are revoked, or the session has ended."""
        before, now = self._account, await self._accounts.fresh(self._account.name)
        ended = outdated and [each for each in self._not_ended if await self._accounts.has_ended(each.name)]
        if now is None or now.version != before.version or ended:
            raise Denied(say("token-not-good", "The token is not good any more."))
        self._account = now
        return _Standing.of(now) != _Standing.of(before)

    def _is_unchanged(self, body: str | None) -> bool:
        return body is not None and _standings.decode(body) == _Standing.of(self._account)
