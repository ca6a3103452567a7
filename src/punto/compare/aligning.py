"""Two books under the same names: what is called otherwise in the second gets the names of the first."""

from collections.abc import Callable, Hashable, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from punto.compare.forms import bet_form, meant, parts
from punto.rulebook import Book, Point, menu
from punto.rulebook.model import Bet, Irregularity, Offer, OtherBets, Remedy

READ_BY_NAME = frozenset(("player", "banker", "tie"))
"""Bets that the engine knows by their ids, for insurance and for what is decided: they have no other name."""


class Names(msgspec.Struct, frozen=True):
    """What the second book calls what the first has: its names to those of the first."""

    bets: dict[str, str] = {}
    layouts: dict[str, str] = {}
    offers: dict[str, str] = {}
    ranks: dict[str, str] = {}

    @property
    def renamed(self) -> dict[str, str]:
        """Only what is called otherwise."""
        every = (*self.bets.items(), *self.layouts.items(), *self.offers.items(), *self.ranks.items())
        return {own: other for own, other in every if own != other}


def aligned(a: Book, b: Book) -> tuple[Book, Names]:
    """The second book under the names of the first, and which those are.

    What has the same id in both is the same thing. Of the rest, bets, layouts and offers are the same if they pay or
    do the same, ranks if they stand in the same place. Layouts that are left correspond to those whose bets they pay
    most alike, and among equals in the order of the books: tables are compared, and not what they are called.

    >>> from punto.rulebook import load, parse, source
    >>> mine = parse(source("wu-song").replace(b"tiger-tie", b"tied-tigers"), "mine.toml")
    >>> aligned(load("wu-song"), mine)[1].renamed
    {'tied-tigers': 'tiger-tie'}
    """
    ranks = _ranks(a, b)
    bets = _matched(a.bets, b.bets, _bet_sign(a), _bet_sign(b))
    book = _renamed(b, Names(bets=bets, ranks=ranks, layouts={name: name for name in b.layouts}))
    layouts = _matched(a.layouts, b.layouts, _layout_sign(a), _layout_sign(book))
    layouts = _corresponding(a, book, layouts)
    forms_a, forms_b = parts(a), parts(book)
    offers = _matched(a.offers, b.offers, lambda name: forms_a[f"offer {name}"], lambda name: forms_b[f"offer {name}"])
    names = Names(bets, layouts, offers, ranks)
    return _renamed(b, names, a.id), names


Sign = Callable[[str], Hashable]


def _matched(a: Iterable[str], b: Iterable[str], sign_a: Sign, sign_b: Sign) -> dict[str, str]:
    """The names of b as those of a: the same where both have it, else by what it is, else its own."""
    left = {name: sign_a(name) for name in a if name not in set(b)}
    found = {}
    for name in b:
        found[name] = name
        if name not in set(a):
            same = next((each for each, sign in left.items() if sign is not None and sign == sign_b(name)), None)
            if same is not None:
                del left[same]
                found[name] = same
    return found


def _bet_sign(book: Book) -> Sign:
    def sign(bet: str) -> Hashable:
        if bet in READ_BY_NAME:
            return None
        menus = [menu(book, layout).bets for layout in book.layouts]
        return frozenset(bet_form(each[bet]) for each in menus if bet in each)

    return sign


def _layout_sign(book: Book) -> Sign:
    def sign(name: str) -> Hashable:
        layout = book.layouts[name]
        bets = frozenset((bet, bet_form(priced)) for bet, priced in menu(book, name).bets.items())
        return layout.positions.min, layout.positions.max, layout.notice is not None, bets

    return sign


def _corresponding(a: Book, b: Book, found: dict[str, str]) -> dict[str, str]:
    """The layouts that no name and no pay has matched, each with the one of the other book that it is most like.

    Both books have the same names for bets. Layouts that share no bet are two.
    """
    left = [name for name in a.layouts if name not in found.values()]
    new = [name for name in b.layouts if found[name] == name and name not in a.layouts]
    pairs = sorted(
        (_likeness(a, ours, b, theirs), abs(at - place), place, ours, theirs)
        for at, ours in enumerate(left)
        for place, theirs in enumerate(new)
    )
    matched = dict(found)
    for (_, shared), _, _, ours, theirs in pairs:
        if ours in left and theirs in new and shared:
            left.remove(ours)
            new.remove(theirs)
            matched[theirs] = ours
    return matched


def _likeness(a: Book, ours: str, b: Book, theirs: str) -> tuple[int, int]:
    """How many bets two layouts pay alike, and how many both carry; as they are sorted, the most first."""
    one, other = menu(a, ours).bets, menu(b, theirs).bets
    shared = one.keys() & other.keys()
    alike = sum(bet_form(one[bet]) == bet_form(other[bet]) for bet in shared)
    return -alike, -len(shared)


def _ranks(a: Book, b: Book) -> dict[str, str]:
    """Ranks by name; one that only one book has, by its place in its tier."""
    found = {rank: rank for rank in b.tiers if rank in a.tiers}
    for ours, theirs in zip(a.ranks, b.ranks, strict=False):
        left, new = [each for each in ours if each not in b.tiers], [each for each in theirs if each not in a.tiers]
        if len(left) == len(new):
            found |= dict(zip(new, left, strict=True))
    return {rank: found.get(rank, rank) for rank in b.tiers}


def _renamed(book: Book, names: Names, called: str | None = None) -> Book:
    """A book under other names."""
    bets, layouts, ranks = names.bets, names.layouts, names.ranks
    insurance = book.insurance
    if insurance is not None:
        insurance = replace(insurance, points=_points(insurance.points, ranks))
    return replace(
        book,
        id=called or book.id,
        bets={bets[name]: _bet(book, bet, bets) for name, bet in book.bets.items()},
        pays={group: tuple(replace(row, bet=bets[row.bet]) for row in rows) for group, rows in book.pays.items()},
        layouts={
            layouts[name]: replace(
                each,
                id=layouts[name],
                labels=tuple((label, bets[bet]) for label, bet in each.labels),
                prints=tuple(replace(one, bet=bets[one.bet]) for one in each.prints),
            )
            for name, each in book.layouts.items()
        },
        insurance=insurance,
        points=_capped_by_name(
            book, {section: _points(points, ranks) for section, points in book.points.items()}, bets
        ),
        ranks=tuple(tuple(ranks[rank] for rank in tier) for tier in book.ranks),
        tiers={ranks[rank]: tier for rank, tier in book.tiers.items()},
        house_ranks={clause: ranks[rank] for clause, rank in book.house_ranks.items()},
        offers={names.offers.get(name, name): _offer(each, names) for name, each in book.offers.items()},
        irregularities=tuple(_row(each, names) for each in book.irregularities),
    )


def _bet(book: Book, bet: Bet, bets: Mapping[str, str]) -> Bet:
    """A bet under another name, with the bets that it depends on one by one."""

    def others(told: OtherBets | None) -> OtherBets | None:
        return None if told is None else replace(told, bets=tuple(bets[each] for each in meant(book, told)))

    told = {"needs": others(bet.needs), "at_most": others(bet.at_most), "not_with": others(bet.not_with)}
    return replace(bet, id=bets[bet.id], **told)


def _capped_by_name(
    book: Book, points: dict[str, dict[str, Point]], bets: Mapping[str, str]
) -> dict[str, dict[str, Point]]:
    """The points of a book, with the bets that a posted payout counts one by one."""
    found = points.get("limits", {}).get("payout-bets")
    if found is None:
        return points
    named = tuple(bets[each] for each in meant(book, OtherBets(found.values, found.basis)))
    return {**points, "limits": {**points["limits"], "payout-bets": replace(found, value=named)}}


def _points(points: Mapping[str, Point], ranks: Mapping[str, str]) -> dict[str, Point]:
    return {name: replace(each, by=_by(each.by, ranks)) for name, each in points.items()}


def _by(by: str | None, ranks: Mapping[str, str]) -> str | None:
    return ranks.get(by, by) if by is not None else None


def _offer(offer: Offer, names: Names) -> Offer:
    return replace(
        offer,
        id=names.offers.get(offer.id, offer.id),
        divided=_by(offer.divided, names.ranks),
        all_back=_steps(offer.all_back, names),
    )


def _row(row: Irregularity, names: Names) -> Irregularity:
    return replace(row, do=_steps(row.do, names))


def _steps(steps: Iterable[Remedy], names: Names) -> tuple[Remedy, ...]:
    return tuple(_step(each, names) for each in steps)


def _step(step: Remedy, names: Names) -> Remedy:
    of = step.object
    if of is not None and step.verb in ("offer", "attend"):
        of = (names.offers if step.verb == "offer" else names.ranks).get(of, of)
    return replace(
        step,
        object=of,
        by=_by(step.by, names.ranks),
        otherwise=_steps(step.otherwise, names),
        then=_steps(step.then, names),
        all_back=_steps(step.all_back, names),
    )
