"""Who holds connections, and whose give way when all are taken.

Whom the house knows holds them by account, a stranger by address. Whoever holds most gives way to whoever would hold
less, and the latest connection goes first: so nobody takes all of them, however many come.
"""

from collections.abc import Iterator
from typing import Generic, Literal, TypeVar

import msgspec

from punto.service.limits import site_of

FREE = 8
"""Connections of one account that never give way: what a browser has open, and a page besides."""

_Name = TypeVar("_Name")
_Connection = TypeVar("_Connection")


class Holder(msgspec.Struct, frozen=True):
    """Whose a connection is: an account's, an address's, or that of a proxy, behind which there are many people."""

    name: str
    kind: Literal["address", "account", "proxy"] = "address"


class MostOften(Generic[_Name]):
    """How often each name is counted, and which most often.

    >>> counted: MostOften[str] = MostOften()
    >>> for name in ("ann", "bob", "bob"):
    ...     counted.add(name)
    >>> counted.most(), counted.number("ann"), counted.number("cat")
    (('bob', 2), 1, 0)
    >>> counted.drop("bob"); counted.drop("bob"); counted.most()
    ('ann', 1)
    """

    def __init__(self) -> None:
        self._numbers: dict[_Name, int] = {}
        self._names: dict[int, dict[_Name, None]] = {}
        """By number: the names that are counted so often."""
        self._most = 0

    def number(self, name: _Name) -> int:
        """How often a name is counted."""
        return self._numbers.get(name, 0)

    def add(self, name: _Name) -> None:
        """Count a name once more."""
        self._change(name, self.number(name) + 1)

    def drop(self, name: _Name) -> None:
        """Count a name once less."""
        self._change(name, self.number(name) - 1)

    def most(self) -> tuple[_Name, int] | None:
        """The name that is counted most often, and how often; None if there is none."""
        for name in self._names.get(self._most, ()):
            return name, self._most
        return None

    def _change(self, name: _Name, after: int) -> None:
        before = self._numbers.pop(name, 0)
        if before:
            del self._names[before][name]
            if not self._names[before]:
                del self._names[before]
        if after:
            self._numbers[name] = after
            self._names.setdefault(after, {})[name] = None
        if after > self._most or self._most not in self._names:
            self._most = after if self._names else 0


class Holders(Generic[_Connection]):
    """Connections, and whose each of them is."""

    def __init__(self) -> None:
        self._holders: dict[_Connection, Holder] = {}
        self._held: dict[Holder, dict[_Connection, None]] = {}
        """The connections of each, the latest last."""
        self._accounts: MostOften[Holder] = MostOften()
        self._sites: MostOften[str] = MostOften()
        self._addresses: dict[str, MostOften[Holder]] = {}
        """By site: its addresses."""

    def __len__(self) -> int:
        return len(self._holders)

    def __iter__(self) -> Iterator[_Connection]:
        return iter(self._holders)

    def holder_of(self, connection: _Connection) -> Holder | None:
        """Whose a connection is; None if it is none of these."""
        return self._holders.get(connection)

    def number(self, holder: Holder) -> int:
        """How many connections somebody holds."""
        return len(self._held.get(holder, ()))

    def enter(self, connection: _Connection, holder: Holder) -> None:
        """One more is held."""
        self._holders[connection] = holder
        self._held.setdefault(holder, {})[connection] = None
        if holder.kind == "account":
            self._accounts.add(holder)
        elif holder.kind == "address":
            site = _site(holder)
            self._sites.add(site)
            self._addresses.setdefault(site, MostOften()).add(holder)

    def leave(self, connection: _Connection) -> None:
        """One is held no more."""
        holder = self._holders.pop(connection, None)
        if holder is None:
            return
        del self._held[holder][connection]
        if not self._held[holder]:
            del self._held[holder]
        if holder.kind == "account":
            self._accounts.drop(holder)
        elif holder.kind == "address":
            site = _site(holder)
            self._sites.drop(site)
            self._addresses[site].drop(holder)
            if not self._sites.number(site):
                del self._addresses[site]

    def gives_way_to(self, newcomer: Holder) -> _Connection | None:
        """The connection that makes room for one more of somebody's; None if nobody holds more than they would."""
        if newcomer.kind == "address":
            site = _site(newcomer)
            within = self._addresses[site].most() if site in self._addresses else None
            if within is not None and within[1] > self.number(newcomer) + 1:
                return self._latest(within[0])
            would_hold = self._sites.number(site) + 1
        elif newcomer.kind == "account":
            would_hold = max(self.number(newcomer) + 1 - FREE, 0)
        else:
            would_hold = 0
        holder, most = max(self._most_of_strangers(), self._most_of_accounts(), key=lambda found: found[1])
        return None if holder is None or most <= would_hold else self._latest(holder)

    def _most_of_strangers(self) -> tuple[Holder | None, int]:
        site = self._sites.most()
        address = None if site is None else self._addresses[site[0]].most()
        return (None, 0) if site is None or address is None else (address[0], site[1])

    def _most_of_accounts(self) -> tuple[Holder | None, int]:
        account = self._accounts.most()
        return (None, 0) if account is None else (account[0], account[1] - FREE)

    def _latest(self, holder: Holder) -> _Connection:
        return next(reversed(self._held[holder]))


def _site(holder: Holder) -> str:
    """What whoever has an address has besides: with IPv6 all that begin with the same 48 bits."""
    return site_of(holder.name) if ":" in holder.name else holder.name
