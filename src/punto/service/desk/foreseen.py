"""What a report or an answer would lead to: the table is asked, and does not change by it."""

import msgspec

from punto.messages import Message, Sentence, say
from punto.rulebook import Book, clauses, printed
from punto.table import Table, act, commands
from punto.table.events import Announced, Asked, Event, NotedDown, Noticed, Reported, RoundEnded, StepTaken
from punto.table.next_steps import Next, next_steps
from punto.table.state import Question


class Foreseen(msgspec.Struct):
    """What a report would lead to at once, up to the first question, and what is to be done then."""

    clauses: tuple[str, ...]
    steps: list["ToldStep"]
    asks: Question | None
    summaries: dict[str, str]
    moves: dict[str, int]
    """By patron: what is paid to them at once; less than nothing where it is collected."""
    returned: dict[str, int]
    """By patron: the stakes that go back to them from the felt, where nothing else moves."""
    next: Next | None


class ToldStep(msgspec.Struct):
    """Something that happens, in words, what it rests on, and its message for other languages."""

    says: str
    clauses: tuple[str, ...]
    message: Message | None

    @property
    def sentence(self) -> str:
        """The words with their message, where there is one."""
        return self.says if self.message is None else Sentence(self.says, self.message)


def foreseen(table: Table, report: commands.Command) -> Foreseen:
    """What a report leads to at once."""
    after, made = act(table, report)
    reported = next((each for each in made if isinstance(each, Reported)), None)
    asked = next((each.question for each in made if isinstance(each, Asked)), None)
    cited = [clause for each in made for clause in each.basis.clauses]
    rests = () if reported is None else reported.basis.clauses
    steps = told_steps(made, calls=True)
    return Foreseen(
        rests,
        steps,
        asked,
        summaries(table.book, cited),
        _moved(table, after),
        _returned(table, after),
        next(iter(next_steps(after)), None),
    )


def _moved(before: Table, after: Table) -> dict[str, int]:
    """What patrons have more by what happened, or less, with what lies on the felt and what they owe."""
    gains = {name: _worth(after, name) - _worth(before, name) for name in after.patrons}
    return {name: gain for name, gain in gains.items() if gain}


def _returned(before: Table, after: Table) -> dict[str, int]:
    """The stakes that came back to patrons who have neither more nor less by it."""
    back = {name: before.patrons[name].held - after.patrons[name].held for name in before.patrons}
    return {name: stake for name, stake in back.items() if stake > 0 and _worth(before, name) == _worth(after, name)}


def _worth(table: Table, name: str) -> int:
    patron = table.patrons[name]
    return patron.balance + patron.held - patron.owed


def told_steps(made: tuple[Event, ...], *, calls: bool = False) -> list[ToldStep]:
    """What happens in words, up to the first question; with what is called, if that is asked for."""
    steps: list[ToldStep] = []
    for each in made:
        if isinstance(each, Asked):
            break
        if calls and isinstance(each, Announced):
            steps.append(ToldStep(each.says, each.basis.clauses, each.message))
        if isinstance(each, StepTaken | Noticed | NotedDown) and each.says and each.says != "Not called for here.":
            steps.append(ToldStep(each.says, each.basis.clauses, each.message))
        elif isinstance(each, RoundEnded) and each.reversed:
            steps.append(ToldStep(str(_TAKEN_BACK), each.basis.clauses, _TAKEN_BACK.message))
    return steps


_TAKEN_BACK = say("payment-taken-back", "What was paid is taken back.")


def summaries(book: Book, cited: list[str]) -> dict[str, str]:
    """What clauses say, in our words, by their printed numbers."""
    index = clauses(book.id)
    found: dict[str, str] = {}
    for each in cited:
        clause = index.get(each) or index.get(printed(each))
        if clause is not None:
            found.setdefault(printed(each), (index.get(printed(each)) or clause).summary)
    return found
