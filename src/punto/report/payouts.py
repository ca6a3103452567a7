"""The greatest payouts as a certificate prints them: by bet, by box and by round."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from punto.amounts import USUAL, amounts_in, show_money, writer_of
from punto.coup import headline
from punto.report.document import Block, Cell, Column, Facts, Paragraph, Section, TableBlock
from punto.report.figures import decimal, listed
from punto.report.groups import Group
from punto.report.insurance import cover_taken
from punto.report.liability import UNIT, Liability, Worst, best_rows, liability
from punto.report.readings import clauses
from punto.rulebook import Menu, Priced, Row
from punto.rulebook.words import pattern_in_words
from punto.settlement import Limits, check_maximums, chips_of


class Posted(msgspec.Struct, frozen=True):
    """What is posted at the tables that a certificate is for. Without boxes the layout's own number counts."""

    limits: Limits
    boxes: int | None = None
    currency: str = USUAL

    @property
    def has_limits(self) -> bool:
        """Whether any limit is posted; where only boxes are, amounts are in units."""
        return self.limits != Limits()

    @property
    def options(self) -> str:
        """As the command line takes it, each option with a space before it.

        >>> Posted(Limits(maximum=500_000, maximums={"tie": 50_000}), boxes=7).options
        ' --maximum 5000.00 --bet-maximum tie=500.00 --boxes 7'
        >>> Posted(Limits(maximum=500_000), currency="VND").options
        ' --maximum 500000 --currency VND'
        """
        limits = self.limits
        named = {"maximum": limits.maximum, "differential": limits.differential, "payout": limits.payout}
        show = writer_of(self.currency)
        said = [f" --{name} {show(amount)}" for name, amount in named.items() if amount is not None]
        said += [f" --bet-maximum {bet}={show(amount)}" for bet, amount in limits.maximums.items()]
        return "".join(said) + (f" --boxes {self.boxes}" if self.boxes else "") + currency_option(self.currency)


def currency_option(currency: str) -> str:
    """The option that names a currency, with a space before it; nothing for the usual one.

    >>> currency_option("VND"), currency_option("USD")
    (' --currency VND', '')
    """
    return "" if currency == USUAL else f" --currency {currency}"


def payouts_section(groups: Sequence[Group], posted: Posted | None) -> Section:
    """The section on the greatest payouts, and on what a box and a round can cost the house."""
    amounts = posted if posted is not None and posted.has_limits else None
    blocks: list[Block] = [Paragraph(_METHOD), Paragraph(_LIMITS if amounts else _NO_LIMITS)]
    if amounts:
        check_posted(groups, amounts)
        blocks.append(Facts(tuple(_said(amounts))))
    for group in groups:
        blocks += _group(group, amounts, posted.boxes if posted else None)
    return Section("Greatest payouts and liability", tuple(blocks))


def check_posted(groups: Sequence[Group], posted: Posted) -> None:
    """Refuse a maximum of a bet that none of these layouts carries, and one that leaves no stake on a bet."""
    carried = {bet for group in groups for bet in group.menu.bets}
    for bet in posted.limits.maximums:
        if bet not in carried:
            groups[0].menu[bet]  # refuses it, with what there is
    for group in groups:
        with amounts_in(posted.currency):
            check_maximums(group.menu, posted.limits, chips_of(group.menu.book, posted.limits, posted.currency))


_METHOD = (
    "The greatest payout of a bet is that of its best row, on the most that may be staked on it. For a box and a "
    "round every course of a coup was settled with the wagers, and where there is insurance the covers, that cost "
    "the house most on it: what is lost to the house on the same coup is set off. Cover is taken in every window "
    "that pays, to its cap. A bet that looks at single cards is taken to be paid its best row on every coup, so that "
    "box and round cost what is told at most, and one that is placed after the first four cards to be on offer in "
    "every round."
)
_LIMITS = (
    "The limits are those below. A bet that is held to no maximum is named, and left out of box and round. In a round "
    "all boxes hold the same wagers."
)
_NO_LIMITS = (
    "No limits were given, so amounts are in units: the maximum of every bet is one unit. Given to the command that "
    "made this document, posted limits and the number of boxes are used instead."
)


def _said(posted: Posted) -> list[tuple[str, str]]:
    limits = posted.limits
    show = writer_of(posted.currency)
    named = {"Maximum": limits.maximum, "Differential": limits.differential}
    said = [("Currency", posted.currency)]
    said += [(name, "none posted" if amount is None else show(amount)) for name, amount in named.items()]
    if limits.payout is not None:
        said.append(("Payout", show(limits.payout)))
    return said + [(f"Maximum on {bet}", show(amount)) for bet, amount in limits.maximums.items()]


def _group(group: Group, posted: Posted | None, given: int | None) -> list[Block]:
    boxes = given or _most_boxes(group)
    found = liability(group.menu, posted.limits if posted else None, boxes or 1, posted.currency if posted else USUAL)
    best = best_rows(group.menu)
    rows = tuple((_bet(priced, best[bet], found, posted),) for bet, priced in group.menu.bets.items())
    columns = (
        Column("Bet", 1.8),
        Column("Greatest pay", 1.3),
        Column("Outcome", 3.6),
        Column("Clause", 1.2),
        Column("Most staked in a box", 1.6, "figure"),
        Column("Greatest payout", 1.6, "figure"),
    )
    bound = "" if all(priced.by_outcome for priced in group.menu.bets.values()) else ", at most"
    facts = [(f"One box{bound}", _cost(group.menu, found.box, posted))]
    if boxes:
        facts.append((f"A round of {boxes} boxes{bound}", _cost(group.menu, found.round, posted)))
    else:
        facts.append(("A round", "the book does not tell how many boxes there are"))
    blocks: list[Block] = [TableBlock(group.name, columns, rows)]
    if found.wagers_per_area > 1:
        per = group.menu.book.basis("betting", "wagers-per-area")
        number = found.wagers_per_area
        says = f"Up to {number} wagers of the maximum may lie on one area ({clauses(per)}), and are counted."
        blocks.append(Paragraph(says))
    unbounded = [group.menu.bets[bet].bet.name for bet, most in found.most.items() if most is None]
    if unbounded:
        says = (
            f"No maximum holds for {listed(unbounded)}: without one, what is paid has no bound. Box and round are "
            "reckoned without, and may cost more than is said here."
        )
        blocks.append(Paragraph(says, alert=True))
    most = _most_boxes(group)
    if given and most and given > most:
        says = f"The book allows {most} boxes at most here, and {given} were given."
        blocks.append(Paragraph(says, alert=True))
    return [*blocks, Facts(tuple(facts))]


def _most_boxes(group: Group) -> int | None:
    """How many boxes a round may have, the most of any of these layouts; None where the book does not tell."""
    counts = [group.menu.book.layouts[name].positions.max for name in group.layouts]
    known = [count for count in counts if count is not None]
    return max(known) if len(known) == len(counts) else None


def _bet(priced: Priced, row: Row, found: Liability, posted: Posted | None) -> tuple[Cell, ...]:
    assert row.odds is not None
    most, greatest = found.most[priced.bet.id], found.greatest[priced.bet.id]
    return (
        Cell(priced.bet.name, strong=True),
        Cell(row.odds.in_words),
        Cell(str(pattern_in_words(row.when))),
        Cell(clauses(row.basis), ", ".join(row.basis.readings)),
        Cell("no bound" if most is None else _amount(most, posted)),
        Cell("no bound" if greatest is None else _amount(greatest, posted), strong=True),
    )


def _cost(menu: Menu, worst: Worst, posted: Posted | None) -> str:
    """What the worst coup costs, and with which wagers."""
    if not worst.wagers:
        return "no bound: no maximum is posted for any bet"
    wagers = [f"{_amount(wager.stake, posted)} on {menu.bets[wager.bet].bet.name}" for wager in worst.wagers]
    covers = [f"{_amount(cover.stake, posted)} of {cover_taken(cover)}" for cover in worst.covers]
    return f"{_amount(worst.amount, posted)}, if {headline(worst.coup)}, with {listed([*wagers, *covers])}"


def _amount(amount: int, posted: Posted | None) -> str:
    if posted is not None:
        return show_money(amount, posted.currency)
    units = Fraction(amount, UNIT)
    return str(units) if units.denominator == 1 else decimal(units, 4).rstrip("0")
