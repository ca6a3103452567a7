"""Nobody buys chips for a person whose account is being removed, or is gone: what they own was settled."""

from typing import TypeGuard

from punto.journal import Proviso
from punto.messages import say
from punto.rulebook import Refused
from punto.service.accounts.account import is_name
from punto.service.accounts.directory import NOBODY, PERSON
from punto.service.runtime.floor import Floor
from punto.service.runtime.live import Live
from punto.table import commands


class RemovedPersons:
    """Refuses such buy-ins, whoever gives them, and looks once more when they are committed."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        floor.preparations.append(self._refuse)
        floor.guards.append(self)

    def proviso(self, _: Live, command: commands.Command) -> Proviso | None:
        """The account of the patron, which is not removed until the chips are on record."""
        if not _names_a_person(command):
            return None
        return Proviso(PERSON, command.patron, lambda body: body != NOBODY, held=True)

    async def renewed(self, live: Live) -> None:
        """It is read each time."""

    async def _refuse(self, _: Live, command: commands.Command) -> commands.Command:
        if _names_a_person(command):
            account = await self._floor.ask_store(self._floor.journal.record, PERSON, command.patron)
            if account == NOBODY:
                raise Refused(
                    say(
                        "person-removed",
                        "The account of {patron} is removed, or about to be: no chips are bought for them.",
                        patron=command.patron,
                    )
                )
        return command


def _names_a_person(command: commands.Command) -> TypeGuard[commands.BuyIn]:
    """Whether chips are bought for what may be a person's id; what cannot be one is looked up nowhere."""
    return isinstance(command, commands.BuyIn) and is_name(command.patron)
