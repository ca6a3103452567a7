"""Commands in the name of an account, on their way to a table."""

from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by
from punto.service.runtime.floor import Along, Committed, Floor
from punto.table import commands


async def give(
    floor: Floor,
    account: Account,
    name: str,
    command: commands.Command,
    key: str,
    along: Along | None = None,
    keys_of: str | None = None,
) -> Committed:
    """Give a command to a table. `Refused`, `Denied`, `Unknown` or `NotDurable` if it cannot be done.

    Where money comes from is not looked at: people's commands come by the `Teller`. A key is its person's own, unless
    `keys_of` names something else that it belongs to, which is no person's id.
    """
    opens = isinstance(command, commands.OpenTable)
    table = None if opens else await floor.table(name)
    key = f"{keys_of or account.person} {key}"  # nobody can use another's key, or one of the service's own
    *before, named = given_by(account, command, table, name)
    for each in before:
        await floor.submit(name, each, who=account.person, key=f"{key}/post")
    return await floor.submit(name, named, who=account.person, key=key, along=along)
