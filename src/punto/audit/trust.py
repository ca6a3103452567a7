"""Whose signatures count: the key that an auditor trusts, and those that it has named to sign after it."""

import msgspec

from punto.audit.entries import chain
from punto.journal import HOUSE, Journal, announced

_ANNOUNCED = "signing-key-changed"


class _Announcement(msgspec.Struct):
    """What the house's chain says of a new signing key."""

    what: str
    key: str = ""
    new_key: str = ""
    signature: str = ""


def trusted_keys(journal: Journal, trusted: str | None) -> tuple[str, ...] | None:
    """The trusted key and those that follow from it by announcements in the house's chain, in order."""
    if trusted is None:
        return None
    keys = [trusted]
    for entry in chain(journal, HOUSE) if journal.head(HOUSE) is not None else ():
        for body in entry.events:
            if _ANNOUNCED.encode() in body:
                said = _read(body)
                if said is not None and said.key == keys[-1] and announced(said.key, said.new_key, said.signature):
                    keys.append(said.new_key)
    return tuple(keys)


def is_announcement_true(act: dict[str, object]) -> bool:
    """Whether an act of the house is no announcement of a signing key, or one that the old key has signed."""
    if act.get("what") != _ANNOUNCED:
        return True
    said = _read(msgspec.json.encode(act))
    return said is not None and announced(said.key, said.new_key, said.signature)


def _read(body: bytes) -> _Announcement | None:
    try:
        said = msgspec.json.decode(body, type=_Announcement)
    except msgspec.DecodeError:
        return None
    return said if said.what == _ANNOUNCED else None
