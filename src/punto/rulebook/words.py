"""Rules as a person would read them: patterns, points and remedies in words."""

from collections.abc import Iterable, Mapping

from punto.rulebook.model import CoverRow, Irregularity, Pattern, Remedy, Value

COUNT = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_PAIRS = {
    frozenset({"player", "banker"}): "exactly one hand pairs",
    frozenset({"both"}): "both hands pair, of different ranks",
    frozenset({"twin"}): "both hands hold the same pair",
    frozenset({"player", "both", "twin"}): "the Player hand pairs",
    frozenset({"banker", "both", "twin"}): "the Banker hand pairs",
    frozenset({"both", "twin"}): "both hands pair",
    frozenset({"none"}): "neither hand pairs",
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


def pattern_in_words(pattern: Pattern) -> str:
    """Which outcomes a pay row is about.

    >>> from punto.rulebook import load
    >>> [pattern_in_words(row.when) for row in load("da-hu-ying-xiong").pays["tigers"][:2]]
    ['Banker wins on 6 with two cards', 'Banker wins on 6 with three cards']
    """
    fields: Mapping[str, frozenset[int | str]] = dict(pattern.fields)
    parts = []
    if "winner" in fields:
        winners = sorted(str(winner) for winner in fields["winner"])
        parts.append(" or ".join("Tie" if each == "tie" else f"{each.capitalize()} wins" for each in winners))
    if "points" in fields:
        parts.append(f"on {_points(fields['points'])}")
    hands = [
        f"{hand.capitalize()} has {_points(fields[f'{hand}_points'])}"
        for hand in ("player", "banker")
        if f"{hand}_points" in fields
    ]
    if hands:
        parts.append(" and ".join(hands))
    for hand in ("player", "banker"):
        if f"{hand}_cards" in fields:
            whose = "" if fields.get("winner") == frozenset((hand,)) else f" in the {hand.capitalize()} hand"
            parts.append(f"with {_cards(fields[f'{hand}_cards'])} cards{whose}")
    if "cards" in fields:
        parts.append(f"with {_cards(fields['cards'])} cards on the table")
    if "pairs" in fields:
        pairs = frozenset(str(each) for each in fields["pairs"])
        parts.append(_PAIRS.get(pairs, f"pairs: {', '.join(sorted(pairs))}"))
    said = " ".join(parts)
    return said[:1].upper() + said[1:]


def _points(values: frozenset[int | str]) -> str:
    return ranges(int(value) for value in values)


def _cards(values: frozenset[int | str]) -> str:
    return " or ".join(COUNT[int(value)] for value in sorted(values))


def cover_in_words(row: CoverRow) -> str:
    """Which situation an insurance row is about.

    >>> from punto.rulebook import load
    >>> cover_in_words(load("da-hu-ying-xiong").insurance.rows[1])
    'Player 6 against Banker 0-5'
    """
    other = "Banker" if row.hand == "player" else "Player"
    return f"{row.hand.capitalize()} {ranges(row.own)} against {other} {ranges(row.opposite)}"


def value_in_words(value: Value) -> str:
    """A point's value as one word or a list."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def guards_in_words(when: Mapping[str, frozenset[str]]) -> str:
    """Under which guards a rule applies."""
    return ", ".join(f"{name}: {' or '.join(sorted(values))}" for name, values in sorted(when.items()))


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
