"""Checks of the store: whether it answers, its form, its server, its clock, its checkpoints and its books."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from punto.audit.books import kept_books
from punto.journal.database import STATEMENT_SECONDS
from punto.journal.inspection import last_moment, server_of
from punto.journal.schema import REVISIONS
from punto.service.days import start_of_days
from punto.service.doctor.diagnosis import Diagnosis, Patient, remarkable, well, wrong

_APART = timedelta(seconds=5)
"""By so much clocks of several machines may differ."""

_JUMP = 1.0
"""Seconds that the wall clock may gain or lose while the doctor looks."""

_CONNECTIONS = 20
"""Connections to PostgreSQL that one process of the service may take."""

_MOST_TOLD = 3
_ON = {
    "fsync": ("a power cut may destroy the database", "Set fsync = on in postgresql.conf, and reload."),
    "full_page_writes": (
        "a power cut may leave pages half written",
        "Set full_page_writes = on in postgresql.conf, and reload.",
    ),
}


def database(patient: Patient) -> Iterator[Diagnosis]:
    """Whether the database answers, and in which form it is."""
    if patient.trouble is not None:
        yield wrong(patient.trouble, "See that the database runs and that the setting database names it.")
    elif patient.journal is None:
        where = patient.database if patient.store is None else patient.store.address
        yield remarkable(f"There is no journal in {where} yet.", "The first start makes one; else correct database.")
    else:
        found, newest = patient.journal.revision(), REVISIONS[-1]
        if found == newest:
            yield well(f"{patient.journal.address} answers, and has the newest form ({newest}).")
        else:
            yield remarkable(
                f"The database has the form {found}, and this release brings {newest}.",
                "Back it up, then start the service, which brings it there.",
            )


def server(patient: Patient) -> Iterator[Diagnosis]:
    """How PostgreSQL is set: that what is committed is on disk, and that there is room for connections."""
    if patient.store is None or patient.store.sqlite:
        return
    found = server_of(patient.store)
    given = found.settings
    bad = [wrong(f"{name} is off: {risk}.", mend) for name, (risk, mend) in _ON.items() if given[name] != "on"]
    if given["synchronous_commit"] == "off":
        bad.append(
            remarkable(
                "synchronous_commit is off by default. The service sets it on for itself; other programs do not.",
                "Set synchronous_commit = on, for the database or the server.",
            )
        )
    if found.standby or given["default_transaction_read_only"] == "on":
        bad.append(
            wrong(
                "The database is read-only: " + ("it is a standby." if found.standby else "by its settings."),
                "Name the primary server, or set default_transaction_read_only = off.",
            )
        )
    if given["statement_timeout"] != str(1000 * STATEMENT_SECONDS):
        bad.append(
            wrong(
                "The time limits that the service asks for do not arrive at the server.",
                "Let nothing stand between them that drops the options of a connection, such as a pooler.",
            )
        )
    if found.room < _CONNECTIONS:
        bad.append(
            wrong(
                f"The server has room for {max(found.room, 0)} more connections; a process may take {_CONNECTIONS}.",
                "Raise max_connections, or the limit of the database or the role.",
            )
        )
    yield from bad or [well("What PostgreSQL commits is on disk, and it has room for connections.")]


def clock(patient: Patient) -> Iterator[Diagnosis]:
    """Whether the clock is right: against the journal, the database, and a clock that nobody sets."""
    now, clocks, bad = patient.clocks.now, patient.clocks, []
    gone = clocks.wall() - clocks.began[0] - (clocks.steady() - clocks.began[1])
    if abs(gone) > _JUMP:
        bad.append(
            wrong(
                f"The clock was set by {gone:+,.0f} seconds while the doctor looked.", "Let one program set the clock."
            )
        )
    if patient.journal is not None:
        last = last_moment(patient.journal)
        if last is not None and last - now > _APART:
            bad.append(
                wrong(
                    f"The clock shows {_shown(now)}, and is behind the journal: its last entry is of {_shown(last)}.",
                    "Set the clock right (NTP) before the service starts.",
                )
            )
    if patient.store is not None and not patient.store.sqlite:
        ahead = server_of(patient.store).now - clocks.now
        if abs(ahead) > _APART:
            bad.append(
                wrong(
                    f"The clock of the database is {ahead.total_seconds():+,.0f} seconds from the one here.",
                    "Set both clocks right (NTP).",
                )
            )
    yield from bad or [well(f"The clock shows {_shown(now)}, and goes with the journal.")]


def zone(patient: Patient) -> Iterator[Diagnosis]:
    """Whether gaming days begin in the zone of this machine."""
    starts, here = start_of_days(patient.settings.day_starts), patient.clocks.now.astimezone()
    if starts.utcoffset() == here.utcoffset():
        yield well(f"Gaming days begin at {patient.settings.day_starts}, in the zone of this machine.")
    else:
        yield remarkable(
            f"Gaming days begin at {patient.settings.day_starts}, and this machine is at {here.isoformat()[-6:]} now.",
            "Set day_starts with the zone of the house, unless the machine stands elsewhere.",
        )


def _shown(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


def checkpoints(patient: Patient) -> Iterator[Diagnosis]:
    """Whether chains have been signed of late."""
    if patient.journal is None:
        return
    heads, every = patient.journal.tables(), patient.settings.checkpoint_every
    last = patient.journal.last_signed(list(heads))
    late = {name: head - last.get(name, 0) for name, head in heads.items() if head - last.get(name, 0) >= 2 * every}
    for name in sorted(late, key=lambda each: -late[each])[:_MOST_TOLD]:
        yield wrong(
            f"The last {late[name]:,} events of {name!r} are not signed; a checkpoint is due every {every:,}.",
            "Start the service and look in its log for 'not tended': something keeps it from signing.",
        )
    if len(late) > _MOST_TOLD:
        yield wrong(f"{len(late)} of {len(heads)} chains are not signed of late.", "See the log of the service.")
    if not late:
        yield well(f"Chains that are signed as far as they should be: all of {len(heads)}.")


def books(patient: Patient) -> Iterator[Diagnosis]:
    """Whether this release reads every book that tables were opened by."""
    if patient.journal is None:
        return
    library = kept_books(patient.journal)
    for digest, why in library.unreadable.items():
        yield wrong(
            f"The journal keeps the book {digest[:12]}…, which this release cannot read: {why}",
            "Install the release that it was used with: tables that were opened by it do not open in this one.",
        )
    if not library.unreadable:
        yield well("Every book that the journal keeps can be read.")
