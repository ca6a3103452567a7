"""Checks of files and disks: who may read what lies there, how much room there is, and what a commit costs."""

import os
import shutil
import stat
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from punto.journal.inspection import commit_seconds
from punto.service.doctor.diagnosis import Diagnosis, Patient, remarkable, well, wrong
from punto.service.keys.master import master_file, next_file

_OTHERS = 0o077
_LEAST_FREE, _LITTLE_FREE = 100 * 1024**2, 1024**3
"""Bytes of free room below which a house is about to stand still, and below which somebody should look."""

_SLOW_COMMIT = 0.05
_COMMITS = 5
_PAGE = 4096
_SECRET_SETTINGS = ("database", "master_key", "oidc_client_secret", "wallet_token")


def modes(patient: Patient) -> Iterator[Diagnosis]:
    """Whether anybody but their owner may read or write the files of the house."""
    files = [*_database_files(patient), *_key_files(patient)]
    open_ones = [file for file in files if file.stat().st_mode & _OTHERS]
    for file in open_ones:
        mode, right = oct(file.stat().st_mode & 0o777)[2:], "700" if file.is_dir() else "600"
        yield wrong(f"{file} is open to others: its mode is {mode}.", f"chmod {right} {file}")
    owners = {file.stat().st_uid for file in files}
    if len(owners) > 1:
        yield wrong(
            f"The files of the house belong to {len(owners)} different users.",
            "Give all of them to the user that the service runs as (chown).",
        )
    folders = sorted({file.resolve().parent for file in files})
    loose = [folder for folder in folders if _anybody_writes(folder)]
    for folder in loose:
        yield wrong(
            f"Anybody may put files into {folder}, in the place of those of the house.", f"chmod o-w,g-w {folder}"
        )
    if not open_ones and not loose and len(owners) <= 1:
        yield well(f"Files of the house that others could read or write: none of {len(files)}.")


def _database_files(patient: Patient) -> list[Path]:
    """The database and every file beside it whose name begins like its own, copies among them."""
    if patient.database is None or not patient.database.parent.is_dir():
        return []
    return sorted(each for each in patient.database.parent.glob(f"{patient.database.name}*") if each.is_file())


def _key_files(patient: Patient) -> list[Path]:
    """Files with secrets: keys, notes of what was dealt, and a file of settings that holds one."""
    given, master = patient.settings, master_file(patient.settings)
    files = [Path(given.key_file), dealt_folder(patient)]
    files += [] if master is None else [master, next_file(master)]
    certificate = given.certificate_key or given.certificate
    files += [] if certificate is None else [Path(certificate)]
    if patient.config is not None and _holds_secret(patient.config):
        files.append(patient.config)
    if given.certificate_key is None and given.certificate is not None and not _holds_key(Path(given.certificate)):
        files.remove(Path(given.certificate))
    return [each for each in files if each.exists()]


def _holds_key(file: Path) -> bool:
    return file.is_file() and b"PRIVATE KEY" in file.read_bytes()


def _holds_secret(config: Path) -> bool:
    """Whether a file of settings holds a key, a token, or the password of a database."""
    found = tomllib.loads(config.read_text(encoding="utf-8"))
    return any("@" in str(found[name]) if name == "database" else True for name in _SECRET_SETTINGS if name in found)


def _anybody_writes(folder: Path) -> bool:
    mode = folder.stat().st_mode
    return bool(mode & (stat.S_IWOTH | stat.S_IWGRP)) and not mode & stat.S_ISVTX


def dealt_folder(patient: Patient) -> Path:
    """Where it is noted how far virtual tables have dealt."""
    return Path(patient.settings.dealt_folder or Path(patient.settings.key_file).with_suffix(".dealt"))


def disk(patient: Patient) -> Iterator[Diagnosis]:
    """Whether there is room where the house writes, and whether it may write there."""
    folders = {Path(patient.settings.key_file).resolve().parent, dealt_folder(patient).resolve().parent}
    if patient.database is not None:
        folders.add(patient.database.resolve().parent)
    for folder in sorted(folders):
        yield _room(folder)
    if patient.database is not None and patient.database.exists():
        try:
            os.close(os.open(patient.database, os.O_RDWR))
        except OSError as error:
            yield wrong(
                f"{patient.database} cannot be written: {error.strerror}.",
                "Run the service as the owner of the file, on a disk that is not read-only.",
            )


def _room(folder: Path) -> Diagnosis:
    if not folder.is_dir():
        return wrong(f"There is no folder {folder}.", "Make it, or correct the setting that names it.")
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_PAGE))
            file.flush()
    except OSError as error:
        return wrong(
            f"Nothing can be written to {folder}: {error.strerror}.",
            "Make room on the disk, or let the user of the service write there.",
        )
    free = shutil.disk_usage(folder).free
    says = f"{free / 1024**3:,.1f} GiB are free at {folder}."
    if free < _LEAST_FREE:
        return wrong(f"{free / 1024**2:,.0f} MiB are free at {folder}.", "Make room: a full disk stops every table.")
    if free < _LITTLE_FREE:
        return remarkable(says, "Make room soon: a full disk stops every table.")
    return well(says)


def commits(patient: Patient) -> Iterator[Diagnosis]:
    """How long a commit takes. It is tried with something that stays nowhere."""
    if patient.store is not None and not patient.store.sqlite:
        taken = commit_seconds(patient.store, _COMMITS)
    elif patient.database is not None and patient.database.parent.is_dir():
        taken = _flushes(patient.database.parent)
    else:
        return
    each = median(taken)
    if each > _SLOW_COMMIT:
        yield remarkable(
            f"A commit takes {1000 * each:,.0f} ms: every command waits for one.",
            "Put the database on a quicker disk, or find out what else keeps this one busy.",
        )
    else:
        yield well(f"A commit takes {1000 * each:,.1f} ms.")


def _flushes(folder: Path) -> list[float]:
    """How long a page takes to the disk, each in turn, in a file without a name."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(_COMMITS):
            began = time.perf_counter()
            file.write(bytes(_PAGE))
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    return taken
