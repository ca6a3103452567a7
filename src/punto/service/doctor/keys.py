"""Checks of the keys: whether they are there, open what the store holds, and lie apart from the database."""

import os
from collections.abc import Iterator
from pathlib import Path

from punto.journal import HOUSE, Journal, Locked, MasterKey, public_key, signed, wrapped_by
from punto.journal.inspection import closed_secrets, server_of
from punto.service.doctor.diagnosis import Diagnosis, Patient, remarkable, well, wrong
from punto.service.keys.master import key_in, master_file, next_file
from punto.service.keys.signing import SIGNING_KEY
from punto.service.settings import PREFIX, BadSettings

_COPIES = (b"SQLite format 3\0", b"PGDMP", b"--\n-- PostgreSQL database dump")
"""How copies of databases begin: of SQLite's file, and of what pg_dump writes."""

_MOST_FILES = 1000
_MOST_TOLD = 3
_SIGNING_BYTES = 32


def master_key(patient: Patient) -> Iterator[Diagnosis]:
    """Whether there is a master key, and whether it opens every secret of the store."""
    owner = None if patient.journal is None else patient.journal.locked_by()
    file = master_file(patient.settings)
    if patient.master_trouble is not None:
        yield wrong(patient.master_trouble, "Put the right key there: 64 hexadecimal digits, as punto keys new prints.")
    elif patient.master is None and owner is not None:
        yield wrong(
            f"The secrets of the store are wrapped by the master key {owner}, and there is no {file}.",
            "Put the copy of the key there that is kept apart from the database.",
        )
    elif patient.master is None:
        yield remarkable(
            f"There is no master key yet; the first start makes {file}.", "Keep a copy of it apart from the database."
        )
    elif owner not in (None, patient.master.id):
        yield _another(patient.master, str(owner), file)
    elif patient.journal is not None:
        yield from _opens(patient.journal, patient.master)


def _another(master: MasterKey, owner: str, file: Path | None) -> Diagnosis:
    says = f"The secrets of the store are wrapped by the master key {owner}, and the settings give {master.id}."
    if file is not None and next_file(file).exists():
        try:
            if key_in(next_file(file)).id == owner:
                return remarkable(
                    f"A change of the master key was cut off: {next_file(file)} holds the new one.",
                    "Start the service: it finishes the change.",
                )
        except BadSettings:
            return wrong(says, "Put the right key in place.")
    return wrong(says, "Give the service the key that belongs to this store.")


def _opens(journal: Journal, master: MasterKey) -> Iterator[Diagnosis]:
    count, closed = closed_secrets(journal, master)
    for sentence in closed[:_MOST_TOLD]:
        yield wrong(
            sentence,
            "Somebody has written to the database: restore it from a copy that verifies, and replace the keys.",
        )
    if len(closed) > _MOST_TOLD:
        yield wrong(f"{len(closed)} of {count} secrets do not open.", "Restore the database from a copy that verifies.")
    if not closed:
        yield well(f"The master key {master.id} opens all secrets of the store: {count}.")


def apart(patient: Patient) -> Iterator[Diagnosis]:
    """Whether whoever copies the database copies its keys as well."""
    file, named = _where(patient)
    if file is None:
        yield well("The master key comes from the environment or a command, and lies in no file of the house.")
        return
    folder = file.resolve().parent
    copies = _copies_in(folder, patient.database)
    data = _data_directory(patient)
    if copies:
        yield wrong(
            f"The master key {named} lies beside copies of a database: {', '.join(copies)}. Together they are open.",
            "Put the key into another folder (master_key_file), and keep backups apart from it.",
        )
    elif data is not None and data in (folder, *folder.parents):
        yield wrong(
            f"The master key {named} lies in the folder of PostgreSQL, and is copied with it.",
            "Put the key into another folder (master_key_file).",
        )
    elif patient.database is not None and folder == patient.database.resolve().parent:
        yield remarkable(
            f"The master key {named} lies in the folder of the database: a copy of the folder opens everything.",
            "Put the key into another folder (master_key_file), or never copy the folder whole.",
        )
    else:
        yield well(f"The master key {named} lies apart from the database.")


def _where(patient: Patient) -> tuple[Path | None, str]:
    """The file that the master key stands in, and how it is called; None where it is in no file."""
    in_settings = patient.settings.master_key is not None and f"{PREFIX}MASTER_KEY" not in patient.environment
    if in_settings and patient.config is not None:
        return patient.config, f"in {patient.config}"
    file = master_file(patient.settings)
    return file, str(file)


def _copies_in(folder: Path, database: Path | None) -> list[str]:
    """Names of files in a folder that begin as copies of databases do."""
    own = None if database is None else database.resolve()
    found: list[str] = []
    if not folder.is_dir():
        return found
    for file in sorted(folder.iterdir())[:_MOST_FILES]:
        if file.is_file() and file.resolve() != own and os.access(file, os.R_OK):
            with file.open("rb") as opened:
                if opened.read(64).startswith(_COPIES):
                    found.append(file.name)
    return found


def _data_directory(patient: Patient) -> Path | None:
    if patient.store is None or patient.store.sqlite:
        return None
    name = server_of(patient.store).settings.get("data_directory")  # told to those alone who may know it
    return None if name is None else Path(name).resolve()


def signing_key(patient: Patient) -> Iterator[Diagnosis]:
    """Whether there is a key that signs, and whether it is the one that has signed so far."""
    file = Path(patient.settings.key_file)
    points = [] if patient.journal is None else patient.journal.checkpoints(HOUSE)
    if not file.exists():
        if points:
            yield wrong(
                f"There is no {file}, and the checkpoints of this house are signed by {points[-1].key}.",
                "Put the copy of the file there; a new key would not be trusted by whoever verifies the journal.",
            )
        else:
            yield remarkable(f"There is no {file} yet; the first start makes it.", "Keep a copy of it.")
        return
    content = file.read_bytes()
    by = wrapped_by(content)
    if by is not None and (patient.master is None or by != patient.master.id):
        yield wrong(f"The key in {file} is wrapped by the master key {by}, which is not here.", "Give that key.")
        return
    try:
        key = content if by is None or patient.master is None else patient.master.unwrap(content, *SIGNING_KEY)
    except Locked:
        yield wrong(f"The key in {file} was altered: the master key does not open it.", "Put a copy of it in place.")
        return
    if len(key) != _SIGNING_BYTES:
        yield wrong(f"{file} holds no key that signs: it has {len(key)} bytes.", "Put the copy of the key in place.")
        return
    if by is None:
        yield remarkable(
            f"The key in {file} is not wrapped by the master key.", "Start the service: it wraps the key at once."
        )
    own = public_key(key)
    if points and not signed(points[-1], own):
        yield wrong(
            f"The last checkpoint of the house is not signed by the key in {file}, but by {points[-1].key}.",
            "Put that key in place. Where it is lost, tell whoever verifies the journal the new one.",
        )
    elif by is not None:
        yield well(f"Checkpoints are signed by {own}.")
