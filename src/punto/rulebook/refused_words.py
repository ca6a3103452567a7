"""Words for bets that this format refuses, and why: they are told by name, not as words that nobody knows."""

from collections.abc import Mapping

from punto.messages import Sentence, say

_SEVERAL_ROUNDS = (
    "rounds",
    "streak",
    "previous",
    "history",
    "last-round",
    "next-round",
    "in-a-row",
    "consecutive-wins",
)
_POT = ("progressive", "meter", "jackpot", "pot", "pool")
_MOVED = ("press", "parlay")
_BY_CHANCE = ("multiplier", "multipliers", "random", "lightning", "bonus-draw")
_IN_PART = ("half", "half-lost", "half-back", "half-returned", "surrender")
_OF_THE_WINNER = ("winner-hand", "loser-hand", "winner-start", "loser-start")
_COMPARED = ("lower", "highest", "lowest")
_IN_A_ROW = ("straight", "sequence", "consecutive")
_ANY_CARD = ("any-card", "some-card", "one-card", "a-card")

_POSTED = ("minimum", "maximum", "min-bet", "max-bet", "table-minimum", "table-maximum")

_ONE_OF = ("or", "either", "one-of", "any-of")
_ALL_OF = ("and", "all", "all-of", "both")
_APART = ("different", "distinct", "unique", "differ", "rainbow", "no-pair")
_ALIKE = ("suited", "flush", "same-suit", "same-colour", "same-rank", "matching", "match")
_OF_ONE_RANK = ("pair", "trips", "three-of-a-kind", "four-of-a-kind", "two-pair", "full-house", "set")
_AT_LEAST = ("at-least", "min", "least", "at-most", "max", "most", "more-than", "exactly", "number")

OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "except": ("not",),
    "color": ("colour",),
    "total": ("points", "sum"),
    "player-total": ("player-points",),
    "banker-total": ("banker-points",),
    "value": ("sum",),
    "requires": ("needs",),
}
"""Words that others use for words of the format, where no misspelling leads from one to the other; the first of these
that may stand there is meant."""


_RESULTS_OF_OTHERS: Mapping[str, tuple[str, ...]] = {
    "stand-off": (
        *("push", "pushes", "pushed", "tie", "tied", "draw", "drawn", "void", "refund", "standoff", "stand-offs"),
        *("return", "returns", "returned", "back", "comes-back", "stake-back", "even", "stands-off", "no-action"),
    ),
    "lost": ("lose", "loses", "loss", "loser", "losing", "collect", "collected", "taken"),
}
_ODDS = 'odds = "1:1"'
_WON = ("win", "wins", "won", "winner", "winning", "pay", "pays", "paid")


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
    if word in _BY_CHANCE:
        return say(
            "chance-besides-refused",
            "What is drawn besides the cards is not of this format: the cards alone decide what a bet pays.",
        )
    return None


def refused_result(word: str) -> Sentence | None:
    """The same in the place of a result; and which word is meant, where others have another one.

    >>> print(refused_result("push"))
    'push' is no word here: write stand-off.

    >>> print(refused_result("half-lost"))
    A stake that is lost in part is not of this format: it wins at odds, comes back, or is lost.
    """
    if word in _IN_PART:
        return say(
            "in-part-refused",
            "A stake that is lost in part is not of this format: it wins at odds, comes back, or is lost.",
        )
    plain = "-".join(word.lower().replace("_", " ").split())
    if plain in _WON:
        return say("odds-where-it-wins", "A bet that wins has odds in the place of result: write {like}.", like=_ODDS)
    right = next((right for right, others in _RESULTS_OF_OTHERS.items() if plain in (right, *others)), None)
    if right is None or right == word:
        return None
    return say("word-of-others", "{value:quoted} is no word here: write {right}.", value=word, right=right)


def posted_word(word: str) -> Sentence | None:
    """That an amount is posted at a table, within a bet or the limits."""
    if word not in _POSTED:
        return None
    return say(
        "amounts-are-posted",
        "Amounts are no part of a book: a table posts them when it opens, like {example}.",
        example="minimum=10",
    )


def refused_pattern(word: str) -> Sentence | None:
    """The same of words that put patterns together, or name cards by who won, in the place of a property.

    >>> print(refused_pattern("and"))
    All that a pattern names must hold: write { winner = "tie", cards = 6 }.
    """
    if word in _OF_THE_WINNER:
        return say(
            "hand-of-winner-refused",
            "Cards are tested by hand: write {example}.",
            example='any = [{ winner = "player", player-hand = … }, { winner = "banker", banker-hand = … }]',
        )
    if word in _ONE_OF:
        like = 'any = [{ winner = "tie" }, { cards = 6 }]'
        return say("one-of-patterns", "One of several patterns holds: write {example}.", example=like)
    if word in _ALL_OF:
        like = '{ winner = "tie", cards = 6 }'
        return say("all-hold-anyway", "All that a pattern names must hold: write {example}.", example=like)
    if word in _ANY_CARD:
        like = 'all-cards = { ranks = "8", count = "1-6" }'
        return say("any-card-is", "One card at least is a count: write {example}.", example=like)
    return None


def refused_test(word: str) -> Sentence | None:
    """The same of words for tests of cards, anywhere within a `when`.

    >>> print(refused_test("straight"))
    Cards in a row are a run: write player-hand = { run = 3 }.
    """
    if word in _IN_A_ROW:
        return say("cards-in-a-row", "Cards in a row are a run: write {example}.", example="player-hand = { run = 3 }")
    if word in _COMPARED:
        return say(
            "compared-cards",
            "Cards are compared by the higher one: write {example}.",
            example='player-first = { higher = "banker-first" }',
        )
    if word in _APART:
        like = 'not = { first-four = { of-a-kind = 2, kind = "suit" } }'
        return say("no-two-alike", "Cards that all differ have no two of a kind: write {example}.", example=like)
    if word in _ALIKE:
        like = 'player-start = { same = "suit" }'
        return say("cards-agree", "Cards agree in a rank, a suit or a colour: write {example}.", example=like)
    if word in _OF_ONE_RANK:
        like = "player-hand = { of-a-kind = 2 }"
        return say("cards-of-one-kind", "Cards of one rank are so many of a kind: write {example}.", example=like)
    if word in _AT_LEAST:
        like = 'all-cards = { ranks = "8", count = "2-6" }'
        return say("cards-are-counted", "How many cards are meant is a count: write {example}.", example=like)
    return None
