"""Shoes as tracker programs keep them: an outcome a line, lists of outcomes, and JSON of rounds.

Which programs write what differs; what they have in common is a word for the winner, or the cards of both hands.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from punto.coup import BadCards
from punto.history.importing import by_name, history_of, next_round, round_of, winner_of
from punto.history.reader import BadHistory, LineFault
from punto.history.values import History, RecordedRound, RecordedShoe
from punto.kinds import guard

_NEW_SHOE = re.compile(r"(#|-{2,}|={2,}|shoe\b|new shoe\b).*", re.I)
_SHOES = ("shoes", "games")
_ROUNDS = ("rounds", "results", "history", "outcomes", "data")
_HANDS = "hands"


def from_column(text: str, shoe: RecordedShoe) -> History:
    r"""An outcome a line: `B`, `Player`, `tie`. A blank line, or one like `Shoe 2` or `---`, begins another shoe.

    >>> [len(each.rounds) for each in from_column("B\nP\nT\n\nB\nB\n", RecordedShoe("wu-song")).shoes]
    [3, 2]
    """
    shoes: list[list[RecordedRound]] = [[]]
    faults: list[LineFault] = []
    for at, line in enumerate(text.splitlines(), start=1):
        word = line.strip().strip(",;")
        if not word or _NEW_SHOE.fullmatch(word):
            shoes.append([])
            continue
        try:
            shoes[-1].append(round_of({"winner": word}, len(shoes[-1]) + 1))
        except ValueError as error:
            faults.append(LineFault(at, str(error)))
    return history_of(shoe, [each for each in shoes if each], faults)


def is_column(text: str) -> bool:
    r"""Whether a text is an outcome a line: more than one, and nothing else.

    >>> is_column("B\nP\n"), is_column("BPT\nPPB\n")
    (True, False)
    """
    words = [line.strip().strip(",;") for line in text.splitlines()]
    kept = [word for word in words if word and not _NEW_SHOE.fullmatch(word)]
    return len(kept) > 1 and all(winner_of(word) is not None for word in kept)


def from_json(text: str, shoe: RecordedShoe) -> History:
    """JSON of rounds: a list, or an object that has one under `rounds`, `results`, `history`, `hands` or `shoes`.

    A round is a word for its winner, an object with the names that a CSV table has for its columns, or the cards of
    both hands. `shoeNumber` and the like divide shoes; a list of lists is a shoe each.

    >>> [first] = from_json('[{"winner": "Banker"}, "P", {"playerCards": ["8S", "0D"], "bankerCards": ["AS", "6D"]}]',
    ...     RecordedShoe("wu-song")).shoes
    >>> len(first.rounds), str(first.rounds[2].cards[2])
    (3, 'Td')
    """
    try:
        given = json.loads(text)
    except RecursionError:
        raise BadHistory((LineFault(1, "This is not JSON: too much lies within one another."),)) from None
    except ValueError as error:
        raise BadHistory((LineFault(getattr(error, "lineno", 1), f"This is not JSON: {error}."),)) from None
    shoes: dict[object, list[RecordedRound]] = {}
    faults: list[LineFault] = []
    for at, (number, each) in enumerate(_rounds(given), start=1):
        try:
            fields = by_name(_fields(each))
            made = shoes.setdefault(fields.get("shoe") or number, [])
            made.append(next_round(fields, made))
        except (BadCards, ValueError) as error:
            faults.append(LineFault(1, f"round {at} of the file: {error}"))
    return history_of(shoe, shoes.values(), faults)


def _rounds(given: Any) -> Iterator[tuple[int, Any]]:
    """Every round of a file, with the number of the list it stands in."""
    held = _list_in(given, (*_SHOES, *_ROUNDS, _HANDS))
    if held is None:
        raise BadHistory((LineFault(1, "There is no list of rounds in it: rounds, results, history or hands."),))
    for number, each in enumerate(held, start=1):
        inner = _list_in(each, (*_ROUNDS, _HANDS))
        if inner is None:
            yield 0, each
        else:
            yield from ((number, round) for round in inner)


def _list_in(given: Any, names: tuple[str, ...]) -> list[Any] | None:
    """The list of rounds that something is or holds; None for a round, be it the cards of its two hands."""
    held = (
        next((given[name] for name in names if isinstance(given.get(name), list)), None) if _is_object(given) else given
    )
    return held if isinstance(held, list) and not _is_hands(held) else None


def _is_object(given: Any) -> bool:
    return isinstance(given, dict)


def _is_hands(each: Any) -> bool:
    """Whether a list is the cards of two hands, and not two short lists of winners."""
    if not (isinstance(each, list) and len(each) == 2 and all(isinstance(hand, list) for hand in each)):
        return False
    cards = [card for hand in each for card in hand]
    told = all(isinstance(card, str) for card in cards) and not all(map(winner_of, cards))
    return told and all(len(hand) in (2, 3) for hand in each)


def _fields(each: Any) -> dict[str, str]:
    """A round by the names of the columns of a table."""
    hands = each.get(_HANDS, [each.get("player"), each.get("banker")]) if _is_object(each) else each
    cards = {"player_cards": _text(hands[0]), "banker_cards": _text(hands[1])} if _is_hands(hands) else {}
    if _is_object(each):
        return {name: _text(value) for name, value in each.items() if name != _HANDS} | cards
    return cards or {"winner": _text(each)}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


guard(globals(), "from_column", "from_json")
