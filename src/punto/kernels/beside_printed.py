"""A round in which one of the first four cards is printed on the layout and comes from no shoe."""

from collections.abc import Callable
from typing import Any

Operation = Callable[..., Any]


def round_beside_with(
    lay: Operation, draw: Operation, plus: Operation, look_up: Operation, player_due: Operation, banker_due: Operation
) -> Operation:
    """A round by some arithmetic, as `punto.kernels.deal.round_with` has it.

    `lay(word, left, counts, at, printed)` is the first card at a place: drawn, or the printed one. The word of a card
    that is not drawn is not used, so that every round takes as many words.
    """

    def deal(table: Any, words: Any, left: Any, counts: Any, printed: Any) -> Any:
        w1, w2, w3, w4, w5, w6 = words
        v1, h1, left, counts = lay(w1, left, counts, 0, printed)
        v2, h2, left, counts = lay(w2, left, counts, 1, printed)
        v3, h3, left, counts = lay(w3, left, counts, 2, printed)
        v4, h4, left, counts = lay(w4, left, counts, 3, printed)
        play = look_up(table, plus(v1, v3), plus(v2, v4))
        player_drew = player_due(play)
        v5, h5, left, counts = draw(w5, left, counts, player_drew)
        banker_drew = banker_due(play, player_drew, v5)
        v6, h6, left, counts = draw(w6, left, counts, banker_drew)
        return (v1, v2, v3, v4, v5, v6), (h1, h2, h3, h4, h5, h6), play, player_drew, banker_drew, left, counts

    return deal
