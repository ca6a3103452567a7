"""One command being decided: the table as it comes to be, and the events so far."""

from typing import Any

from punto.rulebook import SHIPPED, Basis, Book, Library, Point, Refused
from punto.table import events as e
from punto.table.authority import need, post_of, staff
from punto.table.evolve import evolve
from punto.table.state import Patron, Question, Round, Shoe, Table

NOTHING = Basis()


class Turn:
    """The work on one command. Whatever is refused leaves no trace: the table itself never changes."""

    __slots__ = ("book", "by", "events", "library", "table")

    def __init__(self, table: Table, by: str, library: Library = SHIPPED) -> None:
        self.table, self.by, self.library = table, by, library
        self.book: Book = table.book
        self.events: list[e.Event] = []

    def emit(self, event: e.Event) -> None:
        """Let something happen."""
        self.events.append(event)
        self.table = evolve(self.table, event, self.library)

    def happen(self, kind: type[e.Event], *values: Any, basis: Basis = NOTHING, **named: Any) -> None:
        """Let something happen by whoever gave the command."""
        if self.table.posts:
            post = self.table.posts.get(self.by)
            if post is not None and post.acting:
                named["acting"] = True
        event = kind(*values, by=self.by, basis=basis, **named)
        self.events.append(event)
        self.table = evolve(self.table, event, self.library)

    def refuse(self, says: str, basis: Basis = NOTHING) -> Refused:
        """A refusal under the book."""
        return Refused(says, self.book, basis)

    def point(self, section: str, name: str) -> Point | None:
        """What the book says on a point."""
        points = self.book.points.get(section)
        return None if points is None else points.get(name)

    def basis(self, section: str, name: str) -> Basis:
        """What the book says on a point rests on; nothing where it is silent."""
        point = self.point(section, name)
        return NOTHING if point is None else point.basis

    def policy_basis(self, name: str) -> Basis:
        """The clause and reading of a policy."""
        policy = self.book.policies.get(name)
        if policy is None:
            return NOTHING
        return Basis((policy.clause,) if policy.clause else (), (policy.reading,))

    def staff(self, basis: Basis = NOTHING) -> None:
        """Only the staff may do this."""
        staff(self.table, self.by, basis)

    def need(self, rank: str, basis: Basis = NOTHING) -> None:
        """Only a rank, or one above it, may do this."""
        need(self.table, self.by, rank, basis)

    def oneself_or_staff(self, patron: str, basis: Basis = NOTHING) -> bool:
        """A patron acts for themself, or the staff for them; says whether it was the staff."""
        if self.by == patron:
            return False
        if post_of(self.table, self.by) is None:
            raise self.refuse(f"{self.by} cannot act for {patron}.", basis)
        return True

    def patron(self, name: str) -> Patron:
        """A patron of the table."""
        found = self.table.patrons.get(name)
        if found is None:
            raise Refused(f"There is no patron {name!r} at this table.")
        return found

    def round(self) -> Round:
        """The running round."""
        found = self.table.running
        if found is None:
            raise self.refuse("No round is running.", self.basis("round", "begins"))
        return found

    def shoe(self) -> Shoe:
        """The shoe in use."""
        if self.table.shoe is None:
            raise Refused("No cards are in use: load a shoe first.")
        return self.table.shoe

    def between_rounds(self, what: str, basis: Basis = NOTHING) -> None:
        """Refuse while a round runs."""
        if self.table.running is not None:
            raise self.refuse(f"{what} only between rounds.", basis)

    def lapse(self, when: str) -> None:
        """Questions that lapse now are not open any more."""
        for question in self.table.questions:
            if question.lapses == when:
                self.happen(e.Lapsed, question.id, basis=question.basis)

    def blocked(self) -> Question | None:
        """The question that has to be answered before play can go on."""
        questions = self.table.questions
        return next((each for each in questions if each.blocks), None) if questions else None

    def unblocked(self) -> None:
        """Refuse while a question is to be answered first."""
        question = self.blocked()
        if question is not None:
            raise self.refuse(f"First question {question.id} is to be answered: {question.says}", question.basis)
