"""For what a command is meant: a line may hold it back until the table is at another round or offer."""

import msgspec

from punto.messages import say
from punto.rulebook import Refused
from punto.table import Table


class Meant(msgspec.Struct, frozen=True):
    """The round that was on the felt when a command was given, 0 before the first, and the stage of insurance.

    What is None is not looked at: then the command is for the table as it stands when it arrives.
    """

    round: int | None = None
    stage: str | None = None

    def check(self, table: Table) -> None:
        """Refuse a command that was meant for another round, or for another offer of insurance."""
        now = 0 if table.round is None else table.round.number
        if self.round is not None and self.round != now:
            raise Refused(
                say(
                    "meant-for-another-round",
                    "This was meant for round {meant}, and the table is at round {now}: nothing was done.",
                    meant=self.round,
                    now=now,
                )
            )
        window = None if table.running is None else table.running.window
        if self.stage is not None and window is not None and window.stage != self.stage:
            raise Refused(
                say(
                    "meant-for-another-offer",
                    "This was meant for an offer of insurance that is over: nothing was done.",
                )
            )


ANY = Meant()
"""For the table as it stands when the command arrives."""
