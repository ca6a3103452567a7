"""Figures that a book expects of itself, held against the exact ones."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

from punto.lint.findings import Finding, found
from punto.messages import say
from punto.odds import BetFigures, BetOdds, bet_odds, full_shoe
from punto.rulebook import Book, Menu, menu
from punto.rulebook.figures import ExpectedFigures


def check_expected(book: Book) -> Iterator[Finding]:
    """Expected figures that are not met to their last digit."""
    exact_odds = _odds(book)
    for at, each in enumerate(book.expected):
        carried = menu(book, each.layout)
        if each.bet not in carried.bets:
            says = say("expected-bet-not-carried", "layout {layout} does not carry it.", layout=carried.layout.id)
            choices = [bet.id for bet in book.bets.values() if bet.choice_of == each.bet]
            if choices:
                says = say("expected-of-a-choice", "patrons choose one of several: name {bets:or}.", bets=choices)
            yield found(book, "fault", "expected", ("expect", at), f"expect, {each.bet}", says)
            continue
        if each.decks not in book.decks.counts:
            says = say(
                "expected-of-other-decks",
                "the book does not allow {decks:decks}, but {allowed}: nothing is expected of others.",
                decks=each.decks,
                allowed=book.decks.in_words,
            )
            yield found(book, "fault", "expected", ("expect", at, "decks"), _where(each), says)
            continue
        odds = exact_odds[each.layout, each.decks][each.bet]
        for name, figure in each.figures:
            exact = _exact(odds, name)
            if abs(exact - figure.value) > figure.within:
                says = say(
                    "expected-figure-not-met",
                    "{figure} of {printed} with {decks:decks} is expected, and it is {exact}.",
                    figure=name,
                    printed=figure.text,
                    decks=each.decks,
                    exact=figure.shown(exact),
                )
                yield found(book, "fault", "expected", ("expect", at), _where(each), says)


def _odds(book: Book) -> dict[tuple[str | None, int], BetFigures]:
    """The exact odds of the bets that a figure is expected of, by layout and decks: each shoe is counted once."""
    asked: dict[tuple[str | None, int], set[str]] = defaultdict(set)
    for each in book.expected:
        if each.decks not in book.decks.counts:
            continue
        asked[each.layout, each.decks].add(each.bet)
    found = {}
    for (layout, decks), names in asked.items():
        carried = menu(book, layout)
        some = {bet: priced for bet, priced in carried.bets.items() if bet in names}
        found[layout, decks] = bet_odds(Menu(book, carried.layout, some), full_shoe(decks))
    return found


def _where(each: ExpectedFigures) -> str:
    return f"expect, {each.bet}" if each.source is None else f"expect, {each.bet}, {each.source}"


def _exact(odds: BetOdds, name: str) -> Fraction:
    figures = {"edge": odds.edge, "hit": odds.hit, "variance": odds.variance, "returns": odds.returns}
    return figures[name]
