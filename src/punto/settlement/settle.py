"""What every wager and every cover comes to on a finished coup, and why."""

from collections.abc import Sequence

from punto.amounts import USUAL, amounts_in, writer_here, writer_of
from punto.coup import Coup
from punto.messages import Message, Sentence, say
from punto.rulebook import Basis, Book, CoverRow, Menu, Odds, Row, menu
from punto.rulebook.bet_rules import bet_rules
from punto.rulebook.clauses import cite, recording
from punto.rulebook.menu import Priced, Verdict
from punto.rulebook.model import WagerResult
from punto.rulebook.prices import Commission
from punto.settlement.chips import ROUNDED, Chips, check_chips, check_cover, check_stake, chips_of
from punto.settlement.companions import check_companions, check_window
from punto.settlement.cover import Struck, strike
from punto.settlement.limits import playing
from punto.settlement.lines import COVER_NAMES, NONE_POSTED, Cover, Limits, Line, Lines, Wager, sentence
from punto.settlement.payout_cap import Owner, capped

_AS_PLACED = Basis((), ("AMB-64",))
_ROUNDED_UP = say("rounded-up", "The payment is rounded up to the chip.")
_ROUNDED_DOWN = say("rounded-down", "The payment is rounded down to the chip.")


def settle(
    book: Book,
    coup: Coup,
    wagers: Sequence[Wager],
    covers: Sequence[Cover] = (),
    *,
    layout: str | None = None,
    limits: Limits = NONE_POSTED,
    currency: str = USUAL,
    chips: Chips | None = None,
    owners: Sequence[Owner] | None = None,
    admitted: bool = False,
) -> Lines:
    """Settle wagers, then covers, in their order. The first that is not allowed is refused.

    The wagers are those of one patron in one box, but where `owners` names the patron and box of each. Which of them
    may lie together was decided before where they are `admitted`.

    Amounts are minor units of the currency, and told as such. The chip and the rounding are those of the limits, else
    of the book; `chips` are given for a table that has its own.

    >>> from punto.coup import deal
    >>> from punto.rulebook import load
    >>> book, coup = load("commission-insurance"), deal("6h 2c Kd As 5h")
    >>> lines = settle(book, coup, [Wager("player", 10000)], [Cover("four-cards", "player", 2000, on=0)])
    >>> [(line.bet, line.result, line.net, line.clause) for line in lines]
    [('player', 'lose', -10000, '3.16'), ('player-insurance', 'win', 6000, '4.1.3')]
    """
    by = chips or chips_of(book, limits, currency)
    if writer_here() is writer_of(currency):
        return _settled(book, coup, wagers, covers, layout, limits, by, owners, admitted)
    with amounts_in(currency):
        return _settled(book, coup, wagers, covers, layout, limits, by, owners, admitted)


def _settled(
    book: Book,
    coup: Coup,
    wagers: Sequence[Wager],
    covers: Sequence[Cover],
    layout: str | None,
    limits: Limits,
    chips: Chips,
    owners: Sequence[Owner] | None,
    admitted: bool,
) -> Lines:
    carried = menu(book, layout)
    priced = [carried[wager.bet] for wager in wagers]
    for bet, wager in zip(priced, wagers, strict=True):
        check_stake(bet, wager.stake, chips)
    if not admitted:
        check_companions(carried, wagers, chips, owners)
        if carried.late:
            for bet in priced:
                check_window(bet, coup)
    for cover in covers:
        check_chips(cover.stake, chips.unit)
    plays = None
    if limits.maximum is not None or limits.differential is not None or limits.maximums:
        plays = playing(carried, wagers, limits, chips=chips)
    parts = [(wager.stake, None) for wager in wagers] if plays is None else plays
    lines = [
        wager_line(bet, wager, effective, reason, coup, chips)
        for bet, wager, (effective, reason) in zip(priced, wagers, parts, strict=True)
    ]
    if covers:
        struck = strike(book, coup, wagers, covers, limits, chips)
        for each in struck:
            check_cover(each.row, each.cover.stake, chips)
            playing_part = parts[each.cover.on][0]
            whole = playing_part == wagers[each.cover.on].stake
            line = cover_line(book, coup, each, whole, chips)
            lines.append(line if playing_part else came_back(line))
    if limits.payout is not None:
        whose = [("", 0)] * len(wagers) if owners is None else list(owners)
        whose += [whose[cover.on] for cover in covers]
        lines = list(capped(book, limits, lines, whose, chips))
    if recording():
        _cite(book, carried, wagers, lines)
    return Lines(lines)


def _pay(odds: Odds, stake: int, chips: Chips) -> int:
    due = stake * odds.numerator
    if chips.rounding == "exact":
        return due // odds.denominator
    unit = odds.denominator * chips.payment
    whole, rest = divmod(due, unit)
    more = rest and (chips.rounding == "up" or (chips.rounding == "nearest" and 2 * rest >= unit))
    return (whole + 1) * chips.payment if more else whole * chips.payment


def wager_line(priced: Priced, wager: Wager, effective: int, reason: Basis | None, coup: Coup, chips: Chips) -> Line:
    """The line of a wager of which `effective` plays, for `reason` if that is not all.

    Payments are `exact`, or rounded `up`, or `down` where a ruling is recorded, to the chip.

    >>> from punto.coup import deal
    >>> from punto.rulebook import load
    >>> banker, coup = menu(load("commission-insurance"))["banker"], deal("K 9 K K")
    >>> wager_line(banker, Wager("banker", 2500), 2500, None, coup, Chips(100, "down")).says
    'Banker wins 9 to 0: 25.00 on Banker wins 23.00 at 0.95 to 1. The payment is rounded down to the chip.'
    """
    verdict = priced.verdict_of(coup)
    return _line(wager.bet, priced.bet.name, priced.bet.name, wager.stake, effective, verdict, reason, chips)


def _line(
    bet: str,
    name: str,
    named: str | Message,
    stake: int,
    effective: int,
    verdict: Verdict,
    reason: Basis | None,
    chips: Chips,
) -> Line:
    result, odds, basis = verdict.result, verdict.odds, verdict.basis
    if effective == 0:
        told = say(
            "limit-leaves-nothing",
            "The limit leaves nothing of {stake:money} on {bet} in play: it comes back.",
            stake=stake,
            bet=name,
        )
        return Line(bet, stake, 0, stake, "returned", 0, None, reason or Basis(), str(told), told.message)
    net, fee, text = 0, 0, None
    if odds is not None:
        (net, fee), text = _won(verdict.commission, odds, effective, chips), odds.text
    elif result == "lose":
        net = -effective
    says, message = sentence(verdict, name, named, effective, net)
    if fee:
        says, message = _and(says, message, _commission(net + fee, fee))
    is_rounded = verdict.commission is None or verdict.commission.rounding == "exact"
    if odds is not None and is_rounded and net * odds.denominator != effective * odds.numerator:
        more = net * odds.denominator > effective * odds.numerator
        says, message = _and(says, message, _rounded(more, chips))
        basis = basis.plus(ROUNDED)
    if reason is not None and reason.clauses:
        if effective != stake:
            over = say("over-limit-back", "{over:money} is over the limit and comes back.", over=stake - effective)
            says, message = _and(says, message, over)
        basis = basis.plus(reason)
    return Line(bet, stake, effective, stake - effective, result, net, text, basis, says, message, fee)


def _won(commission: Commission | None, odds: Odds, stake: int, chips: Chips) -> tuple[int, int]:
    """What a stake wins after commission, and the commission."""
    if commission is None:
        return _pay(odds, stake, chips), 0
    won = _pay(commission.gross, stake, chips)
    if commission.rounding == "exact":
        net = _pay(odds, stake, chips)
        return net, won - net
    fee = commission.of(won, chips.commission)
    return won - fee, fee


def winnings(paid: Row | CoverRow, stake: int, chips: Chips) -> int:
    """What a stake, or a cover, wins at a row after commission, as chips and rounding have it; nothing without odds.

    >>> from punto.rulebook import load, menu
    >>> [row, *_] = menu(load("dragon-tiger-mbs"))["banker"].rows
    >>> winnings(row, 2500, Chips()), winnings(row, 2500, Chips(2500, "up"))
    (2375, 2500)
    """
    odds, commission = paid.odds, getattr(paid, "commission", None)
    return 0 if odds is None else _won(commission, odds, stake, chips)[0]


def _rounded(more: bool, chips: Chips) -> Sentence:
    """That a payment is rounded, to what, and whether up or down."""
    if chips.payment == chips.unit:
        return _ROUNDED_UP if more else _ROUNDED_DOWN
    if more:
        return say("rounded-up-to", "The payment is rounded up to {unit:money}.", unit=chips.payment)
    return say("rounded-down-to", "The payment is rounded down to {unit:money}.", unit=chips.payment)


def _commission(won: int, fee: int) -> Sentence:
    return say("less-commission", "Of {won:money} won {fee:money} is commission.", won=won, fee=fee)


def _and(says: str, message: Message, also: Sentence) -> tuple[str, Message]:
    """A sentence with another one after it."""
    both = say("two-sentences", "{first} {second}", first=Sentence(says, message), second=also)
    return str(both), both.message


def cover_line(book: Book, coup: Coup, struck: Struck, whole: bool, chips: Chips) -> Line:
    """The line of a cover; `whole` where its Original Bet plays in full (AMB-64).

    >>> from punto.coup import deal
    >>> from punto.rulebook import load
    >>> book, coup, cover = load("commission-insurance"), deal("6h 2c Kd As 5h"), Cover("four-cards", "player", 2000, 0)
    >>> [struck] = strike(book, coup, [Wager("player", 10000)], [cover], Limits())
    >>> cover_line(book, coup, struck, True, Chips()).net
    6000
    """
    insurance = book.insurance
    assert insurance is not None
    cover, row = struck.cover, struck.row
    name = COVER_NAMES[cover.hand]
    result: WagerResult
    odds = None
    if coup.winner == "tie":
        fact = say("tie-at", "Tie at {points}", points=coup.player_points)
        if row.tie_pays is not None:
            result, odds = "win", row.odds
            basis = Basis((*row.basis.clauses, *row.tie_pays.clauses, *insurance.notes), row.tie_pays.readings)
        else:
            result, basis = "stand-off", insurance.tie
    else:
        fact = say("hand-wins", "{hand:hand} wins", hand=coup.winner)
        if coup.winner == cover.hand:
            result, basis = "lose", insurance.won
        else:
            result, odds, basis = "win", row.odds, row.basis
    verdict = Verdict(result, odds, basis if whole else basis.plus(_AS_PLACED), str(fact), fact.message)
    return _line(f"{cover.hand}-insurance", str(name), name.message, cover.stake, cover.stake, verdict, None, chips)


def came_back(line: Line) -> Line:
    """The line of a cover whose Original Bet came back whole: it comes back, too (AMB-64).

    >>> came_back(Line("player-insurance", 2000, 2000, 0, "win", 6000, "3:1", Basis(), "")).says
    'The insured bet comes back, and with it the cover of 20.00.'
    """
    says = say(
        "cover-comes-back",
        "The insured bet comes back, and with it the cover of {stake:money}.",
        stake=line.stake,
    )
    basis = Basis((), _AS_PLACED.readings)
    return Line(line.bet, line.stake, 0, line.stake, "returned", 0, None, basis, str(says), says.message)


def _cite(book: Book, carried: Menu, wagers: Sequence[Wager], lines: Sequence[Line]) -> None:
    for line in lines:
        cite(book.id, *line.basis.clauses)
    bets = [carried[wager.bet].bet for wager in wagers]
    main = any(bet.hand for bet in bets)
    for bet in bets:
        also = (bet.area, bet.offered, None if main else bet.alone)
        cite(book.id, *bet.basis.clauses, *(clause for clause in also if clause))
        for rule in bet_rules(book, bet) if bet.has_rules else ():
            cite(book.id, *rule.basis.clauses)
