"""The confirmation of exact figures by a simulation: what was dealt, and how near it came."""

from collections.abc import Sequence

import msgspec

from punto.report.document import TO_REPEAT, Block, Cell, Column, Facts, Paragraph, Section, TableBlock

LEAST = 0.001
"""Agreement is doubted where a deviation was met that chance makes so rarely."""


class Goodness(msgspec.Struct, frozen=True):
    """Chi-square of counts against exact probabilities, and the chance of one as large."""

    what: str
    chi_square: float
    degrees: int
    p_value: float

    @property
    def agrees(self) -> bool:
        """Whether chance alone explains the difference."""
        return self.p_value >= LEAST


class SimulatedBet(msgspec.Struct, frozen=True):
    """A bet's edge as simulated, with the ends of its confidence interval if it has one, beside the exact one."""

    name: str
    exact: float
    edge: float
    low: float | None
    high: float | None

    @property
    def inside(self) -> bool | None:
        """Whether the exact edge is in the interval; None where there is no interval."""
        if self.low is None or self.high is None:
            return None
        return self.low <= self.exact <= self.high

    @property
    def interval(self) -> str:
        """The interval in per cent."""
        if self.low is None or self.high is None:
            return "none"
        return f"{_percent(self.low)} to {_percent(self.high)}"


class Confirmation(msgspec.Struct, frozen=True):
    """A simulation, as a certificate shows it.

    `digest` is the SHA-256 of what was counted, `level` that of the intervals, and `bets` are by group of layouts.
    """

    seed: int
    shoes: int
    rounds: int
    digest: str
    tests: tuple[Goodness, ...]
    level: float
    bets: dict[str, tuple[SimulatedBet, ...]]
    left_out: tuple[str, ...] = ()
    """Why bets are not among those, a sentence for each."""


_NO_INTERVAL = " A bet has no interval where the run was too short to see it vary from shoe to shoe."
_VERDICTS = {True: "inside", False: "outside", None: "not judged"}
_ELSEWHERE = " What is left out here has its exact figures among the bets."


def confirmation_section(found: Confirmation | None, command: str) -> Section:
    """The section on the simulation; the command is what deals this book's shoes again."""
    title = "Confirmation by simulation"
    if found is None:
        return Section(title, (Paragraph("No simulation was run for this document."),))
    each = found.rounds // found.shoes
    blocks: list[Block] = [
        Paragraph(
            f"Shoes were shuffled and dealt, {each} rounds from each, and what came up was counted. The same seed "
            "deals the same shoes on every machine, so the counts can be had again, and their digest compared."
        ),
        Facts(
            (
                ("Seed", str(found.seed)),
                ("Shoes", str(found.shoes)),
                ("Rounds", str(found.rounds)),
                ("SHA-256 of the counts", found.digest),
                (TO_REPEAT, confirmation_command(found, command)),
            ),
            commands=(TO_REPEAT,),
        ),
        *_verdict(found.tests),
        *([_tests_table(found.tests)] if found.tests else []),
        Paragraph(
            "The edges as dealt follow. Intervals come from shoe to shoe, because the rounds of one shoe are not "
            f"independent; chance leaves about {round((1 - found.level) * 1000)} of 1000 exact edges outside."
            + (_NO_INTERVAL if any(each.inside is None for bets in found.bets.values() for each in bets) else "")
        ),
        *(_edges_table(group, bets, found.level) for group, bets in found.bets.items()),
        *([Paragraph(" ".join(found.left_out) + _ELSEWHERE)] if found.left_out else []),
    ]
    return Section(title, tuple(blocks))


def confirmation_command(found: Confirmation, command: str) -> str:
    """What deals the same shoes again; `command` names book and decks."""
    return f"{command} --shoes {found.shoes} --seed {found.seed} --rounds {found.rounds // found.shoes}"


def _verdict(tests: Sequence[Goodness]) -> list[Block]:
    if not tests:
        return [Paragraph("Too few rounds were dealt for a test of the counts.")]
    wrong = [test.what.lower() for test in tests if not test.agrees]
    if not wrong:
        return [Paragraph("What was counted agrees with the exact probabilities.")]
    says = (
        f"What was counted does not agree with the exact probabilities ({', '.join(wrong)}): chance makes so much "
        f"of a difference in less than {LEAST * 100:g}% of all runs."
    )
    return [Paragraph(says, alert=True)]


def _tests_table(tests: Sequence[Goodness]) -> TableBlock:
    columns = (
        Column("Counted", 3),
        Column("Chi-square", 1.5, "figure"),
        Column("Degrees of freedom", 1.5, "figure"),
        Column("Chance of as much", 1.5, "figure"),
    )
    rows = tuple(
        (
            (
                Cell(test.what, strong=True),
                Cell(f"{test.chi_square:.2f}"),
                Cell(str(test.degrees)),
                Cell(f"{test.p_value:.4f}", strong=not test.agrees),
            ),
        )
        for test in tests
    )
    return TableBlock("", columns, rows)


def _edges_table(group: str, bets: Sequence[SimulatedBet], level: float) -> TableBlock:
    columns = (
        Column("Bet", 2),
        Column("Exact edge", 1.5, "figure"),
        Column("Simulated edge", 1.5, "figure"),
        Column(f"{level * 100:g}% interval", 2.5, "figure"),
        Column("Exact edge is", 1.2, "figure"),
    )
    rows = tuple(
        (
            (
                Cell(each.name, strong=True),
                Cell(_percent(each.exact)),
                Cell(_percent(each.edge)),
                Cell(each.interval),
                Cell(_VERDICTS[each.inside], strong=each.inside is False),
            ),
        )
        for each in bets
    )
    return TableBlock(group, columns, rows)


def _percent(number: float) -> str:
    return f"{number * 100:z.4f}%"
