"""Who speaks at a table: an account becomes the patron or the post that the table knows."""

import msgspec

from punto.service.accounts.registry import Account, Denied
from punto.table import Table, commands
from punto.table.authority import post_of

DEVICE = (commands.Draw, commands.Expose, commands.Report)
"""What a card-reading shoe may say."""


def spoken_by(account: Account, command: commands.Command, table: Table | None, name: str) -> list[commands.Command]:
    """The command in the name of its account; before it, that a person of the staff takes up their post."""
    if account.kind == "patron":
        return [_patron(account, command, table)]
    held = account.post_at(name)
    if held is None:
        raise Denied("You hold no post at this table.")
    if account.kind == "device":
        if not isinstance(command, DEVICE):
            raise Denied("A device only draws, exposes and reports.")
        if table is not None and table.setup.shoe != "read":
            raise Denied("No device reads the cards of this table.")
        return [msgspec.structs.replace(command, by=held.rank)]
    spoken = msgspec.structs.replace(command, by=account.name)
    if table is None:
        return [msgspec.structs.replace(command, by=held.rank)]
    post = table.posts.get(account.name)
    if post is not None and (post.rank, post.acting) == (held.rank, held.acting):
        return [spoken]
    return [commands.Assign(account.name, held.rank, held.acting, by=held.rank), spoken]


def _patron(account: Account, command: commands.Command, table: Table | None) -> commands.Command:
    """A patron speaks for themself, and never says what a card is: the shoe or the dealer knows."""
    if table is None:
        raise Denied("The staff open a table.")
    if post_of(table, account.name) is not None:
        raise Denied("This name belongs to the staff at this table.")
    if isinstance(command, commands.Report) and command.faces:
        raise Denied("The staff say which cards were seen.")
    shoe = table.setup.shoe
    if isinstance(command, commands.Expose) and shoe == "hand":
        raise Denied("At this table the dealer says which cards were opened.")
    if isinstance(command, commands.Draw) and shoe == "read":
        raise Denied("The shoe itself says which cards are drawn.")
    return msgspec.structs.replace(command, by=account.name)


def seen_as(account: Account | None, table: Table, name: str) -> str | None:
    """As whom an account looks at a table: a patron, a post, or nobody in particular."""
    if account is None:
        return None
    held = account.post_at(name)
    if held is not None:
        return account.name if account.name in table.posts else held.rank
    mine = account.kind == "patron" and post_of(table, account.name) is None
    return account.name if mine else None
