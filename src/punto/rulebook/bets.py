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
    section.done()
    return bet


def _pattern(section: TomlTable) -> Pattern:
    when = section.child("when")
    if not when.data:
        section.fault("when", say("which-outcomes", "must say which outcomes are meant."))
    fields = tuple(
        (name.replace("-", "_"), when.among(name, allowed)) for name, allowed in PATTERN.items() if name in when
    )
    when.done()
    return Pattern(fields)


def _known_bet(section: TomlTable, bets: dict[str, Bet]) -> str:
    return section.word("bet", tuple(bets) or ("(no bet is declared)",))


def read_row(section: TomlTable, bets: dict[str, Bet]) -> Row:
    """A row of a pay table; a fault if its bet is not on the menu."""
    result: WagerResult = "win"
    odds = None
    if "result" in section:
        section.word("result", ("stand-off",))
        result = "stand-off"
    else:
        odds = section.odds("odds")
    row = Row(_known_bet(section, bets), _pattern(section), result, odds, section.own_basis())
    section.done()
    return row


def read_layout(name: str, section: TomlTable, bets: dict[str, Bet], pays: dict[str, tuple[Row, ...]]) -> Layout:
    """A layout, with the bets and pay rows that it carries."""
    positions = section.child("positions")
    labels = section.child("labels")
    groups = section.texts("pays", required=True)
    for group in groups:
        if group not in pays:
            section.fault(
                "pays",
                say("no-such-pay-group", "there is no group of pay rows called {group:quoted}.", group=group),
            )
    least, most = positions.whole("min", least=1), positions.whole("max", least=1, required=False)
    if least and most and least > most:
        positions.fault("min", say("more-than-max", "is more than max."))
    prints = []
    for each in section.each("print", required=False):
        prints.append(Print(_known_bet(each, bets), _pattern(each), each.odds("odds"), each.own_basis()))
        each.done()
    notice = None
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
        labels=tuple((label, labels.word(label, tuple(bets))) for label in labels.data),
        labels_clause=section.maybe("labels-clause"),
        chinese=section.maybe("chinese"),
        prints=tuple(prints),
        notice=notice,
    )
    positions.done()
    section.done()
    return layout
