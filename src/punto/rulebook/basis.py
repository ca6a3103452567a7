"""What a provision of a rulebook rests on."""

import msgspec


class Basis(msgspec.Struct, frozen=True):
    """The clauses something rests on, the main one first, and the readings (AMB ids) used."""

    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def clause(self) -> str | None:
        """The main clause, or None where the book is silent."""
        return self.clauses[0] if self.clauses else None

    def plus(self, other: "Basis") -> "Basis":
        """Both together, this one first, without repetitions.

        >>> Basis(("4.1.1",)).plus(Basis(("5.1.1", "4.1.1"), ("AMB-21",)))
        Basis(clauses=('4.1.1', '5.1.1'), readings=('AMB-21',))
        """
        return Basis(
            tuple(dict.fromkeys((*self.clauses, *other.clauses))),
            tuple(dict.fromkeys((*self.readings, *other.readings))),
        )
