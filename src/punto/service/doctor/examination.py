"""The examination: every check in turn, on a house that is opened to be read only."""

import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from punto.journal import Journal, JournalError, MasterKey
from punto.journal.store import FIRST_SCHEMA
from punto.service.doctor import configuration, files, keys, network, store
from punto.service.doctor.diagnosis import Check, Clocks, Patient, Severity
from punto.service.keys.master import present_key
from punto.service.settings import BadSettings, Settings, settings, unknown_names

CHECKS = (
    Check("settings", "Is every name that looks like a setting one?", configuration.names),
    Check("guests", "Do guests and real money meet?", configuration.guests),
    Check("money", "Does where money comes from go with the rest?", configuration.money),
    Check("shoes", "Does a start keep its shoes?", configuration.shoes),
    Check("master key", "Is it there, and does it open what the store holds?", keys.master_key),
    Check("keys apart", "Does a copy of the database come without its key?", keys.apart),
    Check("signing key", "Is it there, and the one that has signed so far?", keys.signing_key),
    Check("file modes", "Can others read or write the files of the house?", files.modes),
    Check("disk", "Is there room, and may the house write?", files.disk),
    Check("commits", "What does a commit cost?", files.commits),
    Check("database", "Does it answer, and in which form is it?", store.database),
    Check("database server", "Is what PostgreSQL commits on disk?", store.server),
    Check("clock", "Does the clock go with the journal?", store.clock),
    Check("time zone", "Do gaming days begin in the zone of the machine?", store.zone),
    Check("checkpoints", "Have chains been signed of late?", store.checkpoints),
    Check("books", "Can every kept book be read?", store.books),
    Check("doors", "Does anything secret travel in the clear?", network.doors),
    Check("proxies", "Who says where a request comes from?", network.proxies),
    Check("certificate", "Can it be used, and for how long?", network.certificate),
    Check("open files", "May the service open enough files?", network.open_files),
    Check("witness", "Does it answer, and has it seen this journal?", network.witness),
    Check("wallet", "Does it answer?", network.wallet),
    Check("provider", "Do the staff sign in by it?", network.provider),
)
"""Every check, in the order in which they are told. One that does not concern a house finds nothing."""


class CheckResult(msgspec.Struct, frozen=True):
    """What one check has found, for people and programs."""

    check: str
    severity: Severity
    says: str
    mend: str = ""


def examine(
    config: Path | None, environment: Mapping[str, str], clocks: Clocks | None = None, **given: object
) -> list[CheckResult]:
    """Look at a house by its settings, as the service would take them; nothing is changed."""
    try:
        known = settings(config, dict(environment), **given)
    except BadSettings as error:
        told = [CheckResult("settings", "wrong", str(error), "Correct it, and ask again: nothing else was looked at.")]
        mend = "Correct the name in the environment, or take it out."
        return [*told, *(CheckResult("settings", "wrong", each, mend) for each in unknown_names(environment))]
    with opened(known, config, environment, clocks or Clocks.started(time.time, time.monotonic)) as patient:
        return [found for check in CHECKS for found in _checked(check, patient)]


@contextmanager
def opened(known: Settings, config: Path | None, environment: Mapping[str, str], clocks: Clocks) -> Iterator[Patient]:
    """A house, its store opened to be read only."""
    master, master_trouble = _master(known)
    patient = Patient(known, config, environment, clocks, None, master=master, master_trouble=master_trouble)
    with ExitStack() as held:
        try:
            store = Journal(known.database, read_only=True)
            held.callback(store.close)
            patient = msgspec.structs.replace(patient, database=store.file)
            if store.file is None or store.file.exists():
                revision = store.revision()
                store.first_schema = revision == FIRST_SCHEMA
                patient = msgspec.structs.replace(patient, store=store, journal=store if revision else None)
        except JournalError as error:
            patient = msgspec.structs.replace(patient, trouble=str(error))
        yield patient


def _master(known: Settings) -> tuple[MasterKey | None, str | None]:
    try:
        return present_key(known), None
    except (BadSettings, OSError) as error:
        return None, str(error)


def _checked(check: Check, patient: Patient) -> list[CheckResult]:
    """What a check finds; one that cannot be made is something wrong, too."""
    try:
        return [CheckResult(check.name, each.severity, each.says, each.mend) for each in check.run(patient)]
    except (OSError, ValueError) as error:  # what the rooms refuse are ValueErrors
        return [CheckResult(check.name, "wrong", f"This could not be looked at: {error}", "See that it can be read.")]
