"""What insurance is worth: every cell from a shoe, a concrete offer in mid-coup, and the best play."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from punto.coup import STOOD, Card
from punto.coup.play import player_draws, situation_index
from punto.kernels.endings import BANKER, PLAYER, TIE, endings
from punto.messages import say
from punto.odds.composition import BadComposition, by_rank, deals, situation_counts
from punto.odds.counting import Counts
from punto.rulebook import Basis, Book, CoverRow, Insurance, Refused
from punto.tabular import Rows, Tabular


class CellOdds(msgspec.Struct, frozen=True):
    """A cell of an insurance table: how often it is met, and what becomes of the cover then."""

    row: CoverRow
    own: int
    opposite: int
    total: int
    met: int
    wins: int
    stands: int

    @property
    def reach(self) -> Fraction:
        """The chance, per round, that this cover is on offer."""
        return Fraction(self.met, self.total)

    @property
    def win(self) -> Fraction:
        """The chance that it pays, once on offer; a tie that pays counts."""
        return Fraction(self.wins, self.met) if self.met else Fraction(0)

    @property
    def stand_off(self) -> Fraction:
        """The chance that it comes back."""
        return Fraction(self.stands, self.met) if self.met else Fraction(0)

    @property
    def edge(self) -> Fraction:
        """The house edge on the cover, per unit staked on it."""
        return 1 - self.stand_off - self.win * (1 + self.row.odds.fraction)


class CellFigures(Tabular, list[CellOdds]):
    """The cells of an insurance table: a list, and a table with a row for every cell."""

    __slots__ = ()

    def to_rows(self) -> Rows:
        """How often each cell is met, what becomes of cover then, and its edge, also as an exact fraction."""
        return Rows(
            ("stage", "hand", "own", "opposite", "odds", "reach", "win", "stand_off", "edge", "edge_exact"),
            tuple(
                (
                    each.row.stage,
                    each.row.hand,
                    each.own,
                    each.opposite,
                    each.row.odds.text,
                    float(each.reach),
                    float(each.win),
                    float(each.stand_off),
                    float(each.edge),
                    str(each.edge),
                )
                for each in self
            ),
            "Insurance",
        )


def insurance_odds(book: Book, shoe: Sequence[int], counts: Counts | None = None) -> CellFigures:
    """Every cell of a book's insurance, in the order of its rows; none for a book without insurance.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load
    >>> cells = insurance_odds(load("commission-insurance"), full_shoe(8))
    >>> worst = min(cells, key=lambda cell: cell.edge)
    >>> worst.row.hand, worst.own, worst.opposite, f"{float(worst.edge):.2%}"
    ('banker', 6, 5, '-8.44%')
    """
    if book.insurance is None:
        return CellFigures()
    found = situation_counts(shoe) if counts is None else counts
    total = deals(shoe)
    return CellFigures(
        _cell(row, own, opposite, found, total)
        for row in book.insurance.rows
        for own in sorted(row.own)
        for opposite in sorted(row.opposite)
    )


def _cell(row: CoverRow, own: int, opposite: int, counts: Counts, total: int) -> CellOdds:
    player, banker = (own, opposite) if row.hand == "player" else (opposite, own)
    thirds = [STOOD] if row.stage == "four-cards" else range(10)
    by_winner = [sum(int(counts[situation_index(player, banker, third)][who]) for third in thirds) for who in range(3)]
    return _cell_odds(row, own, opposite, by_winner, total)


def _cell_odds(row: CoverRow, own: int, opposite: int, by_winner: Sequence[int], total: int) -> CellOdds:
    """A cell from deals by winner: Player, Banker, tie. Cover pays if its hand loses; a tie pays it or stands off."""
    lost, tied = by_winner[BANKER if row.hand == "player" else PLAYER], by_winner[TIE]
    pays = row.tie_pays is not None
    return CellOdds(row, own, opposite, total, sum(by_winner), lost + tied * pays, tied * (not pays))


def offer_odds(book: Book, seen: Sequence[Card], hand: str, shoe: Sequence[int]) -> CellOdds:
    """A concrete offer: the cards on the table, the hand to insure, and what is left in the shoe.

    `seen` is four cards, or five with the Player's third; `shoe` is what remains without them. The chances
    are those from here on.

    >>> from punto.coup import cards
    >>> from punto.odds import full_shoe, without
    >>> from punto.rulebook import load
    >>> table = cards("5h 6c Kd Ks")
    >>> cell = offer_odds(load("commission-insurance"), table, "banker", without(full_shoe(8), table))
    >>> cell.row.odds.text, f"{float(cell.edge):.2%}"
    ('3:1', '-9.23%')
    """
    if book.insurance is None:
        raise Refused(say("book-no-insurance", "This book has no insurance."), book, Basis((book.menu_clause,)))
    if len(seen) not in (4, 5):
        raise Refused(
            say("insurance-after-which-cards", "Insurance is offered after four cards, or after the Player's third.")
        )
    if sum(shoe) < 2:
        raise BadComposition(say("too-few-to-finish", "{cards} cards are too few to finish the coup.", cards=sum(shoe)))
    player = (seen[0].value + seen[2].value) % 10
    banker = (seen[1].value + seen[3].value) % 10
    third = STOOD if len(seen) == 4 else seen[4].value
    due, *ways = endings(cards_by_value(shoe), sum(shoe), player, banker, third)
    possible = third == STOOD or player_draws(player, banker)
    if not due or not possible:
        raise Refused(
            say("no-card-due-to-insure", "No card is due, so nothing can be insured."), book, book.insurance.live
        )
    points = player if third == STOOD else (player + third) % 10
    own, opposite = (points, banker) if hand == "player" else (banker, points)
    row = book.insurance.row("four-cards" if third == STOOD else "third-card", hand, own, opposite)
    if row is None:
        raise Refused(say("no-price-for-that", "There is no price for that."), book, Basis((book.insurance.table,)))
    by_winner = [int(each) for each in ways]
    return _cell_odds(row, own, opposite, by_winner, sum(by_winner))


def cards_by_value(shoe: Sequence[int]) -> list[int]:
    """The cards of each value, from the composition of a shoe."""
    left = [0] * 10
    for rank, count in enumerate(by_rank(shoe), start=1):
        left[Card(rank).value] += count
    return left


class InsurancePlay(msgspec.Struct, frozen=True):
    """The best use of insurance by totals, for a patron with one unit on a hand, per round.

    `worth` is what it adds to the expected net of that bet, if the patron goes by both totals and by the value of the
    Player's third card; `cells` are the cells in which to insure to the cap, on the average over those values.
    `tokens` are cells in which a token cover is worth taking although it costs a little, because silence would forgo a
    better offer later in the round (AMB-50, reading `round`).
    """

    hand: str
    worth: Fraction
    cells: tuple[CellOdds, ...]
    tokens: tuple[CellOdds, ...]


def best_play(book: Book, shoe: Sequence[int], hand: str, maximum: Fraction | None = None) -> InsurancePlay:
    """What insurance is worth to a patron who goes by totals and insures only where that pays, within the caps.

    `best_play_by_cards` is for a patron who looks at the cards.
    One unit is on the hand; `maximum` is the posted maximum in such units, for cover at odds that are capped
    by it (without one such cover is not taken).

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load
    >>> play = best_play(load("commission-insurance"), full_shoe(8), "banker")
    >>> float(play.worth) > 0, len(play.tokens) >= 0
    (True, True)
    >>> best_play(load("da-hu-ying-xiong"), full_shoe(8), "banker").worth
    Fraction(0, 1)
    """
    insurance = book.insurance
    if insurance is None:
        return InsurancePlay(hand, Fraction(0), (), ())
    counts = situation_counts(shoe)
    cells = [cell for cell in insurance_odds(book, shoe, counts) if cell.row.hand == hand and cell.met]
    early = [cell for cell in cells if cell.row.stage == "four-cards"]
    later = _later(insurance, counts, hand, maximum)
    worth = Fraction(0)
    chosen: list[CellOdds] = []
    tokens: list[CellOdds] = []
    for cell in early:
        now = max(most_cover(insurance, cell, maximum) * -cell.edge, Fraction(0))
        then = later.get((cell.own, cell.opposite), Fraction(0))
        # With one cap for both windows it goes where it is worth more; else both are used.
        shared = insurance.cap.over == "round"
        worth += cell.reach * (max(now, then) if shared else now + then)
        if now and (now >= then or not shared):
            chosen.append(cell)
        elif then:
            tokens.append(cell)
    priced = {(cell.own, cell.opposite) for cell in early}
    for (own, opposite), value in later.items():
        if (own, opposite) not in priced:
            player, banker = (own, opposite) if hand == "player" else (opposite, own)
            met = int(counts[situation_index(player, banker, STOOD)].sum())
            worth += value * Fraction(met, deals(shoe))
    chosen += [cell for cell in cells if cell.row.stage == "third-card" and cell.edge < 0]
    return InsurancePlay(hand, worth, tuple(chosen), tuple(tokens))


def most_cover(insurance: Insurance, cell: CellOdds, maximum: Fraction | None) -> Fraction:
    """The cap of a cover on one unit."""
    room = Fraction(1) if insurance.cap.on == "stake" else 1 / cell.row.odds.fraction
    for also in insurance.cap_at:
        if also.odds.fraction == cell.row.odds.fraction:
            room = min(room, also.share * maximum) if maximum is not None else Fraction(0)
    return room


def _later(
    insurance: Insurance, counts: Counts, hand: str, maximum: Fraction | None
) -> dict[tuple[int, int], Fraction]:
    """By the totals on four cards: what the window after the Player's third card is then worth."""
    worth: dict[tuple[int, int], Fraction] = {}
    for player in range(6):
        for banker in range(7):
            total = sum(
                (_third_card(insurance, counts, hand, maximum, player, banker, third) for third in range(10)),
                Fraction(0),
            )
            if total:
                met = int(counts[situation_index(player, banker, STOOD)].sum())
                worth[(player, banker) if hand == "player" else (banker, player)] = total / met
    return worth


def _third_card(
    insurance: Insurance, counts: Counts, hand: str, maximum: Fraction | None, player: int, banker: int, third: int
) -> Fraction:
    """What cover after this third card is worth, over all deals that come to it; nothing where it is not taken."""
    after = (player + third) % 10
    by_winner = [int(each) for each in counts[situation_index(after, banker, third)]]
    own, other = (after, banker) if hand == "player" else (banker, after)
    row = insurance.row("third-card", hand, own, other)
    if row is None or not sum(by_winner):
        return Fraction(0)
    cell = _cell_odds(row, own, other, by_winner, sum(by_winner))
    return max(cell.met * most_cover(insurance, cell, maximum) * -cell.edge, Fraction(0))
