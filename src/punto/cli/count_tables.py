"""`punto cage count --output`: the count of a house as tables, amounts in minor units of their currency."""

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from punto.service.money.count import Count


class CountTable(StrEnum):
    """The tables that a count has."""

    TABLES = "tables"
    PATRONS = "patrons"
    PURSES = "purses"
    CURRENCIES = "currencies"


COLUMNS = {
    CountTable.TABLES: ("table", "currency", "bought", "cashed", "won", "result"),
    CountTable.PATRONS: ("table", "currency", "person", "bought", "cashed", "chips", "owed"),
    CountTable.PURSES: ("where", "person", "currency", "amount"),
    CountTable.CURRENCIES: ("currency", "cage", "wallet", "under_way", "held", "tables", "patrons", "sum"),
}


def records(found: "Count", of: CountTable) -> Iterator[dict[str, Any]]:
    """The rows of a table of the count."""
    for row in _TABLES[of](found):
        yield dict(zip(COLUMNS[of], row, strict=True))


def _tables(found: "Count") -> Iterator[tuple[Any, ...]]:
    for each in found.tables:
        yield tuple(getattr(each, name) for name in COLUMNS[CountTable.TABLES])


def _patrons(found: "Count") -> Iterator[tuple[Any, ...]]:
    for each in found.tables:
        for person, had in each.patrons.items():
            yield each.table, each.currency, person, had.bought, had.cashed, had.chips, had.owed


def _purses(found: "Count") -> Iterator[tuple[Any, ...]]:
    for where, people in (("held", found.held), ("wallet", found.wallets)):
        for person, amounts in people.items():
            for currency, amount in amounts.items():
                yield where, person, currency, amount


def _currencies(found: "Count") -> Iterator[tuple[Any, ...]]:
    for each in found.currencies:
        yield tuple(getattr(each, name) for name in COLUMNS[CountTable.CURRENCIES])


_TABLES = {
    CountTable.TABLES: _tables,
    CountTable.PATRONS: _patrons,
    CountTable.PURSES: _purses,
    CountTable.CURRENCIES: _currencies,
}
