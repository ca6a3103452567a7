"""What a history holds: shoes, their rounds, and what was wagered, covered and noted in them.

Amounts are whole minor units of the shoe's currency: 10000 is an amount of 100 where that has cents. Rulebooks,
layouts, limits, bets, stages and kinds of events are words, kept as they were recorded.
"""

from typing import NamedTuple

import msgspec

from punto.coup import Card, deal, show
from punto.tabular import Cell, Rows, Tabular


class Field(NamedTuple):
    """A field of the user's own, written `_name value`; the underscore is no part of the name.

    >>> Field("dealer", "Ann")
    Field(name='dealer', value='Ann')
    """

    name: str
    value: str = ""


class Limit(NamedTuple):
    """A limit of the table, by its name.

    >>> Limit("maximum", 1_000_000)
    Limit(name='maximum', amount=1000000)
    """

    name: str
    amount: int


class RecordedResult(msgspec.Struct, frozen=True):
    """How a round ended whose cards were not recorded, in the words of `punto.coup.Coup`.

    `winner` is `player`, `banker` or `tie`; `pairs` is one of `punto.coup.PAIRS`.

    >>> RecordedResult("banker", pairs="both")
    RecordedResult(winner='banker', pairs='both', natural=False)
    """

    winner: str
    pairs: str = "none"
    natural: bool = False


class RecordedWager(msgspec.Struct, frozen=True):
    """A wager as it was recorded. `net` is what the patron won (or, below zero, lost), if recorded.

    >>> RecordedWager("tie", 10_00, net=-10_00, patron="Ann").stake
    1000
    """

    bet: str
    stake: int
    net: int | None = None
    patron: str | None = None


class RecordedCover(msgspec.Struct, frozen=True):
    """An insurance stake on a wager of the same round; `on` counts the wagers from 1.

    >>> RecordedCover("four-cards", "player", 20_00, on=1, net=60_00).hand
    'player'
    """

    stage: str
    hand: str
    stake: int
    on: int
    net: int | None = None
    patron: str | None = None


class RecordedEvent(msgspec.Struct, frozen=True):
    """Something irregular; `after` is how many cards of the round had been drawn, if recorded.

    >>> RecordedEvent("cut-card", after=3).text
    ''
    """

    kind: str
    text: str = ""
    after: int | None = None


class RecordedRound(msgspec.Struct, frozen=True):
    """One round: its cards in drawn order, or only its result, or neither where it was void.

    A void round may have cards: those drawn before it was called off. A free hand has no wagers.

    >>> RecordedRound(1, result=RecordedResult("tie")).cards
    ()
    """

    number: int
    cards: tuple[Card, ...] = ()
    result: RecordedResult | None = None
    void: bool = False
    free: bool = False
    wagers: tuple[RecordedWager, ...] = ()
    covers: tuple[RecordedCover, ...] = ()
    events: tuple[RecordedEvent, ...] = ()
    fields: tuple[Field, ...] = ()

    def insured(self, cover: RecordedCover) -> RecordedWager:
        """The wager that a cover of this round insures.

        >>> cover = RecordedCover("four-cards", "player", 20_00, on=1)
        >>> RecordedRound(1, void=True, wagers=(RecordedWager("player", 100_00),), covers=(cover,)).insured(cover).bet
        'player'
        """
        return self.wagers[cover.on - 1]


class RecordedShoe(msgspec.Struct, frozen=True):
    """The rounds of one shoe, and what was fixed before the first of them.

    >>> RecordedShoe("commission-insurance", layout="A", decks=8).rounds
    ()
    """

    rulebook: str
    layout: str | None = None
    decks: int | None = None
    limits: tuple[Limit, ...] = ()
    fields: tuple[Field, ...] = ()
    rounds: tuple[RecordedRound, ...] = ()
    currency: str | None = None


class History(Tabular, msgspec.Struct, frozen=True):
    """One shoe or more, in the order of the file.

    >>> len(History((RecordedShoe("commission"), RecordedShoe("commission"))).shoes)
    2
    """

    shoes: tuple[RecordedShoe, ...]

    def to_rows(self) -> Rows:
        """A row for every round: how it was dealt and how it ended.

        >>> shoe = RecordedShoe("wu-song", rounds=(RecordedRound(1, result=RecordedResult("tie")),))
        >>> History((shoe,)).to_rows().records()[0]["winner"]
        'tie'
        """
        rows = (
            (at, shoe.rulebook, shoe.layout, each.number, *_ended(each), each.void, each.free, *_besides(shoe, each))
            for at, shoe in enumerate(self.shoes, start=1)
            for each in shoe.rounds
        )
        return Rows(ROUND_COLUMNS, tuple(rows))

    def wagers(self) -> Rows:
        """A row for every wager and every cover, amounts in minor units of the shoe's currency.

        >>> bet = RecordedWager("tie", 10_00, net=80_00, patron="Ann")
        >>> shoe = RecordedShoe("wu-song", rounds=(RecordedRound(1, result=RecordedResult("tie"), wagers=(bet,)),))
        >>> History((shoe,)).wagers().records()[0]["net"]
        8000
        """
        rows: list[tuple[Cell, ...]] = []
        for at, shoe in enumerate(self.shoes, start=1):
            for each in shoe.rounds:
                place = (at, shoe.rulebook, shoe.layout, shoe.currency, each.number)
                rows += [(*place, bet.patron, bet.bet, None, bet.stake, bet.net, None) for bet in each.wagers]
                rows += [
                    (*place, bet.patron, f"{bet.hand}{INSURANCE}", bet.stage, bet.stake, bet.net, bet.on)
                    for bet in each.covers
                ]
        return Rows(WAGER_COLUMNS, tuple(rows))


ROUND_COLUMNS = (
    "shoe", "rulebook", "layout", "round", "cards", "winner", "player_points", "banker_points", "pairs", "natural",
    "void", "free", "decks", "currency", "head", "lines",
)  # fmt: skip
WAGER_COLUMNS = (
    "shoe", "rulebook", "layout", "currency", "round", "patron", "bet", "stage", "stake", "net", "on",
)  # fmt: skip
INSURANCE = "-insurance"
"""How the bet of a cover ends in a table of wagers: `player-insurance`."""


def _ended(each: RecordedRound) -> tuple[Cell, ...]:
    """Cards, winner, points of both hands, pairs and natural, as far as they are known."""
    cards = show(each.cards) or None
    if each.void:
        return (cards, None, None, None, None, None)
    if each.result is not None:
        return (cards, each.result.winner, None, None, each.result.pairs, each.result.natural)
    coup = deal(each.cards)
    return (cards, coup.winner, coup.player_points, coup.banker_points, coup.pairs, coup.natural)


def _besides(shoe: RecordedShoe, each: RecordedRound) -> tuple[Cell, ...]:
    """Decks and currency, and the lines of the head and of the round that have no column of their own."""
    from punto.history.writer import event_line, field_line, limit_lines

    head = [*limit_lines(shoe), *map(field_line, shoe.fields)]
    lines = [*map(event_line, each.events), *map(field_line, each.fields)]
    return shoe.decks, shoe.currency, "\n".join(head) or None, "\n".join(lines) or None
