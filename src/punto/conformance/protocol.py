"""What a program is asked, and what it answers: one JSON object a line each. Here Punto itself answers.

A question is a round to be settled, or a story of commands at a table. An answer holds what anybody at the table could
see: lines and clauses of a round; after each command of a story what is asked of whom, the hands, and all money.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from punto.amounts import show_money
from punto.coup import Card
from punto.rulebook import SHIPPED, Book, Library, Refused, printed
from punto.settlement import Line
from punto.settlement.rounds import Rounds, Settled, SettledLine
from punto.table import Table, act, read_command
from punto.table import events as e
from punto.table.felt import due
from punto.table.state import Round, Shoe

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
        except (msgspec.MsgspecError, UnicodeError, RecursionError, KeyError, TypeError) as error:
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
        "lines": [_round_line(line) for line in answer.lines],
    }


def _round_line(line: SettledLine) -> Json:
    told = {name: list(getattr(line, name)) if name == "clauses" else getattr(line, name) for name in _LINE}
    return told if line.commission is None else {**told, "commission": line.commission}


def account(table: Table, events: tuple[e.Event, ...]) -> Json:
    """What everybody at a table can see after a command."""
    told: Json = {
        "clauses": _clauses(clause for event in events for clause in event.basis.clauses),
        "asks": [_question(each) for each in table.questions],
        "money": {
            name: [show_money(each.balance), show_money(each.held), show_money(each.owed)]
            for name, each in table.patrons.items()
        },
        "house": show_money(table.house),
        "seats": {name: "away" if each.away else each.box or 0 for name, each in table.patrons.items()},
        "table": _posted(table),
    }
    if table.shoe is not None:
        told["shoe"] = _shoe(table.shoe)
    if table.round is not None:
        told |= _felt(table.round)
    for event in events:
        if isinstance(event, e.RoundSettled):
            told["lines"] = {patron: [_line(line) for line in lines] for patron, lines in event.lines.items()}
        elif isinstance(event, e.InsuranceOffered):
            told["offer"] = [event.stage, event.hand, event.odds, sorted(_spot(*each) for each in event.most)]
    return told


def _posted(table: Table) -> Json:
    """What holds at a table: what is posted, ruled or granted, and the disputes on the record."""
    limits = (table.posted or table.setup).limits
    posted = {"minimum": limits.minimum, "maximum": limits.maximum, "differential": limits.differential}
    posted["payout"] = limits.payout
    return {
        "book": table.book.id,
        "open": table.open,
        "limits": {name: show_money(amount) for name, amount in posted.items() if amount is not None},
        "method": table.method or "",
        "rulings": table.policies,
        "area": table.area_cap or 0,
        "struck": sorted(table.strikes),
        "without-wager": sorted(table.without_wager),
        "insurance-off": table.insurance_off,
        "disputes": [[each.patron, each.level, each.state, list(each.done)] for each in table.disputes],
    }


def _shoe(shoe: Shoe) -> Json:
    return {
        "left": shoe.left,
        "carried": _shown(shoe.carried),
        "free-next": shoe.free_next,
        "change": shoe.replace is not None,
        "last": shoe.last_round is not None,
        "controller": shoe.controller or "",
        "winners": "".join(each.winner[0] for each in shoe.results),
    }


def _felt(round: Round) -> Json:
    """The cards and chips of a round."""
    window = round.window
    return {
        "round": {"phase": round.phase, "free": round.free, "due": due(round) or "", "called": list(round.announced)},
        "player": _shown(each.face for each in round.hand("player")),
        "banker": _shown(each.face for each in round.hand("banker")),
        "aside": _shown(each.face for each in round.cards if each.area == "aside"),
        "reserve": len(round.reserve),
        "squeezers": round.squeezers,
        "wagers": sorted(_spot(*spot, each.stake) for spot, each in round.wagers.items()),
        "covers": sorted([*_spot(*each.spot, each.stake), each.stage] for each in round.covers),
        "window": [] if window is None else sorted(_spot(*spot, most) for spot, most in window.most.items()),
    }


def _shown(cards: Iterable[Card | None]) -> list[str]:
    return [str(each) if each else "?" for each in cards]


def _spot(patron: str, box: int, bet: str, amount: int) -> list[str]:
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
    told = {
        "bet": line.bet,
        "stake": show_money(line.stake),
        "effective": show_money(line.effective),
        "returned": show_money(line.returned),
        "result": line.result,
        "net": show_money(line.net),
        "odds": line.odds,
        "clauses": list(line.clauses),
    }
    return {**told, "commission": show_money(line.commission)} if line.commission else told
