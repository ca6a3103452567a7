"""Commands and events as JSON and back."""

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from punto.messages import say
from punto.rulebook import Refused
from punto.table import commands as c
from punto.table import events as e


def _kinds(base: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    """Every kind that has been given a name for JSON; what several kinds share has only the name of its class."""
    found: list[type[msgspec.Struct]] = []
    for kind in base.__subclasses__():
        if kind.__struct_config__.tag != kind.__name__:
            found.append(kind)
        found += _kinds(kind)
    return found


COMMANDS = {str(kind.__struct_config__.tag): kind for kind in _kinds(c.Command)}
EVENTS = {str(kind.__struct_config__.tag): kind for kind in _kinds(e.Event)}

ANY_COMMAND: Any = reduce(or_, COMMANDS.values())
ANY_EVENT: Any = reduce(or_, EVENTS.values())
_encoder = msgspec.json.Encoder(order="deterministic")
_commands: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ANY_COMMAND)
_events: msgspec.json.Decoder[Any] = msgspec.json.Decoder(ANY_EVENT)


def encode(value: c.Command | e.Event) -> bytes:
    """A command or an event as JSON, the same bytes each time.

    >>> encode(c.Place("ann", "player", 10000, by="ann"))
    b'{"do":"place","patron":"ann","bet":"player","stake":10000,"by":"ann"}'
    """
    return _encoder.encode(value)


def decode_event(data: bytes) -> e.Event:
    """An event from its JSON.

    >>> decode_event(b'{"event":"bets-opened","number":1}')
    BetsOpened(number=1, free=False, by='dealer', acting=False, basis=Basis(clauses=(), readings=()))
    """
    event: e.Event = _events.decode(data)
    return event


def decode_command(data: bytes) -> c.Command:
    """A command from JSON, or a refusal that says what is wrong with it."""
    try:
        command: c.Command = _commands.decode(data)
    except msgspec.DecodeError as error:
        raise Refused(say("not-a-command", "This is no command: {fault}.", fault=str(error))) from None
    return command


def read_command(values: dict[str, object]) -> c.Command:
    """A command from names and values, as a scenario or a form has them."""
    try:
        command: c.Command = msgspec.convert(values, ANY_COMMAND)
    except msgspec.ValidationError as error:
        raise Refused(say("not-a-command", "This is no command: {fault}.", fault=str(error))) from None
    return command
