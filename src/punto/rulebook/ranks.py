"""The ranks of a book, as its file names them."""

from punto.messages import say
from punto.rulebook.document import TomlTable
from punto.rulebook.vocabulary import DEALER, HOUSE, PATRONS


def read_ranks(authority: TomlTable) -> tuple[tuple[str, ...], ...]:
    """The ranks in tiers, the lowest first."""
    tiers = authority.take("ranks")
    if tiers is None:
        return ()
    if not isinstance(tiers, list) or not all(
        isinstance(tier, list) and tier and all(isinstance(rank, str) and rank for rank in tier) for tier in tiers
    ):
        authority.fault(
            "ranks",
            say("must-be-list-of-tiers", "must be a list of tiers, each a list of ranks, the lowest first."),
        )
        return ()
    named = [rank for tier in tiers for rank in tier]
    if len(tiers) < 2 or DEALER not in tiers[0]:
        authority.fault(
            "ranks",
            say(
                "must-begin-with-dealer",
                "must begin with the tier of the {rank}, with another above it.",
                rank=DEALER,
            ),
        )
        return ()
    for rank in sorted({rank for rank in named if named.count(rank) > 1 or rank in (HOUSE, PATRONS)}):
        authority.fault(
            "ranks",
            say("not-a-rank-here", "{rank:quoted} cannot be a rank, or stands there twice.", rank=rank),
        )
    for at, tier in enumerate(tiers):
        authority.document.ranks.given.update((rank, ("authority", "ranks", at, to)) for to, rank in enumerate(tier))
    return tuple(tuple(tier) for tier in tiers)


def read_house_ranks(section: TomlTable) -> dict[str, str]:
    """Which rank decides under a clause that names the house, by clause."""
    return {clause: section.name(clause, section.document.ranks) for clause in section.data}
