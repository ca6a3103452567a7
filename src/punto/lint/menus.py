"""Bets that a table would not have, or not as they are meant: what no layout carries, and what a tie does."""

from collections.abc import Iterator

from punto.coup import outcome, reachable_outcomes
from punto.lint.findings import Finding, finding, found
from punto.lint.pays import place_of
from punto.messages import say
from punto.rulebook import Book, Priced, menu
from punto.rulebook.bet_rules import other_names
from punto.rulebook.demands import steps
from punto.rulebook.nearest import nearest
from punto.rulebook.patterns import NO_FACES


def check_menu(book: Book) -> Iterator[Finding]:
    """Everything about which bets there are."""
    yield from _uncarried(book)
    yield from _labels(book)
    yield from _ties(book)
    yield from _never_laid(book)
    yield from _never_wins(book)
    yield from _choices_alike(book)
    yield from _same_names(book)
    yield from _unused_offers(book)


def _uncarried(book: Book) -> Iterator[Finding]:
    """Groups of pay rows that no layout carries, and the bets that are nowhere for it."""
    carried = _carried(book)
    somewhere = {row.bet for group in carried for row in book.pays[group]}
    for group, rows in book.pays.items():
        if group in carried:
            continue
        nowhere = dict.fromkeys(book.bets[row.bet].name for row in rows if row.bet not in somewhere)
        says = say("group-not-carried", "no layout carries this group of pay rows.")
        paid = {row.bet for row in rows}
        near = [each for each in nearest(group, carried) if paid & {row.bet for row in book.pays[each]}]
        if near:
            says = say(
                "group-misspelt", "no layout carries this group of pay rows: perhaps {near:or} is meant.", near=near
            )
        elif nowhere:
            says = say(
                "bets-nowhere",
                "no layout carries this group of pay rows, so nobody can bet on {bets:and}.",
                bets=list(nowhere),
            )
        yield finding(book, "uncarried", ("pays", group), f"pays.{group}", says, rows[0].basis)


def _carried(book: Book) -> list[str]:
    return list(dict.fromkeys(group for layout in book.layouts.values() for group in layout.pays))


def _in_uncarried(book: Book) -> set[str]:
    """The bets with rows that no layout carries."""
    carried = _carried(book)
    return {row.bet for group, rows in book.pays.items() if group not in carried for row in rows}


def _labels(book: Book) -> Iterator[Finding]:
    """Labels in the print of a layout for bets that it does not carry."""
    for layout in book.layouts.values():
        for label, bet in layout.labels:
            if bet not in menu(book, layout.id).bets and bet not in _in_uncarried(book):
                says = say(
                    "label-of-no-bet",
                    "{label} means {bet}, and no group of pay rows that the layout carries pays that bet.",
                    label=label,
                    bet=book.bets[bet].name,
                )
                at = ("layouts", layout.id, "labels", label)
                yield found(book, "finding", "uncarried", at, f"layout {layout.id}", says, layout.clause)


def _ties(book: Book) -> Iterator[Finding]:
    """Bets on a hand that a tie loses for want of a row. One in a group that no layout carries is told of there."""
    elsewhere = _in_uncarried(book)
    ties = [index for index in reachable_outcomes() if outcome(index).winner == "tie"]
    told: set[Priced] = set()
    for layout in book.layouts:
        for name, bet in menu(book, layout).bets.items():
            if bet.bet.hand is None or name in elsewhere or bet in told:
                continue
            lost = [index for index in ties if _no_row(bet, index)]
            if not lost:
                continue
            told.add(bet)
            says = say(
                "tie-loses", "no row says what a tie does, so that it loses: write one with result stand-off, or odds."
            )
            if len(lost) < len(ties):
                points = sorted({outcome(index).points for index in lost})
                says = say(
                    "some-ties-lose", "no row says what a tie at {points:or} does, so that it loses.", points=points
                )
            yield finding(
                book, "tie", place_of(book, layout, bet.rows[0]), f"layout {layout}, {name}", says, bet.bet.loses
            )


def _no_row(bet: Priced, index: int) -> bool:
    """Whether no row of a bet is about an outcome, whatever the cards are that lead to it."""
    return all(row.when.told(NO_FACES, [outcome(index)]) is False for row in bet.rows)


def _never_laid(book: Book) -> Iterator[Finding]:
    """Bets on a layout that carries none of the bets that they must lie with."""
    for layout in book.layouts:
        carried = menu(book, layout).bets
        for name, priced in carried.items():
            for key, others in (("needs", priced.bet.needs), ("at-most", priced.bet.at_most)):
                if others is None or any(others.among(each.bet) for each in carried.values()):
                    continue
                says = say(
                    "layout-without-needed",
                    "the layout carries neither of {others:and}, so nobody can bet on {bet} there.",
                    others=other_names(book, others),
                    bet=priced.bet.name,
                )
                at = ("bets", priced.bet.choice_of or name, key)
                yield finding(book, "uncarried", at, f"layout {layout}, {name}", says, others.basis, "fault")


def _never_wins(book: Book) -> Iterator[Finding]:
    """Bets that pay nothing whatever is dealt; choices of one bet are told of once."""
    pays = {row.bet for rows in book.pays.values() for row in rows if row.odds is not None}
    told: set[str] = set()
    for layout in book.layouts:
        for priced in menu(book, layout).bets.values():
            bet = priced.bet
            named = bet.choice_of or bet.id
            if bet.id in pays or named in told:
                continue
            told.add(named)
            says = say("bet-never-wins", "no row of {bet} has odds, so that nobody can win it.", bet=bet.name)
            at = place_of(book, layout, priced.rows[0])
            yield finding(book, "unreachable", at, f"layout {layout}, {bet.id}", says, bet.basis, "fault")


def _choices_alike(book: Book) -> Iterator[Finding]:
    """Bets of which the patron chooses one, though all of them do the same."""
    choices: dict[str, set[tuple[object, ...]]] = {}
    many: dict[str, int] = {}
    for layout in book.layouts:
        for priced in menu(book, layout).bets.values():
            if priced.bet.choice_of is not None:
                does = tuple((row.when, row.result, row.odds) for row in priced.rows)
                choices.setdefault(priced.bet.choice_of, set()).add((layout, *does))
                many[priced.bet.choice_of] = many.get(priced.bet.choice_of, 0) + 1
    for bet, ways in choices.items():
        if many[bet] > 1 and len(ways) == len({layout for layout, *_ in ways}):
            says = say(
                "choices-alike",
                "whatever the patron chooses, the bet does the same, because no row looks at the choice: write "
                '"chosen" where the value stands.',
            )
            one = next(each for each in book.bets.values() if each.choice_of == bet)
            yield finding(book, "unreachable", ("bets", bet, "choose"), f"bets.{bet}", says, one.basis, "fault")


def _same_names(book: Book) -> Iterator[Finding]:
    """Bets with the name of another one, in the book's own language or in one language of both."""
    first: dict[tuple[str, str], str] = {}
    for bet in book.bets.values():
        for language, name in (("", bet.name), *bet.names):
            other = first.setdefault((language, name.casefold()), bet.id)
            if other == bet.id:
                continue
            says = say("bet-of-same-name", "{name:quoted} is also the name of {bet}.", name=name, bet=other)
            at = ("bets", bet.choice_of or bet.id, "names" if language else "name")
            yield finding(book, "same-name", at, f"bets.{bet.id}", says, bet.basis)


def _unused_offers(book: Book) -> Iterator[Finding]:
    """Offers that no step makes."""
    made = {step.object for _, step in steps(book) if step.verb == "offer"}
    for offer in book.offers.values():
        if offer.id not in made:
            says = say("offer-not-made", "no step makes this offer.")
            yield finding(book, "unreachable", ("offers", offer.id), f"offers.{offer.id}", says, offer.basis)
