"""Rules as a person would read them: patterns, points and remedies in words."""

from collections.abc import Iterable, Iterator, Mapping

from punto.messages import Sentence, say
from punto.rulebook.model import CoverRow, Irregularity, Pattern, Remedy, Value

_PAIRS: Mapping[frozenset[str], Sentence] = {
    frozenset({"player", "banker"}): say("pairs-exactly-one", "exactly one hand pairs"),
    frozenset({"both"}): say("pairs-both-different", "both hands pair, of different ranks"),
    frozenset({"twin"}): say("pairs-both-same", "both hands hold the same pair"),
    frozenset({"player", "both", "twin"}): say("pairs-player", "the Player hand pairs"),
    frozenset({"banker", "both", "twin"}): say("pairs-banker", "the Banker hand pairs"),
    frozenset({"both", "twin"}): say("pairs-both", "both hands pair"),
    frozenset({"none"}): say("pairs-none", "neither hand pairs"),
}


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


def pattern_in_words(pattern: Pattern) -> Sentence:
    """Which outcomes a pay row is about.

    >>> from punto.rulebook import load
    >>> [pattern_in_words(row.when) for row in load("da-hu-ying-xiong").pays["tigers"][:2]]
    ['Banker wins on 6 with two cards', 'Banker wins on 6 with three cards']
    """
    return say("pattern", "{parts:phrase}", parts=list(_parts(dict(pattern.fields))))


def _parts(fields: Mapping[str, frozenset[int | str]]) -> Iterator[Sentence]:
    if "winner" in fields:
        yield say(
            "pattern-winner", "{winners:or}", winners=[_winner(each) for each in sorted(map(str, fields["winner"]))]
        )
    if "points" in fields:
        yield say("pattern-points", "on {points}", points=_points(fields["points"]))
    hands = [
        say("pattern-hand-points", "{hand:hand} has {points}", hand=hand, points=_points(fields[f"{hand}_points"]))
        for hand in ("player", "banker")
        if f"{hand}_points" in fields
    ]
    if hands:
        yield say("pattern-hands", "{hands:and}", hands=hands)
    for hand in ("player", "banker"):
        if f"{hand}_cards" in fields:
            number = _number(fields[f"{hand}_cards"])
            if fields.get("winner") == frozenset((hand,)):
                yield say("pattern-cards", "with {number} cards", number=number)
            else:
                yield say("pattern-hand-cards", "with {number} cards in the {hand:hand} hand", number=number, hand=hand)
    if "cards" in fields:
        number = _number(fields["cards"])
        yield say("pattern-table-cards", "with {number} cards on the table", number=number)
    if "pairs" in fields:
        pairs = frozenset(map(str, fields["pairs"]))
        yield _PAIRS.get(pairs) or say("pattern-pairs", "pairs: {pairs:list}", pairs=sorted(pairs))


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
