"""What people are asked: each topic is one value, with who answers, what an answer must hold, and what it does.

A topic stands beside the code that asks it. `punto.table.answering` lists them all.
"""

from collections.abc import Callable
from typing import Literal

import msgspec

from punto.messages import Sentence
from punto.rulebook import Basis
from punto.rulebook.vocabulary import HOUSE, PATRONS
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import rank_named, residual
from punto.table.state import Question
from punto.table.turn import Turn

Check = Callable[[Turn, Question, c.Answer], int | None]
"""Refuses an answer that lacks something; gives a number for the record, if there is one."""

Act = Callable[[Turn, Question, c.Answer], None]

Ground = Callable[[Turn, Question], bool]
"""Whether there is still somebody who could have what the question is about: they are there, with what it needs."""

Concern = Callable[[Turn, Question, str], bool]
"""Whether a patron who is asked still has something that the question is about."""

YES_OR_NO = ("yes", "no")

Lapse = Literal["round", "next-round", "cured", "window", "never"]
"""When a question that nobody answers is over: with its round, when the next opens, when the differential is met, when
the window of insurance closes."""


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """Something that people are asked about."""

    name: str
    to: Literal["rank", "patrons", "house", "residual"]
    """Who answers: a rank that the asker names, each patron concerned, who speaks for the House, or the residual
    authority."""
    choices: tuple[str, ...] = ()
    """What can be chosen; empty where that depends on the case."""
    form: Literal["order", "patrons", "count", "remedies"] | None = None
    """What an answer holds besides the choice."""
    reason: bool = False
    blocks: bool = True
    """Play waits for the answer."""
    lapses: Lapse = "round"
    default: str | None = None
    """What silence means, for whoever enters it when time is up."""
    of_step: bool = False
    """A step of a procedure waits for the answer, and goes on by it."""
    check: Check | None = None
    act: Act | None = None
    """What an answer does at once."""
    yields: bool = False
    """It is no part of a procedure, and what is reported meanwhile is dealt with first."""
    ground: Ground | None = None
    """Without it the question lapses, for there is nobody any more who could have what it is about."""
    concern: Concern | None = None
    """Whom the question concerns no longer is asked no more: for them it is answered by its default."""

    def ask(
        self,
        turn: Turn,
        says: Sentence,
        basis: Basis,
        *,
        rank: str | None = None,
        choices: tuple[str, ...] | None = None,
        waiting: tuple[str, ...] = (),
        about: tuple[str, ...] = (),
        reason: bool | None = None,
        default: str | None = None,
        lapses: Lapse | None = None,
    ) -> None:
        """Put the question; what is not said is as the topic declares it."""
        question = Question(
            turn.table.asked + 1,
            self.name,
            self._answered_by(turn, basis) if rank is None else rank_named(turn.table, rank, basis),
            self.choices if choices is None else choices,
            str(says),
            basis,
            self.reason if reason is None else reason,
            self.form,
            self.blocks,
            lapses or self.lapses,
            default or self.default,
            waiting,
            {},
            about,
            len(turn.table.procedures) - 1 if self.of_step else None,
            says.message,
        )
        turn.happen(e.Asked, question, basis=basis)

    def _answered_by(self, turn: Turn, basis: Basis) -> str:
        if self.to == "house":
            return rank_named(turn.table, HOUSE, basis)
        if self.to == "residual":
            return residual(turn.table)[0]
        assert self.to == "patrons", f"whom {self.name} is put to must be said"
        return PATRONS

    def is_open(self, turn: Turn) -> bool:
        """Whether the question has been put and waits for an answer."""
        return any(each.topic == self.name for each in turn.table.questions)
