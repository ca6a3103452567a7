"""Plays a scenario through a real table and lists where it went otherwise than expected."""

from collections.abc import Callable, Iterable

import msgspec

from punto.amounts import USUAL, BadAmount, money, show_money
from punto.messages import say
from punto.rulebook import Basis, Library, Refused, printed
from punto.scenario.story import Expectation, Scenario, Scene
from punto.scenario.words import FORMS
from punto.table import COMMANDS, EVENTS, Table, act, encode, events, read_command
from punto.table.answering import TOPICS
from punto.table.felt import due
from punto.table.invariants import breach
from punto.table.next_steps import Next, next_steps
from punto.table.places import where


class Mismatch(msgspec.Struct, frozen=True):
    """An expectation that was not met: its line, its text, and what was found instead."""

    line: int
    expected: str
    found: str


class Played(msgspec.Struct, frozen=True):
    """A scenario after it was played, with everything that happened."""

    scenario: Scenario
    events: tuple[events.Event, ...]
    differences: tuple[Mismatch, ...]
    table: Table | None

    @property
    def as_told(self) -> bool:
        """Whether every expectation was met."""
        return not self.differences


class Moment(msgspec.Struct, frozen=True):
    """The table after one command, with its events or its refusal."""

    table: Table | None
    events: tuple[events.Event, ...]
    refused: Refused | None

    @property
    def currency(self) -> str:
        """What the amounts of the story are in."""
        return self.table.setup.currency if self.table else USUAL


def play(scenario: Scenario, library: Library | None = None) -> Played:
    """Play a scenario from its first line to its last, or to the first command that went wrong.

    `library` has the books that its table may be opened with, if other than those that it names.

    >>> from punto.scenario import read
    >>> story = read('''scenario No bets before the call
    ... open-table wu-song 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=1000
    ... sit ann 1
    ... buy-in ann 500
    ... place ann player 100
    ...   refused 3.3
    ... ''')
    >>> play(story).as_told
    True
    """
    table: Table | None = None
    happened: list[events.Event] = []
    differences: list[Mismatch] = []
    for step in scenario.steps:
        moment = _take(table, step, scenario.library if library is None else library)
        table = moment.table
        happened += moment.events
        wants_refusal = any(each.word == "refused" for each in step.expected)
        if moment.refused is not None and not wants_refusal:
            differences.append(Mismatch(step.line, step.text, f"refused: {moment.refused}"))
            break
        for expected in step.expected:
            found = _check(expected, moment)
            if found is not None:
                differences.append(Mismatch(expected.line, expected.text, found))
    return Played(scenario, tuple(happened), tuple(differences), table)


def _take(table: Table | None, step: Scene, library: Library) -> Moment:
    given = dict(step.command)
    try:
        if isinstance(given.get("question"), str):
            given["question"] = _question(table, given["question"])
        after, made = act(table, read_command(given), library)
    except Refused as refused:
        return Moment(table, (), refused)
    return Moment(after, made, None)


def _question(table: Table | None, topic: str) -> int:
    found = [each.id for each in (table.questions if table else ()) if each.topic == topic]
    if not found:
        raise Refused(say("no-open-question-about", "There is no open question about {topic:quoted}.", topic=topic))
    return found[-1]


# Expectations: each returns None if it is met, else what was found instead


def _check(expected: Expectation, moment: Moment) -> str | None:
    check = _CHECKS.get(expected.word)
    try:
        if check is not None:
            return check(expected, moment)
        if len(expected.values) > 1 and expected.values[0] in ("has", "held", "holds", "owes"):
            return _money_of(expected, moment)
    except BadAmount as error:
        return f"the line cannot be read: {error}"
    except (ValueError, IndexError):
        return f"the line cannot be read: it is written {FORMS.get(expected.word, 'NAME has AMOUNT')}"
    return f"{expected.word!r} is no expectation; they are {', '.join(_CHECKS)}, and NAME has, holds or owes."


def _refused(expected: Expectation, moment: Moment) -> str | None:
    if moment.refused is None:
        return f"accepted: {_told(moment)}"
    says = expected.named.get("says")
    if not _rests_on(moment.refused, expected.values) or (says is not None and says not in moment.refused.reason):
        return f"refused: {moment.refused}"
    return None


def _event(expected: Expectation, moment: Moment) -> str | None:
    kind, *cited = expected.values
    if kind not in EVENTS:
        return f"there is no event {kind!r}"
    if cited[:1] == ["cites"]:
        cited = cited[1:]
    for event in moment.events:
        if (
            event.__struct_config__.tag == kind
            and _rests_on(event.basis, cited)
            and _has(event, expected.named, moment.currency)
        ):
            return None
    return _told(moment)


def _rests_on(basis: Basis | Refused, cited: Iterable[str]) -> bool:
    rests = {*basis.clauses, *map(printed, basis.clauses), *basis.readings}
    return set(cited) <= rests


def _has(value: msgspec.Struct, named: dict[str, str], currency: str) -> bool:
    fields = {each.encode_name: getattr(value, each.name) for each in msgspec.structs.fields(value)}
    unknown = [name for name in named if name not in fields]
    if unknown:
        raise ValueError(f"there is no {unknown[0]}; there are {', '.join(fields)}")
    return all(_same(name, msgspec.to_builtins(fields[name]), wanted, currency) for name, wanted in named.items())


def _same(name: str, found: object, wanted: str, currency: str) -> bool:
    if wanted == "none":
        return not found
    if wanted[:1] in ("[", "{"):
        return _holds(found, msgspec.json.decode(wanted))
    if found is None or isinstance(found, bool):
        return wanted == ("yes" if found else "no")
    if isinstance(found, int):
        return found == (money(wanted, currency) if name in ("stake", "amount") else int(wanted))
    if isinstance(found, list | tuple):
        return [str(each) for each in found] == wanted.replace(",", " ").split()
    return found == wanted or (name == "says" and isinstance(found, str) and wanted in found)


def _holds(found: object, wanted: object) -> bool:
    """Whether a value is what JSON says; of a table only the keys that are named are looked at."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return all(key in found and _holds(found[key], value) for key, value in wanted.items())
    if isinstance(found, list | tuple) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(_holds(*pair) for pair in zip(found, wanted, strict=True))
    return found == wanted


def _no_event(expected: Expectation, moment: Moment) -> str | None:
    [kind] = expected.values
    if kind not in EVENTS:
        return f"there is no event {kind!r}"
    such = (each for each in moment.events if each.__struct_config__.tag == kind)
    return _told(moment) if any(_has(each, expected.named, moment.currency) for each in such) else None


def _asks(expected: Expectation, moment: Moment) -> str | None:
    questions = moment.table.questions if moment.table else ()
    topic, *cited = expected.values
    if cited[:1] == ["cites"]:
        cited = cited[1:]
    for question in questions:
        if (
            question.topic == topic
            and _rests_on(question.basis, cited)
            and _has(question, expected.named, moment.currency)
        ):
            return None
    told = [
        f"{each.topic} to {' '.join(each.waiting) or each.to} ({', '.join(each.choices)}; {_basis(each.basis)})"
        for each in questions
    ]
    return f"the open questions are: {'; '.join(told) or 'none'}"


def _no_question(expected: Expectation, moment: Moment) -> str | None:
    questions = moment.table.questions if moment.table else ()
    unknown = [topic for topic in expected.values if topic not in TOPICS]
    if unknown:
        raise ValueError(f"nobody is ever asked about {unknown[0]}; the topics are {', '.join(sorted(TOPICS))}")
    open_ones = [each.topic for each in questions if not expected.values or each.topic in expected.values]
    return f"open: {', '.join(open_ones)}" if open_ones else None


def _round(expected: Expectation, moment: Moment) -> str | None:
    current = moment.table.round if moment.table else None
    phase = "none" if current is None else current.phase
    free = bool(current and current.free)
    wanted, *more = expected.values
    if more not in ([], ["free"], ["paid"]):
        raise ValueError("a round is in a phase, and perhaps free or paid")
    if phase != wanted or (
        ("free" in expected.values) != free and ("free" in expected.values or "paid" in expected.values)
    ):
        return f"the round is {phase}{' and free' if free else ''}"
    return None


def _next(expected: Expectation, moment: Moment) -> str | None:
    current = moment.table.running if moment.table else None
    found = "nothing" if current is None else due(current) or "nothing"
    return None if found == expected.values[0] else f"the next card is due to {found}"


def _step(expected: Expectation, moment: Moment) -> str | None:
    """`step insure by=ann says=forgo cites 5.3`: what is to be done next, by whom, in which words."""
    do, cited = _step_named(expected)
    unknown = [name for name in expected.named if name not in ("by", "says")]
    if unknown:
        raise ValueError(f"there is no {unknown[0]}; there are by and says")
    by, says = expected.named.get("by"), expected.named.get("says", "")
    steps = _possible(moment)
    for each in steps:
        if each.do == do and by in (None, *each.by.split()) and says in each.says and _rests_on(each.basis, cited):
            return None
    return _told_next(steps)


def _no_step(expected: Expectation, moment: Moment) -> str | None:
    """`no-step open-bets`: that is not to be done next."""
    do, cited = _step_named(expected)
    if cited or expected.named:
        raise ValueError("only the command is named")
    steps = _possible(moment)
    return _told_next(steps) if any(each.do == do for each in steps) else None


def _step_named(expected: Expectation) -> tuple[str, list[str]]:
    do, *cited = expected.values
    if do not in COMMANDS:
        raise ValueError(f"there is no command {do!r}")
    return do, cited[1:] if cited[:1] == ["cites"] else cited


def _possible(moment: Moment) -> tuple[Next, ...]:
    return tuple(each for each in next_steps(moment.table) if each.possible) if moment.table else ()


def _told_next(steps: tuple[Next, ...]) -> str:
    told = [f"{each.do} by {each.by}: {each.says} ({_basis(each.basis)})" for each in steps]
    return f"to be done next: {'; '.join(told) or 'nothing'}"


def _hand(expected: Expectation, moment: Moment) -> str | None:
    name, *faces = expected.values
    if name not in ("player", "banker"):
        raise ValueError("the hands are player and banker")
    current = moment.table.round if moment.table else None
    found = [str(each.face) if each.face else "?" for each in current.hand(name)] if current else []
    return None if found == faces else f"{name} has {' '.join(found) or 'no cards'}"


def _carried(expected: Expectation, moment: Moment) -> str | None:
    shoe = moment.table.shoe if moment.table else None
    found = [str(each) if each else "?" for each in shoe.carried] if shoe else []
    wanted = [] if expected.values == ("nothing",) else list(expected.values)
    return None if found == wanted else f"carried over: {' '.join(found) or 'nothing'}"


def _cards(expected: Expectation, moment: Moment) -> str | None:
    """`cards carried 1`: how many cards are in one of the places where a card can be."""
    place, number = expected.values
    found = where(moment.table) if moment.table else {}
    counted = {str(name): each for name, each in found.items()}
    if found and place not in counted:
        raise ValueError("that is no place of a card")
    return None if counted.get(place, 0) == int(number) else f"cards: {_short(counted)}"


def _line(expected: Expectation, moment: Moment) -> str | None:
    """`line ann player win 100 4.1.1`: a patron's line of the last settlement, its net amount and what it cites."""
    patron, bet, result, amount, *cited = expected.values
    current = moment.table.round if moment.table else None
    past = moment.table.past if moment.table else None
    settled = past.round if past is not None and current is not None and not current.lines else current
    lines = settled.lines.get(patron, ()) if settled else ()
    net = _signed(amount, moment.currency)
    for line in lines:
        if (line.bet, line.result, line.net) == (bet, result, net) and _rests_on(line.basis, cited):
            return None
    told = [
        f"{each.bet} {each.result} {show_money(each.net, moment.currency)} ({_basis(each.basis)})" for each in lines
    ]
    return f"{patron}'s lines are: {'; '.join(told) or 'none'}"


def _money_of(expected: Expectation, moment: Moment) -> str | None:
    """`ann has 900`, `ann holds 100`, `ann owes 0`: balance, stakes in play, and what is owed."""
    word, amount = expected.values
    patron = moment.table.patrons.get(expected.word) if moment.table else None
    if patron is None:
        return f"there is no {expected.word} at the table"
    found = {"has": patron.balance, "owes": patron.owed}.get(word, patron.held)
    if found == money(amount, moment.currency):
        return None
    return f"{expected.word} {word} {show_money(found, moment.currency)}"


def _house(expected: Expectation, moment: Moment) -> str | None:
    found = moment.table.house if moment.table else 0
    if found == _signed(expected.values[0], moment.currency):
        return None
    return f"the house stands at {show_money(found, moment.currency)}"


def _results(expected: Expectation, moment: Moment) -> str | None:
    """`results player banker free`: what the scoreboard shows of the shoe; a free hand is only that."""
    shoe = moment.table.shoe if moment.table else None
    found = ["free" if each.free else each.winner for each in shoe.results] if shoe else []
    wanted = [] if expected.values == ("nothing",) else list(expected.values)
    return None if found == wanted else f"the results are: {' '.join(found) or 'nothing'}"


def _sound(expected: Expectation, moment: Moment) -> str | None:
    """`sound`: the table keeps every rule of keeping a table."""
    if expected.values:
        raise ValueError("nothing more is said")
    found = breach(moment.table) if moment.table else None
    return None if found is None else f"{found.rule}: {found.why}"


_CHECKS: dict[str, Callable[[Expectation, Moment], str | None]] = {
    "refused": _refused,
    "event": _event,
    "no-event": _no_event,
    "asks": _asks,
    "no-question": _no_question,
    "round": _round,
    "next": _next,
    "step": _step,
    "no-step": _no_step,
    "hand": _hand,
    "carried": _carried,
    "cards": _cards,
    "line": _line,
    "house": _house,
    "results": _results,
    "sound": _sound,
}


def _signed(amount: str, currency: str) -> int:
    return -money(amount[1:], currency) if amount.startswith("-") else money(amount, currency)


def _basis(basis: Basis) -> str:
    """What something rests on, as people are shown it: by the numbers that are printed in the book, each once."""
    return ", ".join(dict.fromkeys((*map(printed, basis.clauses), *basis.readings))) or "no clause"


def _told(moment: Moment) -> str:
    return "; ".join(_tell(each) for each in moment.events) or "nothing happened"


def _tell(event: events.Event) -> str:
    values = {name: value for name, value in msgspec.to_builtins(event).items() if name not in ("basis", "by", "event")}
    tag = str(event.__struct_config__.tag)
    said = " ".join(f"{name}={_short(value)}" for name, value in values.items())
    return f"{tag} {said} ({_basis(event.basis)})".replace("  ", " ")


def _short(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) < 200 else f"{text[:200]}…"


def tell(played: Played) -> str:
    """Every event of a played scenario as JSON, one a line."""
    return "\n".join(encode(each).decode() for each in played.events)
