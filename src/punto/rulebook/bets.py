"""Bets and layouts of a rulebook file."""

import msgspec

from punto.messages import say
from punto.rulebook.document import TomlTable
from punto.rulebook.facts import HANDS
from punto.rulebook.model import Bet, Layout, Notice, PatronChoice, PositionRange, Print, Row
from punto.rulebook.pay_rows import Chosen, ChosenBet, choices, read_pattern
from punto.rulebook.vocabulary import CHOOSE


def read_bets(name: str, section: TomlTable) -> list[tuple[Bet, Chosen]]:
    """A bet of the menu; where the patron chooses one of several, each of them, and what is chosen with it."""
    kind = section.word("choose", CHOOSE, required=False)
    bet = _read_bet(name, section)
    if kind not in CHOOSE:
        return [(bet, None)]
    return [(_chosen_bet(bet, each), each.chosen) for each in choices(kind)]


def _chosen_bet(bet: Bet, chosen: ChosenBet) -> Bet:
    return msgspec.structs.replace(
        bet,
        id=f"{bet.id}-{chosen.id}",
        name=f"{bet.name} {chosen.name}",
        names=tuple((tag, f"{text} {chosen.mark}") for tag, text in bet.names),
        choice=PatronChoice(bet.id, bet.name, bet.names, chosen.mark),
    )


def _read_bet(name: str, section: TomlTable) -> Bet:
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
        section.flag("in-order", False),
        section.translations("names"),
    )
    section.done()
    return bet


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
        prints.append(Print(each.word("bet", tuple(bets)), read_pattern(each), each.odds("odds"), each.own_basis()))
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
        titles=section.translations("titles"),
    )
    positions.done()
    section.done()
    return layout
