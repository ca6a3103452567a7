"""Entries of a table's chain as they are told: each viewer gets of the event what `visible` shows them."""

from typing import Any

import msgspec

from punto.service.runtime.live import Said
from punto.table import Viewer, encode, visible
from punto.table.codec import ANY_EVENT
from punto.table.visible import told_name


class Private(msgspec.Struct, tag_field="event", tag="private"):
    """Something that is not for the viewer: that it happened is all that is told."""


LONGEST_PAGE = 512 * 1024
"""Bytes of entries on one page."""

TOLD: Any = ANY_EVENT | Private


class ToldEntry(msgspec.Struct, omit_defaults=True):
    """An entry of a table's chain: its number, what happened, when it was written down, and who gave the command.

    What is not for the viewer is left out of the event, and so is a name that is not theirs to know. Of an event that
    is private there is neither time nor name.
    """

    sequence: int
    event: TOLD
    """Held as the bytes of its JSON, which are those of the journal unless something is left out."""
    at: str = ""
    who: str = ""


class _Message(msgspec.Struct):
    """The message about an entry, taken apart."""

    at: str
    who: str
    event: msgspec.Raw


_messages = msgspec.json.Decoder(_Message)
_PRIVATE = msgspec.Raw(msgspec.json.encode(Private()))


def page_of(found: list[Said]) -> list[Said]:
    """As many of these entries as one page holds: the first, and more while they are short together."""
    size = 0
    for number, said in enumerate(found):
        size += len(said.message)
        if size > LONGEST_PAGE and number:
            return found[:number]
    return found


def entry_for(said: Said, viewer: Viewer) -> ToldEntry:
    """An entry as a viewer is told of it."""
    event = visible(said.event, viewer)
    if event is None:
        return ToldEntry(said.sequence, _PRIVATE)
    message = _messages.decode(said.message)
    told = message.event if event is said.event else msgspec.Raw(encode(event))
    return ToldEntry(said.sequence, told, message.at, told_name(message.who, said.event, viewer))


def message_for(said: Said, viewer: Viewer) -> bytes:
    """The same as the JSON that sockets send."""
    if viewer.staff:
        return said.message
    if visible(said.event, viewer) is said.event:
        who = _messages.decode(said.message).who
        if told_name(who, said.event, viewer) == who:
            return said.message
    return msgspec.json.encode(entry_for(said, viewer))
