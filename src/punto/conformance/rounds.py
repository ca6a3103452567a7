"""Rounds that cover a book: every outcome and pay row, every cell of insurance, every side of every limit."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from punto.amounts import MOST, show_money
from punto.conformance.own_rules import own_rule_rounds
from punto.conformance.questions import KitQuestion, a_round, coup_of
from punto.coup import STAGES, Coup, insurable_situations, situation
from punto.explore.coups import coups, insured
from punto.rulebook import Book, CoverRow, menu
from punto.rulebook.facts import HANDS
from punto.settlement import (
    ROUNDING,
    Chips,
    Cover,
    Limits,
    Struck,
    Wager,
    chips_of,
    company,
    in_window,
    lying_together,
    money,
    most_cover,
)

Json = dict[str, Any]

STAKE = 100_000
COVERED_UNDER: tuple[dict[str, str], ...] = (
    {},
    {"maximum": "400"},
    {"differential": "400"},
    {"minimum": "100"},
    {"unit": "25"},
    {"maximum": "20", "unit": "25"},
)
"""Limits under which a wager is insured: some leave a part of it in play, the last one nothing."""

POSTED = {"maximum": "50000", "differential": "50000"}
"""Limits that stand open."""


def round_questions(book: Book) -> Iterator[KitQuestion]:
    """Every round of the kit of a book."""
    yield from _outcomes(book)
    yield from _rows(book)
    if book.insurance is not None:
        yield from _cells(book)
        yield from _two_covers(book)
    yield from _limits(book)
    yield from _payments(book)
    yield from own_rule_rounds(book)
    yield from _refusals(book)


def _stake(book: Book, layout: str, bet: str) -> str:
    step = chips_of(book, _open()).step(menu(book, layout).bets[bet])
    return show_money(-(-STAKE // step) * step)


def _with_company(book: Book, layout: str, bet: str) -> list[tuple[str, str]]:
    """A wager on a bet, after those that it must lie with."""
    laid = company(menu(book, layout), Wager(bet, money(_stake(book, layout, bet))), chips_of(book, _open()))
    return [(each.bet, show_money(each.stake)) for each in laid]


def _all_bets(book: Book, layout: str) -> list[tuple[str, str]]:
    """A wager on every bet, as far as they may lie together."""
    every = [Wager(bet, money(_stake(book, layout, bet))) for bet in menu(book, layout).bets]
    laid = lying_together(menu(book, layout), every, chips_of(book, _open()))
    return [(each.bet, show_money(each.stake)) for each in laid]


def _outcomes(book: Book) -> Iterator[KitQuestion]:
    """Every outcome that can be dealt, with all bets of the fullest layout."""
    fullest = max(book.layouts, key=lambda each: len(menu(book, each).bets))
    bets, every = menu(book, fullest).bets, _all_bets(book, fullest)
    for coup in coups(book.cards.printed).values():
        wagers = [(bet, stake) for bet, stake in every if in_window(bets[bet], coup)]
        yield KitQuestion((f"outcome {coup.outcome}",), a_round(book, coup, wagers, layout=fullest))


def _rows(book: Book) -> Iterator[KitQuestion]:
    """Every pay row of every layout by the shortest coup that it is the first to match."""
    for layout in book.layouts:
        for bet, priced in menu(book, layout).bets.items():
            wagers = _with_company(book, layout, bet)
            for row in (*priced.rows, None):
                coup = coup_of(priced, row)
                if coup is not None:
                    name = "lost" if row is None else row.basis.clause
                    yield KitQuestion((f"row {layout} {bet} {name}",), a_round(book, coup, wagers, layout=layout))


# Insurance


def _cells(book: Book) -> Iterator[KitQuestion]:
    """Every situation with every winner: cover up to its cap, one chip over it, and cover that has no price."""
    assert book.insurance is not None
    told: set[tuple[str, str, int, int, str]] = set()
    for ((index, winner), coup), hand in product(insured().items(), HANDS):
        seen = situation(index)
        cell = seen.stage, hand, seen.own(hand), seen.opposite(hand)
        if (*cell, winner) not in told:
            told.add((*cell, winner))
            row = book.insurance.row(*cell)
            shows = f"cell {' '.join(map(str, cell))}"
            wagers = [(hand, show_money(STAKE))]
            if row is None and winner == "tie":
                yield KitQuestion((f"{shows} no price",), _insured(book, coup, wagers, seen.stage, hand, 100))
            if row is None:
                continue
            step = chips_of(book, _open()).step(row)
            most = most_cover(book, coup, seen.stage, hand, STAKE, _open())
            yield KitQuestion((f"{shows} {winner}",), _insured(book, coup, wagers, seen.stage, hand, most))
            if winner == "tie":
                yield KitQuestion((f"{shows} cap",), _insured(book, coup, wagers, seen.stage, hand, most + step))


def _open() -> Limits:
    return Limits(maximum=5_000_000, differential=5_000_000)


def _insured(book: Book, coup: Coup, wagers: list[tuple[str, str]], stage: str, hand: str, stake: int) -> Json:
    cover = {"stage": stage, "hand": hand, "stake": show_money(stake), "on": 0}
    return a_round(book, coup, wagers, limits=POSTED, insurance=[cover])


def _two_covers(book: Book) -> Iterator[KitQuestion]:
    """Cover in both windows of a round, the second up to what the first leaves and over it; and limits of the cap."""
    assert book.insurance is not None
    told: set[tuple[object, ...]] = set()
    for coup, hand in product(insured().values(), HANDS):
        rows = [_row(book, coup, stage, hand) for stage in STAGES]
        prices = hand, *(row.odds.fraction if row is not None else None for row in rows)
        if None in rows or prices in told:
            continue
        told.add(prices)
        yield from _after_another(book, coup, hand, [row for row in rows if row is not None])
    yield from _in_one_window(book)
    some = [coup for key, coup in insured().items() if key[0] in insurable_situations()]
    for coup, hand, stage in product(some[::41], HANDS, STAGES):
        for limits in COVERED_UNDER:
            for stake in ("25", "100", "125"):
                cover = {"stage": stage, "hand": hand, "stake": stake}
                shows = f"cap {stage} {hand} {sorted(limits)}"
                yield KitQuestion((shows,), a_round(book, coup, [(hand, "1000")], limits=limits, insurance=[cover]))


def _row(book: Book, coup: Coup, stage: str, hand: str) -> CoverRow | None:
    """The row that prices a hand's cover at a stage of a coup, if a card was due there."""
    seen = coup.situation(stage)
    if book.insurance is None or seen is None or not seen.card_due:
        return None
    return book.insurance.row(stage, hand, seen.own(hand), seen.opposite(hand))


def _after_another(book: Book, coup: Coup, hand: str, rows: list[CoverRow]) -> Iterator[KitQuestion]:
    """Cover at the second stage after some at the first, exactly as much as is left, and one step more."""
    for share in (2, 5):
        before, step = map(chips_of(book, _open()).step, rows)
        first = most_cover(book, coup, STAGES[0], hand, STAKE, _open()) // share // before * before
        struck = [Struck(Cover(STAGES[0], hand, first, 0), rows[0])]
        left = most_cover(book, coup, STAGES[1], hand, STAKE, _open(), 0, struck)
        for second in (left, left + step):
            covers = [
                {"stage": stage, "hand": hand, "stake": show_money(stake), "on": 0}
                for stage, stake in zip(STAGES, (first, second), strict=True)
            ]
            wagers = [(hand, show_money(STAKE)), (hand, show_money(STAKE))]
            also = {"stage": STAGES[1], "hand": hand, "stake": show_money(100), "on": 1}
            shows = (f"two covers {hand}",)
            yield KitQuestion(shows, a_round(book, coup, wagers, limits=POSTED, insurance=covers))
            yield KitQuestion(shows, a_round(book, coup, wagers, limits=POSTED, insurance=[*covers, also]))


def _in_one_window(book: Book) -> Iterator[KitQuestion]:
    """Cover struck twice in one window on one wager, together up to the cap and one step over it, at each price."""
    told: set[tuple[object, ...]] = set()
    for coup, hand, stage in product(insured().values(), HANDS, STAGES):
        row = _row(book, coup, stage, hand)
        if row is None or (hand, stage, row.odds.fraction) in told:
            continue
        told.add((hand, stage, row.odds.fraction))
        unit = row.odds.denominator
        most = most_cover(book, coup, stage, hand, STAKE, _open()) // unit * unit
        first = most // 3 // unit * unit
        for second in (most - first, most - first + unit):
            covers = [{"stage": stage, "hand": hand, "stake": show_money(each), "on": 0} for each in (first, second)]
            wagers = [(hand, show_money(STAKE))]
            asked = a_round(book, coup, wagers, limits=POSTED, insurance=covers)
            yield KitQuestion((f"one window {stage} {hand} {row.odds.text}",), asked)


# Limits and payments

SETTINGS: tuple[dict[str, str], ...] = (
    {"minimum": "100", "maximum": "1000", "differential": "500"},
    {"minimum": "100", "maximum": "1000"},
    {"minimum": "100", "differential": "500"},
    {"differential": "500", "unit": "25"},
    {"minimum": "105", "differential": "480", "unit": "10"},
    {"maximum": "1000", "unit": "5", "rounding": "up"},
    {"maximum": "950", "differential": "500", "unit": "100"},
    {"maximum": "20", "unit": "25"},
    {"minimum": "100", "maximum": "1010", "differential": "490", "unit": "1"},
)
CHIPS = (
    ("25", "25"),
    ("25", "75"),
    ("100", "100"),
    ("25", "30"),
    ("0.05", "0.55"),
    ("0.01", "0.01"),
    ("0.02", "0.03"),
    ("0.30", "0.60"),
)
"""Chip units, and stakes laid in them where payments are rounded."""

EXACT_CHIPS = ("0.05", "1", "100")
"""Chip units where payments are exact: one chip is laid, and one step, and a chip more."""

AMOUNTS = ("50", "100", "125", "500", "500.20", "1000", "1000.20", "2500")


def _limits(book: Book) -> Iterator[KitQuestion]:
    """One, two and three wagers on both sides of every posted limit."""
    every = coups(book.cards.printed)
    coup = every[min(every)]
    won = next(each for each in every.values() if each.winner == "banker")
    for limits in SETTINGS:
        name = f"limits {' '.join(limits)}"
        for one, other in product(("", *AMOUNTS), AMOUNTS):
            wagers = [("player", one)] if one else []
            yield KitQuestion((name,), a_round(book, won, [*wagers, ("banker", other)], limits=limits))
            yield KitQuestion((name,), a_round(book, won, [*wagers, ("player", other)], limits=limits))
            yield KitQuestion((name,), a_round(book, coup, [*wagers, ("tie", other), ("banker", "100")], limits=limits))
        for limit, part, more in product(("maximum", "differential"), (50, 100, 110), (-25, 0, 25)):
            rest = int(limits.get(limit, "0")) - part + more
            if rest > 0:
                two = [("banker", str(part)), ("banker", str(rest))]
                yield KitQuestion((f"{name} together",), a_round(book, won, two, limits=limits))
                yield KitQuestion((f"{name} together",), a_round(book, won, [*two, ("player", "100")], limits=limits))
        for stakes in product(("50", "110", "1200"), ("120", "900"), ("100", "400", "2000")):
            three = list(zip(("banker", "banker", "player"), stakes, strict=True))
            yield KitQuestion((name,), a_round(book, won, [*three, ("tie", "2000")], limits=limits))
            covers = [{"stage": STAGES[0], "hand": "banker", "stake": "100", "on": 1}]
            if book.insurance is not None:
                for drawn in list(insured().values())[::101]:
                    yield KitQuestion((f"{name} cover",), a_round(book, drawn, three, limits=limits, insurance=covers))


def _payments(book: Book) -> Iterator[KitQuestion]:
    """Stakes that can and cannot be paid to the cent or in chips, on every bet, won by every row."""
    for layout in list(book.layouts)[:1]:
        for bet, priced in menu(book, layout).bets.items():
            rows = [row for row in priced.rows if row.odds is not None]
            for coup in filter(None, (coup_of(priced, row) for row in rows)):
                for stake in ("0.01", "0.02", "0.10", "0.20", "12.34", "25", "25.10", "333.33"):
                    yield KitQuestion((f"cents {bet}",), a_round(book, coup, [(bet, stake)], layout=layout))
                for (unit, stake), rounding in product(CHIPS, _roundings(book)):
                    limits = {"unit": unit, "rounding": rounding}
                    yield KitQuestion(
                        (f"chips {bet}",), a_round(book, coup, [(bet, stake)], limits=limits, layout=layout)
                    )
                for unit in EXACT_CHIPS:
                    chip = money(unit)
                    step = Chips(chip).step(priced)
                    for amount in sorted({chip, step, step + chip}):
                        wagers = [(bet, show_money(amount))]
                        asked = a_round(book, coup, wagers, limits={"unit": unit}, layout=layout)
                        yield KitQuestion((f"exact chips {bet}",), asked)


def _roundings(book: Book) -> list[str]:
    """Every rounding that a house of this book may post, and up where it may not."""
    policy = book.policies.get(ROUNDING)
    return sorted({"up", *(() if policy is None else policy.choices)} - {"exact"})


# What must be refused


def _refusals(book: Book) -> Iterator[KitQuestion]:
    """Rounds that no book settles, and some that this one does not."""
    wager = [("player", "100")]
    for cards in ("9 2 K", "9 2 K 4 5", "2 2 K K", "2 2 K K 5", "9h 2c Kd 4s 5h 5d 5c", "9x 2 K 4", ""):
        yield KitQuestion(("cards",), a_round(book, cards, wager))
    same = " ".join(["9h"] * 4)
    for decks in (1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13):
        told = a_round(book, same, wager)
        told["round"]["decks"] = decks
        yield KitQuestion((f"decks {decks}",), told)
    for layout in ("", "Q", *book.layouts):
        for bet in (*book.bets, "nothing"):
            yield KitQuestion((f"carried {layout} {bet}",), a_round(book, "9 2 K 4", [(bet, "100")], layout=layout))
    for limits in (
        {"minimum": "100", "maximum": "50"},
        {"maximum": "0"},
        {"minimum": "-1"},
        {"differential": "0"},
        {"unit": "0"},
        {"rounding": "down"},
        {"rounding": "up"},
        {"maximum": "100000000000000"},
        {"maximum": show_money(MOST)},
        {"maximum": show_money(MOST + 1)},
        {"unit": "0.01"},
        {"minimum": "100", "maximum": "100"},
    ):
        yield KitQuestion((f"posted {limits}",), a_round(book, "9 2 K 4", wager, limits=limits))
    for currency, stake in product(("VND", "JPY", "EUR", "KWD", "US1", "dollars", ""), ("100", "0.1", "0.01", "0.001")):
        yield KitQuestion((f"currency {currency}",), a_round(book, "9 2 K 4", [("player", stake)], currency=currency))
    for stake in ("0", "-5", "x", "0.001", "100000000000000"):
        yield KitQuestion((f"stake {stake}",), a_round(book, "9 2 K 4", [("player", stake)]))
    for stage, hand, on in product((*STAGES, "later"), (*HANDS, "tie"), (0, 1, 2, -1, None)):
        for cards in ("6 2 K A 5", "2 K K 4 3 3", "9 2 K 4"):
            cover: Json = {"stage": stage, "hand": hand, "stake": "20"}
            if on is not None:
                cover["on"] = on
            shows = (f"cover {stage} {hand} {on}",)
            yield KitQuestion(shows, a_round(book, cards, [("player", "100"), ("tie", "100")], insurance=[cover]))
    for stage, stake in product(STAGES, ("0", "-5", "0.001", "x")):
        nothing = {"stage": stage, "hand": "player", "stake": stake}
        yield KitQuestion((f"cover of {stake}",), a_round(book, "6 2 K A 5", wager, limits=POSTED, insurance=[nothing]))
    twice = {"stage": STAGES[0], "hand": "player", "stake": "20"}
    for wagers in ([("player", "100"), ("player", "100")], [("tie", "100")], [("banker", "100")]):
        yield KitQuestion(("which wager",), a_round(book, "6 2 K A 5", wagers, insurance=[twice]))
