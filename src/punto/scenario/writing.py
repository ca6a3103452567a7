"""Writes commands as lines of a scenario: what `punto.scenario.story` reads."""

import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from punto.amounts import USUAL, show_money
from punto.rulebook.vocabulary import DEALER
from punto.scenario.story import MONEY, OWN
from punto.scenario.words import LIMITS
from punto.settlement import Limits
from punto.table.commands import Command, Expose, OpenTable


def write(command: Command, currency: str = USUAL) -> str:
    """A command as a line of a scenario of a table with this currency; read again it is the same command.

    >>> from punto.table import commands as c
    >>> write(c.Place("ann", "player", 10050, by="ann"))
    'place ann player 100.50'
    >>> write(c.Report("wrong-call", (0,), ("8h",), note="It was an eight."))
    "report wrong-call cards=0 faces=8h note='It was an eight.'"
    >>> write(c.Answer(1, "rule", "So be it.", remedies=({"void": True},), by="pit-manager"))
    "answer 1 rule reason='So be it.' remedies=void by pit-manager"
    """
    name = str(command.__struct_config__.tag)
    words = [name, *_fields(command, command.currency if isinstance(command, OpenTable) else currency)]
    usual = getattr(command, "patron", DEALER) if name in OWN else DEALER
    if command.by != usual:
        words += ["by", shlex.quote(command.by)]
    return " ".join(words)


def _fields(command: Command, currency: str) -> Iterator[str]:
    """What a command needs in its order, and what else it has by name."""
    for field in msgspec.structs.fields(command):
        value = getattr(command, field.name)
        if field.name == "by":
            continue
        if isinstance(value, Limits):
            yield from _limits(value, currency)
        elif isinstance(command, Expose) and field.name == "faces":
            yield from value
        elif field.required:
            yield shlex.quote(_word(field.name, value, currency))
        elif value != (field.default if field.default is not msgspec.NODEFAULT else field.default_factory()):
            yield f"{field.encode_name}={shlex.quote(_word(field.name, value, currency))}"


def _word(name: str, value: Any, currency: str) -> str:
    if name in MONEY and value is not None:
        return show_money(value, currency)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "remedies":
        return ",".join(verb if of is True else f"{verb}:{of}" for each in value for verb, of in each.items())
    if isinstance(value, dict):
        return ",".join(f"{key}:{each}" for key, each in value.items())
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def _limits(limits: Limits, currency: str) -> Iterator[str]:
    usual = Limits()
    for name in LIMITS:
        amount = getattr(limits, name)
        if amount != getattr(usual, name):
            yield f"{name}={show_money(amount, currency)}"
    if limits.rounding != usual.rounding:
        yield f"rounding={limits.rounding}"
    for word, amounts in (("min", limits.minimums), ("max", limits.maximums)):
        yield from (f"{word}-{bet}={show_money(amount, currency)}" for bet, amount in amounts.items())
