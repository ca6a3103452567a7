"""The work on one command: the table so far, the events so far, and what handlers need to decide."""

from typing import Any

from punto.messages import Sentence, say
from punto.rulebook import SHIPPED, Basis, Book, Library, Menu, Point, Refused
from punto.table import events as e
from punto.table.authority import need, post_of, staff
from punto.table.evolve import evolve
from punto.table.state import Patron, Question, Round, Shoe, Table

NOTHING = Basis()

ENGINE = 9
"""The number of these rules of decision. It is raised when a command may lead to other events than before, sentences
apart. What another number decided is decided again as well: where this one comes to the same, that is shown; where it
does not, neither is wrong."""


class Turn:
    """One command being decided. A refusal leaves no trace: the table that it began with never changes."""

    __slots__ = ("book", "by", "engine", "events", "library", "menu", "table")

    def __init__(self, table: Table, by: str, library: Library = SHIPPED, engine: int = ENGINE) -> None:
        self.table, self.by, self.library, self.engine = table, by, library, engine
        self.book: Book = table.book
        self.menu: Menu = table.menu
        self.events: list[e.Event] = []

    def happen(self, kind: type[e.Event], *values: Any, basis: Basis = NOTHING, **named: Any) -> None:
        """Make an event by whoever gave the command, add it and apply it; a sentence is kept with its message."""
        if self.table.posts:
            post = self.table.posts.get(self.by)
            if post is not None and post.acting:
                named["acting"] = True
        if issubclass(kind, e.Spoken):
            said = next((each for each in values if isinstance(each, Sentence)), None)
            if said is not None:
                named["message"] = said.message
                values = tuple(str(said) if each is said else each for each in values)
        event = kind(*values, by=self.by, basis=basis, **named)
        self.events.append(event)
        self.table = evolve(self.table, event, self.library)

    def refuse(self, says: Sentence, basis: Basis = NOTHING, *, general: bool = False) -> Refused:
        """A refusal that rests on the book; a `general` one is the same whatever the command says."""
        return Refused(says, self.book, basis, general=general)

    def point(self, section: str, name: str) -> Point | None:
        """What the book says on a point."""
        points = self.book.points.get(section)
        return None if points is None else points.get(name)

    def basis(self, section: str, name: str) -> Basis:
        """What a point of the book rests on; nothing where the book is silent."""
        point = self.point(section, name)
        return NOTHING if point is None else point.basis

    def row_basis(self, fact: str) -> Basis:
        """The clauses of the first row about a fact; nothing where the book has none."""
        found = next((row.basis for row in self.book.irregularities if row.fact == fact), NOTHING)
        return Basis(found.clauses)

    def policy_basis(self, name: str) -> Basis:
        """The clause and reading of a policy."""
        policy = self.book.policies.get(name)
        if policy is None:
            return NOTHING
        return Basis((policy.clause,) if policy.clause else (), (policy.reading,))

    def staff(self, basis: Basis = NOTHING) -> None:
        """Refuse unless the staff give the command."""
        staff(self.table, self.by, basis)

    def need(self, rank: str, basis: Basis = NOTHING) -> None:
        """Refuse unless a rank, or one above it, gives the command."""
        need(self.table, self.by, rank, basis)

    def oneself_or_staff(self, patron: str, basis: Basis = NOTHING) -> bool:
        """Refuse unless a patron acts for themself or the staff for them; returns whether it was the staff."""
        if self.by == patron:
            return False
        if post_of(self.table, self.by) is None:
            raise self.refuse(say("cannot-act-for", "{by} cannot act for {patron}.", by=self.by, patron=patron), basis)
        return True

    def patron(self, name: str) -> Patron:
        """A patron of the table, or a refusal."""
        found = self.table.patrons.get(name)
        if found is None:
            raise Refused(say("no-such-patron", "There is no patron {patron:quoted} at this table.", patron=name))
        return found

    def round(self) -> Round:
        """The running round, or a refusal."""
        found = self.table.running
        if found is None:
            raise self.refuse(say("no-round-running", "No round is running."), self.basis("round", "begins"))
        return found

    def shoe(self) -> Shoe:
        """The shoe in use, or a refusal."""
        if self.table.shoe is None:
            raise Refused(say("no-cards-in-use", "No cards are in use: load a shoe first."))
        return self.table.shoe

    def between_rounds(self, says: Sentence, basis: Basis = NOTHING) -> None:
        """Refuse with this sentence while a round runs, or bets lie there that wait."""
        if self.table.running is not None or self.table.paused is not None:
            raise self.refuse(says, basis)

    def begun(self) -> bool:
        """Whether the running round has begun: with the opening call, or with its first card, as the book counts."""
        running = self.table.running
        return running is not None and (bool(running.cards) or not self.table.begins_with_first_card)

    def lapse(self, when: str) -> None:
        """Let the questions lapse that are over now."""
        for question in self.table.questions:
            if question.lapses == when:
                self.happen(e.Lapsed, question.id, basis=question.basis)

    def close_window(
        self, basis: Basis, *, forgone: tuple[str, ...] = (), intent_left: bool = False, again: tuple[str, ...] = ()
    ) -> None:
        """Close the window of insurance, and with it what patrons are asked about their cover in it (AMB-65).

        A window of another stage than those that come `again` goes on.
        """
        self.happen(e.WindowClosed, forgone, intent_left, again, basis=basis)
        window = self.round().window
        if window is None or window.drawn:
            self.lapse("window")

    def blocked(self) -> Question | None:
        """The first question that play waits for, if there is one."""
        questions = self.table.questions
        return next((each for each in questions if each.blocks), None) if questions else None

    def unblocked(self) -> None:
        """Refuse while play waits for an answer."""
        question = self.blocked()
        if question is not None:
            raise self.refuse(
                say(
                    "question-first",
                    "First question {question} is to be answered: {asks}",
                    question=question.id,
                    asks=question.sentence,
                ),
                question.basis,
                general=True,
            )
