"""Commands in the name of an account: the one way in for people and bots, whatever they came by."""

from punto.service.accounts.account import Account
from punto.service.accounts.at_table import given_by
from punto.service.accounts.registry import Accounts
from punto.service.errors import Unknown
from punto.service.runtime.floor import Committed, Floor
from punto.service.runtime.keys import client_key
from punto.service.runtime.speakers import AccountSpeaker
from punto.table import Table, commands


async def give(
    floor: Floor, accounts: Accounts, account: Account, name: str, command: commands.Command, key: str
) -> Committed:
    """Give a command to a table. `Refused`, `Denied`, `Unknown` or `NotDurable` if it cannot be done.

    As whom the account acts is decided together with the command, by the posts that it holds then.
    """
    opens = type(command) is commands.OpenTable

    def given(holder: Account, table: Table | None) -> list[commands.Command]:
        if table is None and not opens:
            raise Unknown(f"There is no table {name!r}.")
        return given_by(holder, command, None if opens else table, name)

    return await floor.carry_out(name, AccountSpeaker(accounts, account, given), client_key(account.name, key))
