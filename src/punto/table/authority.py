"""Who may decide: the rank that a clause names or a rank of a higher tier, never another of the same tier."""

from punto.messages import say
from punto.rulebook import Basis, Book, Point, Refused
from punto.rulebook.vocabulary import HOUSE
from punto.table.state import Post, Setup, Table

_NOT_NAMED = Basis()


def post_of(table: Table, who: str) -> Post | None:
    """The post in which somebody acts: their own if they are assigned to one, or the rank that is named itself."""
    found = table.posts.get(who)
    if found is not None:
        return found
    return Post(who) if who in table.book.tiers else None


def title(rank: str) -> str:
    """A rank as people say it.

    >>> title("table-game-shift-manager")
    'Table Game Shift Manager'
    """
    return rank.replace("-", " ").title()


def speaks_for_house(table: Table, basis: Basis) -> str:
    """The rank that speaks for the House under a clause (AMB-70), by the table's map, else the book's."""
    for ranks in (table.setup.house_ranks, table.book.house_ranks):
        for clause in basis.clauses:
            if clause.partition("#")[0] in ranks:
                return ranks[clause.partition("#")[0]]
    return table.book.ranks[1][-1]


def rank_named(table: Table, by: str, basis: Basis) -> str:
    """The rank that a book's `by` names; the House speaks through one of its ranks."""
    return speaks_for_house(table, basis) if by == HOUSE else by


def holds(book: Book, post: Post, rank: str) -> bool:
    """Whether a post may do what a rank may: it is that rank, or of a higher tier.

    >>> from punto.rulebook import load
    >>> book = load("dragon-tiger-mbs")
    >>> holds(book, Post("pit-manager"), "pit-supervisor")
    True
    >>> holds(book, Post("assistant-casino-manager"), "gaming-shift-manager")
    False
    """
    if post.rank == rank:
        return True
    own, needed = book.tiers.get(post.rank), book.tiers.get(rank)
    return own is not None and needed is not None and own > needed


def need(table: Table, who: str, rank: str, basis: Basis = _NOT_NAMED) -> Post:
    """The post of somebody who may decide this, or a refusal that says which rank is needed."""
    book = table.book
    wanted = speaks_for_house(table, basis) if rank == HOUSE else rank
    post = post_of(table, who)
    if post is not None and holds(book, post, wanted):
        return post
    top = book.tiers.get(wanted) == len(book.ranks) - 1
    if top:
        says = say("for-rank", "This is for the {rank:rank}, not for {who}.", rank=wanted, who=who)
    else:
        says = say("for-rank-or-above", "This is for the {rank:rank} or above, not for {who}.", rank=wanted, who=who)
    higher = book.point("authority", "higher")
    raise Refused(says, book, basis.plus(higher.basis) if higher is not None else basis)


def staff(table: Table, who: str, basis: Basis = _NOT_NAMED) -> Post:
    """The post of somebody of the staff, or a refusal."""
    return need(table, who, table.book.ranks[0][0], basis)


def residual(table: Table) -> tuple[str, Point]:
    """Who decides what the book does not cover, and the clause that says so."""
    point = table.book.points["authority"]["residual"]
    assert point.by is not None  # the loader demands both
    return point.by, point


def check_house_ranks(book: Book, setup: Setup) -> None:
    """Refuse a set-up that lets a lower rank speak for the House than the book does."""
    for clause, rank in setup.house_ranks.items():
        own, named = book.house_ranks.get(clause), book.tiers.get(rank)
        if named is None:
            raise Refused(
                say(
                    "no-such-rank",
                    "There is no rank {rank:quoted}; the book has {ranks:list}.",
                    rank=rank,
                    ranks=[r for t in book.ranks for r in t],
                )
            )
        if own is None:
            raise Refused(
                say(
                    "house-decides-nothing-under-clause",
                    "The House decides nothing under {clause:quoted} that a rank could be named for.",
                    clause=clause,
                )
            )
        if named < book.tiers[own]:
            basis = Basis((clause,), ("AMB-70",))
            raise Refused(
                say(
                    "rank-below-house",
                    "{rank:rank} is below {needed:rank}, who speaks for the House here.",
                    rank=rank,
                    needed=own,
                ),
                book,
                basis,
            )
