"""Tests of cards in a pattern of a rulebook file."""

from collections.abc import Iterator
from typing import TypedDict

from punto.coup import RANKS, SUITS
from punto.messages import Sentence, say
from punto.rulebook.document import TomlTable
from punto.rulebook.nearest import meant
from punto.rulebook.patterns import BLACK, COUNTED, GROUPS, LIKENESSES, PLACES, RED, CardTest
from punto.rulebook.rank_tests import ACES, COUNTING, VALUES
from punto.rulebook.value_faults import none_of, ten_is_a_letter
from punto.rulebook.vocabulary import CHOSEN
from punto.rulebook.written_right import card_meant, letters_meant

Chosen = int | str | None
"""What a patron chooses with a wager: points, the number of a rank, a suit; None where there is no choice."""

ANYTHING = "anything"
"""In the place of a choice: it is not known what there is to choose, for a reason that is told elsewhere."""

MOST_CARDS = 6
"""The cards of a coup, at most."""

_COLOURS = {"red": RED, "black": BLACK}
_TEST_KEYS = (
    "ranks",
    "suits",
    "colour",
    "same",
    "of-a-kind",
    "kind",
    "run",
    "sum",
    "counting",
    "higher",
    "aces",
    "count",
)


def read_tests(when: TomlTable, group: str, chosen: Chosen) -> Iterator[CardTest]:
    """What a pattern says of one group of cards."""
    value = when.take(group)
    several = value if isinstance(value, list) else [value]
    if isinstance(value, list):
        when.document.all_different((*when.path, group), value)
    if not several:
        when.fault(group, _no_test())
    plain = [each for each in several if isinstance(each, str)]
    if len(plain) > 1 and not set.intersection(*map(set, plain)):
        ranks = "".join(dict.fromkeys("".join(plain)))
        says = say(
            "all-tests-hold",
            "all tests of a list must hold: write {ranks:quoted} for one of these.",
            ranks=ranks,
        )
        when.fault(group, says)
        return
    for at, each in enumerate(several):
        path = (*when.path, group, at) if isinstance(value, list) else (*when.path, group)
        if isinstance(each, str):
            each = {"ranks": each}
        if not isinstance(each, dict) or not each:
            when.document.fault(path, _no_test())
            continue
        yield _test(TomlTable(when.document, path, each), group, chosen)


def _no_test() -> Sentence:
    return say(
        "must-test-cards",
        'must say what holds of the cards, like "8" for a rank, or a table with same = "suit".',
    )


def _test(section: TomlTable, group: str, chosen: Chosen) -> CardTest:
    for key in _TEST_KEYS:
        section.take(key, required=False)
    ranks = _letters(section, "ranks", RANKS, chosen)
    suits = _letters(section, "suits", SUITS, chosen)
    if "colour" in section:
        colour = _COLOURS.get(section.word("colour", tuple(_COLOURS)), frozenset(SUITS))
        suits = colour if suits is None else suits & colour
    same = section.texts("same")
    for each in same:
        if each not in LIKENESSES:
            section.fault("same", none_of(each, LIKENESSES))
    count = section.among("count", range(MOST_CARDS + 1)) if "count" in section else None
    test = CardTest(
        group,
        None if ranks is None else frozenset(RANKS.index(each) + 1 for each in ranks),
        suits,
        None if count is None else frozenset(int(each) for each in count),
        same,
        _kinds(section),
        **_asked_of_ranks(section, group),
    )
    section.done()
    return test


class _AskedOfRanks(TypedDict, total=False):
    """What a test asks besides: of kinds other than ranks, and of ranks."""

    kind: str
    run: int
    sum: frozenset[int]
    counting: str
    higher: str
    aces: str


def _asked_of_ranks(section: TomlTable, group: str) -> _AskedOfRanks:
    found = _AskedOfRanks()
    if "kind" in section and (kind := section.word("kind", LIKENESSES)) in LIKENESSES[1:]:
        found["kind"] = kind
    if "run" in section and (run := section.whole("run", least=2, most=MOST_CARDS)):
        found["run"] = run
    if "counting" in section and (counting := section.word("counting", COUNTING)) in COUNTING:
        found["counting"] = counting
    if "sum" in section:
        most = MOST_CARDS * max(VALUES[found.get("counting", COUNTED)])
        found["sum"] = frozenset(int(each) for each in section.among("sum", range(most + 1)))
    if "higher" in section and (higher := section.word("higher", GROUPS)) in GROUPS:
        found["higher"] = higher
        if set(PLACES[higher]) & set(PLACES[group]):
            says = say("higher-than-itself", "names cards of {group} itself: write another group.", group=group)
            section.fault("higher", says)
    if "aces" in section and section.word("aces", ACES) == ACES[-1]:
        found["aces"] = ACES[-1]
    for key, beside in (("kind", "of-a-kind"), ("counting", "sum"), ("aces", "higher")):
        if key in section and beside not in section:
            section.fault(key, say("goes-with-key", "goes with {key}, which is not here.", key=beside))
    return found


def _letters(section: TomlTable, key: str, allowed: str, chosen: Chosen) -> frozenset[str] | None:
    """Some of the allowed letters, or the patron's choice of one; None where the key is missing."""
    if key not in section:
        return None
    written = section.data[key]
    right = letters_meant(key, written)
    if right is not None and not isinstance(written, str):
        section.take(key)
        says = say("letters-in-quotes", "must be text, in quotes: write {right}.", right=f'"{right}"')
        section.fault(key, says)
        return frozenset()
    said = section.text(key)
    letters = said.upper() if key == "ranks" else said.lower()
    if said == CHOSEN and chosen == ANYTHING:
        return frozenset(allowed)
    if said == CHOSEN:
        letters = RANKS[chosen - 1] if isinstance(chosen, int) and chosen > 0 else str(chosen)
    if key == "ranks" and "10" in letters:
        section.fault(key, ten_is_a_letter(letters))
        return frozenset()
    card = card_meant(said) if key == "ranks" else None
    instead = f'{{ ranks = "{card[0]}", suits = "{card[1]}" }}' if card else f'"{right}"' if right else None
    if letters.strip(allowed) and instead is not None:
        says = say(
            "letters-written",
            "{value:quoted} is not made of the letters {letters}: write {right}.",
            value=said,
            letters=allowed,
            right=instead,
        )
        section.fault(key, says)
        return frozenset()
    if said == CHOSEN and not _is_choice(key, chosen):
        section.fault(key, not_chosen())
        return frozenset()
    if letters.strip(allowed) and meant(said, (CHOSEN,)):
        says = say("no-word-but-chosen", "{value:quoted} is no word here: perhaps chosen is meant.", value=said)
        section.fault(key, says)
        return frozenset()
    if letters.strip(allowed):
        section.fault(
            key,
            say("not-letters-of", "{value:quoted} is not made of the letters {letters}.", value=said, letters=allowed),
        )
        return frozenset()
    for letter in sorted({each for each in letters if letters.count(each) > 1})[:1]:
        says = say(
            "letter-twice",
            "{letter} stands here twice: it is a set of {key}. How many there are says count.",
            letter=letter,
            key=key,
        )
        section.fault(key, says)
    return frozenset(letters)


def read_letters(section: TomlTable, key: str, allowed: str) -> frozenset[str]:
    """Some of the allowed letters, where there is no choice."""
    return _letters(section, key, allowed, None) or frozenset()


def not_chosen() -> Sentence:
    """That a row goes by another choice than the bet offers."""
    return say("not-chosen-here", "the bet's patrons do not choose this: see its `choose`.")


def _is_choice(key: str, chosen: Chosen) -> bool:
    return isinstance(chosen, int) and chosen > 0 if key == "ranks" else isinstance(chosen, str)


def _kinds(section: TomlTable) -> tuple[int, ...]:
    said = section.take("of-a-kind", required=False)
    if said is None:
        return ()
    several = said if isinstance(said, list) else [said]
    if not several or not all(type(each) is int and 2 <= each <= MOST_CARDS for each in several):
        section.fault(
            "of-a-kind",
            say(
                "must-be-numbers-of-cards",
                "must be a number of cards from 2 to {most}, or a list of such numbers.",
                most=MOST_CARDS,
            ),
        )
        return ()
    return tuple(sorted(several, reverse=True))
