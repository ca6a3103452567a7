"""Commands in the name of an account, on their way to a table."""

from punto.messages import say
from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by
from punto.service.accounts.registry import Accounts
from punto.service.errors import Unknown
from punto.service.runtime.floor import Committed, Floor
from punto.service.runtime.keys import client_key
from punto.service.runtime.meant import ANY, Meant
from punto.service.runtime.speakers import AccountSpeaker, AlongOf
from punto.table import Table, commands


async def give(
    floor: Floor,
    accounts: Accounts,
    account: Account,
    name: str,
    command: commands.Command,
    key: str,
    along: AlongOf | None = None,
    keys_of: str | None = None,
    *,
    held: bool = False,
    meant: Meant = ANY,
) -> Committed:
    """Give a command to a table. `Refused`, `Denied`, `Unknown` or `NotDurable` if it cannot be done.

    As whom the account acts is decided together with the command, by the posts that it holds then. Where money comes
    from is not looked at: people's commands come by the `Teller`. A key is its person's own, unless `keys_of` names
    something else that it belongs to, which is no person's id. Where money moves, the account is `held`: it is not
    removed until the command is durable. A command that is `meant` for another round is refused.
    """
    opens = type(command) is commands.OpenTable

    def given(holder: Account, table: Table | None) -> list[commands.Command]:
        if table is None and not opens:
            raise Unknown(say("no-such-table", "There is no table {name:quoted}.", name=name))
        if table is not None:
            meant.check(table)
        return given_by(holder, command, None if opens else table, name)

    speaker = AccountSpeaker(accounts, account, given, along, held=held)
    return await floor.carry_out(name, speaker, client_key(keys_of or account.person, key))
