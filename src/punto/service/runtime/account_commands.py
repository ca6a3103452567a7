"""Commands in the name of an account: the one way in for people and bots, whatever they came by."""

from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by
from punto.service.runtime.floor import Committed, Floor
from punto.table import commands


async def give(floor: Floor, account: Account, name: str, command: commands.Command, key: str) -> Committed:
    """Give a command to a table. `Refused`, `Denied`, `Unknown` or `NotDurable` if it cannot be done."""
    opens = isinstance(command, commands.OpenTable)
    table = None if opens else await floor.table(name)
    key = f"{account.name} {key}"  # nobody can use another's key, or one of the service's own
    *before, named = given_by(account, command, table, name)
    for each in before:
        await floor.submit(name, each, who=account.name, key=f"{key}/post")
    return await floor.submit(name, named, who=account.name, key=key)
