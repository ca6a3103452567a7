"""Bets and layouts of a rulebook file."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from punto.coup import RANKS, SUITS
from punto.messages import say
from punto.rulebook.bookfile import BookFile
from punto.rulebook.document import TomlTable
from punto.rulebook.equipment import more_than_max
from punto.rulebook.facts import HANDS
from punto.rulebook.model import (
    Basis,
    Bet,
    BetWindow,
    Layout,
    Notice,
    OtherBets,
    PatronChoice,
    PositionRange,
    Print,
)
from punto.rulebook.patterns import Pattern
from punto.rulebook.pay_rows import ChosenBet, choices, read_pattern
from punto.rulebook.read_tests import Chosen, read_letters
from punto.rulebook.vocabulary import AFTER_FIRST_FOUR, CHOOSE, COLOURS, FIRST_FOUR


def read_bets(name: str, section: TomlTable) -> list[tuple[Bet, Chosen]]:
    """A bet of the menu; where the patron chooses one of several, each of them, and what is chosen with it."""
    offered = _choices(section)
    bet = _read_bet(name, section)
    if not offered:
        return [(bet, None)]
    found: list[tuple[Bet, Chosen]] = []
    for each in offered:
        one = _chosen_bet(bet, each)
        section.document.bets.given[one.id] = section.path
        found.append((one, each.chosen))
    return found


def _choices(section: TomlTable) -> tuple[ChosenBet, ...]:
    """What the patron chooses one of; nothing where there is no choice, or it cannot be read."""
    said = section.data.get("choose")
    if isinstance(said, list) or (isinstance(said, dict) and len(said) > 1):
        section.take("choose")
        says = say(
            "one-choice",
            "one thing is chosen with a bet: write one of {kinds:or}, and a bet of its own for each of the other.",
            kinds=[f'"{kind}"' for kind in CHOOSE],
        )
        section.fault("choose", says)
        return ()
    if not isinstance(said, dict):
        kind = section.word("choose", CHOOSE, required=False)
        return choices(kind) if kind in CHOOSE else ()
    return _some_choices(section.child("choose", like='{ points = "1-9" }'))


def _some_choices(section: TomlTable) -> tuple[ChosenBet, ...]:
    """Some values that the patron chooses one of: `{ points = "1-9" }`, `{ ranks = "JQK" }` or `{ suits = "hs" }`."""
    for key in ("points", "ranks", "suits"):
        section.take(key, required=False)
    found: tuple[ChosenBet, ...] = ()
    if "points" in section:
        points = section.among("points", range(10))
        found = tuple(each for each in choices("points") if each.chosen in points)
    elif "ranks" in section:
        ranks = read_letters(section, "ranks", RANKS)
        found = tuple(each for each in choices("rank") if each.name in ranks)
    elif "suits" in section:
        suits = read_letters(section, "suits", SUITS)
        found = tuple(each for each in choices("suit") if each.chosen in suits)
    elif not section.data:
        section.fault(None, say("must-name-choice", "must say what is chosen, like {like}.", like='{ points = "1-9" }'))
    section.done()
    return found


def check_declared(document: BookFile, declared: Mapping[str, Sequence[tuple[Bet, Chosen]]]) -> None:
    """Note a fault for every bet whose name is that of a choice of another: no two bets have one name."""
    made = {bet.id: bet.choice_of for each in declared.values() for bet, _ in each if bet.choice_of is not None}
    for name in declared:
        if name in made:
            document.fault(
                ("bets", name),
                say(
                    "bet-is-a-choice",
                    "is a bet already: patrons choose it with {bet}. Give this one another name.",
                    bet=made[name],
                ),
            )


def _chosen_bet(bet: Bet, chosen: ChosenBet) -> Bet:
    return msgspec.structs.replace(
        bet,
        id=f"{bet.id}-{chosen.id}",
        name=f"{bet.name} {chosen.name}",
        names=tuple((tag, f"{text} {chosen.mark}") for tag, text in bet.names),
        choice=PatronChoice(bet.id, bet.name, bet.names, chosen.mark),
    )


_PARTS_OF_NAMES = re.compile(r"[^\W_]+")
_TABLES_OF_BETS = ("choose", "names", "needs", "at-most", "not-with", "settled", "placed", "loses")


def _read_bet(name: str, section: TomlTable) -> Bet:
    within = next(iter(section.data), "")
    if len(section.data) == 1 and isinstance(section.data[within], dict) and within not in _TABLES_OF_BETS:
        says = say(
            "dot-in-name",
            "a dot in its name makes a table within a table: write [bets.{name}].",
            name=f"{name}-{within}",
        )
        section.fault(None, says)
        section = TomlTable(section.document, section.path, {}, unknown=True)
    if not name.replace("-", "").isalnum() or name != name.lower() or name.isdecimal():
        right = "-".join(_PARTS_OF_NAMES.findall(name.lower()))
        says = say(
            "not-a-name-of-bet",
            "{bet:quoted} is not a bet's name: write lower-case letters, digits and hyphens, not digits alone, like "
            "[bets.{right}].",
            bet=name,
            right=f"bet-{right}" if right.isdecimal() else right or "bet",
        )
        section.fault(None, says)
    bet = Bet(
        name,
        section.text("name"),
        section.word("hand", HANDS, required=name in HANDS) or None,
        section.own_basis(),
        section.maybe("area"),
        section.maybe("defined"),
        section.maybe("offered"),
        section.maybe("alone"),
        section.maybe("wins"),
        section.basis("loses"),
        section.flag("in-order", False),
        section.translations("names"),
        needs=_other_bets(name, section, "needs"),
        at_most=_other_bets(name, section, "at-most"),
        not_with=_other_bets(name, section, "not-with"),
        colour=section.word("colour", COLOURS, required=False) or None,
        settled=_settled(section),
        placed=_placed(section),
    )
    section.document.bets.given[name] = section.path
    section.done()
    return bet


def _settled(section: TomlTable) -> Basis | None:
    """Why a bet is settled with the first four cards: `{ value = "first-four", clause = "3.9" }`."""
    section.take("settled", required=False)
    if "settled" not in section:
        return None
    said = section.child("settled", like='{ value = "first-four", clause = "3.9" }')
    said.word("value", (FIRST_FOUR,))
    basis = said.own_basis()
    said.done()
    return basis


def _placed(section: TomlTable) -> BetWindow | None:
    """The window of a bet: `{ value = "after-first-four", clause = "3.9" }`, perhaps with `when`."""
    section.take("placed", required=False)
    if "placed" not in section:
        return None
    said = section.child("placed", like='{ value = "after-first-four", clause = "3.9" }')
    said.word("value", (AFTER_FIRST_FOUR,))
    when = read_pattern(said) if "when" in said else Pattern()
    said.take("when", required=False)
    found = BetWindow(when, said.own_basis())
    said.done()
    return found


def _other_bets(name: str, section: TomlTable, key: str) -> OtherBets | None:
    """The other bets that a bet depends on in one way: `{ bets = ["player", "banker"], clause = "3.4" }`."""
    section.take(key, required=False)
    if key not in section:
        return None
    said = section.child(key)
    bets = said.texts("bets", required=True)
    for at, bet in enumerate(bets):
        path = (*said.path, "bets", at) if isinstance(said.data["bets"], list) else (*said.path, "bets")
        if bet == name:
            section.document.fault(path, say("bet-depends-on-itself", "names the bet itself: name others."))
        else:
            section.document.bets.used[bet].append(path)
    share = said.share("share") if key == "at-most" and "share" in said else Fraction(1)
    found = OtherBets(bets, said.own_basis(), share)
    if key == "at-most":
        said.take("share", required=False)
    said.done()
    return found


def read_layout(name: str, section: TomlTable) -> Layout:
    """A layout, with the bets and pay rows that it carries."""
    positions = section.child("positions", required=True, like="{ min = 1, max = 9 }")
    labels = section.child("labels")
    groups = section.texts("pays", required=True)
    for at, group in enumerate(groups):
        path = (*section.path, "pays")
        section.document.groups.used[group].append((*path, at) if isinstance(section.data["pays"], list) else path)
    least, most = positions.whole("min", least=1), positions.whole("max", least=1, required=False)
    if least and most and least > most:
        positions.fault("min", more_than_max(least, most))
    prints = []
    for each in section.each("print", required=False):
        prints.append(
            Print(each.name("bet", each.document.bets), read_pattern(each), each.odds("odds"), each.own_basis())
        )
        each.done()
    notice = None
    section.take("notice", required=False)
    if "notice" in section:
        said = section.child("notice")
        notice = Notice(said.text("says"), said.own_basis())
        said.done()
    layout = Layout(
        id=name,
        clause=section.text("clause"),
        title=section.maybe("title"),
        version=section.maybe("version"),
        version_basis=section.basis("version-clause", required="version" in section),
        areas_clause=section.maybe("areas-clause"),
        positions=PositionRange(least or 1, most, positions.flag("verified", True), positions.texts("readings")),
        pays=groups,
        verified=section.flag("verified", True),
        readings=section.texts("readings"),
        labels=tuple((label, labels.name(label, section.document.bets)) for label in labels.data),
        labels_clause=section.maybe("labels-clause"),
        chinese=section.maybe("chinese"),
        prints=tuple(prints),
        notice=notice,
        titles=section.translations("titles"),
    )
    positions.done()
    section.done()
    return layout
