"""What a program is asked, and what it answers: one JSON object a line each. Here Punto itself answers.

A question is a round to be settled, or a story of commands at a table. An answer holds what anybody at the table could
see: lines and clauses of a round; after each command of a story what is asked of whom, the hands, and all money.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from punto.amounts import show_money
from punto.rulebook import SHIPPED, Book, Library, Refused, printed
from punto.settlement import Line
from punto.settlement.rounds import Rounds, Settled
from punto.table import Table, act, read_command
from punto.table import events as e
from punto.table.felt import due

Json = dict[str, Any]

_LINE = ("bet", "stake", "effective", "returned", "result", "net", "odds", "clauses")


class Answers:
    """Answers questions; `own` books are known by their ids, besides those that come with Punto.

    >>> asked = {"rulebook": "wu-song", "cards": "9 2 K 4", "wagers": [{"bet": "tie", "stake": "10"}]}
    >>> Answers().answer({"id": 1, "round": asked})["lines"][0]["net"]
    '-10.00'
    >>> Answers().answer({"id": 2, "story": [{"do": "open-bets"}]})
    {'id': 2, 'steps': [{'refused': []}]}
    """

    def __init__(self, own: Iterable[Book] = ()) -> None:
        books = tuple(own)
        self._rounds = Rounds(books)
        self._library: Library = SHIPPED
        for book in books:
            self._library = self._library.with_book(book)

    def line(self, source: bytes) -> bytes:
        """Answer one line of JSON with another; a line that is no question with an error."""
        try:
            asked = msgspec.json.decode(source)
            answered = self.answer(asked)
        except (msgspec.MsgspecError, KeyError, TypeError) as error:
            answered = {"error": f"This is no question: {error}"}
        return msgspec.json.encode(answered)

    def answer(self, asked: Json) -> Json:
        """Answer a question."""
        if "round" in asked:
            return {"id": asked["id"], **self._round(asked["round"])}
        return {"id": asked["id"], "steps": self._story(asked["story"])}

    def _round(self, given: Json) -> Json:
        try:
            return _settled(self._rounds.settled(msgspec.json.encode(given)))
        except Refused as refused:
            return _refused(refused)
        except ValueError:
            return {"refused": []}

    def _story(self, commands: list[Json]) -> list[Json]:
        table: Table | None = None
        steps = []
        for given in commands:
            try:
                table, events = act(table, read_command(given), self._library)
            except Refused as refused:
                steps.append(_refused(refused))
            else:
                steps.append(account(table, events))
        return steps


def _refused(refused: Refused) -> Json:
    return {"refused": _clauses(refused.clauses)}


def _clauses(clauses: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(map(printed, clauses)))


def _settled(answer: Settled) -> Json:
    """A settled round without words that only we use."""
    return {
        "winner": answer.winner,
        "player": answer.player.points,
        "banker": answer.banker.points,
        "lines": [
            {name: list(getattr(line, name)) if name == "clauses" else getattr(line, name) for name in _LINE}
            for line in answer.lines
        ],
    }


def account(table: Table, events: tuple[e.Event, ...]) -> Json:
    """What everybody at a table can see after a command."""
    round, shoe = table.round, table.shoe
    told: Json = {
        "clauses": _clauses(clause for event in events for clause in event.basis.clauses),
        "asks": [_question(each) for each in table.questions],
        "money": {
            name: [show_money(each.balance), show_money(each.held), show_money(each.owed)]
            for name, each in table.patrons.items()
        },
        "house": show_money(table.house),
    }
    if shoe is not None:
        told["shoe"] = {"left": shoe.left, "carried": [str(each) if each else "?" for each in shoe.carried]}
    if round is not None:
        told["round"] = {"phase": round.phase, "free": round.free, "due": due(round) or ""}
        told["player"], told["banker"] = (
            [str(each.face) if each.face else "?" for each in round.hand(hand)] for hand in ("player", "banker")
        )
    for event in events:
        if isinstance(event, e.RoundSettled):
            told["lines"] = {patron: [_line(line) for line in lines] for patron, lines in event.lines.items()}
        elif isinstance(event, e.InsuranceOffered):
            told["offer"] = [event.stage, event.hand, event.odds, sorted(map(_most, event.most))]
    return told


def _most(offered: tuple[str, int, str, int]) -> list[str]:
    patron, box, bet, amount = offered
    return [patron, str(box), bet, show_money(amount)]


def _question(question: Any) -> Json:
    return {
        "topic": question.topic,
        "to": question.to,
        "choices": list(question.choices),
        "waiting": list(question.waiting),
        "clauses": _clauses(question.basis.clauses),
    }


def _line(line: Line) -> Json:
    return {
        "bet": line.bet,
        "stake": show_money(line.stake),
        "effective": show_money(line.effective),
        "returned": show_money(line.returned),
        "result": line.result,
        "net": show_money(line.net),
        "odds": line.odds,
        "clauses": list(line.clauses),
    }
