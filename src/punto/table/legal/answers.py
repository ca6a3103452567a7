"""Answers that might be accepted: every open question with its choices, and what it asks for besides."""

from collections.abc import Iterator

from punto.rulebook.vocabulary import PATRONS, VERBS
from punto.table import commands as c
from punto.table.authority import post_of
from punto.table.legal.confirming import Asking, Candidate
from punto.table.legal.fields import Choice, Each, FaceCount, Field, Some, Text
from punto.table.legal.reports import SENTENCE, faces_left
from punto.table.remedies.verbs import RULED
from punto.table.state import Question, Table

_MOST_STEPS = 10
"""So many steps a ruling may have."""


def answers(asking: Asking) -> Iterator[Candidate]:
    """Answers to the open questions, by whoever may give them."""
    for question in asking.table.questions:
        fields: dict[str, Field] = {
            "question": Choice((question.id,)),
            "reason": Text(SENTENCE, needed=question.reason),
        }
        if question.to == PATRONS:
            yield from _of_patrons(asking, question, fields)
        else:
            for choice in question.choices:
                for form in _forms(asking, question, choice):
                    yield Candidate(c.Answer, {**fields, "choice": Choice((choice,)), **form})


def _of_patrons(asking: Asking, question: Question, fields: dict[str, Field]) -> Iterator[Candidate]:
    """What patrons answer for themselves, or the staff for them; some of their wagers, where a ruling allows that."""
    staff = post_of(asking.table, asking.who) is not None
    names = (
        question.waiting if staff else tuple(each for each in (None, asking.who) if each in (None, *question.waiting))
    )
    if not names or (not staff and asking.who not in question.waiting):
        return
    fields = {**fields, "patron": Choice(names)}
    yield Candidate(c.Answer, {**fields, "choice": Choice(question.choices)})
    round = asking.table.running
    for name in names if round is not None and asking.table.policy("partial-withdrawal") == "yes" else ():
        held = tuple(dict.fromkeys(bet for who, _, bet in round.wagers if who == (name or asking.who)))  # type: ignore[union-attr] # a round is running
        if held:
            some = {**fields, "patron": Choice((name,)), "wagers": Some(held, 1, len(held))}
            yield Candidate(c.Answer, {**some, "choice": Choice(question.choices)})


def _forms(asking: Asking, question: Question, choice: str) -> Iterator[dict[str, Field]]:
    """What an answer holds besides the choice."""
    table = asking.table
    cards = table.procedures[-1].cards if table.procedures else ()
    match question.form:
        case "order":
            yield {"order": Some(cards, len(cards), len(cards))}
        case "patrons":
            yield {"patrons": Some(question.about, 0, len(question.about))}
        case "count":
            faces = faces_left(table)
            closed = len(table.round.cards) + len(table.round.reserve) if table.round is not None else 0
            for sealed in range(closed + 1):
                yield {"count": FaceCount(faces, table.setup.decks), "sealed": Each(faces, sealed, sealed)}
        case "remedies" if choice == "rule":
            steps = tuple(_steps(asking, question))
            if steps:
                yield {"remedies": Each(steps, 1, _MOST_STEPS)}
        case _:
            yield {}


def _steps(asking: Asking, question: Question) -> Iterator[dict[str, str | bool]]:
    """The steps that a ruling may be made of, each as the table accepts it alone."""
    for verb in RULED:
        objects: tuple[str | bool, ...] = (True, *_objects(asking.table, verb))
        for each in objects:
            step = {verb: each}
            said = {"question": question.id, "choice": "rule", "reason": SENTENCE, "remedies": (step,)}
            if asking.accepts(c.Answer, said):
                yield step


def _objects(table: Table, verb: str) -> tuple[str, ...]:
    return tuple(table.book.offers) if verb == "offer" else VERBS[verb]
