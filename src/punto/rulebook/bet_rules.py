"""What a book says of a bet besides its pays, in words: which other bets it lies with."""

from collections.abc import Iterator

import msgspec

from punto.messages import Sentence, say
from punto.rulebook.model import Basis, Bet, Book, OtherBets
from punto.rulebook.patterns import Pattern
from punto.rulebook.words import pattern_in_words


class BetRule(msgspec.Struct, frozen=True):
    """A rule about a bet: the key of the file that states it, what it says, and what it rests on."""

    bet: str
    key: str
    says: Sentence
    basis: Basis


def bet_rules(book: Book, bet: Bet) -> Iterator[BetRule]:
    """Every rule about a bet besides its pays."""
    if bet.needs is not None:
        says = say(
            "rule-needs", "only with a wager on {others:or} in the same box", others=other_names(book, bet.needs)
        )
        yield BetRule(bet.id, "needs", says, bet.needs.basis)
    if bet.at_most is not None:
        others = other_names(book, bet.at_most)
        says = say("rule-at-most", "at most as much as lies on {others:or} in the same box", others=others)
        if bet.at_most.share != 1:
            says = say(
                "rule-at-most-share",
                "at most {share} of what lies on {others:or} in the same box",
                share=str(bet.at_most.share),
                others=others,
            )
        yield BetRule(bet.id, "at-most", says, bet.at_most.basis)
    if bet.not_with is not None:
        says = say(
            "rule-not-with",
            "never with a wager on {others:or} in the same box",
            others=other_names(book, bet.not_with),
        )
        yield BetRule(bet.id, "not-with", says, bet.not_with.basis)
    yield from _of_time(bet)


def _of_time(bet: Bet) -> Iterator[BetRule]:
    """When it is placed and paid, where that is not as with any bet."""
    if bet.settled is not None:
        says = say("rule-settled", "and is paid as soon as the first four cards lie open")
        yield BetRule(bet.id, "settled", says, bet.settled)
    if bet.placed is not None:
        says = say("rule-placed", "only while the first four cards lie open and a third is to come")
        if bet.placed.when != Pattern():
            says = say(
                "rule-placed-when",
                "only while the first four cards lie open, a third is to come, and it is: {when}",
                when=pattern_in_words(bet.placed.when),
            )
        yield BetRule(bet.id, "placed", says, bet.placed.basis)


def other_names(book: Book, others: OtherBets) -> list[str]:
    """What other bets are called; one with a choice by its common name."""
    found = [
        bet.choice.name if bet.choice is not None and bet.id not in others.bets else bet.name
        for bet in book.bets.values()
        if others.among(bet)
    ]
    return list(dict.fromkeys(found))
