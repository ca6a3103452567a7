"""Who speaks at a table: an account becomes the patron or the post that the table knows."""

import msgspec

from punto.service.accounts import Account, Denied
from punto.table import Table, commands
from punto.table.authority import post_of

DEVICE = (commands.Draw, commands.Expose, commands.Report)
"""What a card-reading shoe may say."""


def spoken_by(account: Account, command: commands.Command, table: Table | None, name: str) -> list[commands.Command]:
    """The command in the name of its account; before it, that a person of the staff takes up their post."""
    if account.kind == "patron":
        if table is not None and post_of(table, account.name) is not None:
            raise Denied("This name belongs to the staff at this table.")
        return [msgspec.structs.replace(command, by=account.name)]
    held = account.post_at(name)
    if held is None:
        raise Denied("You hold no post at this table.")
    if account.kind == "device":
        if not isinstance(command, DEVICE):
            raise Denied("A device only draws, exposes and reports.")
        return [msgspec.structs.replace(command, by=held.rank)]
    spoken = msgspec.structs.replace(command, by=account.name)
    if table is None:
        return [msgspec.structs.replace(command, by=held.rank)]
    post = table.posts.get(account.name)
    if post is not None and (post.rank, post.acting) == (held.rank, held.acting):
        return [spoken]
    return [commands.Assign(account.name, held.rank, held.acting, by=held.rank), spoken]
