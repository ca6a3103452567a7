"""What insurance is worth: every cell from a shoe, a concrete offer in mid-coup, and the best play."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from punto.coup import STOOD, Card, banker_draws, natural, player_draws, situation_index
from punto.messages import say
from punto.odds.counting import Counts
from punto.odds.shoe import BadShoe, deals, situation_counts
from punto.rulebook import Basis, Book, CoverRow, Insurance, Refused

_PLAYER, _BANKER, _TIE = range(3)


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


def insurance_odds(book: Book, shoe: Sequence[int], counts: Counts | None = None) -> list[CellOdds]:
    """Every cell of a book's insurance, in the order of its rows; none for a book without insurance.

    >>> from punto.odds import full_shoe
    >>> from punto.rulebook import load
    >>> cells = insurance_odds(load("commission-insurance"), full_shoe(8))
    >>> worst = min(cells, key=lambda cell: cell.edge)
    >>> worst.row.hand, worst.own, worst.opposite, f"{float(worst.edge):.2%}"
    ('banker', 6, 5, '-8.44%')
    """
    if book.insurance is None:
        return []
    found = situation_counts(shoe) if counts is None else counts
    total = deals(shoe)
    return [
        _cell(row, own, opposite, found, total)
        for row in book.insurance.rows
        for own in sorted(row.own)
        for opposite in sorted(row.opposite)
    ]


def _cell(row: CoverRow, own: int, opposite: int, counts: Counts, total: int) -> CellOdds:
    player, banker = (own, opposite) if row.hand == "player" else (opposite, own)
    thirds = [STOOD] if row.stage == "four-cards" else range(10)
    by_winner = [sum(int(counts[situation_index(player, banker, third)][who]) for third in thirds) for who in range(3)]
    lost = by_winner[_BANKER if row.hand == "player" else _PLAYER]
    tied = by_winner[_TIE]
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
        raise BadShoe(say("too-few-to-finish", "{cards} cards are too few to finish the coup.", cards=sum(shoe)))
    left = [0] * 10
    for rank, count in enumerate(shoe, start=1):
        left[Card(rank).value] += count
    player = (seen[0].value + seen[2].value) % 10
    banker = (seen[1].value + seen[3].value) % 10
    ended = natural(player, banker) or (len(seen) == 5 and not player_draws(player, banker))
    if ended:
        raise Refused(
            say("no-card-due-to-insure", "No card is due, so nothing can be insured."), book, book.insurance.live
        )
    stage = "four-cards" if len(seen) == 4 else "third-card"
    third = STOOD if len(seen) == 4 else seen[4].value
    totals = ((player + third) % 10 if third != STOOD else player, banker)
    own, opposite = totals if hand == "player" else totals[::-1]
    row = book.insurance.row(stage, hand, own, opposite)
    by_winner = [0, 0, 0]
    due = False
    for p, b, ways in _endings(player, banker, third, left):
        due |= ways[1]
        by_winner[_PLAYER if p > b else _BANKER if b > p else _TIE] += ways[0]
    if not due:
        raise Refused(
            say("no-card-due-to-insure", "No card is due, so nothing can be insured."), book, book.insurance.live
        )
    if row is None:
        raise Refused(say("no-price-for-that", "There is no price for that."), book, Basis((book.insurance.table,)))
    lost, tied = by_winner[_BANKER if hand == "player" else _PLAYER], by_winner[_TIE]
    pays = row.tie_pays is not None
    total = sum(by_winner)
    return CellOdds(row, own, opposite, total, total, lost + tied * pays, tied * (not pays))


def _endings(player: int, banker: int, third: int, left: list[int]) -> list[tuple[int, int, tuple[int, bool]]]:
    """The final totals from here, with in how many ways (of two more cards), and whether a card was due."""
    size = sum(left)
    found = []
    thirds = [(third, 1, left)] if third != STOOD else []
    if third == STOOD:
        if not player_draws(player, banker):
            if not banker_draws(player, banker, STOOD):
                return [(player, banker, (1, False))]
            return [(player, (banker + last) % 10, (left[last] * (size - 1), True)) for last in range(10)]
        for value in range(10):
            after = list(left)
            after[value] -= 1
            thirds.append((value, left[value], after))
    due = third == STOOD
    for value, ways, after in thirds:
        total = (player + value) % 10
        if banker_draws(player, banker, value):
            more = 1 if third == STOOD else size - 1
            found += [(total, (banker + last) % 10, (ways * after[last] * more, True)) for last in range(10)]
        else:
            found.append((total, banker, (ways * (size - 1) * (1 if third == STOOD else size), due)))
    return found


class InsurancePlay(msgspec.Struct, frozen=True):
    """The best use of insurance by a patron with one unit on a hand, per round.

    `worth` is what it adds to the expected net of that bet, the value of the Player's third card taken into
    account; `cells` are the cells in which to insure to the cap on the average of those values. `tokens` are
    cells in which a token cover is worth taking although it costs a little, because silence would forgo a
    better offer later in the round (AMB-50, reading `round`).
    """

    hand: str
    worth: Fraction
    cells: tuple[CellOdds, ...]
    tokens: tuple[CellOdds, ...]


def best_play(book: Book, shoe: Sequence[int], hand: str, maximum: Fraction | None = None) -> InsurancePlay:
    """What insurance is worth to a patron who insures only where it favours him, caps considered.

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
    cells = [cell for cell in insurance_odds(book, shoe) if cell.row.hand == hand and cell.met]
    good = [cell for cell in cells if cell.edge < 0]
    later = _later(insurance, shoe, hand, maximum)
    worth = Fraction(0)
    chosen: list[CellOdds] = []
    tokens: list[CellOdds] = []
    for cell in cells:
        if cell.row.stage != "four-cards":
            continue
        now = max(_most(insurance, cell, maximum) * -cell.edge, Fraction(0))
        then = later.get((cell.own, cell.opposite), Fraction(0))
        # With one cap for both windows it goes where it is worth more; else both are used.
        shared = insurance.cap.over == "round"
        worth += cell.reach * (max(now, then) if shared else now + then)
        if now and (now >= then or not shared):
            chosen.append(cell)
        elif then:
            tokens.append(cell)
    for own_and_other, value in later.items():
        if not any((cell.own, cell.opposite) == own_and_other for cell in cells if cell.row.stage == "four-cards"):
            worth += value * _chance(shoe, hand, own_and_other)
    chosen += [cell for cell in good if cell.row.stage == "third-card"]
    return InsurancePlay(hand, worth, tuple(chosen), tuple(tokens))


def _most(insurance: Insurance, cell: CellOdds, maximum: Fraction | None) -> Fraction:
    """The cap of a cover on one unit."""
    room = Fraction(1) if insurance.cap.on == "stake" else 1 / cell.row.odds.fraction
    for also in insurance.cap_at:
        if also.odds.fraction == cell.row.odds.fraction:
            room = min(room, also.share * maximum) if maximum is not None else Fraction(0)
    return room


def _later(
    insurance: Insurance, shoe: Sequence[int], hand: str, maximum: Fraction | None
) -> dict[tuple[int, int], Fraction]:
    """By the totals on four cards: what the window after the Player's third card is then worth."""
    counts = situation_counts(shoe)
    worth: dict[tuple[int, int], Fraction] = {}
    for player in range(6):
        for banker in range(7):
            met = int(counts[situation_index(player, banker, STOOD)].sum())
            total = Fraction(0)
            for third in range(10):
                after = (player + third) % 10
                by_winner = counts[situation_index(after, banker, third)]
                own, other = (after, banker) if hand == "player" else (banker, after)
                row = insurance.row("third-card", hand, own, other)
                if row is None or not int(by_winner.sum()):
                    continue
                lost, tied = int(by_winner[_BANKER if hand == "player" else _PLAYER]), int(by_winner[_TIE])
                pays = row.tie_pays is not None
                here = int(by_winner.sum())
                cell = CellOdds(row, own, other, here, here, lost + tied * pays, tied * (not pays))
                if cell.edge < 0:
                    total += Fraction(here) * _most(insurance, cell, maximum) * -cell.edge
            if total:
                own, other = (player, banker) if hand == "player" else (banker, player)
                worth[own, other] = total / met
    return worth


def _chance(shoe: Sequence[int], hand: str, own_and_other: tuple[int, int]) -> Fraction:
    player, banker = own_and_other if hand == "player" else own_and_other[::-1]
    return Fraction(int(situation_counts(shoe)[situation_index(player, banker, STOOD)].sum()), deals(shoe))
