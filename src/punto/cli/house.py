"""The house that a command is about: its settings, its store with the secrets open, and who gives the command."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from punto.journal import Journal
    from punto.service.settings import Settings


def opened_house(database: str | None, config: "Path | None", *, new: bool = False) -> "tuple[Journal, Settings]":
    """The store of a house, brought to its newest form, and its settings; it must be there unless it may be new."""
    from punto.journal import Journal
    from punto.messages import say
    from punto.service.accounts.account import BadAccount
    from punto.service.keys.master import unlock
    from punto.service.settings import settings

    given = settings(config, database=database)
    journal = Journal(given.database)
    if not new and journal.file is not None and not journal.file.exists():
        raise BadAccount(say("no-such-database", "There is no database {file}.", file=str(journal.file)))
    journal.upgrade()
    unlock(journal, given)
    return journal, given


def house_key(journal: "Journal", given: "Settings") -> "Callable[[], bytes] | None":
    """What reads the key that signs for the house of a store, if it is where the settings say."""
    from pathlib import Path

    from punto.service.keys.signing import key_if_there

    return key_if_there(Path(given.key_file), journal.master)


def acting_person(journal: "Journal", person: str) -> None:
    """Refuse a person whom no account belongs to."""
    from punto.messages import say
    from punto.service.accounts.account import BadAccount
    from punto.service.accounts.registry import Accounts

    if all(each.person != person for each in Accounts(journal).all()):
        raise BadAccount(say("no-account-of-person", "No account is the person {person:quoted}.", person=person))


def console_user() -> str:
    """Who sits at this console."""
    import getpass

    try:
        return f"console:{getpass.getuser()}"
    except (KeyError, OSError):
        return "console"
