"""Shoes as others write them, made into histories: strings of results, the cards of a shoe, and rounds by names.

A file is read whole: every fault is told with its line, and nothing is taken from a file that has one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from punto.coup import PAIRS, BadCards, Card, Coup, card, deal, deal_from
from punto.history.reader import BadHistory, LineFault
from punto.history.tables import Fields, all_of, csv_lines, head_of, in_words, lines_of
from punto.history.values import Field, History, RecordedEvent, RecordedResult, RecordedRound, RecordedShoe
from punto.kinds import guard
from punto.roads import BadSequence, Result, parse
from punto.tabular import Rows

_PLACES = ("p1", "b1", "p2", "b2", "p3", "b3")
_SUIT_FIRST = re.compile(r"([cdhs])[.\s-]?(1[0-3]|[0-9]|[atjqk])", re.I)
_SUIT_LAST = re.compile(r"(1[0-3]|[0-9]|[atjqk])[.\s-]?([cdhs])?", re.I)
_SIGNS = str.maketrans("♣♦♥♠", "cdhs")
_RANKS = {"0": "T", "1": "A", "10": "T", "11": "J", "12": "Q", "13": "K"}
_WINNERS = {
    **dict.fromkeys(("b", "banker", "bank", "banco", "庄", "莊"), "banker"),
    **dict.fromkeys(("p", "player", "punto", "闲", "閒", "閑"), "player"),
    **dict.fromkeys(("t", "tie", "egalite", "stand-off", "和"), "tie"),
}
_LETTERS = {"banker": "B", "player": "P", "tie": "T"}
_DIVIDED = re.compile(r"[\s,;|/-]+")
_LABEL = re.compile(r"\s*(?:[^:]{1,40}:|(?:shoe\s*)?\d+\s*[,;\t])", re.I)
_NAMES = {
    "result": "winner",
    "outcome": "winner",
    "shoenumber": "shoe",
    "shoeid": "shoe",
    "hand": "round",
    "roundnumber": "round",
    "playerhand": "playercards",
    "bankerhand": "bankercards",
    "playerscore": "playerpoints",
    "bankerscore": "bankerpoints",
    "playertotal": "playerpoints",
    "bankertotal": "bankerpoints",
    **{f"{hand}{place}": f"{hand[0]}{place}" for hand in ("player", "banker") for place in (1, 2, 3)},
}
"""What others call a column, and what it is called here; case, spaces and underscores count for nothing."""

_MOST_ROUNDS = 10**9
_PAIRED = {(True, True): "both", (True, False): "player", (False, True): "banker", (False, False): "none"}
_TRUE = frozenset(("true", "yes", "y", "1", "x"))


def card_of_others(text: str) -> Card:
    """A card as files of others write it: `6h`, `h6`, `S.9`, `10D`, `0D`, `13`, `K♠`; numbers are ranks from 1 to 13.

    >>> [str(card_of_others(each)) for each in ("S.9", "10D", "0D", "h1", "13", "K♠", "6")]
    ['9s', 'Td', 'Td', 'Ah', 'K', 'Ks', '6']
    """
    given = text.strip().translate(_SIGNS)
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
    r"""Strings of results, a shoe a line: `BPTBBPb`, with the marks of `punto roads`; also words, and a label before.

    >>> text = "BPT\nShoe 2: B-B-P\n3,Banker,Tie\n庄闲和"
    >>> [len(each.rounds) for each in from_results(text, RecordedShoe("wu-song")).shoes]
    [3, 3, 2, 3]
    """

    def rounds(line: str) -> Iterator[RecordedRound]:
        for number, each in enumerate(parse(_sequence(line)), start=1):
            yield RecordedRound(number, result=_recorded(each), free=each.free)

    return _by_line(text, shoe, rounds)


def _sequence(line: str) -> str:
    """A line of results in the notation of `punto roads`: without its label, words and signs as letters."""
    text = _LABEL.sub("", line, count=1).strip()
    for sign, winner in _WINNERS.items():
        if not sign.isascii():
            text = text.replace(sign, _LETTERS[winner])
    words = [word for word in _DIVIDED.split(text) if word]
    if any(len(word) > 1 and word.lower() in _WINNERS for word in words):
        words = [_LETTERS.get(winner_of(word) or "", word) for word in words]
    joined = " ".join(words)
    return joined.upper() if joined.islower() else joined


def winner_of(word: str) -> str | None:
    """Who won by a word of others, or None if it is no such word.

    >>> winner_of("Bank"), winner_of("闲"), winner_of("nobody")
    ('banker', 'player', None)
    """
    return _WINNERS.get(word.strip().lower())


def from_shoes(text: str, shoe: RecordedShoe) -> History:
    """The cards of whole shoes in the order in which they were dealt, a shoe a line: coup after coup is dealt from it.

    Cards at the end that make no whole coup are left out, as they are when a shoe ends.

    >>> [first] = from_shoes("6h 2c Kd As 5h 9 9 9 K 3", RecordedShoe("wu-song")).shoes
    >>> [len(each.cards) for each in first.rounds]
    [5, 4]
    """

    def rounds(line: str) -> Iterator[RecordedRound]:
        left, number = _cards(line), 1
        while left:
            try:
                coup = deal_from(left)
            except BadCards:
                if number == 1:
                    raise
                return
            yield RecordedRound(number, cards=coup.cards)
            left, number = left[len(coup.cards) :], number + 1

    return _by_line(text, shoe, rounds)


def from_csv(text: str, shoe: RecordedShoe) -> History:
    r"""A table with a round a line, by the names in its first line; commas, semicolons or tabs stand between cells.

    `cards` in drawn order, or `P1 B1 P2 B2 P3 B3`, or `player_cards` and `banker_cards`, or only `winner` with `pairs`
    and `natural`. A column `shoe` divides shoes. A `winner` and points beside cards are held against them. `rulebook`,
    `layout`, `decks` and `currency` of a shoe stand in its first row, where the given shoe does not say them. Other
    columns are passed over.

    >>> [first] = from_csv("shoe,P1,B1,P2,B2,P3,B3\n1,S.9,D.9,D.3,D.5,D.10,\n", RecordedShoe("wu-song")).shoes
    >>> first.rounds[0].cards[-1]
    Card(rank=10, suit='d')
    """
    lines = csv_lines(text)
    columns = lines[0][1] if lines else []
    rows = ((at, dict(zip(columns, cells, strict=False))) for at, cells in lines[1:])
    return _from_rows(columns, rows, shoe)


def from_rows(table: Rows, shoe: RecordedShoe) -> History:
    """The same of a table that was read already; faults are told with the number of the row.

    >>> [first] = from_rows(Rows(("winner",), (("B",), ("T",))), RecordedShoe("wu-song")).shoes
    >>> len(first.rounds)
    2
    """
    return _from_rows(table.columns, enumerate(map(in_words, table.records()), start=1), shoe)


def _from_rows(columns: Sequence[str], rows: Iterable[tuple[int, Fields]], shoe: RecordedShoe) -> History:
    if not columns:
        raise BadHistory((LineFault(1, "There is no round in it."),))
    if not {"cards", "p1", "playercards", "winner"} & set(map(named, columns)):
        sentence = "There is no column of cards or winners: cards, P1 to B3, player_cards and banker_cards, or winner."
        raise BadHistory((LineFault(1, sentence),))
    heads: dict[str, RecordedShoe] = {}
    shoes: dict[str, list[RecordedRound]] = {}
    faults: list[LineFault] = []
    for line, row in rows:
        given = by_name({name: cell or "" for name, cell in row.items()})
        number = given.get("shoe", "")
        made = shoes.setdefault(number, [])
        try:
            if number not in heads:
                heads[number] = head_of(given, shoe)
            made.append(_with_lines(given, next_round(given, made), heads[number].currency))
        except ValueError as error:
            heads.setdefault(number, shoe)  # told once, not again by every row of the shoe
            faults += [LineFault(line, sentence) for sentence in _sentences(error)]
    if faults:
        raise BadHistory(tuple(faults))
    if not shoes:
        raise BadHistory((LineFault(1, "There is no round in it."),))
    made_of = zip(heads.values(), shoes.values(), strict=True)
    return History(tuple(msgspec.structs.replace(head, rounds=tuple(rounds)) for head, rounds in made_of))


def _sentences(error: ValueError) -> tuple[str, ...]:
    return (str(error),) if isinstance(error, BadCards) else tuple(map(str, error.args))


def _with_lines(given: Fields, made: RecordedRound, currency: str | None) -> RecordedRound:
    """A round with its events and fields, which stand in one cell."""
    lines = lines_of(given.get("lines", ""), currency)
    return msgspec.structs.replace(made, events=all_of(lines, RecordedEvent), fields=all_of(lines, Field))


def named(column: str) -> str:
    """What a column is called here.

    >>> named("Shoe Number"), named("outcome"), named("P1")
    ('shoe', 'winner', 'p1')
    """
    name = re.sub(r"[\s_-]", "", column or "").lower()
    return _NAMES.get(name, name)


def by_name(fields: dict[str, str]) -> dict[str, str]:
    """What a round is told by, under the names that are known here; a name of our own goes before one of others.

    >>> by_name({"Result": "win", "Winner": "B", "shoeNumber": "2"})
    {'winner': 'B', 'shoe': '2'}
    """
    given = {named(name): value.strip() for name, value in fields.items()}
    own = {re.sub(r"[\s_-]", "", name).lower(): value.strip() for name, value in fields.items()}
    return given | {name: value for name, value in own.items() if name not in _NAMES}


def next_round(fields: dict[str, str], before: Sequence[RecordedRound]) -> RecordedRound:
    """The round that follows some of its shoe; numbers begin at 1 and rise."""
    last = before[-1].number if before else 0
    made = round_of(fields, last + 1)
    if not 1 <= made.number < _MOST_ROUNDS:
        raise ValueError(f"{made.number} is no number of a round: they begin at 1, and have at most nine digits.")
    if made.number <= last:
        raise ValueError(f"Round {made.number} comes after round {last}: numbers rise within a shoe.")
    return made


def round_of(fields: dict[str, str], number: int) -> RecordedRound:
    """One round by the names of a table's columns: its cards, or only its winner with what is known besides."""
    given = by_name(fields)
    said = given.get("winner", "")
    winner = winner_of(said)
    if said and winner is None:
        raise ValueError(f"{said!r} is no winner: write banker, player or tie, or B, P or T.")
    at = int(given["round"]) if given.get("round", "").isdecimal() else number
    free = given.get("free", "").lower() in _TRUE
    drawn = _drawn(given)
    if given.get("void", "").lower() in _TRUE:
        return RecordedRound(at, cards=drawn, void=True, free=free)
    if not drawn and winner is None:
        raise ValueError("There are neither cards nor a winner.")
    if not drawn:
        natural = given.get("natural", "").lower() in _TRUE
        return RecordedRound(at, result=RecordedResult(str(winner), _pairs_of(given), natural), free=free)
    coup = deal(drawn)
    if winner is not None and winner != coup.winner:
        raise ValueError(f"The cards make {_said(coup)}, and the line says {winner}.")
    points = (
        given.get("playerpoints") or str(coup.player_points),
        given.get("bankerpoints") or str(coup.banker_points),
    )
    if points != (str(coup.player_points), str(coup.banker_points)):
        raise ValueError(f"The cards make {_said(coup)}, and the line says {points[0]} to {points[1]}.")
    return RecordedRound(at, cards=coup.cards, free=free)


def _pairs_of(given: dict[str, str]) -> str:
    """Which hands paired: by one column for both, or by one for each."""
    said = given.get("pairs", "").lower()
    if said in PAIRS:
        return said
    if said:
        raise ValueError(f"{said!r} is no pair: write one of {', '.join(PAIRS)}.")
    return _PAIRED[given.get("playerpair", "").lower() in _TRUE, given.get("bankerpair", "").lower() in _TRUE]


def _drawn(given: dict[str, str]) -> tuple[Card, ...]:
    """The cards of a line in drawn order: the first four in turns, then the Player's third, then the Banker's."""
    if given.get("cards"):
        return _cards(given["cards"])
    if given.get("playercards"):
        player, banker = _cards(given["playercards"]), _cards(given.get("bankercards", ""))
        placed = {f"p{at}": each for at, each in enumerate(player, start=1)}
        placed |= {f"b{at}": each for at, each in enumerate(banker, start=1)}
        if not set(placed) <= set(_PLACES):
            raise ValueError("A hand has at most three cards.")
        return tuple(placed[place] for place in _PLACES if place in placed)
    return tuple(card_of_others(given[place]) for place in _PLACES if given.get(place))


def _said(coup: Coup) -> str:
    return f"{coup.winner} with {coup.player_points} to {coup.banker_points}"


def _recorded(each: Result) -> RecordedResult:
    return RecordedResult(each.winner, _PAIRED[each.player_pair, each.banker_pair], each.natural)


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
    return history_of(shoe, made, faults)


def history_of(shoe: RecordedShoe, made: Iterable[list[RecordedRound]], faults: list[LineFault]) -> History:
    """The history of shoes that were read, or a refusal with every fault that was met."""
    if faults:
        raise BadHistory(tuple(faults))
    shoes = tuple(msgspec.structs.replace(shoe, rounds=tuple(rounds)) for rounds in made)
    if not shoes:
        raise BadHistory((LineFault(1, "There is no round in it."),))
    return History(shoes)


guard(globals(), "card_of_others", "from_csv", "from_results", "from_rows", "from_shoes")
