"""Shoes as others write them, made into histories: strings of results, the cards of a shoe, and CSV.

A file is read whole: every fault is told with its line, and nothing is taken from a file that has one.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator

from punto.coup import BadCards, Card, Coup, card, deal, deal_from
from punto.history.reader import BadHistory, LineFault
from punto.history.values import History, RecordedResult, RecordedRound, RecordedShoe
from punto.roads import BadSequence, Result, parse

_PLACES = ("p1", "b1", "p2", "b2", "p3", "b3")
_SUIT_FIRST = re.compile(r"([cdhs])[.\s-]?(1[0-3]|[1-9]|[atjqk])", re.I)
_SUIT_LAST = re.compile(r"(1[0-3]|[1-9]|[atjqk])[.\s-]?([cdhs])?", re.I)
_RANKS = {"1": "A", "10": "T", "11": "J", "12": "Q", "13": "K"}
_WINNERS = {
    **dict.fromkeys(("b", "banker", "bank"), "banker"),
    **dict.fromkeys(("p", "player", "punto"), "player"),
    **dict.fromkeys(("t", "tie", "egalite", "stand-off"), "tie"),
}


def card_of_others(text: str) -> Card:
    """A card as files of others write it: `6h`, `h6`, `S.9`, `10D`, `13`, `Ks`; numbers are ranks from 1 to 13.

    >>> [str(card_of_others(each)) for each in ("S.9", "10D", "h1", "13", "Ks", "6")]
    ['9s', 'Td', 'Ah', 'K', 'Ks', '6']
    """
    given = text.strip()
    if found := _SUIT_LAST.fullmatch(given):
        rank, suit = found.groups()
    elif found := _SUIT_FIRST.fullmatch(given):
        suit, rank = found.groups()
    else:
        return card(given)  # which says what is wrong with it
    return card(_RANKS.get(rank, rank.upper()) + (suit or "").lower())


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(card_of_others(each) for each in re.split(r"[,\s]+", text.strip()) if each)


def from_results(text: str, shoe: RecordedShoe) -> History:
    r"""Strings of results, a shoe a line: `BPTBBPb`, with the marks of `punto roads`.

    >>> [len(each.rounds) for each in from_results("BPT\nBBPb", RecordedShoe("wu-song")).shoes]
    [3, 3]
    """

    def rounds(line: str) -> Iterator[RecordedRound]:
        for number, each in enumerate(parse(line.upper() if line.islower() else line), start=1):
            yield RecordedRound(number, result=_recorded(each), free=each.free)

    return _by_line(text, shoe, rounds)


def from_shoes(text: str, shoe: RecordedShoe) -> History:
    """The cards of whole shoes in the order in which they were dealt, a shoe a line: coup after coup is dealt from it.

    Cards at the end that make no whole coup are left out, as they are when a shoe ends.

    >>> [first] = from_shoes("6h 2c Kd As 5h 9 9 9 K 3", RecordedShoe("wu-song")).shoes
    >>> [len(each.cards) for each in first.rounds]
    [5, 4]
    """

    def rounds(line: str) -> Iterator[RecordedRound]:
        left, number = _cards(line), 1
        while len(left) >= 4:
            try:
                coup = deal_from(left)
            except BadCards:
                return
            yield RecordedRound(number, cards=coup.cards)
            left, number = left[len(coup.cards) :], number + 1

    return _by_line(text, shoe, rounds)


def from_csv(text: str, shoe: RecordedShoe) -> History:
    r"""A table with a round a line, by the names in its first line.

    `cards` in drawn order, or `P1 B1 P2 B2 P3 B3`, or `player_cards` and `banker_cards`, or only `winner`. A column
    `shoe` divides shoes. A `winner` beside cards is held against them. Other columns are passed over.

    >>> [first] = from_csv("shoe,P1,B1,P2,B2,P3,B3\n1,S.9,D.9,D.3,D.5,D.10,\n", RecordedShoe("wu-song")).shoes
    >>> first.rounds[0].cards[-1]
    Card(rank=10, suit='d')
    """
    rows = csv.DictReader(text.splitlines())
    names = {(name or "").strip().lower(): name for name in rows.fieldnames or ()}
    if not {"cards", "p1", "player_cards", "winner"} & set(names):
        sentence = "There is no column of cards or winners: cards, P1 to B3, player_cards and banker_cards, or winner."
        raise BadHistory((LineFault(1, sentence),))
    shoes: dict[str, list[RecordedRound]] = {}
    faults: list[LineFault] = []
    for row in rows:
        given = {name: (row[column] or "").strip() for name, column in names.items()}
        made = shoes.setdefault(given.get("shoe", ""), [])
        try:
            made.append(_row(given, len(made) + 1))
        except (BadCards, ValueError) as error:
            faults.append(LineFault(rows.line_num, str(error)))
    return _history(shoe, shoes.values(), faults)


def _row(given: dict[str, str], number: int) -> RecordedRound:
    """One line of a table as a round."""
    winner = _WINNERS.get(given.get("winner", "").lower())
    if given.get("winner") and winner is None:
        raise ValueError(f"{given['winner']!r} is no winner: write banker, player or tie, or B, P or T.")
    drawn = _drawn(given)
    if not drawn and winner is None:
        raise ValueError("There are neither cards nor a winner.")
    if not drawn:
        return RecordedRound(number, result=RecordedResult(str(winner)))
    coup = deal(drawn)
    if winner is not None and winner != coup.winner:
        raise ValueError(f"The cards make {_said(coup)}, and the line says {winner}.")
    return RecordedRound(number, cards=coup.cards)


def _drawn(given: dict[str, str]) -> tuple[Card, ...]:
    """The cards of a line in drawn order: the first four in turns, then the Player's third, then the Banker's."""
    if given.get("cards"):
        return _cards(given["cards"])
    if given.get("player_cards"):
        player, banker = _cards(given["player_cards"]), _cards(given.get("banker_cards", ""))
        placed = {f"p{at}": each for at, each in enumerate(player, start=1)}
        placed |= {f"b{at}": each for at, each in enumerate(banker, start=1)}
        if not set(placed) <= set(_PLACES):
            raise ValueError("A hand has at most three cards.")
        return tuple(placed[place] for place in _PLACES if place in placed)
    return tuple(card_of_others(given[place]) for place in _PLACES if given.get(place))


def _said(coup: Coup) -> str:
    return f"{coup.winner} with {coup.player_points} to {coup.banker_points}"


def _recorded(each: Result) -> RecordedResult:
    pairs = {(True, True): "both", (True, False): "player", (False, True): "banker", (False, False): "none"}
    return RecordedResult(each.winner, pairs[each.player_pair, each.banker_pair], each.natural)


def _by_line(text: str, shoe: RecordedShoe, rounds: Callable[[str], Iterator[RecordedRound]]) -> History:
    """A shoe a line; blank lines and comments (`# …`) are passed over."""
    made: list[list[RecordedRound]] = []
    faults: list[LineFault] = []
    for at, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                made.append(list(rounds(line)))
            except (BadCards, BadSequence) as error:
                faults.append(LineFault(at, str(error)))
    return _history(shoe, made, faults)


def _history(shoe: RecordedShoe, made: Iterable[list[RecordedRound]], faults: list[LineFault]) -> History:
    if faults:
        raise BadHistory(tuple(faults))
    shoes = tuple(
        RecordedShoe(shoe.rulebook, shoe.layout, shoe.decks, shoe.limits, shoe.fields, tuple(rounds), shoe.currency)
        for rounds in made
    )
    if not shoes:
        raise BadHistory((LineFault(1, "There is no round in it."),))
    return History(shoes)


FORMS: dict[str, Callable[[str, RecordedShoe], History]] = {
    "results": from_results,
    "shoes": from_shoes,
    "csv": from_csv,
}
"""The forms that can be read, by name."""


def form_of(text: str) -> str:
    """Which form a text has, by its first line that says something.

    >>> form_of("BPTBB"), form_of("6h 2c Kd As 5h"), form_of("shoe,cards")
    ('results', 'shoes', 'csv')
    """
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if re.fullmatch(r"[BPTbptnf,\s]+", first):
        return "results"
    return "csv" if re.search(r"card|winner|\bp1\b", first, re.I) else "shoes"
