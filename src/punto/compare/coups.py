"""The coups that two books pay differently, and the price of each difference in outcomes."""

from collections.abc import Iterator
from itertools import count, product
from math import lcm
from random import Random

import msgspec

from punto.compare.forms import LOSES, Pay, cells, pay_of, pays, settled_on
from punto.compare.lockstep import Pair, parts_at, shortened
from punto.coup import STOOD, Coup, deal_from, insurable_situations, situation
from punto.explore.alphabet import ANN, PURSE
from punto.explore.coups import coups, few_cards, insured, with_printed
from punto.explore.dealing import Deal, dealt
from punto.explore.starts import openings, played
from punto.rulebook import Book, Library, Priced, menu
from punto.settlement import Chips, Cover, Limits, in_window
from punto.table import act
from punto.table import commands as c

ROOM = Limits(minimum=100, maximum=5_000_000, differential=5_000_000)
"""Limits that no wager of these stories comes near."""

STAKE = 10_000
TRIES = 40_000
"""So many coups are tried where outcomes do not tell which one shows a difference."""


class CoupFound(msgspec.Struct, frozen=True):
    """A coup that shows a difference, as a story; and every outcome or situation that does."""

    story: tuple[c.Command, ...]
    coup: Coup | None
    layout: str | None = None
    outcomes: tuple[int, ...] = ()
    situations: tuple[int, ...] = ()


def differing_outcomes(a: Book, b: Book, bet: str, layout: str) -> tuple[int, ...]:
    """The outcomes that do something else to a bet on a layout that both books have."""
    ours, theirs = menu(a, layout).bets.get(bet), menu(b, layout).bets.get(bet)
    if ours is None or theirs is None or not (ours.plain and theirs.plain):
        return ()
    one, other = pays(ours.rows), pays(theirs.rows)
    return tuple(index for index in sorted(settled_on(ours)) if one[index] != other[index])


def bet_found(a: Book, b: Book, bet: str) -> CoupFound | None:
    """The shortest coup that two books under the same names settle differently for a bet, over all layouts."""
    pair = Pair.of(a, b)
    found: list[CoupFound] = []
    for layout in a.layouts:
        if layout not in b.layouts:
            continue
        outcomes = differing_outcomes(a, b, bet, layout)
        every = coups(a.cards.printed)
        reached = sorted((index for index in outcomes if index in every), key=lambda index: len(every[index].cards))
        seen = [every[index] for index in reached[:1]] or [*coup_apart(a, b, bet, layout)]
        dealt_ones = seen or [next(iter(every.values()))]
        for coup, stake in product(dealt_ones, _stakes(a, b, bet, layout)):
            story = _story((a, b), layout, bet, stake, Deal(coup.cards))
            if parts_at(pair, story) is not None:
                short = shortened(pair, story)
                found.append(CoupFound(short, coup if seen else None, layout, outcomes))
                break
    return min(found, key=lambda each: len(each.story), default=None)


def coup_apart(a: Book, b: Book, bet: str, layout: str) -> Iterator[Coup]:
    """A coup that two wordings of a bet pay otherwise, if one is met: few ranks and suits are tried.

    It is looked for where a bet looks at single cards, or is placed after the first four.
    """
    ours, theirs = menu(a, layout).bets.get(bet), menu(b, layout).bets.get(bet)
    if ours is None or theirs is None or (ours.plain and theirs.plain):
        return
    chance = Random(0)
    for _ in range(TRIES):
        coup = deal_from(with_printed(ours.printed, few_cards(chance)))
        if _paid(ours, coup) != _paid(theirs, coup):
            yield coup
            return


def _paid(priced: Priced, coup: Coup) -> Pay | None:
    """What a bet comes to; nothing where it could not be placed."""
    if not in_window(priced, coup):
        return None
    row = priced.row_of(coup)
    return LOSES if row is None else pay_of(row)


def _stakes(a: Book, b: Book, bet: str, layout: str) -> Iterator[int]:
    """A stake that both pay to the cent, and one that only one of them does."""
    chips = Chips(ROOM.unit)
    carried = [menu(book, layout).bets for book in (a, b)]
    multiples = [chips.step(bets[bet]) for bets in carried if bet in bets]
    both = lcm(*multiples)
    yield -(-STAKE // both) * both
    for multiple in set(multiples):
        if multiple != both:
            yield next(stake for stake in count(STAKE) if stake % multiple == 0 and stake % both)


def cell_found(a: Book, b: Book, part: str) -> CoupFound | None:
    """The shortest coup in which two books insure a hand at a stage at other prices."""
    pair = Pair.of(a, b)
    ours, theirs = cells(a.insurance), cells(b.insurance)
    _, stage, hand = part.split(" ")
    differ = {key for key in {*ours, *theirs} if key[:2] == (stage, hand) and ours.get(key) != theirs.get(key)}
    places = tuple(index for index in sorted(insurable_situations()) if _cell(index, hand) in differ)
    stories = sorted(
        (coup for (index, _), coup in insured().items() if index in places),
        key=lambda coup: (len(coup.cards), coup.winner != "tie"),
    )
    layout = next(each for each in a.layouts if each in b.layouts)
    for coup, books in product(stories, ((a, b), (b, a))):  # a price that only one has is taken at a table of that one
        story = _story(books, layout, hand, STAKE, Deal(coup.cards, Cover(stage, hand, STAKE // 10, 0)))
        if parts_at(pair, story) is not None:
            return CoupFound(shortened(pair, story), coup, layout, situations=places)
    return None


def _cell(index: int, hand: str) -> tuple[str, str, int, int]:
    seen = situation(index)
    assert (seen.third == STOOD) == (seen.stage == "four-cards")
    return seen.stage, hand, seen.own(hand), seen.opposite(hand)


def _room(a: Book, b: Book, layout: str) -> Limits:
    """Limits under which a table of either book opens: the minimum can be laid on every bet of both."""
    carried = [menu(book, layout) for book in (a, b) if layout in book.layouts]
    steps = [Chips(ROOM.unit).step(priced) for each in carried for priced in each.bets.values()]
    return msgspec.structs.replace(ROOM, minimum=lcm(ROOM.minimum or 1, *steps))


def _story(books: tuple[Book, Book], layout: str, bet: str, stake: int, deal: Deal) -> tuple[c.Command, ...]:
    """A round with one wager, dealt at a table of the first book, or as far as its book takes the wager."""
    usual = openings(books[0])[0].command
    opening = msgspec.structs.replace(usual, layout=layout, limits=_room(*books, layout), acknowledged=True)
    table, _ = act(None, opening, Library().with_book(books[0]))
    seated = (c.Sit(ANN, 1, by=ANN), c.BuyIn(ANN, PURSE, by=ANN), c.LoadShoe(), c.Burn(), c.OpenBets())
    table, story = played(table, (opening,), seated)
    wager = c.Place(ANN, bet, stake, by=ANN)
    if bet in menu(books[0], layout).late:
        table, closed = played(table, story, (c.CloseBets(),))
        return (*closed, *dealt(table, msgspec.structs.replace(deal, late=wager)))
    table, story_with = played(table, story, (wager,))
    if story_with == story:
        return (*story, wager)
    table, closed = played(table, story_with, (c.CloseBets(),))
    return (*closed, *dealt(table, deal))
