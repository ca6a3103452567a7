"""Bets, pay rows and layouts of a rulebook file."""

from punto.messages import say
from punto.rulebook.document import TomlTable
from punto.rulebook.facts import HANDS
from punto.rulebook.model import Bet, Layout, Notice, Pattern, PositionRange, Print, Row, WagerResult
from punto.rulebook.vocabulary import PATTERN


def read_bet(name: str, section: TomlTable) -> Bet:
    """A bet of the menu."""
    if not name.replace("-", "").isalnum() or name != name.lower():
        section.fault(
            None,
            say(
                "not-a-name-of-bet",
                "{bet:quoted} is not a bet's name: lower-case letters, digits and hyphens.",
                bet=name,
            ),
        )
    bet = Bet(
        name,
        section.text("name"),
        section.word("hand", HANDS, required=False) or None,
        section.own_basis(),
        section.maybe("area"),
        section.maybe("defined"),
        section.maybe("offered"),
        section.maybe("alone"),
        section.maybe("wins"),
        section.basis("loses"),
    )
    section.document.bets.given[name] = section.path
    section.done()
    return bet


def _pattern(section: TomlTable) -> Pattern:
    when = section.child("when")
    for name in PATTERN:
        when.take(name, required=False)
    if not when.data:
        section.fault("when", say("which-outcomes", "must say which outcomes are meant."))
    fields = tuple(
        (name.replace("-", "_"), when.among(name, allowed)) for name, allowed in PATTERN.items() if name in when
    )
    when.done()
    return Pattern(fields)


def _bet(section: TomlTable) -> str:
    return section.name("bet", section.document.bets)


def read_row(section: TomlTable) -> Row:
    """A row of a pay table; a fault if its bet is not on the menu."""
    result: WagerResult = "win"
    odds = None
    section.take("result", required=False)
    if "result" in section:
        if section.take("odds", required=False) is not None:
            section.fault(
                "odds",
                say(
                    "odds-beside-result",
                    "stands beside result: write odds where the bet wins, or result where the stake comes back.",
                ),
            )
        section.word("result", ("stand-off",))
        result = "stand-off"
    else:
        odds = section.odds("odds")
    row = Row(_bet(section), _pattern(section), result, odds, section.own_basis())
    section.done()
    return row


def read_layout(name: str, section: TomlTable) -> Layout:
    """A layout, with the bets and pay rows that it carries."""
    positions = section.child("positions", required=True)
    labels = section.child("labels")
    groups = section.texts("pays", required=True)
    for at, group in enumerate(groups):
        path = (*section.path, "pays")
        section.document.groups.used[group].append((*path, at) if isinstance(section.data["pays"], list) else path)
    least, most = positions.whole("min", least=1), positions.whole("max", least=1, required=False)
    if least and most and least > most:
        positions.fault("min", say("more-than-max", "is more than max."))
    prints = []
    for each in section.each("print", required=False):
        prints.append(Print(_bet(each), _pattern(each), each.odds("odds"), each.own_basis()))
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
    )
    positions.done()
    section.done()
    return layout
