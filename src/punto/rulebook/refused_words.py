"""Words for bets that this format refuses, and why: they are told by name, not as words that nobody knows."""

from punto.messages import Sentence, say

_SEVERAL_ROUNDS = ("rounds", "streak", "previous", "history")
_POT = ("progressive", "meter", "jackpot")
_MOVED = ("press",)


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
