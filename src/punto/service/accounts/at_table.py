"""As whom an account acts at a table, and as whom it looks at one: a patron, a post, or the public."""

import msgspec

from punto.messages import say
from punto.service.accounts.account import CASHIER, Account
from punto.service.accounts.tokens import Denied
from punto.table import PUBLIC, Table, Viewer, commands, viewer_at
from punto.table.authority import holds, post_of, rank_named
from punto.table.felt import unexposed
from punto.table.handlers.insurance import to_offer
from punto.table.state import Post
from punto.table.turn import Turn

OF_A_DEVICE = (commands.Draw, commands.Expose, commands.Report)
"""The commands that a card-reading shoe may give."""

OF_MONEY = (commands.BuyIn, commands.CashOut, commands.PayOwed)
"""The commands that bring money to a table, or take it away."""


def in_chips(command: commands.Command) -> bool:
    """Whether a debt is paid in chips of the table: no money comes or goes, and no cashier or wallet has to do with it.

    >>> in_chips(commands.PayOwed("ann", 500, chips=True)), in_chips(commands.PayOwed("ann", 500))
    (True, False)
    """
    return isinstance(command, commands.PayOwed) and command.chips


def given_by(account: Account, command: commands.Command, table: Table | None, name: str) -> list[commands.Command]:
    """The command in the name of its account; before it, where that is due, the account's taking up its post.

    `Denied` if the account may not give such a command at the table, whatever the book says.
    """
    if account.kind == "patron":
        return [_by_patron(account, command, table)]
    held = account.post_at(name)
    if held is None:
        raise Denied(say("no-post-at-table", "You hold no post at this table."))
    if account.kind == "device":
        if not isinstance(command, OF_A_DEVICE):
            raise Denied(say("device-does-only", "A device only draws, exposes and reports."))
        if table is not None and table.setup.shoe != "read":
            raise Denied(say("no-device-at-table", "No device reads the cards of this table."))
        return [msgspec.structs.replace(command, by=held.rank)]
    if held.rank == CASHIER:
        if not isinstance(command, OF_MONEY) or in_chips(command):
            raise Denied(say("cashier-does-only", "A cashier takes and pays money, and does nothing else at a table."))
        return [msgspec.structs.replace(command, by=command.patron)]
    if table is None:
        return [msgspec.structs.replace(command, by=held.rank)]
    if _hurries_words(command, table):
        raise Denied(
            say(
                "house-shuffles",
                "The house itself shuffles the shoes of a virtual table: nobody hurries the patrons' words.",
            )
        )
    if isinstance(command, commands.Find):
        _check_found(table, held.rank)
    if isinstance(command, commands.ChangeBook) and command.shoe != table.setup.shoe:
        raise Denied(
            say(
                "kind-of-shoe-stays",
                "A table keeps its kind of shoe, which is {shoe:quoted} here: open another table.",
                shoe=table.setup.shoe,
            )
        )
    named = msgspec.structs.replace(command, by=account.person)
    post = table.posts.get(account.person)
    if post is not None and (post.rank, post.acting) == (held.rank, held.acting):
        return [named]
    return [commands.Assign(account.person, held.rank, held.acting, by=held.rank), named]


def _hurries_words(command: commands.Command, table: Table) -> bool:
    """Whether a command takes from patrons the time for words that the house gives them before it shuffles."""
    if table.setup.shoe != "virtual":
        return False
    asks = table.words is not None or any(each.box is not None and not each.away for each in table.patrons.values())
    return isinstance(command, commands.InviteWords | commands.CallWords) or (
        asks and isinstance(command, commands.LoadShoe)
    )


def _check_found(table: Table, rank: str) -> None:
    """Refuse a wager that is found when somebody may know a card, and so on which hand it should have lain.

    The cards that a patron holds are known to that patron, though they lie closed for everybody else.
    """
    round = table.running
    if round is None or not round.cards:
        return
    if table.setup.shoe == "virtual":
        raise Denied(
            say(
                "nothing-found-at-virtual-table",
                "At a virtual table a wager lies where a command has laid it: none is found once a card is drawn.",
            )
        )
    point = table.book.point("betting", "found-late")
    held = any(round.squeezers.get(round.cards[at].area) is not None for at in unexposed(round))
    if not held or point is None or point.by is None:
        return
    needed = rank_named(table, point.by, point.basis)
    if not holds(table.book, Post(rank), needed):
        raise Denied(
            say(
                "found-while-cards-are-held",
                "A patron holds cards, and may know them: the {rank:rank} or above enters a wager that is found now.",
                rank=needed,
            )
        )


def _by_patron(account: Account, command: commands.Command, table: Table | None) -> commands.Command:
    """A patron acts for themself, and never says what a card is: the shoe or the dealer knows."""
    if table is None:
        raise Denied(say("staff-open-table", "The staff open a table."))
    if post_of(table, account.person) is not None:
        raise Denied(say("name-of-staff", "This name belongs to the staff at this table."))
    if isinstance(command, commands.Report) and command.faces:
        raise Denied(say("staff-say-cards-seen", "The staff say which cards were seen."))
    if isinstance(command, commands.Report) and command.earlier:
        raise Denied(
            say(
                "earlier-round-for-staff",
                "What was wrong in an earlier round is for the staff to report: raise a dispute.",
            )
        )
    shoe = table.setup.shoe
    if isinstance(command, commands.Report) and shoe == "virtual" and to_offer(Turn(table, account.name)) is not None:
        raise Denied(say("nothing-neglected-yet", "Nothing is neglected yet: insurance is about to be offered."))
    if isinstance(command, commands.Expose) and shoe == "hand":
        raise Denied(say("dealer-says-cards", "At this table the dealer says which cards were opened."))
    if isinstance(command, commands.Draw) and shoe == "read":
        raise Denied(say("shoe-says-cards", "The shoe itself says which cards are drawn."))
    return msgspec.structs.replace(command, by=account.person)


def viewer_of(account: Account | None, table: Table, name: str) -> Viewer:
    """As whom an account looks at a table: a patron, a post that the table's book knows, or the public.

    A device reads cards and looks at nothing, and a cashier is no rank of the book: they see what the public sees.
    """
    if account is None or account.kind == "device":
        return PUBLIC
    if account.kind == "patron":
        return PUBLIC if post_of(table, account.person) is not None else Viewer(account.person)
    held = account.post_at(name)
    if held is None or held.rank == CASHIER:
        return PUBLIC
    viewer = viewer_at(table, account.person if account.person in table.posts else held.rank)
    return viewer if viewer.staff else PUBLIC
