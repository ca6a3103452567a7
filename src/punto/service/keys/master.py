"""The master key of a house: from a file, the environment, or a command that prints it; never from the database."""

import logging
import shlex
import subprocess
from pathlib import Path

from punto.journal import BadMasterKey, Journal, MasterKey
from punto.service.keys.key_files import made_once, read_private, replaced
from punto.service.keys.signing import is_wrapped, opened, wrapped
from punto.service.settings import BadSettings, Settings

log = logging.getLogger("punto")
_COMMAND_SECONDS = 30


def opened_store(settings: Settings) -> Journal:
    """The store of a house, brought to its newest form, with its secrets open to this process and to no other."""
    journal = Journal(settings.database)
    try:
        journal.upgrade()
        unlock(journal, settings)
    except BaseException:
        journal.close()
        raise
    return journal


def unlock(journal: Journal, settings: Settings) -> None:
    """Open the secrets of a store by the master key of the settings; what is not wrapped yet is wrapped now."""
    master = _master_key(settings, journal.locked_by())
    count = journal.unlock(master, first=not is_wrapped(Path(settings.key_file)))
    if count:
        log.warning("%s secrets that were kept plain are wrapped now. %s", count, _OLD_COPIES)


_OLD_COPIES = "Copies of the database that were made before still hold them: replace the keys with punto keys."
_KEEP_IT = "Keep a copy of it apart from the database and its backups: without it nothing that is wrapped opens again."


def master_file(settings: Settings) -> Path | None:
    """The file of the master key; None where the environment or a command gives it."""
    if settings.master_key is not None or settings.master_key_command is not None:
        return None
    if settings.master_key_file is not None:
        return Path(settings.master_key_file)
    return Path(settings.key_file).with_suffix(".master")


def present_key(settings: Settings) -> MasterKey | None:
    """The master key that the settings give, read and not touched; None if its file is not there."""
    if settings.master_key is not None:
        return _read(settings.master_key, "master_key")
    if settings.master_key_command is not None:
        return _read(_printed(settings.master_key_command), "What master_key_command printed")
    file = master_file(settings)
    assert file is not None
    return key_in(file) if file.exists() else None


def key_in(file: Path) -> MasterKey:
    """The master key in a file, whose mode stays as it is."""
    return _read(file.read_bytes().decode("ascii", errors="replace"), str(file))


def next_file(file: Path) -> Path:
    """Where the next master key lies until everything is wrapped by it."""
    return file.with_name(f"{file.name}.next")


def _master_key(settings: Settings, wanted: str | None) -> MasterKey:
    """The key of the settings; made in its file if nothing in the store is wrapped yet."""
    if settings.master_key is not None:
        return _read(settings.master_key, "master_key")
    if settings.master_key_command is not None:
        return _read(_printed(settings.master_key_command), "What master_key_command printed")
    file = master_file(settings)
    assert file is not None
    if not file.exists():
        if wanted is not None:
            raise BadSettings(
                f"The secrets of this store are wrapped by the master key {wanted}, and there is no {file}: put the "
                "file there, or name the key by master_key_file, master_key or master_key_command."
            )
        made_once(file, f"{MasterKey.new().text}\n".encode())
        log.warning("A master key was made: %s. %s", file, _KEEP_IT)
    return _finished(file, settings, wanted)


def _finished(file: Path, settings: Settings, wanted: str | None) -> MasterKey:
    """The key of a file. If a change of keys was cut off after the store had the next one, it is finished first."""
    key, coming = key_of(file), next_file(file)
    if wanted in (None, key.id) or not coming.exists():
        return key
    new = key_of(coming)
    if new.id != wanted:
        return key
    rewrap_file(Path(settings.key_file), key, new)
    replaced(file, coming.read_bytes())
    coming.unlink()
    return new


def key_of(file: Path) -> MasterKey:
    """The master key that a file holds."""
    try:
        return _read(read_private(file, _is_key).decode("ascii"), str(file))
    except UnicodeDecodeError:
        raise BadSettings(f"{file} cannot be used: a master key is 64 hexadecimal digits.") from None


def _is_key(content: bytes) -> bool:
    try:
        MasterKey.of_text(content.decode("ascii"))
    except (BadMasterKey, UnicodeDecodeError):
        return False
    return True


def rewrap_file(file: Path, before: MasterKey, after: MasterKey) -> None:
    """Wrap the key in a file under another master key; one that is under it already stays."""
    if file.exists():
        replaced(file, wrapped(opened(file, before, after), after))


def _read(text: str, where: str) -> MasterKey:
    try:
        return MasterKey.of_text(text)
    except BadMasterKey as error:
        raise BadSettings(f"{where} cannot be used: {error}") from None


def _printed(command: str) -> str:
    """What a command prints; it is not told if it fails, for it may hold the key."""
    try:
        done = subprocess.run(
            shlex.split(command), capture_output=True, text=True, timeout=_COMMAND_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise BadSettings(f"master_key_command did not run: {type(error).__name__}.") from None
    if done.returncode:
        raise BadSettings(f"master_key_command ended with status {done.returncode}.")
    return done.stdout
