"""Rounds as JSON Lines: one round a line in, one answer a line out, in the same order."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from punto.amounts import USUAL, amounts_in, money, writer_of
from punto.coup import Coup, show
from punto.rulebook import Book, check_currency, check_decks, deal_by, load
from punto.settlement.cover import insured
from punto.settlement.lines import NONE_POSTED, Cover, Limits, Line, Wager
from punto.settlement.settle import settle


class _GivenWager(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    bet: str
    stake: str | int


class _GivenCover(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    stage: str
    hand: str
    stake: str | int
    on: int | None = None


class _GivenLimits(msgspec.Struct, forbid_unknown_fields=True):
    minimum: str | int | None = None
    maximum: str | int | None = None
    differential: str | int | None = None
    unit: str | int | None = None
    rounding: str | None = None
    payout: str | int | None = None


class _GivenRound(msgspec.Struct, forbid_unknown_fields=True):
    rulebook: str
    cards: str
    wagers: list[_GivenWager]
    layout: str | None = None
    decks: int | None = None
    limits: _GivenLimits | None = None
    insurance: list[_GivenCover] = []
    currency: str = USUAL


class Hand(msgspec.Struct, gc=False):
    """A finished hand in an answer."""

    cards: str
    points: int


class SettledLine(msgspec.Struct, gc=False, omit_defaults=True):
    """A settlement line in an answer; amounts are text with the decimals of their currency."""

    bet: str
    stake: str
    effective: str
    returned: str
    result: str
    net: str
    odds: str | None
    clause: str | None
    clauses: tuple[str, ...]
    row: str | None
    readings: tuple[str, ...]
    says: str
    commission: str | None = None
    """Left out where none was taken."""


class Settled(msgspec.Struct):
    """The answer to a round."""

    player: Hand
    banker: Hand
    winner: str
    lines: list[SettledLine]


class Faulty(msgspec.Struct, gc=False):
    """The answer to a round that could not be settled, with the line of the input it stood on."""

    error: str
    line: int


_decode = msgspec.json.Decoder(_GivenRound).decode
_encode = msgspec.json.Encoder().encode


class Rounds:
    """Settles rounds one after the other; books given as files are read once, and `own` ones are known by their ids."""

    def __init__(self, own: Iterable[Book] = ()) -> None:
        self._own = {book.id: book for book in own}
        self._books: dict[tuple[str, int | None], Book] = {}

    def answer(self, source: str | bytes, number: int) -> Settled | Faulty:
        """Settle one line of JSON; any fault in it becomes the answer."""
        try:
            return self.settled(source)
        except msgspec.ValidationError as error:
            return Faulty(f"This is not a round: {error}.", number)
        except UnicodeDecodeError:
            return Faulty("This is not UTF-8 text.", number)
        except msgspec.DecodeError as error:
            return Faulty(f"This is not JSON: {error}.", number)
        except ValueError as error:
            return Faulty(str(error), number)

    def settled(self, source: str | bytes) -> Settled:
        """Settle one line of JSON, or raise what is wrong with it."""
        given = _decode(source)
        book = self._books.get((given.rulebook, given.decks))
        if book is None:
            book = self._own.get(given.rulebook) or load(given.rulebook)
            check_decks(book, book.decks.usual if given.decks is None else given.decks)
            self._books[given.rulebook, given.decks] = book
        coup = deal_by(book, given.cards, book.decks.usual if given.decks is None else given.decks)
        currency = given.currency
        check_currency(currency)
        wagers = [Wager(each.bet, _amount(each.stake, currency)) for each in given.wagers]
        covers = [_cover(each, wagers, currency) for each in given.insurance] if given.insurance else ()
        limits = NONE_POSTED
        if given.limits is not None:
            with amounts_in(currency):
                limits = _limits(given.limits, currency)
        lines = settle(book, coup, wagers, covers, layout=given.layout, limits=limits, currency=currency)
        return answer(coup, lines, currency)


def answer(coup: Coup, lines: list[Line], currency: str = USUAL) -> Settled:
    """A settled coup in the form that goes out."""
    written = writer_of(currency)
    return Settled(
        Hand(show(coup.player), coup.player_points),
        Hand(show(coup.banker), coup.banker_points),
        coup.winner,
        [_shown(line, written) for line in lines],
    )


def settle_lines(source: Iterable[str | bytes]) -> Iterator[tuple[bytes, bool]]:
    """For every line of JSON its answer, and whether it was settled. Blank lines are passed over.

    >>> [(answer, ok)] = settle_lines(['{"rulebook": "wu-song", "cards": "9 K", "wagers": []}'])
    >>> answer
    b'{"error":"Too few cards: a coup begins with four; here are 2.","line":1}'
    """
    rounds = Rounds()
    for number, line in enumerate(source, start=1):
        if line.strip():
            settled = rounds.answer(line, number)
            yield _encode(settled), isinstance(settled, Settled)


def _amount(given: str | int, currency: str) -> int:
    return money(given if isinstance(given, str) else str(given), currency)


def _limits(given: _GivenLimits, currency: str) -> Limits:
    posted = {
        name: None if value is None else _amount(value, currency)
        for name, value in (
            ("minimum", given.minimum),
            ("maximum", given.maximum),
            ("differential", given.differential),
            ("payout", given.payout),
        )
    }
    unit = 1 if given.unit is None else _amount(given.unit, currency)
    return Limits(
        posted["minimum"], posted["maximum"], posted["differential"], unit, given.rounding, payout=posted["payout"]
    )


def _cover(given: _GivenCover, wagers: list[Wager], currency: str) -> Cover:
    on = insured(given.hand, wagers) if given.on is None else given.on
    return Cover(given.stage, given.hand, _amount(given.stake, currency), on)


def _shown(line: Line, written: Callable[[int], str]) -> SettledLine:
    stake = written(line.stake)
    row, clauses = line.basis.clause, line.clauses
    return SettledLine(
        line.bet,
        stake,
        stake if line.effective == line.stake else written(line.effective),
        written(line.returned),
        line.result,
        written(line.net),
        line.odds,
        clauses[0] if clauses else None,
        clauses,
        row if row is not None and "#" in row else None,
        line.basis.readings,
        line.says,
        written(line.commission) if line.commission else None,
    )
