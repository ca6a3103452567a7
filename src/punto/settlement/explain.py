"""Why a round was settled as it was, step by step, each step with the clause it rests on."""

from collections.abc import Sequence
from fractions import Fraction

from punto.amounts import show_money
from punto.coup import RANKS, STOOD, Card, Coup, banker_draws, natural, player_draws, show
from punto.rulebook import Basis, Book, Odds, Step, check_layout, menu, printed, step
from punto.settlement.cover import Struck, most_cover, strike
from punto.settlement.lines import Cover, Limits, Line, Wager
from punto.settlement.settle import settle

_NONE_POSTED = Limits()
_NAMES = dict(zip(RANKS, ["ace", "2", "3", "4", "5", "6", "7", "8", "9", "ten", "jack", "queen", "king"], strict=True))


def explain(
    book: Book,
    coup: Coup,
    wagers: Sequence[Wager],
    covers: Sequence[Cover] = (),
    *,
    layout: str | None = None,
    limits: Limits = _NONE_POSTED,
) -> list[Step]:
    """Every step from the layout to the last amount.

    >>> from punto import deal, load
    >>> steps = explain(load("wu-song"), deal("7 6 K K"), [Wager("player", 10000)], layout="A")
    >>> for step in steps[-2:]:
    ...     print(step.says, step.basis.clause)
    Player wins with 7 against 6. 3.13
    Player wins 7 to 6: 100.00 on Player wins 50.00 at 1 to 2. 100.00 x 1/2 = 50.00. 4.1.1#player-7
    """
    lines = settle(book, coup, wagers, covers, layout=layout, limits=limits)
    steps = check_layout(book, layout)
    steps += _menu(book, wagers, layout)
    steps += draw_steps(book, coup)
    steps += _pairs(book, coup, wagers)
    struck = strike(book, coup, wagers, covers, limits) if covers else []
    for line in lines[: len(wagers)]:
        steps.append(Step(_arithmetic(line), line.basis))
    for at, line in enumerate(lines[len(wagers) :]):
        steps += _window(book, coup, struck[:at], struck[at], wagers, limits)
        steps.append(Step(_arithmetic(line), line.basis))
    return steps


def draw_steps(book: Book, coup: Coup) -> list[Step]:
    """How the cards came to lie as they do: order, values, draws, totals, winner."""
    drawing = book.drawing
    player, banker = coup.two_card_points
    first, second = show(coup.player[:2]), show(coup.banker[:2])
    steps = [
        step(
            book,
            f"Cards one and three, {first}, are the Player's; two and four, {second}, the Banker's.",
            drawing["order"],
        )
    ]
    steps += [
        _values(book, coup),
        _total(book, "Player", coup.player[:2]),
        _total(book, "Banker", coup.banker[:2]),
        *_third_cards(book, coup, player, banker),
    ]
    if coup.winner == "tie":
        steps.append(step(book, f"Both hands have {coup.player_points}: a tie.", drawing["tie"]))
    else:
        high = max(coup.player_points, coup.banker_points)
        low = min(coup.player_points, coup.banker_points)
        says = f"{coup.winner.capitalize()} wins with {high} against {low}."
        steps.append(step(book, says, drawing["winner"]))
    return steps


def _menu(book: Book, wagers: Sequence[Wager], layout: str | None) -> list[Step]:
    steps = []
    main = any(book.bets[wager.bet].hand for wager in wagers)
    for name in dict.fromkeys(wager.bet for wager in wagers):
        bet = menu(book, layout)[name].bet
        alone = () if main or bet.alone is None else (bet.alone,)
        also = [clause for clause in (bet.area, bet.offered, bet.defined) if clause]
        says = f"{bet.name} may be bet" + (" without a bet on either hand." if alone else ".")
        basis = Basis((*bet.basis.clauses, *also, *alone, book.menu_clause), bet.basis.readings)
        steps.append(step(book, says, basis))
    return steps


def _values(book: Book, coup: Coup) -> Step:
    ranks = {RANKS[card.rank - 1] for card in coup.cards}
    said: list[str] = []
    clauses: list[str] = []
    readings: list[str] = []
    for value in book.cards.values:
        seen = [rank for rank in value.ranks if rank in ranks]
        if seen:
            said += [f"{_NAMES[rank]} counts {Card(RANKS.index(rank) + 1).value}" for rank in seen]
            clauses += value.basis.clauses
            readings += value.basis.readings
    basis = Basis((*dict.fromkeys(clauses), book.cards.clause), tuple(readings))
    return step(book, f"{', '.join(said).capitalize()}.", basis)


def _total(book: Book, hand: str, cards: Sequence[Card]) -> Step:
    """The points of a hand: beyond nine only the last digit counts."""
    added = sum(card.value for card in cards)
    basis = book.cards.to_nine if added < 10 else book.cards.over_nine
    points = "" if added < 10 else f", which counts {added % 10}"
    return step(book, f"{hand}: {' + '.join(str(card.value) for card in cards)} = {added}{points}.", basis)


def _third_cards(book: Book, coup: Coup, player: int, banker: int) -> list[Step]:
    drawing, steps = book.drawing, []
    if natural(player, banker):
        for hand, points in (("player", player), ("banker", banker)):
            if points > 7:
                says = f"{hand.capitalize()} has a natural {points}: no more cards."
                steps.append(step(book, says, drawing[f"natural-{hand}"]))
        return steps
    if player_draws(player, banker):
        steps.append(step(book, f"Player draws on {player}: {coup.player[2]}.", drawing["player-draws"]))
        steps.append(_total(book, "Player", coup.player))
    else:
        steps.append(step(book, f"Player stands on {player}.", drawing["player-stands"]))
    draws = banker_draws(player, banker, coup.third)
    if coup.third == STOOD:
        case = "player-stood"
        against = "when the Player stands"
    else:
        case = "banker-0-2" if banker < 3 else f"banker-{banker}"
        against = f"against a third card of {coup.third}"
    verb = "draws" if draws else "stands"
    steps.append(step(book, f"Banker {verb} on {banker} {against}.", drawing[case]))
    if draws:
        steps.append(_total(book, "Banker", coup.banker))
    return steps


def _pairs(book: Book, coup: Coup, wagers: Sequence[Wager]) -> list[Step]:
    """Whether the first two cards of a hand pair, where a wager looks at that."""
    rows = [row for group in book.pays.values() for row in group]
    looked = {row.bet for row in rows for name, _ in row.when.fields if name == "pairs"}
    if not looked & {wager.bet for wager in wagers}:
        return []
    says = " ".join(
        f"The {hand.capitalize()} hand begins {show(cards[:2])}: {'a pair' if paired else 'no pair'}."
        for hand, cards, paired in (
            ("player", coup.player, coup.pairs in ("player", "both", "twin")),
            ("banker", coup.banker, coup.pairs in ("banker", "both", "twin")),
        )
    )
    kept = tuple(value.pairs_clause for value in book.cards.values if value.pairs_clause)
    point = book.point("dealing", "pairs-from")
    where = point.basis.clauses if point else book.drawing["order"].clauses
    return [step(book, says, Basis((*where, *kept)))]


def _window(
    book: Book, coup: Coup, before: list[Struck], struck: Struck, wagers: Sequence[Wager], limits: Limits
) -> list[Step]:
    insurance, cover, row = book.insurance, struck.cover, struck.row
    seen = coup.situation(cover.stage)
    assert insurance is not None
    assert seen is not None
    original = wagers[cover.on].stake
    most = most_cover(book, coup, cover.stage, cover.hand, original, limits, cover.on, before)
    caps = insurance.cap.basis
    for also in insurance.cap_at:
        if also.odds.fraction == row.odds.fraction:
            caps = caps.plus(also.basis)
    hand = cover.hand.capitalize()
    return [
        step(
            book,
            f"Whoever has a bet on {hand} may insure it.",
            Basis((insurance.clause, insurance.original, insurance.defined)),
        ),
        step(
            book,
            f"With Player {seen.player} against Banker {seen.banker} a card was due, so a window opened.",
            Basis((*insurance.live.clauses, insurance.windows), insurance.live.readings),
        ),
        step(book, f"{hand} cover there is priced {row.odds.in_words}.", Basis((*row.basis.clauses, insurance.table))),
        step(book, f"On the bet of {show_money(original)} at most {show_money(most)} could be struck then.", caps),
    ]


def _arithmetic(line: Line) -> str:
    if line.odds is None:
        return line.says
    odds = Odds.of(line.odds)
    left, right = line.odds.split(":")
    ratio = left if right == "1" else f"{left}/{right}"
    exact = Fraction(line.effective) * odds.fraction
    paid = "" if exact == line.net else f", paid {show_money(line.net)}"
    product = show_money(int(exact)) if exact.denominator == 1 else f"{float(exact / 100):f}".rstrip("0")
    return f"{line.says} {show_money(line.effective)} x {ratio} = {product}{paid}."


def show_steps(steps: Sequence[Step]) -> list[str]:
    """The steps as numbered lines of text, each with its clauses and readings."""
    width = len(str(len(steps)))
    return [
        f"{number:>{width}}. {each.says}"
        + _rests_on([*dict.fromkeys(map(printed, each.basis.clauses)), *each.basis.readings])
        for number, each in enumerate(steps, start=1)
    ]


def _rests_on(names: Sequence[str]) -> str:
    return f" ({', '.join(names)})" if names else ""
