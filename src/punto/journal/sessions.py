"""Kept sessions: who has logged in, since when and from where. No token is here, and nothing that makes one."""

from collections.abc import Iterable

import msgspec
from sqlalchemy import delete, insert, select, update

from punto.journal.schema import sessions
from punto.journal.store import Journal


class KeptSession(msgspec.Struct, frozen=True):
    """A session of an account as it is kept: times are seconds since 1970, `seen` roughly when it was last used.

    `version` is that of the account: a session of another version is over. `way` is how somebody logged in.
    """

    id: str
    account: str
    version: int
    since: int
    seen: int
    until: int
    place: str
    way: str


def keep_session(journal: Journal, given: KeptSession) -> None:
    """Keep a new session, and forget those whose time is over."""
    with journal.transaction() as connection:
        connection.execute(delete(sessions).where(sessions.c.until < given.since))
        connection.execute(insert(sessions).values(msgspec.structs.asdict(given)))


def find_session(journal: Journal, session: str) -> KeptSession | None:
    """A session by its id."""
    with journal.transaction(reading=True) as connection:
        row = connection.execute(select(sessions).where(sessions.c.id == session)).first()
    return None if row is None else KeptSession(**row._mapping)


def kept_sessions(journal: Journal, account: str | None = None) -> list[KeptSession]:
    """The sessions of an account, or of all of them, the latest first."""
    asked = select(sessions).order_by(sessions.c.since.desc(), sessions.c.id)
    if account is not None:
        asked = asked.where(sessions.c.account == account)
    with journal.transaction(reading=True) as connection:
        return [KeptSession(**row._mapping) for row in connection.execute(asked)]


def see_sessions(journal: Journal, ids: Iterable[str], at: int) -> None:
    """Note that these sessions are in use."""
    with journal.transaction() as connection:
        connection.execute(update(sessions).where(sessions.c.id.in_(sorted(ids))).values(seen=at))


def drop_session(journal: Journal, session: str) -> None:
    """Forget a session."""
    with journal.transaction() as connection:
        connection.execute(delete(sessions).where(sessions.c.id == session))
