"""Decks and cards of a rulebook file."""

from punto.coup import MOST_DECKS, RANKS, BadCards, Card, card
from punto.messages import Sentence, say
from punto.rulebook.basis import Basis
from punto.rulebook.bookfile import brief_value
from punto.rulebook.card_model import Cards, CardValue, Decks, PrintedCard
from punto.rulebook.document import TomlTable
from punto.rulebook.value_faults import ten_is_a_letter
from punto.rulebook.vocabulary import PRINTED

_LIKE_PRINTED = '{ player-first = "7", clause = "3.2" }'


def read_decks(section: TomlTable) -> Decks:
    """How many decks a book allows."""
    verified = section.flag("verified", True)
    basis = section.own_basis(required=verified)
    section.take("counts", required=False)
    found = _named_decks(section, basis, verified) if "counts" in section else _deck_range(section, basis, verified)
    section.done()
    return found


def _deck_range(section: TomlTable, basis: Basis, verified: bool) -> Decks:
    """A least and a most number of decks."""
    low, high = (_number_of_decks(section, key, required=verified) for key in ("min", "max"))
    if low is not None and high is not None and low > high:
        section.fault("min", more_than_max(low, high))
    return Decks(low, high, basis, verified)


def _number_of_decks(section: TomlTable, key: str, *, required: bool) -> int | None:
    decks = section.take(key, required=required)
    if not isinstance(decks, int) or isinstance(decks, bool) or decks <= MOST_DECKS:
        return section.whole(key, least=1, most=MOST_DECKS, required=required)
    says = say(
        "more-decks-than-dealt",
        "{decks} decks are more than can be dealt: at most {most} are.",
        decks=brief_value(decks),
        most=MOST_DECKS,
    )
    section.fault(key, says)
    return None


def more_than_max(least: int, most: int) -> Sentence:
    """That a range is written backwards."""
    return say(
        "more-than-max",
        "is more than max: write min = {most}, max = {least}, if that is meant.",
        least=least,
        most=most,
    )


def _named_decks(section: TomlTable, basis: Basis, verified: bool) -> Decks:
    """The numbers of decks that a book names one by one, instead of a least and a most."""
    named = sorted(int(each) for each in section.among("counts", range(1, MOST_DECKS + 1)))
    for key in ("min", "max"):
        if key in section:
            section.take(key)
            section.fault(key, say("decks-said-twice", "counts says it already."))
    if not named:
        return Decks(None, None, basis, verified)
    return Decks(named[0], named[-1], basis, verified, tuple(named))


def read_cards(section: TomlTable) -> Cards:
    """What the ranks count."""
    values = []
    for each in section.each("values"):
        ranks = each.text("ranks").upper()
        if "10" in ranks:
            each.fault("ranks", ten_is_a_letter(ranks))
        for rank in "" if "10" in ranks else ranks:
            if rank not in RANKS:
                each.fault(
                    "ranks",
                    say("not-a-rank", "{rank:quoted} is not a rank: they are {ranks}.", rank=rank, ranks=RANKS),
                )
        face = each.take("points") == "face"
        if isinstance(each.data.get("points"), str) and not face:
            each.fault("points", say("points-or-face", 'must be a whole number, or "face" for the number on the card.'))
        points = None if face else each.whole("points")
        for rank in "" if each.document.doubtful((*each.path, "ranks")) else ranks:
            counts = Card(RANKS.find(rank) + 1).value
            if points is not None and points % 10 != counts:
                each.fault(
                    "points",
                    say(
                        "rank-counts-otherwise",
                        "{rank} counts {counts} in the Table of Play that all books share.",
                        rank=rank,
                        counts=counts,
                    ),
                )
            if face and rank in "JQK":
                each.fault("points", say("rank-has-no-number", "{rank} has no number on its face.", rank=rank))
        values.append(
            CardValue(ranks, "face" if points is None else points, each.own_basis(), each.maybe("pairs-clause"))
        )
        each.done()
    named = sorted("".join(value.ranks for value in values))
    if named != sorted(RANKS) and "values" in section and not section.document.doubtful((*section.path, "values")):
        section.fault("values", say("must-name-each-rank", "must name each of the thirteen ranks once."))
    cards = Cards(
        tuple(values),
        section.text("values-clause"),
        section.basis("total-to-nine"),
        section.basis("total-over-nine"),
        _printed(section.child("printed", like=_LIKE_PRINTED)) if "printed" in section else None,
    )
    section.done()
    return cards


def _printed(section: TomlTable) -> PrintedCard | None:
    """The card that is printed on the layout, with the place that it has in a hand."""
    named = [(at, place) for at, place in enumerate(PRINTED) if section.text(place, required=False)]
    basis, found = section.own_basis(), None
    unknown = section.data.keys() - {*PRINTED, "clause", "readings"}
    if len(named) != 1 and not unknown and not section.document.doubtful(section.path):
        says = say(
            "one-printed-card", "must name one card, as {places:or}, like {like}.", places=PRINTED, like=_LIKE_PRINTED
        )
        section.fault(None, says)
    for at, place in named[:1]:
        text = section.text(place)
        try:
            found = PrintedCard(at, card(text), basis)
        except BadCards as error:
            section.fault(place, error.says)
    section.done()
    return found
