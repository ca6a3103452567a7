"""Which tables are read together when a service starts."""

from collections.abc import Iterator, Mapping

from punto.service.snapshots import PAGE

_LOADED_AT_ONCE = 25 * PAGE
"""Events of the tables that are read together at the start, at most: young tables are read all at once."""


def together(reached: Mapping[str, int]) -> Iterator[list[str]]:
    """The names of tables that are read together, by how far their chains have come.

    >>> [len(each) for each in together({f"t{number}": 5 for number in range(1000)})]
    [1000]
    >>> [len(each) for each in together({f"t{number}": 10**6 for number in range(60)})]
    [25, 25, 10]
    """
    names: list[str] = []
    events = 0
    for name, far in reached.items():
        read = min(far, PAGE)
        if names and events + read > _LOADED_AT_ONCE:
            yield names
            names, events = [], 0
        names.append(name)
        events += read
    if names:
        yield names
