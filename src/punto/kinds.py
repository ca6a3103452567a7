"""What kinds of values public functions take: an id where a book is wanted, and a sentence for what cannot be taken.

A room opens its functions to the world with `guard(globals())`. Whoever calls one then may give the id or the file of a
book where it takes a book, and cards as text where it takes a coup. What is of another kind than the function says is
told in a sentence that names the parameter and what it wants. Kinds are looked at only when a call has failed, so a
call that goes well costs next to nothing; a function that yields one thing after the other looks at once. Rooms that
call a function thousands of times a second import it from its own module, where it is as it was written.
"""

import builtins
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

_FAILED = (TypeError, AttributeError, LookupError, AssertionError, ValueError)
"""What happens inside a function that was given something of another kind."""

_WORDS = {
    str: "text",
    bytes: "bytes",
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    Path: "a path",
    type(None): "None",
    Any: "anything",
}
_WAYS = {
    "Book": 'punto.load("wu-song")',
    "Coup": 'punto.deal("6h 2c Kd As 5h")',
    "Menu": 'punto.rulebook.menu(punto.load("wu-song"))',
    "Wager": 'punto.Wager("player", punto.money("100"))',
    "Cover": 'punto.Cover("four-cards", "player", punto.money("20"), on=0)',
    "Limits": 'punto.Limits(minimum=punto.money("10"))',
    "History": 'punto.history.read("evening.history")',
    "Journal": 'punto.audit.open_journal("sqlite:///punto.db")',
    "Dealing": "punto.simulation.Dealing()",
    "Result": 'punto.roads.parse("BPT")',
    "Roads": 'punto.roads.roads(punto.roads.parse("BPT"))',
}
"""How somebody gets a value of a kind, by its name."""

P = ParamSpec("P")
R = TypeVar("R")

_TEXTS = (str, Path)
_TAKEN: dict[str, Callable[[Any], Any]] = {}


class WrongKind(TypeError):
    """A public function was given a value of another kind than it takes. The message is a sentence."""


def takes_text(kind: type, read: Callable[[Any], Any]) -> None:
    """Let `read` make a value of this kind wherever a public function takes one and is given text or a path."""
    _TAKEN[kind.__name__] = read


def guard(room: dict[str, Any], *names: str) -> None:
    """Open functions of a room: those named, or in its `__all__`, or all that it defines without an underscore."""
    named = (
        names
        or room.get("__all__")
        or [
            name
            for name, each in room.items()
            if name[0] != "_" and getattr(each, "__module__", "") == room["__name__"]
        ]
    )
    for name in named:
        found: Any = room.get(name)
        is_cached = isinstance(getattr(found, "__wrapped__", None), types.FunctionType) and hasattr(found, "cache_info")
        if is_cached or (inspect.isfunction(found) and not hasattr(found, "__wrapped__")):
            room[name] = opened(found)


def opened(function: Callable[P, R]) -> Callable[P, R]:
    """The function as the world calls it."""
    names = list(inspect.signature(function).parameters)
    texts = {name: read for name, hint in function.__annotations__.items() if (read := _TAKEN.get(_name(hint)))}
    at_once = inspect.isgeneratorfunction(function)
    places = [(names.index(name), name, read) for name, read in texts.items() if name in names]

    @wraps(function)
    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        for place, name, read in places:
            if place >= len(args):
                if isinstance(kwargs.get(name), _TEXTS):
                    kwargs[name] = read(kwargs[name])
            elif isinstance(args[place], _TEXTS):
                args = (*args[:place], read(args[place]), *args[place + 1 :])  # type: ignore[assignment]  # as many
        if at_once and (says := misfit(function, args, kwargs)):
            raise WrongKind(says)
        try:
            return function(*args, **kwargs)
        except _FAILED as error:
            says = None if _is_told(error) else misfit(function, args, kwargs)
            if says is None:
                raise
            raise WrongKind(says) from error

    return called


def _is_told(error: Exception) -> bool:
    """Whether an error says already what is wrong: one of Punto's own, or a sentence, as Python's never are."""
    return type(error).__module__.startswith("punto.") or (isinstance(error, ValueError) and str(error).endswith("."))


def misfit(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str | None:
    """A sentence about the first argument that is not of the kind that a function takes; None where all are.

    >>> def shown(amount: int) -> str: return str(amount)
    >>> misfit(shown, ("5",), {})
    "shown() takes a whole number as amount, and was given '5'."
    """
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return None  # too many, too few or misspelt ones: Python says so itself
    hints = _hints(function)
    for name, value in bound.arguments.items():
        wanted = hints.get(name, Any)
        if inspect.signature(function).parameters[name].kind in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        ):
            continue
        if not fits(value, wanted):
            for each in value if isinstance(value, list | tuple) else (value,):
                if type(each).__name__ in _parts(wanted) and (says := field_misfit(each)):
                    return says
            way = next((f", such as {_WAYS[part]}" for part in _parts(wanted) if part in _WAYS), "")
            shown = repr(value)
            shown = shown if len(shown) <= 60 else f"{type(value).__name__} …"
            return f"{function.__name__}() takes {in_words(wanted)} as {name}{way}, and was given {shown}."
    return None


def field_misfit(value: object) -> str | None:
    """A sentence about the first field of a value that is not of the kind that its class says; None where all are."""
    kind = type(value)
    for name, wanted in _hints(kind).items():
        given = getattr(value, name, None)
        if name in getattr(kind, "__struct_fields__", ()) and not fits(given, wanted):
            return f"{kind.__name__} takes {in_words(wanted)} as {name}, and was given {given!r}."
    return None


def tells_of_fields(checks: Callable[[Any], None]) -> Callable[[Any], None]:
    """For the `__post_init__` of a value that people make: where it fails on a field of another kind, a sentence."""

    @wraps(checks)
    def checked(self: Any) -> None:
        try:
            checks(self)
        except _FAILED as error:
            says = None if _is_told(error) else field_misfit(self)
            if says is None:
                raise
            raise WrongKind(says) from error

    return checked


def fits(value: object, hint: Any) -> bool:
    """Whether a value is of a kind, in all of its parts.

    >>> fits([1, 2], list[int]), fits([1, "2"], list[int]), fits(None, int | None), fits("a", tuple[str, ...])
    (True, False, True, False)
    """
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, each) for each in inside)
    if origin is typing.Literal:
        return value in inside
    if origin is typing.Annotated:
        return fits(value, inside[0])
    if isinstance(origin, type):
        return isinstance(value, origin) and _inside_fits(value, inside)
    if hint is Any or not isinstance(hint, type):
        return True  # a kind that says nothing about values: Any, a variable
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint.__module__ == __name__:  # a name that is known to the type checker alone
        return hint.__name__ in [each.__name__ for each in type(value).__mro__]
    if hint is int and isinstance(value, bool):
        return False
    return isinstance(value, hint) and _fields_fit(value)


def _fields_fit(value: object) -> bool:
    """Whether the fields of a value are of the kinds that its class says; of what has no such fields, yes."""
    fields: tuple[str, ...] = getattr(type(value), "__struct_fields__", ())
    hints = _hints(type(value)) if fields else {}
    return all(fits(getattr(value, name), hints.get(name, Any)) for name in fields)


def _inside_fits(value: object, inside: tuple[Any, ...]) -> bool:
    if not inside or isinstance(value, type) or callable(value):
        return True
    if isinstance(value, str) and inside[0] is not str:
        return False
    if isinstance(value, Mapping):
        return all(fits(key, inside[0]) and fits(each, inside[-1]) for key, each in value.items())
    if isinstance(value, tuple) and Ellipsis not in inside and len(inside) > 1:
        return len(value) == len(inside) and all(map(fits, value, inside))
    if isinstance(value, list | tuple | set | frozenset):
        return all(fits(each, inside[0]) for each in value)
    return True


def in_words(hint: Any) -> str:
    """A kind as a sentence names it.

    >>> from collections.abc import Sequence
    >>> in_words(int | None), in_words(Sequence[str]), in_words(dict[str, int])
    ('a whole number or None', 'a list of text', 'a mapping')
    """
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(map(in_words, inside)))
    if origin is typing.Literal:
        return " or ".join(map(repr, inside))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "a mapping"
    if origin is Callable:
        return "a function"
    if isinstance(origin, type) and issubclass(origin, Iterable) and inside:
        return f"a list of {in_words(inside[0]).removeprefix('a ').removeprefix('an ')}"
    if hint in _WORDS:
        return _WORDS[hint]
    name = getattr(origin or hint, "__name__", str(hint))
    return f"{'an' if name[:1] in 'AEIO' else 'a'} {name}"


def _name(hint: Any) -> str:
    """The one kind that is wanted, by its name; `None` beside it does not count."""
    if isinstance(hint, str):
        return hint.removesuffix(" | None")
    union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    parts = [each for each in typing.get_args(hint) if each is not type(None)] if union else [hint]
    return getattr(parts[0], "__name__", "") if len(parts) == 1 and typing.get_origin(parts[0]) is None else ""


def _parts(hint: Any) -> list[str]:
    """The names of all kinds that a hint is made of."""
    inside = [part for each in typing.get_args(hint) for part in _parts(each)]
    return [getattr(hint, "__name__", ""), *inside]


class _Names(dict[str, Any]):
    """The names in the hints of a function; those that only the type checker knows become kinds of that name."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self._known = getattr(function, "__globals__", None) or vars(sys.modules[function.__module__])

    def __missing__(self, name: str) -> Any:
        if name in self._known or hasattr(builtins, name):
            raise KeyError(name)
        return type(name, (), {"__module__": __name__})


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, localns=_Names(function))
    except (TypeError, NameError, AttributeError):
        return {}
