"""Bets that depend on what else the same patron has in the same box: needed, capped by it, or never together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from punto.coup import Coup, outcome
from punto.messages import Sentence, say
from punto.rulebook import Basis, Bet, Book, Menu, Priced, Refused
from punto.rulebook.bet_rules import other_names
from punto.rulebook.model import OtherBets
from punto.settlement.chips import Chips
from punto.settlement.lines import Wager

Laid = Mapping[str, int]
"""What one patron has in one box: stakes by bet."""


def check_companions(
    menu: Menu, wagers: Sequence[Wager], chips: Chips, owners: Sequence[tuple[str, int]] | None = None
) -> None:
    """Refuse the first wager that may not lie with the others of its owner: a patron and a box."""
    if not menu.depends:
        return
    boxes: dict[tuple[str, int], dict[str, int]] = {}
    for wager, owner in zip(wagers, owners or repeat(("", 0)), strict=False):
        laid = boxes.setdefault(owner, {})
        laid[wager.bet] = laid.get(wager.bet, 0) + wager.stake
    for laid in boxes.values():
        for bet, stake in laid.items():
            most, why = room_beside(menu, bet, laid, chips)
            if most is not None and stake > most:
                raise Refused(why[0], menu.book, why[1])


def room_beside(menu: Menu, name: str, laid: Laid, chips: Chips) -> tuple[int | None, tuple[Sentence, Basis]]:
    r"""The most that may lie on a bet beside what lies there, None without bound; and the rule that bounds it.

    >>> from punto.rulebook import menu, parse, source
    >>> needs = 'needs = { bets = ["player", "banker"], clause = "3.4" }'
    >>> text = source("ez-baccarat").decode().replace("[bets.panda-8]", f"[bets.panda-8]\n{needs}")
    >>> carried = menu(parse(text.encode(), "mine.toml"))
    >>> [room_beside(carried, "panda-8", {bet: 500}, Chips())[0] for bet in ("tie", "player")]
    [0, None]
    """
    book, bet = menu.book, menu[name].bet
    beside = {other: stake for other, stake in laid.items() if stake and other != name}
    for rule, other in _never_together(book, bet, beside):
        return 0, (
            say("not-laid-together", "{bet} and {other} are not bet together.", bet=bet.name, other=other.name),
            rule.basis,
        )
    if bet.needs is not None and not _on(book, bet.needs, beside):
        return 0, (_needs(book, bet, bet.needs), bet.needs.basis)
    if bet.at_most is None:
        return None, (say("may-be-bet", "{bet} may be bet.", bet=bet.name), bet.basis)
    lies = _on(book, bet.at_most, beside)
    if not lies:
        return 0, (_needs(book, bet, bet.at_most), bet.at_most.basis)
    step = chips.part(menu[name])
    most = int(lies * bet.at_most.share) // step * step
    says = say(
        "more-than-share",
        "At most {most:money} may lie on {bet} beside {lies:money} on {others:or}.",
        most=most,
        bet=bet.name,
        lies=lies,
        others=other_names(book, bet.at_most),
    )
    return most, (says, bet.at_most.basis)


def _never_together(book: Book, bet: Bet, beside: Laid) -> Iterator[tuple[OtherBets, Bet]]:
    """The bets that a bet may not lie with, whichever of the two says so."""
    for name in beside:
        other = book.bets[name]
        for one, two in ((bet, other), (other, bet)):
            if one.not_with is not None and one.not_with.among(two):
                yield one.not_with, other


def _on(book: Book, others: OtherBets, beside: Laid) -> int:
    """What lies on some bets together."""
    return sum(stake for name, stake in beside.items() if others.among(book.bets[name]))


def _needs(book: Book, bet: Bet, others: OtherBets) -> Sentence:
    return say(
        "needs-other-bet",
        "{bet} is bet only with a wager on {others:or} in the same box.",
        bet=bet.name,
        others=other_names(book, others),
    )


def company(menu: Menu, wager: Wager, chips: Chips) -> list[Wager]:
    """A wager with others before it that it must lie with, so that it may be laid; alone where it depends on none.

    >>> from punto.rulebook import load, menu
    >>> company(menu(load("wu-song")), Wager("tie", 500), Chips())
    [Wager(bet='tie', stake=500)]
    """
    bet = menu[wager.bet].bet
    found: list[Wager] = []
    for others in (bet.needs, bet.at_most):
        if others is None or any(others.among(menu.book.bets[each.bet]) for each in found):
            continue
        beside = [name for name, each in menu.bets.items() if others.among(each.bet)]
        beside = [name for name in beside if bet.not_with is None or not bet.not_with.among(menu.book.bets[name])]
        if beside:
            step = chips.step(menu[beside[0]])
            stake = -(-wager.stake * others.share.denominator // (others.share.numerator * step)) * step
            found += company(menu, Wager(beside[0], stake), chips)
    return [*found, wager]


def lying_together(menu: Menu, wagers: Sequence[Wager], chips: Chips) -> list[Wager]:
    """Those of some wagers of one patron in one box that may lie together, as they can be laid one after the other."""
    found: list[Wager] = []
    waiting = list(wagers)
    while waiting:
        before = len(found)
        for each in [*waiting]:
            laid = {other.bet: other.stake for other in found}
            most = room_beside(menu, each.bet, laid, chips)[0]
            if most is None or each.stake <= most:
                found.append(each)
                waiting.remove(each)
        if len(found) == before:
            break
    return [each for each in wagers if each in found]


def in_window(priced: Priced, coup: Coup) -> bool:
    """Whether a bet could be placed in a coup: one that is placed after the first four cards only where these allow."""
    return priced.window is None or priced.window.holds(coup, outcome(coup.outcome))


def check_window(priced: Priced, coup: Coup) -> None:
    """Refuse a bet that could not be placed: no third card was due, or the first four cards opened no window."""
    if in_window(priced, coup):
        return
    says = say("no-window-in-coup", "{bet} could not be placed after these first four cards.", bet=priced.bet.name)
    raise Refused(says, None, priced.bet.placed.basis if priced.bet.placed is not None else priced.bet.basis)
