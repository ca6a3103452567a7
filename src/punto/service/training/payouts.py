"""The payout drill: a finished coup with wagers on it, and how the engine settles them."""

from functools import lru_cache
from random import Random

import msgspec

from punto.coup import STAGES, Coup, deal_from
from punto.messages import Message
from punto.rulebook import Book, Menu, Refused, menu, printed
from punto.service.books import Edition
from punto.service.desk.foreseen import ToldStep, summaries
from punto.service.training.common import CHOICES, LIMITS, any_card
from punto.settlement import (
    Cover,
    Limits,
    Line,
    Wager,
    chips_of,
    explain,
    in_window,
    lying_together,
    most_cover,
    offer,
    payable,
    settle,
)

_STAKES = (25_00, 40_00, 50_00, 75_00, 100_00, 120_00, 150_00, 200_00, 250_00, 300_00, 500_00)
_TRIES = 300


class AskedWager(msgspec.Struct):
    """A wager or a cover whose payment is asked for, and the amounts that one may choose from."""

    bet: str
    name: str
    stake: int
    stage: str | None
    odds: str | None
    choices: list[int]


class PayoutDrill(msgspec.Struct):
    """A finished coup with wagers on it."""

    book: str
    title: str
    layout: str
    seed: int
    player: list[str]
    banker: list[str]
    wagers: list[AskedWager]
    digest: str


class Marked(msgspec.Struct):
    """A wager as it is settled, whether that was the answer, and how it comes about."""

    bet: str
    right: bool
    result: str
    net: int
    odds: str | None
    says: str
    clauses: tuple[str, ...]
    message: Message | None
    """What it says, for other languages."""


class PayoutMarks(msgspec.Struct):
    """Every wager marked, and the whole account of the round, step by step."""

    right: int
    lines: list[Marked]
    steps: list[ToldStep]
    clauses: dict[str, str]


class _Payout(msgspec.Struct, frozen=True):
    coup: Coup
    wagers: tuple[Wager, ...]
    covers: tuple[Cover, ...]
    lines: tuple[Line, ...]


def payout(book: Book, layout: str | None, seed: int) -> PayoutDrill:
    """The drill of a seed.

    >>> from punto.rulebook import load
    >>> drill = payout(load("wu-song"), "A", 7)
    >>> drill == payout(load("wu-song"), "A", 7)
    True
    """
    carried = menu(book, layout)
    made = _payout(Edition.of(book), carried.layout.id, seed)
    player, banker = (list(map(str, hand)) for hand in (made.coup.player, made.coup.banker))
    asked = [_asking(carried, made, at, Random(f"{seed} {at}")) for at in range(len(made.lines))]
    return PayoutDrill(book.id, book.title, carried.layout.id, seed, player, banker, asked, book.digest)


def mark_payout(book: Book, layout: str | None, seed: int, answers: list[int | None]) -> PayoutMarks:
    """What the engine pays, compared with somebody's answers."""
    carried = menu(book, layout)
    made = _payout(Edition.of(book), carried.layout.id, seed)
    steps = explain(
        book, made.coup, made.wagers, made.covers, layout=carried.layout.id, limits=payable(carried, LIMITS)
    )
    lines = []
    for at, line in enumerate(made.lines):
        given = answers[at] if at < len(answers) else None
        step = next((step for step in reversed(steps) if step.says.startswith(line.says)), line)
        right = given == line.net
        lines.append(Marked(line.bet, right, line.result, line.net, line.odds, step.says, line.clauses, step.message))
    told = [ToldStep(each.says, tuple(dict.fromkeys(map(printed, each.basis.clauses))), each.message) for each in steps]
    cited = [clause for line in made.lines for clause in line.basis.clauses]
    return PayoutMarks(sum(line.right for line in lines), lines, told, summaries(book, cited))


@lru_cache(2048)
def _payout(book: Edition, layout: str, seed: int) -> _Payout:
    """The cards and wagers of a seed; wagers win more often than at a real table."""
    rules = book.book
    chance = Random(f"payout {rules.id} {layout} {seed}")
    carried = menu(rules, layout)
    sides = [bet for bet in carried.bets if not carried[bet].bet.hand]
    target = chance.choice(list(carried.bets))
    wanted = chance.random() < 0.75
    coup = _deal(chance, rules)
    for _ in range(_TRIES):
        if not wanted or carried[target].verdict_of(coup).result == "win":
            break
        coup = _deal(chance, rules)
    limits = payable(carried, LIMITS)
    chips = chips_of(rules, limits)
    sides = [bet for bet in sides if in_window(carried[bet], coup)]
    target = target if in_window(carried[target], coup) else "player"
    bets = [chance.choice(("player", "banker")), target, *chance.sample(sides, min(2, len(sides)))]
    chosen = [Wager(bet, _stake(chance, chips.step(carried[bet]))) for bet in list(dict.fromkeys(bets))[:4]]
    wagers = tuple(lying_together(carried, chosen, chips))
    covers = _covers(chance, rules, coup, wagers, limits)
    lines = settle(rules, coup, wagers, covers, layout=layout, limits=limits)
    return _Payout(coup, wagers, covers, tuple(lines))


def _deal(chance: Random, rules: Book) -> Coup:
    drawn, printed = tuple(any_card(chance) for _ in range(6)), rules.cards.printed
    return deal_from(drawn if printed is None else printed.among(drawn[:5]))


def _stake(chance: Random, step: int) -> int:
    return chance.choice([stake for stake in _STAKES if stake % step == 0] or [-(-_STAKES[0] // step) * step])


def _covers(chance: Random, book: Book, coup: Coup, wagers: tuple[Wager, ...], limits: Limits) -> tuple[Cover, ...]:
    """Cover on the first wager, most of the time when it was on offer."""
    if book.insurance is None or wagers[0].bet not in ("player", "banker"):
        return ()
    hand = wagers[0].bet
    for stage in STAGES:
        try:
            row = offer(book, coup, stage, hand)
            most = most_cover(book, coup, stage, hand, wagers[0].stake, limits)
        except Refused:
            continue
        step = chips_of(book, limits).step(row)
        if most >= step and chance.random() < 0.8:
            return (Cover(stage, hand, chance.randint(1, most // step) * step, 0),)
    return ()


def _asking(carried: Menu, made: _Payout, at: int, chance: Random) -> AskedWager:
    line = made.lines[at]
    if at >= len(made.wagers):
        cover = made.covers[at - len(made.wagers)]
        row = offer(carried.book, made.coup, cover.stage, cover.hand)
        choices = {-cover.stake, 0, int(cover.stake * row.odds.fraction), line.net}
        name = f"{cover.hand.capitalize()} Insurance"
        return AskedWager(line.bet, name, line.stake, cover.stage, row.odds.text, sorted(choices))
    priced = carried[line.bet]
    own = [row.odds for row in priced.rows if row.odds is not None]
    others = [row.odds for each in carried.bets.values() for row in each.rows if row.odds is not None]
    choices = {line.net, -line.stake}
    if line.bet in ("player", "banker"):
        choices.add(0)
    chance.shuffle(others)
    for odds in (*own, *others):
        paid = line.stake * odds.fraction
        if len(choices) < max(CHOICES, 2) + (line.bet in ("player", "banker")) and paid.denominator == 1:
            choices.add(int(paid))
    return AskedWager(line.bet, priced.bet.name, line.stake, None, None, sorted(choices))
