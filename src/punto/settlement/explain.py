"""Why a round was settled as it was, step by step, each step with the clause it rests on."""

from collections.abc import Sequence
from fractions import Fraction

from punto.amounts import USUAL, amounts_in, digits_of, show_money
from punto.coup import RANKS, STOOD, Card, Coup
from punto.coup.play import banker_draws, natural, player_draws
from punto.messages import Sentence, say
from punto.rulebook import Basis, Book, Odds, PrintedCard, Step, check_layout, menu, printed, stated, step
from punto.rulebook.bet_rules import bet_rules
from punto.settlement.cover import Struck, most_cover, strike
from punto.settlement.lines import NONE_POSTED, Cover, Limits, Line, Wager
from punto.settlement.settle import settle


def explain(
    book: Book,
    coup: Coup,
    wagers: Sequence[Wager],
    covers: Sequence[Cover] = (),
    *,
    layout: str | None = None,
    limits: Limits = NONE_POSTED,
    currency: str = USUAL,
) -> list[Step]:
    """Every step from the layout to the last amount; amounts are minor units of the currency.

    >>> from punto import deal, load
    >>> steps = explain(load("wu-song"), deal("7 6 K K"), [Wager("player", 10000)], layout="A")
    >>> for step in steps[-2:]:
    ...     print(step.says, step.basis.clause)
    Player wins with 7 against 6. 3.13
    Player wins 7 to 6: 100.00 on Player wins 50.00 at 1 to 2. 100.00 x 1/2 = 50.00. 4.1.1#player-7
    """
    lines = settle(book, coup, wagers, covers, layout=layout, limits=limits, currency=currency)
    with amounts_in(currency):
        return _steps(book, coup, wagers, covers, layout, limits, lines, currency)


def _steps(
    book: Book,
    coup: Coup,
    wagers: Sequence[Wager],
    covers: Sequence[Cover],
    layout: str | None,
    limits: Limits,
    lines: Sequence[Line],
    currency: str,
) -> list[Step]:
    steps = check_layout(book, layout)
    steps += _menu(book, wagers, layout)
    steps += draw_steps(book, coup)
    steps += _pairs(book, coup, wagers)
    struck = strike(book, coup, wagers, covers, limits) if covers else []
    for line in lines[: len(wagers)]:
        steps.append(stated(_arithmetic(line, currency), line.basis))
    for at, line in enumerate(lines[len(wagers) :]):
        steps += _window(book, coup, struck[:at], struck[at], wagers, limits)
        steps.append(stated(_arithmetic(line, currency), line.basis))
    return steps


def draw_steps(book: Book, coup: Coup) -> list[Step]:
    """How the cards came to lie as they do: order, values, draws, totals, winner."""
    drawing = book.drawing
    player, banker = coup.two_card_points
    first, second = list(map(str, coup.player[:2])), list(map(str, coup.banker[:2]))
    printed = book.cards.printed
    steps = [
        _beside_printed(book, printed, first, second)
        if printed is not None
        else step(
            book,
            say(
                "cards-of-hands",
                "Cards one and three, {player:cards}, are the Player's; two and four, {banker:cards}, the Banker's.",
                player=first,
                banker=second,
            ),
            drawing["order"],
        )
    ]
    steps += [
        _values(book, coup),
        _total(book, "player", coup.player[:2]),
        _total(book, "banker", coup.banker[:2]),
        *_third_cards(book, coup, player, banker),
    ]
    if coup.winner == "tie":
        steps.append(
            step(
                book,
                say("tie-with-points", "Both hands have {points}: a tie.", points=coup.player_points),
                drawing["tie"],
            )
        )
    else:
        high = max(coup.player_points, coup.banker_points)
        low = min(coup.player_points, coup.banker_points)
        says = say(
            "hand-wins-against", "{hand:hand} wins with {high} against {low}.", hand=coup.winner, high=high, low=low
        )
        steps.append(step(book, says, drawing["winner"]))
    return steps


def _beside_printed(book: Book, printed: PrintedCard, player: list[str], banker: list[str]) -> Step:
    """Which first cards are whose, where one of them is printed on the layout."""
    says = say(
        "cards-beside-printed",
        "{card} is printed on the layout as a card of the {hand:hand}; the Player begins with {player:cards}, the "
        "Banker with {banker:cards}.",
        card=str(printed.card),
        hand="banker" if printed.place % 2 else "player",
        player=player,
        banker=banker,
    )
    return step(book, says, printed.basis.plus(book.drawing["order"]))


def _menu(book: Book, wagers: Sequence[Wager], layout: str | None) -> list[Step]:
    steps = []
    main = any(book.bets[wager.bet].hand for wager in wagers)
    for name in dict.fromkeys(wager.bet for wager in wagers):
        bet = menu(book, layout)[name].bet
        alone = () if main or bet.alone is None else (bet.alone,)
        also = [clause for clause in (bet.area, bet.offered, bet.defined) if clause]
        says = say("may-be-bet", "{bet} may be bet.", bet=bet.name)
        if alone:
            says = say("may-be-bet-alone", "{bet} may be bet without a bet on either hand.", bet=bet.name)
        basis = Basis((*bet.basis.clauses, *also, *alone, book.menu_clause), bet.basis.readings)
        steps.append(step(book, says, basis))
        for rule in bet_rules(book, bet):
            told = say("bet-lies-by-rule", "{bet} is bet {rule}.", bet=bet.name, rule=rule.says)
            steps.append(step(book, told, rule.basis))
    return steps


def _values(book: Book, coup: Coup) -> Step:
    ranks = {RANKS[card.rank - 1] for card in coup.cards}
    said: list[Sentence] = []
    clauses: list[str] = []
    readings: list[str] = []
    for value in book.cards.values:
        seen = [rank for rank in value.ranks if rank in ranks]
        if seen:
            said += [_counts(rank) for rank in seen]
            clauses += value.basis.clauses
            readings += value.basis.readings
    basis = Basis((*dict.fromkeys(clauses), book.cards.clause), tuple(readings))
    return step(book, say("ranks-count", "{ranks:opening-list}.", ranks=said), basis)


def _counts(rank: str) -> Sentence:
    return say("rank-counts", "{rank:face} counts {value}", rank=rank, value=Card(RANKS.index(rank) + 1).value)


def _total(book: Book, hand: str, cards: Sequence[Card]) -> Step:
    """The points of a hand: beyond nine only the last digit counts."""
    added = sum(card.value for card in cards)
    basis = book.cards.to_nine if added < 10 else book.cards.over_nine
    values = [card.value for card in cards]
    if added < 10:
        says = say("points-of-hand", "{hand:hand}: {values:sum} = {points}.", hand=hand, values=values, points=added)
    else:
        says = say(
            "points-over-nine",
            "{hand:hand}: {values:sum} = {added}, which counts {points}.",
            hand=hand,
            values=values,
            added=added,
            points=added % 10,
        )
    return step(book, says, basis)


def _third_cards(book: Book, coup: Coup, player: int, banker: int) -> list[Step]:
    drawing, steps = book.drawing, []
    if natural(player, banker):
        for hand, points in (("player", player), ("banker", banker)):
            if points > 7:
                says = say(
                    "natural",
                    "{hand:hand} has a natural {points}: no more cards.",
                    hand=hand,
                    points=points,
                )
                steps.append(step(book, says, drawing[f"natural-{hand}"]))
        return steps
    if player_draws(player, banker):
        steps.append(
            step(
                book,
                say("player-draws", "Player draws on {points}: {card}.", points=player, card=str(coup.player[2])),
                drawing["player-draws"],
            )
        )
        steps.append(_total(book, "player", coup.player))
    else:
        steps.append(
            step(book, say("player-stands", "Player stands on {points}.", points=player), drawing["player-stands"])
        )
    draws = banker_draws(player, banker, coup.third)
    case = "player-stood"
    if coup.third != STOOD:
        case = "banker-0-2" if banker < 3 else f"banker-{banker}"
    steps.append(step(book, _banker(banker, coup.third, draws), drawing[case]))
    if draws:
        steps.append(_total(book, "banker", coup.banker))
    return steps


def _banker(points: int, third: int, draws: bool) -> Sentence:
    if third == STOOD and draws:
        return say("banker-draws-after-stand", "Banker draws on {points} when the Player stands.", points=points)
    if third == STOOD:
        return say("banker-stands-after-stand", "Banker stands on {points} when the Player stands.", points=points)
    if draws:
        return say(
            "banker-draws-against",
            "Banker draws on {points} against a third card of {third}.",
            points=points,
            third=third,
        )
    return say(
        "banker-stands-against",
        "Banker stands on {points} against a third card of {third}.",
        points=points,
        third=third,
    )


def _pairs(book: Book, coup: Coup, wagers: Sequence[Wager]) -> list[Step]:
    """Whether the first two cards of a hand pair, where a wager looks at that."""
    rows = [row for group in book.pays.values() for row in group]
    looked = {row.bet for row in rows for part in row.when.parts for name, _ in part.fields if name == "pairs"}
    if not looked & {wager.bet for wager in wagers}:
        return []
    says = say(
        "two-sentences",
        "{first} {second}",
        first=_begins("player", coup.player, coup.pairs in ("player", "both", "twin")),
        second=_begins("banker", coup.banker, coup.pairs in ("banker", "both", "twin")),
    )
    kept = tuple(value.pairs_clause for value in book.cards.values if value.pairs_clause)
    point = book.point("dealing", "pairs-from")
    where = point.basis.clauses if point else book.drawing["order"].clauses
    return [step(book, says, Basis((*where, *kept)))]


def _begins(hand: str, cards: Sequence[Card], paired: bool) -> Sentence:
    first = list(map(str, cards[:2]))
    if paired:
        return say("hand-begins-paired", "The {hand:hand} hand begins {cards:cards}: a pair.", hand=hand, cards=first)
    return say("hand-begins-unpaired", "The {hand:hand} hand begins {cards:cards}: no pair.", hand=hand, cards=first)


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
    hand = cover.hand
    return [
        step(
            book,
            say("bet-may-be-insured", "Whoever has a bet on {hand:hand} may insure it.", hand=hand),
            Basis((insurance.clause, insurance.original, insurance.defined)),
        ),
        step(
            book,
            say(
                "window-opened",
                "With Player {player} against Banker {banker} a card was due, so a window opened.",
                player=seen.player,
                banker=seen.banker,
            ),
            Basis((*insurance.live.clauses, insurance.windows), insurance.live.readings),
        ),
        step(
            book,
            say("cover-is-priced", "{hand:hand} cover there is priced {odds:odds}.", hand=hand, odds=row.odds.text),
            Basis((*row.basis.clauses, insurance.table)),
        ),
        step(
            book,
            say(
                "most-cover-on-bet",
                "On the bet of {original:money} at most {most:money} could be struck then.",
                original=original,
                most=most,
            ),
            caps,
        ),
    ]


def _arithmetic(line: Line, currency: str) -> Sentence:
    assert line.message is not None  # it was settled just now
    told = Sentence(line.says, line.message)
    if line.odds is None:
        return told
    odds = Odds.of(line.odds)
    left, right = line.odds.split(":")
    ratio = left if right == "1" else f"{left}/{right}"
    exact = Fraction(line.effective) * odds.fraction
    whole = exact.denominator == 1
    product = show_money(int(exact)) if whole else f"{float(exact / 10 ** digits_of(currency)):f}".rstrip("0")
    if exact == line.net:
        return say(
            "with-arithmetic",
            "{line} {stake:money} x {ratio} = {product}.",
            line=told,
            stake=line.effective,
            ratio=ratio,
            product=product,
        )
    return say(
        "with-arithmetic-rounded",
        "{line} {stake:money} x {ratio} = {product}, paid {net:money}.",
        line=told,
        stake=line.effective,
        ratio=ratio,
        product=product,
        net=line.net,
    )


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
