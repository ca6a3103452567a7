"""What changed between two values, as a JSON Patch (RFC 6902) of what they are encoded to.

A merge patch (RFC 7386) would not do: it can neither set a value to null nor change part of an array.
"""

from typing import Any

import msgspec

Operation = dict[str, Any]
"""`{"op": "add" | "replace" | "remove", "path": …, "value": …}`; a value is whatever msgspec encodes."""


def changes(old: object, new: object) -> list[Operation]:
    """The operations that turn one value into another, both of the same type.

    >>> changes({"wagers": [50, 10], "offer": None}, {"wagers": [50, 20, 5], "offer": "2:1"})
    [{'op': 'replace', 'path': '/wagers/1', 'value': 20}, {'op': 'add', 'path': '/wagers/2', 'value': 5}, \
{'op': 'replace', 'path': '/offer', 'value': '2:1'}]
    """
    found: list[Operation] = []
    _compare("", old, new, found)
    return found


def _compare(path: str, old: Any, new: Any, found: list[Operation]) -> None:
    if type(old) is not type(new):
        found.append({"op": "replace", "path": path, "value": new})
    elif old == new:
        return
    elif isinstance(new, msgspec.Struct) and _has_all_fields(type(new)):
        for field, name in zip(new.__struct_fields__, new.__struct_encode_fields__, strict=True):
            before, after = getattr(old, field), getattr(new, field)
            if before is not after:  # most of a table stays as it was: no path is made for that
                _compare(f"{path}/{_escaped(name)}", before, after, found)
    elif isinstance(new, dict):
        _compare_objects(path, old, new, found)
    elif isinstance(new, tuple | list):
        _compare_arrays(path, old, new, found)
    else:
        found.append({"op": "replace", "path": path, "value": new})


def _has_all_fields(kind: type[msgspec.Struct]) -> bool:
    """Whether a struct is encoded as an object with every field; others are replaced as a whole."""
    config = kind.__struct_config__
    return not (config.omit_defaults or config.array_like)


def _compare_objects(path: str, old: dict[Any, Any], new: dict[Any, Any], found: list[Operation]) -> None:
    found += [{"op": "remove", "path": f"{path}/{_escaped(key)}"} for key in old if key not in new]
    for key, value in new.items():
        place = f"{path}/{_escaped(key)}"
        if key in old:
            _compare(place, old[key], value, found)
        else:
            found.append({"op": "add", "path": place, "value": value})


def _compare_arrays(path: str, old: Any, new: Any, found: list[Operation]) -> None:
    """What is alike at both ends stays; between, items are changed in place, then removed or added."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old_end, new_end = len(old) - end, len(new) - end
    both = min(old_end, new_end)
    for at in range(start, both):
        _compare(f"{path}/{at}", old[at], new[at], found)
    found += [{"op": "remove", "path": f"{path}/{at}"} for at in reversed(range(both, old_end))]
    found += [{"op": "add", "path": f"{path}/{at}", "value": new[at]} for at in range(both, new_end)]


def _escaped(key: object) -> str:
    """A key as part of a JSON Pointer (RFC 6901)."""
    return str(key).replace("~", "~0").replace("/", "~1")
