"""Words for bets that this format refuses, and why: they are told by name, not as words that nobody knows."""

from collections.abc import Mapping

from punto.messages import Sentence, say

_SEVERAL_ROUNDS = ("rounds", "streak", "previous", "history")
_POT = ("progressive", "meter", "jackpot")
_MOVED = ("press",)
_OF_THE_WINNER = ("winner-hand", "loser-hand", "winner-start", "loser-start")
_COMPARED = ("straight", "run", "sequence", "higher", "lower", "highest", "lowest")

OTHER_WORDS: Mapping[str, str] = {"or": "any", "either": "any", "except": "not", "color": "colour"}
"""Words that others use for a word of the format, where no misspelling leads from one to the other."""


def refused_word(word: str) -> Sentence | None:
    """Why a word is refused; None where it is not one of these.

    >>> print(refused_word("streak"))
    A bet over several rounds is not of this format: one round decides every bet.
    """
    if word in _SEVERAL_ROUNDS:
        return say(
            "several-rounds-refused", "A bet over several rounds is not of this format: one round decides every bet."
        )
    if word in _POT:
        return say(
            "progressive-refused",
            "A progressive pot is not of this format: what a bet pays must be odds of the book.",
        )
    if word in _MOVED:
        return say(
            "press-refused",
            "Moving winnings onto another wager within a round is not of this format: every wager is placed by itself.",
        )
    return None


def refused_test(word: str) -> Sentence | None:
    """The same of words for tests of cards, within a `when`.

    >>> print(refused_test("straight"))
    Runs of ranks and cards that are higher than others are not of this format: cards are tested for ranks, suits, \
colours and likeness.
    """
    if word in _OF_THE_WINNER:
        return say(
            "hand-of-winner-refused",
            "Cards are tested by hand: write {example}.",
            example='any = [{ winner = "player", player-hand = … }, { winner = "banker", banker-hand = … }]',
        )
    if word in _COMPARED:
        return say(
            "compared-cards-refused",
            "Runs of ranks and cards that are higher than others are not of this format: cards are tested for ranks, "
            "suits, colours and likeness.",
        )
    return None
