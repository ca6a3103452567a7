"""The report of a gaming day by table, dealer and patron: money and play, worked out from the chains of the tables."""

from collections.abc import Iterable

import msgspec

from punto.service.money.ledger import TableLedger
from punto.service.money.play_figures import PlaySums

BY_ITSELF = ""
"""In the place of a dealer's person: the table has dealt by itself."""


class ReportRow(msgspec.Struct):
    """One line of the report; what was won is the house's. Nobody buys chips of a dealer's own, so theirs has none."""

    name: str
    currency: str
    bought: int = 0
    cashed: int = 0
    won: int = 0
    rounds: int = 0
    wagers: int = 0
    staked: int = 0
    highest: int = 0
    minutes: int = 0
    average: int | None = None
    """The average wager to the minor unit; None without one."""
    hold: int | None = None
    """What was won of what was bought, in hundredths of a per cent; None where nothing was bought."""

    def conclude(self) -> None:
        """Work out the average and the hold.

        >>> row = ReportRow("t1", "USD", bought=2_000_00, won=400_00, wagers=3, staked=1000)
        >>> row.conclude()
        >>> row.average, row.hold
        (333, 2000)
        """
        self.average = rounded(self.staked, self.wagers) if self.wagers else None
        self.hold = rounded(10_000 * self.won, self.bought) if self.bought else None


class TableRow(ReportRow):
    """A table's line, and how it stands: who deals since when, rounds an hour, and when open questions were asked.

    `float` is by how much the chips in the tray are more than at the beginning of the day.
    """

    float: int = 0
    patrons: int = 0
    dealer: str | None = None
    since: str | None = None
    pace: int | None = None
    asked: dict[str, str] = {}


class DayReport(msgspec.Struct):
    """A gaming day: by table, by dealer and by patron, those of several currencies with a line for each."""

    day: str
    tables: list[TableRow]
    dealers: list[ReportRow]
    patrons: list[ReportRow]

    @property
    def people(self) -> set[str]:
        """Everybody whom it names."""
        named = {row.name for row in (*self.dealers, *self.patrons)}
        return (named | {row.dealer for row in self.tables if row.dealer}) - {BY_ITSELF}


def day_report(day: str, ledgers: Iterable[TableLedger]) -> DayReport:
    """The report of a day over some tables."""
    tables: list[TableRow] = []
    dealers: dict[tuple[str, str], ReportRow] = {}
    patrons: dict[tuple[str, str], ReportRow] = {}
    seconds: dict[tuple[str, str], int] = {}
    for ledger in ledgers:
        count, played = ledger.count(day), ledger.played.of(day)
        tables.append(_table(ledger, day))
        for person, dealt in played.dealers.items():
            _add(dealers, person, count.currency, dealt)
            who = (person, count.currency)
            seconds[who] = seconds.get(who, 0) + (dealt.seconds if person else 0)
            dealers[who].minutes = (seconds[who] + 30) // 60
        for person, own in played.patrons.items():
            _add(patrons, person, count.currency, own)
        for person, had in count.patrons.items():
            if had.bought or had.cashed:
                row = patrons.setdefault((person, count.currency), ReportRow(person, count.currency))
                row.bought += had.bought
                row.cashed += had.cashed
    by_name = [[rows[key] for key in sorted(rows)] for rows in (dealers, patrons)]
    for row in (*tables, *by_name[0], *by_name[1]):
        row.conclude()
    return DayReport(day, sorted(tables, key=lambda row: row.name), *by_name)


def rounded(over: int, under: int) -> int:
    """A fraction as the nearest whole number, halves upwards.

    >>> rounded(7, 2), rounded(-7, 2), rounded(10, 3)
    (4, -3, 3)
    """
    return (2 * over + under) // (2 * under)


def _add(rows: dict[tuple[str, str], ReportRow], person: str, currency: str, played: PlaySums) -> None:
    row = rows.setdefault((person, currency), ReportRow(person, currency))
    row.rounds += played.rounds
    row.wagers += played.wagers
    row.staked += played.staked
    row.highest = max(row.highest, played.highest)
    row.won += played.won


def _table(ledger: TableLedger, day: str) -> TableRow:
    count, played, now = ledger.count(day), ledger.played.of(day), ledger.played.now
    dealt = sum(each.seconds for person, each in played.dealers.items() if person != BY_ITSELF)
    return TableRow(
        ledger.name,
        count.currency,
        count.bought,
        count.cashed,
        count.won,
        played.all.rounds,
        played.all.wagers,
        played.all.staked,
        played.all.highest,
        (dealt + 30) // 60,
        float=count.won + count.cashed - count.bought,
        patrons=len(played.patrons),
        dealer=now.dealer if now.since else None,
        since=now.since or None,
        pace=now.pace,
        asked={str(number): at for number, at in now.asked.items()},
    )
