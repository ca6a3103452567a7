"""The directory of accounts: making, changing and removing them, and finding them again.

Everything that is done with an account is on record: the house has a chain of its own in the journal, and an act and
its entry there are one commit.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence

import msgspec

from punto.audit import kept_books
from punto.journal import HOUSE, Append, Journal, RecordChange
from punto.messages import say
from punto.rulebook import SHIPPED, Library
from punto.service.accounts.account import (
    ACCOUNT,
    OF_THE_HOUSE,
    Account,
    BadAccount,
    HeldPost,
    check_new,
    check_person,
    check_post,
    check_shown,
    is_name,
    new_person,
    read_account,
)
from punto.service.accounts.batched_lookup import BatchedLookup
from punto.service.accounts.house import Act, House
from punto.service.accounts.own_limits import MOST_CURRENCIES, OwnLimits, moment_text
from punto.service.accounts.passwords import hash_of
from punto.service.accounts.used_ids import ever_used
from punto.service.money.purses import PurseNotEmpty, check_empty, hold_purses, leave_tables
from punto.service.money.standing import Key
from punto.service.settings import BadSettings
from punto.service.store_calls import StoreCalls

STALE_AFTER = 1.0
"""Seconds until this process knows what another one has done with accounts."""

PERSON, SHOWN = "person", "shown"
"""Kinds of records: the account of a person; shown names by person."""

NOBODY = ""
"""The account of a person whose account is being removed, or is gone."""

BUSY = say("account-busy", "Others are changing this account: try again.")
_MOST_CACHED = 200_000
_TRIES = 20


class Directory:
    """The accounts of the house, kept in the store.

    Every method but `fresh` waits for the store: call it from a thread where a loop is running.
    """

    def __init__(
        self, journal: Journal, clock: Callable[[], float] = time.time, calls: StoreCalls | None = None
    ) -> None:
        self._journal, self._clock = journal, clock
        self.library = kept_books(journal)
        """The books that tables may be opened by: their ranks are no names of people."""
        self._calls = calls or StoreCalls()
        self.house = House(journal, clock)
        self._lock = threading.RLock()
        self._cache: dict[str, Account] = {}
        self._read_to = journal.tables().get(HOUSE, 0)
        self._updated = time.monotonic()
        self._shown = journal.records(SHOWN)
        self._lookup = BatchedLookup(self._look_up, self._calls)

    def make(
        self,
        name: str,
        kind: str,
        password: str | None = None,
        posts: dict[str, HeldPost] | None = None,
        *,
        person: str | None = None,
        shown: str = "",
        by: str = "service",
    ) -> Account:
        """Make an account, or refuse its name, kind, password, posts or person; a person is new unless one is given."""
        check_new(name, kind, password, posts or {}, self.library)
        check_shown(shown)
        hashed = None if password is None else hash_of(password)
        is_new = new_person() if person is None else self._unused(person)
        made = msgspec.convert({"name": name, "kind": kind, "person": is_new, "shown": shown}, Account)
        made = msgspec.structs.replace(made, password=hashed, posts=posts or {}, version=secrets.randbits(48))
        told = {"kind": kind, "person": is_new, "shown": shown, **_told(posts or {})}
        changes = [
            RecordChange(ACCOUNT, name, None, msgspec.json.encode(made).decode()),
            RecordChange(PERSON, is_new, None, name),
        ]
        if shown:
            changes.append(RecordChange(SHOWN, is_new, None, shown))
        if not self._put_all(name, changes, self.house.entry(by, "account-made", name, **told)):
            raise BadAccount(say("account-exists", "There is an account {name:quoted} already.", name=name))
        if shown:
            self._shown[is_new] = shown
        return made

    def _unused(self, person: str) -> str:
        """An id that somebody chose for a person, if nobody ever had it."""
        check_person(person, self.library)
        same_name = self._journal.record(ACCOUNT, person)  # an account of the first releases is its own person
        if self._journal.record(PERSON, person) is not None or (
            same_name is not None and read_account(same_name).person == person
        ):
            raise BadAccount(
                say(
                    "person-id-used",
                    "The id {person:quoted} is or was somebody's: ids of persons are never used again.",
                    person=person,
                )
            )
        return person

    def check_never_used(self, person: str) -> None:
        """Refuse an id that anybody ever had, an account of any release or a patron whom the staff have seated."""
        self._unused(person)
        if ever_used(self._journal, person):
            raise BadAccount(
                say(
                    "person-id-used",
                    "The id {person:quoted} is or was somebody's: ids of persons are never used again.",
                    person=person,
                )
            )

    def shown(self, person: str) -> str:
        """The name that people see for a person: the one that is set, or the id."""
        return self._shown.get(person, person)

    def shown_names(self, people: Iterable[str]) -> dict[str, str]:
        """The names that are shown for these people, of those who have one."""
        return {person: self._shown[person] for person in people if person in self._shown}

    def show_as(self, name: str, shown: str, *, by: str = "service") -> Account:
        """Set the name that people see; an empty one takes it away."""
        check_shown(shown)
        for _ in range(_TRIES):
            body = self._body(name)
            after = msgspec.structs.replace(read_account(body), shown=shown)
            before = self._journal.record(SHOWN, after.person)
            changes = [
                RecordChange(ACCOUNT, name, body, msgspec.json.encode(after).decode()),
                RecordChange(SHOWN, after.person, before, shown or None),
            ]
            note = self.house.entry(by, "shown-set", name, person=after.person, shown=shown)
            if self._put_all(name, [each for each in changes if each.before != each.after], note):
                self._note_shown(after.person, shown)
                return after
        raise BadAccount(BUSY)

    def _note_shown(self, person: str, shown: str) -> None:
        if shown:
            self._shown[person] = shown
        else:
            self._shown.pop(person, None)

    def get(self, name: str, *, fresh: bool = False) -> Account | None:
        """An account by its name: at most `STALE_AFTER` seconds old, or read from the store if it must be fresh."""
        with self._lock:
            if not fresh:
                if time.monotonic() - self._updated > STALE_AFTER:
                    self._update()
                kept = self._cache.get(name)
                if kept is not None:
                    return kept
            body = self._journal.record(ACCOUNT, name) if is_name(name) else None
            if body is None:
                self._cache.pop(name, None)
                return None
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            account = self._cache[name] = read_account(body)
            return account

    def _update(self) -> None:
        """Take in what other processes have done."""
        for sequence, act in self.house.acts(self._read_to):
            self._read_to = sequence
            self._take_in(act)
        self._updated = time.monotonic()

    def _take_in(self, act: Act) -> None:
        """Take in an act of another process: forget an account that changed, note a shown name."""
        self._cache.pop(act.account, None)
        if act.person and act.what in ("account-made", "shown-set", "account-removed"):
            self._note_shown(act.person, act.shown)

    def all(self) -> list[Account]:
        """Every account, by name."""
        return sorted(map(read_account, self._journal.records(ACCOUNT).values()), key=lambda each: each.name)

    def hold(self, name: str, table: str, rank: str | None, *, acting: bool = False, by: str = "service") -> Account:
        """Give an account a post at a table, or take it away."""

        def change(account: Account) -> Account:
            if account.kind == "patron":
                raise BadAccount(say("patron-holds-no-post", "A patron holds no post."))
            posts = {each: held for each, held in account.posts.items() if each != table}
            if rank is not None:
                posts[table] = HeldPost(rank, acting)
            elif table not in account.posts:
                raise BadAccount(say("holds-no-post-there", "{name} holds no post at {table}.", name=name, table=table))
            return msgspec.structs.replace(account, posts=posts)

        check_post(table, rank or "none")
        note = self.house.entry(
            by, "post-held" if rank else "post-left", name, table=table, rank=rank or "", acting=acting
        )
        return self._change(name, change, note)

    def set_password(self, name: str, password: str, *, by: str = "service") -> Account:
        """Set a password; every token given out before is worthless."""
        hashed = hash_of(password)

        def change(account: Account) -> Account:
            if account.kind == "device":
                raise BadAccount(say("device-has-token", "A device has a token, not a password."))
            version = account.version + 1
            return msgspec.structs.replace(account, password=hashed, version=version)

        return self._change(name, change, self.house.entry(by, "password-set", name))

    def revoke(self, name: str, *, by: str = "service") -> Account:
        """Make every token given out before worthless."""
        note = self.house.entry(by, "tokens-revoked", name)
        return self._change(name, lambda was: msgspec.structs.replace(was, version=was.version + 1), note)

    # Limits that patrons set for themselves

    def now(self) -> float:
        """The moment by the clock of the house, in seconds."""
        return self._clock()

    def set_own_limits(self, name: str, currency: str, lose: int | None, stake: int | None, remind: int) -> Account:
        """Set the limits of one's own in a currency: what is lower counts at once, anything else in a day."""

        def change(own: OwnLimits) -> OwnLimits:
            after = own.set_to(currency, lose, stake, remind, self._clock())
            if len(after.lose) > MOST_CURRENCIES:
                raise BadAccount(say("own-limits-currencies", "These are limits in too many currencies."))
            return after

        return self._change_own(name, change, self.house.entry(name, "own-limits-set", name))

    def pause(self, name: str, minutes: int) -> Account:
        """Pause from now on; a pause that lasts longer stays as it is, and nobody shortens it."""
        note = self.house.entry(name, "paused", name, until=self._clock() + 60 * minutes)
        return self._change_own(name, lambda own: own.pause(minutes, self._clock()), note)

    def _change_own(self, name: str, how: Callable[[OwnLimits], OwnLimits], note: Append) -> Account:
        def change(account: Account) -> Account:
            if account.kind != "patron":
                raise BadAccount(say("own-limits-of-patrons", "Patrons set limits for themselves, and nobody else."))
            return msgspec.structs.replace(account, own=how(account.own or OwnLimits()))

        return self._change(name, change, note)

    def of_person(self, person: str) -> Account | None:
        """The account of a person as the store has it; None if they have none, or no longer."""
        if not is_name(person):
            return None
        name = self._journal.record(PERSON, person)
        body = self._journal.record(ACCOUNT, person if name is None else name)
        found = None if body is None else read_account(body)
        return found if found is not None and found.person == person else None

    def remove(self, name: str, *, hold: bool = False, by: str = "service", key: Key | None = None) -> None:
        """Remove an account; no token of it is good any more, and nobody is ever its person again.

        Refused while the person owns or owes something, unless the house shall `hold` what they own for them. With the
        key that signs for this house tables are read from their snapshots, without it from their beginnings.

        The account is closed before anything is settled, so that nothing is bought in behind what was looked at; where
        the removal is refused or fails after that, it is opened again, and its sessions have ended.
        """
        self._settle(self.existing(name), hold=hold, by=by, key=key)
        self._close(name, closed=True, by=by)
        try:
            self._settle(self.existing(name), hold=hold, by=by, key=key)
        except Exception:
            self._close(name, closed=False, by=by)
            raise
        for _ in range(_TRIES):
            body = self._body(name)
            account = read_account(body)
            shown = self._journal.record(SHOWN, account.person)
            changes = [
                RecordChange(ACCOUNT, name, body, None),
                RecordChange(PERSON, account.person, self._journal.record(PERSON, account.person), NOBODY),
                RecordChange(SHOWN, account.person, shown, None),
            ]
            note = self.house.entry(by, "account-removed", name, person=account.person)
            if self._put_all(name, [each for each in changes if each.before != each.after], note):
                self._note_shown(account.person, "")
                return
        raise BadAccount(BUSY)

    def _close(self, name: str, *, closed: bool, by: str) -> None:
        """Close an account, or open it again; no token given out before is good any more."""
        for _ in range(_TRIES):
            body = self._body(name)
            before = read_account(body)
            if before.closed == closed:
                return
            after = msgspec.structs.replace(before, closed=closed, version=before.version + 1)
            person = self._journal.record(PERSON, before.person)
            changes = [
                RecordChange(ACCOUNT, name, body, msgspec.json.encode(after).decode()),
                RecordChange(PERSON, before.person, person, NOBODY if closed else name),
            ]
            note = self.house.entry(by, "account-closed" if closed else "account-opened", name)
            if self._put_all(name, changes, note):
                return
        raise BadAccount(BUSY)

    def _check_pause(self, account: Account) -> None:
        """Refuse to remove somebody who has paused: under a new account they would play again."""
        if account.own is not None and account.own.paused > self._clock():
            raise BadAccount(
                say(
                    "paused-not-removed",
                    "{account} has paused until {until}: the account stays until then.",
                    account=account.name,
                    until=moment_text(account.own.paused),
                )
            )

    def _settle(self, account: Account, *, hold: bool, by: str, key: Key | None) -> None:
        """Refuse to remove somebody who has paused, owns or owes something; or hold it, where it can be held."""
        self._check_pause(account)
        try:
            if hold:
                hold_purses(self._journal, account.person, by=by, now=self.house.now, key=key)
            else:
                check_empty(self._journal, account.person, key)
            leave_tables(self._journal, account.person, by=by, now=self.house.now, key=key)
        except PurseNotEmpty as error:
            raise BadAccount(
                say("account-not-removed", "{account} cannot be removed: {why}", account=account.name, why=str(error))
            ) from None

    def _body(self, name: str) -> str:
        body = self._journal.record(ACCOUNT, name) if is_name(name) else None
        if body is None:
            raise BadAccount(say("no-such-account", "There is no account {name:quoted}.", name=name))
        return body

    def existing(self, name: str) -> Account:
        """An account as the store has it; `BadAccount` if there is none."""
        return read_account(self._body(name))

    def _change(self, name: str, how: Callable[[Account], Account], note: Append | None) -> Account:
        """Change an account as it is in the store; again if somebody else changes it at the same time."""
        for _ in range(_TRIES):
            body = self._body(name)
            before = read_account(body)
            after = how(before)
            if after == before and (note is None or note.who == "service"):
                return after
            if self._put(name, body, after, note):
                return after
        raise BadAccount(BUSY)

    def _put(self, name: str, before: str, after: Account, note: Append | None) -> bool:
        becomes = msgspec.json.encode(after).decode()
        return self._put_all(name, [RecordChange(ACCOUNT, name, before, becomes)], note)

    def _put_all(self, name: str, changes: Sequence[RecordChange], note: Append | None) -> bool:
        with self._lock:
            done = self._journal.change_records(changes, note)
            self._cache.pop(name, None)
        return done

    async def fresh(self, name: str) -> Account | None:
        """An account as the store has it now, from a running loop; all callers share one look-up."""
        return await self._lookup.get(name)

    def _look_up(self, names: Sequence[str]) -> dict[str, Account]:
        """Take in what other processes have done, and read the accounts with these names."""
        with self._lock:
            if time.monotonic() - self._updated > STALE_AFTER / 2:
                self._update()
            if len(self._cache) >= _MOST_CACHED:
                self._cache.clear()
            bodies = self._journal.records(ACCOUNT, [name for name in names if is_name(name)])
            found = {name: read_account(body) for name, body in bodies.items()}
            self._cache |= found
        return found


def _told(posts: dict[str, HeldPost]) -> dict[str, str]:
    """Posts as the record of an act names them."""
    return {"table": " ".join(posts), "rank": " ".join(held.rank for held in posts.values())}


def check_ranks(journal: Journal, library: Library) -> None:
    """Refuse books with a rank that is the name of somebody here, who would hold it at every table of the book.

    Nor is a rank called like something of the house: whoever held the post of a cashier would hold that rank as well.
    """
    for rank in sorted(library.ranks() - SHIPPED.ranks()):
        if rank in OF_THE_HOUSE:
            raise BadSettings(f"A book has the rank {rank!r}, which is a word of the house: give the rank another.")
        if journal.record(ACCOUNT, rank) is not None or journal.record(PERSON, rank) is not None:
            raise BadSettings(f"A book has the rank {rank!r}, and somebody here has that name: give the rank another.")
