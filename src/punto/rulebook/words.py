"""Rules as a person would read them: patterns, points and remedies in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from msgspec import UNSET
from msgspec.structs import replace

from punto.coup import RANKS, outcome, reachable_outcomes
from punto.messages import Sentence, say
from punto.rulebook.card_model import PrintedCard
from punto.rulebook.model import CoverRow, Irregularity, Remedy, Row, Value
from punto.rulebook.patterns import BLACK, COUNTED, RED, CardTest, Pattern
from punto.rulebook.vocabulary import PATTERN

_PAIRS: Mapping[frozenset[str], Sentence] = {
    frozenset({"player", "banker"}): say("pairs-exactly-one", "exactly one hand pairs"),
    frozenset({"both"}): say("pairs-both-different", "both hands pair, of different ranks"),
    frozenset({"twin"}): say("pairs-both-same", "both hands hold the same pair"),
    frozenset({"player", "both", "twin"}): say("pairs-player", "the Player hand pairs"),
    frozenset({"banker", "both", "twin"}): say("pairs-banker", "the Banker hand pairs"),
    frozenset({"both", "twin"}): say("pairs-both", "both hands pair"),
    frozenset({"none"}): say("pairs-none", "neither hand pairs"),
}

_NATURALS: Mapping[frozenset[str], Sentence] = {
    frozenset({"none"}): say("natural-none", "no natural"),
    frozenset({"player", "both"}): say("natural-player", "a natural in the Player hand"),
    frozenset({"banker", "both"}): say("natural-banker", "a natural in the Banker hand"),
    frozenset({"player", "banker", "both"}): say("natural-any", "a natural"),
    frozenset({"player", "banker"}): say("natural-one", "a natural in one hand alone"),
    frozenset({"both"}): say("natural-both", "naturals in both hands"),
}
_GROUPS: Mapping[str, Sentence] = {
    "player-first": say("the-player-first", "the Player's first card"),
    "player-second": say("the-player-second", "the Player's second card"),
    "player-third": say("the-player-third", "the Player's third card"),
    "banker-first": say("the-banker-first", "the Banker's first card"),
    "banker-second": say("the-banker-second", "the Banker's second card"),
    "banker-third": say("the-banker-third", "the Banker's third card"),
    "player-start": say("the-player-start", "the Player's first two cards"),
    "banker-start": say("the-banker-start", "the Banker's first two cards"),
    "first-cards": say("the-first-cards", "the first card of each hand"),
    "first-three": say("the-first-three", "the first three cards"),
    "first-four": say("the-first-four", "the first four cards"),
    "third-cards": say("the-third-cards", "the third cards"),
    "player-hand": say("the-player-hand", "the Player's cards"),
    "banker-hand": say("the-banker-hand", "the Banker's cards"),
    "all-cards": say("the-cards", "the cards"),
}
_LIKE: Mapping[str, Sentence] = {
    "rank": say("of-one-rank", "rank"),
    "suit": say("of-one-suit", "suit"),
    "colour": say("of-one-colour", "colour"),
}
_SUITS: Mapping[str, Sentence] = {
    "c": say("clubs", "clubs"),
    "d": say("diamonds", "diamonds"),
    "h": say("hearts", "hearts"),
    "s": say("spades", "spades"),
}
_COLOURS: Mapping[frozenset[str], Sentence] = {RED: say("red-cards", "red"), BLACK: say("black-cards", "black")}


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in ranges.

    >>> ranges({0, 1, 2, 5, 7, 8})
    '0-2, 5, 7-8'
    """
    parts: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1] = parts[-1][0], number
        else:
            parts.append((number, number))
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)


_HANDS = ("player", "banker")
_OF_WINNER = ("winner", "points", "loser_points", "margin")
_OF_HANDS = ("player_points", "banker_points")


def _before_comma(pattern: Pattern) -> int:
    """How many parts are read without a comma: what is said of winner and points, and one more."""
    names = [name for name, _ in pattern.fields]
    return sum(name in _OF_WINNER for name in names) + any(name in _OF_HANDS for name in names) + 1


def pattern_in_words(pattern: Pattern) -> Sentence:
    """Which outcomes a pay row is about.

    >>> from punto.rulebook import load
    >>> [pattern_in_words(row.when) for row in load("da-hu-ying-xiong").pays["tigers"][:2]]
    ['Banker wins on 6 with two cards', 'Banker wins on 6 with three cards']
    """
    pattern = _without_what_always_holds(pattern)
    if pattern == Pattern():
        return say("pattern-otherwise", "Otherwise")
    parts = list(_all_parts(pattern))
    short = _before_comma(pattern)
    if len(parts) <= short:
        return say("pattern", "{parts:phrase}", parts=parts)
    return say("pattern-long", "{parts:phrase}, {more:list}", parts=parts[:short], more=parts[short:])


def _without_what_always_holds(pattern: Pattern) -> Pattern:
    """A pattern without the properties that every coup has: with four, five or six cards on the table is any coup."""
    fields = tuple(each for each in pattern.fields if not _always_holds(*each))
    return pattern if len(fields) == len(pattern.fields) else replace(pattern, fields=fields)


@lru_cache(maxsize=1024)
def _always_holds(name: str, values: frozenset[int | str]) -> bool:
    if len(values) < len(PATTERN[name.replace("_", "-")]):
        return False  # some coup has another value
    alone = Pattern(((name, values),))
    return all(alone.matches(outcome(index)) for index in reachable_outcomes())


def _all_parts(pattern: Pattern) -> Iterator[Sentence]:
    parts = list(_parts(dict(pattern.fields)))
    yield from parts
    things = [*_things(dict(pattern.fields)), *map(_card_test, pattern.cards)]
    if things and parts:
        yield say("pattern-with", "with {things:and}", things=things)
    elif things:
        yield say("pattern-things", "{things:and}", things=things)
    if pattern.any:
        yield say("pattern-any", "{patterns:or}", patterns=[_phrase(each) for each in pattern.any])
    if pattern.none:
        denied = [_phrase(each) for each in pattern.none]
        alone = not (parts or things or pattern.any)
        yield (
            say("pattern-not-alone", "not: {patterns:or}", patterns=denied)
            if alone
            else say("pattern-not", "but not: {patterns:or}", patterns=denied)
        )


def _things(fields: Mapping[str, frozenset[int | str]]) -> Iterator[Sentence]:
    """What a coup has besides a winner: naturals, totals of first cards, a sum."""
    if "natural" in fields:
        naturals = frozenset(map(str, fields["natural"]))
        yield _NATURALS.get(naturals) or say("pattern-naturals", "naturals: {hands:list}", hands=sorted(naturals))
    for hand in ("player", "banker"):
        if f"{hand}_two_card" in fields:
            points = _points(fields[f"{hand}_two_card"])
            yield say("pattern-two-card", "{points} on the {hand:hand}'s first two cards", points=points, hand=hand)
    if "sum" in fields:
        yield say("pattern-sum", "totals of {points} together", points=_points(fields["sum"]))


def _phrase(pattern: Pattern) -> Sentence:
    parts = list(_all_parts(pattern))
    short = _before_comma(pattern)
    if len(parts) <= short:
        return say("pattern-part", "{parts:spaced}", parts=parts)
    return say("pattern-part-long", "{parts:spaced}, {more:list}", parts=parts[:short], more=parts[short:])


def _parts(fields: Mapping[str, frozenset[int | str]]) -> Iterator[Sentence]:
    if "winner" in fields:
        yield say(
            "pattern-winner", "{winners:or}", winners=[_winner(each) for each in sorted(map(str, fields["winner"]))]
        )
    if "points" in fields:
        yield say("pattern-points", "on {points}", points=_points(fields["points"]))
    if "loser_points" in fields:
        yield say("pattern-loser", "against {points}", points=_points(fields["loser_points"]))
    if "margin" in fields and "winner" in fields:
        yield say("pattern-margin", "by {points}", points=_points(fields["margin"]))
    elif "margin" in fields:
        yield say("pattern-margin-alone", "a margin of {points}", points=_points(fields["margin"]))
    yield from _hand_parts(fields)
    if "cards" in fields:
        number = _number(fields["cards"])
        yield say("pattern-table-cards", "with {number} cards on the table", number=number)
    if "pairs" in fields:
        pairs = frozenset(map(str, fields["pairs"]))
        yield _PAIRS.get(pairs) or say("pattern-pairs", "pairs: {pairs:list}", pairs=sorted(pairs))


def _hand_parts(fields: Mapping[str, frozenset[int | str]]) -> Iterator[Sentence]:
    hands = [
        say("pattern-hand-points", "{hand:hand} has {points}", hand=hand, points=_points(fields[f"{hand}_points"]))
        for hand in ("player", "banker")
        if f"{hand}_points" in fields
    ]
    if hands:
        yield say("pattern-hands", "{hands:and}", hands=hands)
    if "winner_cards" in fields:
        yield say("pattern-cards", "with {number} cards", number=_number(fields["winner_cards"]))
    for hand in ("player", "banker"):
        if f"{hand}_cards" in fields:
            number = _number(fields[f"{hand}_cards"])
            if fields.get("winner") == frozenset((hand,)):
                yield say("pattern-cards", "with {number} cards", number=number)
            else:
                yield say("pattern-hand-cards", "with {number} cards in the {hand:hand} hand", number=number, hand=hand)


def _card_test(test: CardTest) -> Sentence:
    group, told = _GROUPS[test.group], []
    meant = _meant(test)
    if test.group.endswith(_ONE_CARD) and test.count is None and not test.kinds and not test.same:
        return _one_card(test, group, meant)
    if test.count is not None:
        if test.count == frozenset((0,)):
            told.append(say("no-card-of", "no {meant}", meant=meant))
        else:
            told.append(_so_many(test, test.count, meant))
    elif test.ranks is not None or test.suits is not None:
        told.append(say("only-cards-of", "only {meant}", meant=meant))
    if test.same:
        told.append(say("of-one", "one {likenesses:and}", likenesses=[_LIKE[each] for each in test.same]))
    if test.kinds:
        told.append(_kinds(test.kinds, test.kind or "rank"))
    told.extend(_asked_of_ranks(test))
    return say("card-test", "{told:and} among {group}", told=told or [meant], group=group)


_ONE_CARD = ("-first", "-second", "-third")


def _one_card(test: CardTest, group: Sentence, meant: Sentence) -> Sentence:
    """What must hold of a single card."""
    if test.ranks is None and test.suits is None and test.run is UNSET and test.sum is UNSET and test.higher:
        other = _GROUPS[test.higher]
        if test.aces is UNSET:
            return say("card-is-higher", "{group} higher than {other}", group=group, other=other)
        return say("card-is-higher-aces", "{group} higher than {other}, aces high", group=group, other=other)
    told = [meant] if test.ranks is not None or test.suits is not None else []
    told += _asked_of_ranks(test)
    return say("card-is", "{told:and} as {group}", told=told or [meant], group=group)


def _asked_of_ranks(test: CardTest) -> Iterator[Sentence]:
    if test.run is not UNSET:
        yield say("so-many-in-a-row", "{number:count} ranks in a row", number=test.run)
    if test.sum is not UNSET:
        yield _SUMS[test.counting or COUNTED](ranges(test.sum))
    if test.higher is not UNSET and test.aces is UNSET:
        yield say("higher-card-than", "a card higher than {group}", group=_GROUPS[test.higher])
    elif test.higher is not UNSET:
        yield say("higher-card-aces-high", "a card higher than {group}, aces high", group=_GROUPS[test.higher])


_SUMS: Mapping[str, Callable[[str], Sentence]] = {
    "values": lambda sums: say("cards-sum", "a sum of {sums}", sums=sums),
    "pips": lambda sums: say("cards-sum-pips", "a sum of {sums}, court cards being ten", sums=sums),
    "ranks": lambda sums: say("cards-sum-ranks", "a sum of {sums}, court cards being 11 to 13", sums=sums),
}


def _so_many(test: CardTest, count: frozenset[int], meant: Sentence) -> Sentence:
    """How many cards are meant; a rank, which is written as a number, too, is told apart from how many."""
    if test.ranks is not None:
        return say(
            "so-many-of-rank", "{count} {cards} of rank {meant}", count=ranges(count), cards=_cards(count), meant=meant
        )
    if test.suits in _COLOURS:
        return say(
            "so-many-of-colour", "{count} {meant} {cards}", count=ranges(count), cards=_cards(count), meant=meant
        )
    return say("so-many-of", "{count} {meant}", count=ranges(count), meant=meant)


def _cards(count: frozenset[int]) -> Sentence:
    return say("one-card-of", "card") if count == {1} else say("several-cards-of", "cards")


def _kinds(kinds: tuple[int, ...], kind: str) -> Sentence:
    first, *others = kinds
    if kind == "rank":
        found = say("so-many-of-a-rank", "{number:count} of one rank", number=first)
    elif kind == "suit":
        found = say("so-many-of-a-suit", "{number:count} of one suit", number=first)
    else:
        found = say("so-many-of-a-colour", "{number:count} of one colour", number=first)
    for number in others:
        found = say("and-of-another-rank", "{first} and {number:count} of another", first=found, number=number)
    return found


def _meant(test: CardTest) -> Sentence:
    """The cards that a test means: some ranks, some suits."""
    named = []
    if test.ranks is not None:
        named.append(say("some-ranks", "{ranks:or}", ranks=[RANKS[rank - 1] for rank in sorted(test.ranks)]))
    if test.suits is not None:
        suits = _COLOURS.get(test.suits) or say(
            "some-suits", "{suits:or}", suits=[_SUITS[suit] for suit in sorted(test.suits)]
        )
        named.append(suits)
    return say("cards-meant", "{named:spaced}", named=named) if named else say("cards-any", "cards")


def _winner(winner: str) -> Sentence:
    return say("pattern-tie", "Tie") if winner == "tie" else say("hand-wins", "{hand:hand} wins", hand=winner)


def _points(values: frozenset[int | str]) -> str:
    return ranges(int(value) for value in values)


def _number(values: frozenset[int | str]) -> Sentence:
    return say("either-number", "{numbers:counts}", numbers=[int(value) for value in sorted(values)])


def cover_in_words(row: CoverRow) -> Sentence:
    """Which situation an insurance row is about.

    >>> from punto.rulebook import load
    >>> cover_in_words(load("da-hu-ying-xiong").insurance.rows[1])
    'Player 6 against Banker 0-5'
    """
    return say(
        "cover-situation",
        "{hand:hand} {own} against {other:hand} {opposite}",
        hand=row.hand,
        own=ranges(row.own),
        other="banker" if row.hand == "player" else "player",
        opposite=ranges(row.opposite),
    )


def printed_in_words(printed: PrintedCard) -> Sentence:
    """A card that is printed on the layout.

    >>> from punto.coup import card
    >>> from punto.rulebook import Basis
    >>> print(printed_in_words(PrintedCard(0, card("7"), Basis())))
    7 is printed on the layout: it counts in every coup as the Player's first card, and is no card of the shoe.
    """
    hand = _HANDS[printed.place % len(_HANDS)]
    if printed.place < len(_HANDS):
        return say(
            "printed-first",
            "{card} is printed on the layout: it counts in every coup as the {hand:hand}'s first card, and is no card "
            "of the shoe.",
            card=str(printed.card),
            hand=hand,
        )
    return say(
        "printed-second",
        "{card} is printed on the layout: it counts in every coup as the {hand:hand}'s second card, and is no card of "
        "the shoe.",
        card=str(printed.card),
        hand=hand,
    )


def value_in_words(value: Value) -> str:
    """A point's value as one word or a list."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def guards_in_words(when: Mapping[str, frozenset[str]]) -> Sentence:
    """Under which guards a rule applies."""
    guards = [
        say("guard", "{name}: {values:or}", name=name, values=sorted(values)) for name, values in sorted(when.items())
    ]
    return say("guards", "{guards:list}", guards=guards)


def remedies_in_words(steps: Iterable[Remedy]) -> str:
    """What is done, in order.

    >>> from punto.rulebook import load
    >>> remedies_in_words(load("dragon-tiger-mbs").irregularities[0].do)
    'void round; stand earlier; replace-cards may'
    """
    return "; ".join(_remedy(step) for step in steps)


def _remedy(step: Remedy) -> str:
    said = step.verb + (f" {step.object}" if step.object else "")
    said += f" by {step.by}" if step.by else ""
    said += " with a reason" if step.reason else ""
    said += f" if {guards_in_words(step.when)}" if step.when else ""
    for name, more in (("else", step.otherwise), ("then", step.then), ("if all take back", step.all_back)):
        said += f", {name}: ({remedies_in_words(more)})" if more else ""
    return said


def irregularity_in_words(row: Irregularity) -> str:
    """A rule about a fact: when, and what is done."""
    when = f"[{guards_in_words(row.when)}] " if row.when else ""
    return when + remedies_in_words(row.do)


def per_cent(share: Fraction) -> str:
    """A share in hundredths.

    >>> per_cent(Fraction(1, 20)), per_cent(Fraction(1, 40)), per_cent(Fraction(1, 3))
    ('5%', '2.5%', '1/3')
    """
    hundredths = share * 100
    if (hundredths * 100).denominator != 1:
        return str(share)
    return f"{float(hundredths):.2f}".rstrip("0").rstrip(".") + "%"


def pays_in_words(row: Row) -> str:
    """What a pay row pays.

    >>> from punto.rulebook import load
    >>> [pays_in_words(row) for row in load("commission-insurance").pays["main"] if row.bet == "banker"]
    ['0.95 to 1', 'comes back']
    """
    if row.commission is not None:
        return f"{row.commission.gross.in_words} less {per_cent(row.commission.share)}"
    if row.odds is not None:
        return row.odds.in_words
    return "loses" if row.result == "lose" else "comes back"
