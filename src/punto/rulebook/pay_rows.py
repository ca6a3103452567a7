"""Pay rows of a rulebook file: patterns, odds by a number, and bets of which the patron chooses one."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from punto.coup import RANKS
from punto.messages import Sentence, say
from punto.rulebook.commission import read_commission, with_commission
from punto.rulebook.document import TomlTable
from punto.rulebook.model import Row, WagerResult
from punto.rulebook.patterns import GROUPS, Pattern
from punto.rulebook.prices import Odds
from punto.rulebook.read_tests import ANYTHING, MOST_CARDS, Chosen, not_chosen, read_tests
from punto.rulebook.refused_words import refused_result
from punto.rulebook.value_faults import twice
from punto.rulebook.vocabulary import BY, CHOOSE, CHOSEN, OTHERWISE, PATTERN, ROW_RESULTS

_RESULTS: Mapping[str, WagerResult] = {"stand-off": "stand-off", "lost": "lose"}
_SUIT_NAMES = {"c": "Clubs", "d": "Diamonds", "h": "Hearts", "s": "Spades"}
_SUIT_MARKS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class ChosenBet(msgspec.Struct, frozen=True):
    """One value of a choice: what it is, the end of the bet's id, and of its name, and a mark for any language."""

    chosen: Chosen
    id: str
    name: str
    mark: str


def choices(kind: str) -> tuple[ChosenBet, ...]:
    """What a patron can choose.

    >>> [each.id for each in choices("rank")][-3:], choices("suit")[0]
    (['j', 'q', 'k'], ChosenBet(chosen='c', id='c', name='Clubs', mark='♣'))
    """
    if kind == "points":
        return tuple(ChosenBet(points, str(points), str(points), str(points)) for points in range(10))
    if kind == "rank":
        return tuple(
            ChosenBet(at, letter.lower(), letter, letter.replace("T", "10")) for at, letter in enumerate(RANKS, start=1)
        )
    return tuple(ChosenBet(suit, suit, name, _SUIT_MARKS[suit]) for suit, name in _SUIT_NAMES.items())


def read_rows(
    section: TomlTable, bets: Mapping[str, Sequence[tuple[str, Chosen]]], rounding: str = "exact"
) -> tuple[Row, ...]:
    """The rows that one table of a file stands for: one for each of its odds, for each choice of its bet.

    `rounding` is that of commission, where a row has it.
    """
    name = section.name("bet", section.document.bets)
    for key in ("by", "result", "commission"):
        section.take(key, required=False)
    _check_choice(section, name, bets.get(name, ()))
    unknown = name not in bets or section.document.doubtful(("bets", name, "choose"))
    found: list[Row] = []
    for bet, chosen in ((name, ANYTHING),) if unknown else bets[name]:
        noted = len(section.document.faults)
        found += _read_rows(section, bet, chosen)
        if len(section.document.faults) > noted:
            break  # the other choices have the same faults
    else:
        if not unknown:
            _check_chosen(section, [chosen for _, chosen in bets[name]])
    share = read_commission(section)
    section.done()
    return tuple(with_commission(row, share, rounding) for row in found)


def _check_chosen(section: TomlTable, offered: Sequence[Chosen]) -> None:
    """Note a fault for odds of what nobody can choose."""
    odds = section.data.get("odds")
    if section.data.get("by") != CHOSEN or not isinstance(odds, dict) or section.document.kept:
        return
    for key in odds:
        for number in _numbers(section.child("odds"), key, CHOSEN):
            if all(_narrowed(Pattern(), CHOSEN, frozenset((number,)), chosen) is None for chosen in offered):
                says = say("nobody-chooses", "nobody can choose {number}: see the bet's `choose`.", number=number)
                section.document.fault((*section.path, "odds", key), says)
                break


def _check_choice(section: TomlTable, name: str, bets: Sequence[tuple[str, Chosen]]) -> None:
    """Note once at a bet that one of its rows goes by a choice of the patron, and it offers none."""
    kinds = list(dict.fromkeys(_goes_by_choice("when", section.data.get("when"))))
    if section.data.get("by") == CHOSEN:
        kinds = kinds or list(CHOOSE)
    if not kinds or [chosen for _, chosen in bets] != [None] or section.document.doubtful(("bets", name, "choose")):
        return
    says = say(
        "nothing-to-choose",
        "line {line} goes by what the patron has chosen, and there is nothing to choose: write choose = {kinds:or}.",
        line=section.document.line(section.path),
        kinds=[f'"{kind}"' for kind in kinds],
    )
    section.document.fault(("bets", name, "choose"), says, ("bets", name))


def _goes_by_choice(key: str, said: object) -> Iterator[str]:
    """What the patron would have to choose, for each place of a pattern that names the choice."""
    if isinstance(said, dict):
        for name, value in said.items():
            yield from _goes_by_choice(name, value)
    elif isinstance(said, list):
        for value in said:
            yield from _goes_by_choice(key, value)
    elif said == CHOSEN:
        yield {"suits": "suit", "ranks": "rank"}.get(key, "rank" if key in GROUPS else "points")


def _read_rows(section: TomlTable, bet: str, chosen: Chosen) -> list[Row]:
    pattern, basis = read_pattern(section, chosen), section.own_basis()
    if "result" in section:
        if section.take("odds", required=False) is not None:
            section.fault(
                "odds",
                say(
                    "odds-beside-result",
                    "stands beside result: write odds where the bet wins, or result where it does not.",
                ),
            )
        if (refusal := refused_result(str(section.data["result"]))) is not None:
            section.take("result")
            section.fault("result", refusal)
            return [Row(bet, pattern, "lose", None, basis)]
        result = section.word("result", ROW_RESULTS)
        return [Row(bet, pattern, _RESULTS.get(result, "lose"), None, basis)]
    if not isinstance(section.data.get("odds"), dict):
        if "by" in section:
            section.take("by")
            section.fault("by", say("by-without-numbers", "goes with a table of odds by number."))
        return [Row(bet, pattern, "win", section.odds("odds"), basis)]
    table = section.child("odds")
    if not table.data:
        section.fault("odds", say("no-odds-by-number", 'must name numbers and their odds, like 4 = "1:1".'))
        return [Row(bet, pattern, "lose", None, basis)]
    by = _by(section, pattern)
    if by is None:
        return []
    rows: list[Row] = []
    seen: set[int | str] = set()
    for key in table.data:
        numbers = _numbers(table, key, by)
        for number in sorted(numbers & seen, key=str):
            table.fault(key, twice(number))
        seen |= numbers
        result, odds = _paid(table, key)
        narrowed = _narrowed(pattern, by, numbers, chosen)
        if narrowed is not None:
            rows.append(Row(bet, narrowed, result, odds, basis))
    if by == CHOSEN and chosen != ANYTHING and not rows:
        section.fault("odds", _no_odds_for(bet, chosen))
    return rows


def _no_odds_for(bet: str, chosen: Chosen) -> Sentence:
    """That a patron can choose something of which no row says what it pays."""
    like = '{ points = "1-9" }' if isinstance(chosen, int) else '{ suits = "hs" }'
    return say(
        "no-odds-for-choice",
        "has no odds for {bet}: write them, or under the bet what there is to choose, like choose = {like}.",
        bet=bet,
        like=like,
    )


def _by(section: TomlTable, pattern: Pattern) -> str | None:
    """The number that odds go by; None where that is a fault. It is the points where `when` leaves no other open."""
    if "by" not in section:
        others = _open_numbers(section.data.get("when"), pattern)
        if others:
            says_so = say(
                "by-what",
                'by is missing: the odds may go by {numbers:or} here. Write by = "{first}", if that is meant.',
                numbers=[*others, "points"],
                first=others[0],
            )
            section.document.fault((*section.path, "by"), says_so, section.path)
        return None if others else "points"
    by = section.word("by", BY)
    if by == "count" and len(pattern.cards) != 1:
        if not section.document.doubtful((*section.path, "when")):
            section.fault("by", say("count-of-one-test", "count needs one test of cards in `when`."))
        return None
    return by or None


def _open_numbers(when: object, pattern: Pattern) -> list[str]:
    """The numbers besides the points that a row leaves open, so that odds might go by them."""
    found = [
        name.replace("_", "-")
        for each in pattern.parts
        for name, values in each.fields
        if name != "points" and name.replace("_", "-") in BY and len(values) > 1
    ]
    found += [
        "count"
        for each in pattern.parts
        for test in each.cards
        if (test.count is None and (test.ranks or test.suits)) or (test.count is not None and len(test.count) > 1)
    ]
    if _names_choice(when):
        found.append(CHOSEN)
    return list(dict.fromkeys(found))


def _names_choice(when: object) -> bool:
    """Whether something besides the points is what the patron has chosen."""
    if isinstance(when, dict):
        return any(name != "points" and _names_choice(value) for name, value in when.items())
    if isinstance(when, list):
        return any(map(_names_choice, when))
    return when == CHOSEN


def _paid(table: TomlTable, key: str) -> tuple[WagerResult, Odds | None]:
    said = table.data[key]
    if isinstance(said, str) and said in _RESULTS:
        table.take(key)
        return _RESULTS[said], None
    return "win", table.odds(key)


def _numbers(table: TomlTable, key: str, by: str) -> frozenset[int | str]:
    """The numbers that a key of an odds table names; letters of ranks or suits where these are chosen."""
    if by == CHOSEN and not key[:1].isdecimal():
        return frozenset(key.upper() if key.upper().strip(RANKS) == "" else key.lower())
    allowed = PATTERN.get(by) or range(len(RANKS) + 1 if by == CHOSEN else MOST_CARDS + 1)
    return table.among_key(key, tuple(map(int, allowed)))


def _narrowed(pattern: Pattern, by: str, numbers: frozenset[int | str], chosen: Chosen) -> Pattern | None:
    """A pattern for some numbers only; None where the patron's choice is not among them."""
    if by == CHOSEN:
        letter = RANKS[chosen - 1] if isinstance(chosen, int) and chosen > 0 else chosen
        return pattern if chosen == ANYTHING or {chosen, letter} & numbers else None
    if by == "count":
        test = pattern.cards[0]
        counts = frozenset(int(number) for number in numbers)
        counts = counts if test.count is None else counts & test.count
        return msgspec.structs.replace(pattern, cards=(msgspec.structs.replace(test, count=counts),))
    name = by.replace("-", "_")
    fields = dict(pattern.fields)
    fields[name] = fields.get(name, numbers) & numbers
    return msgspec.structs.replace(pattern, fields=tuple(fields.items()))


def read_pattern(section: TomlTable, chosen: Chosen = None) -> Pattern:
    """The pattern at `when`."""
    if section.data.get("when") == OTHERWISE:
        section.take("when")
        return Pattern()
    written = section.data.get("when")
    if isinstance(written, list):
        section.take("when")
        like = 'when = { any = [{ winner = "tie" }, { cards = 6 }] }'
        section.fault("when", say("one-of-patterns", "One of several patterns holds: write {example}.", example=like))
        return Pattern()
    when = section.child("when", required=True, like='{ winner = "tie" }, or the word "otherwise"')
    if written == {}:
        says = say(
            "which-outcomes",
            "must say which outcomes are meant; every coup, or every other one, is {example}.",
            example='when = "otherwise"',
        )
        section.fault("when", says)
    return _pattern(when, chosen)


def _pattern(when: TomlTable, chosen: Chosen) -> Pattern:
    for name in (*PATTERN, *GROUPS, "any", "not"):
        when.take(name, required=False)
    fields = tuple(
        (name.replace("-", "_"), _values(when, name, allowed, chosen))
        for name, allowed in PATTERN.items()
        if name in when
    )
    cards = tuple(test for group in GROUPS if group in when for test in read_tests(when, group, chosen))
    several = when.each("any") if "any" in when else []
    denied = (
        when.each("not") if isinstance(when.data.get("not"), list) else [when.child("not")] if "not" in when else []
    )
    found = Pattern(
        fields,
        cards,
        tuple(_pattern(each, chosen) for each in several),
        tuple(_pattern(each, chosen) for each in denied),
    )
    when.done()
    return found


def _values(
    when: TomlTable, name: str, allowed: tuple[int, ...] | tuple[str, ...], chosen: Chosen
) -> frozenset[int | str]:
    if when.data[name] != CHOSEN:
        return when.among(name, allowed)
    when.take(name)
    if chosen == ANYTHING:
        return frozenset(allowed)
    if chosen is None or chosen not in allowed:
        when.fault(name, not_chosen())
        return frozenset()
    return frozenset((chosen,))
