"""Worked examples, settled by the engine: every pay row, loss and tie, every price of cover, and what is refused."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from msgspec.structs import replace

from punto.amounts import USUAL, amounts_in, show_money
from punto.conformance.questions import coup_of, drawn_cards
from punto.coup import Coup, deal, headline, show
from punto.explore.coups import coups, insured
from punto.report.document import Block, Cell, Column, Document, Issue, Paragraph, Rows, Section, TableBlock
from punto.report.groups import Group, layout_groups
from punto.report.insurance import STAGES, cover_taken
from punto.report.pack.booklet import booklet, where
from punto.rulebook import Basis, Book, CoverRow, Insurance, Menu, Priced, PrintedCard, Refused
from punto.rulebook.facts import HANDS
from punto.rulebook.model import CapAt
from punto.rulebook.words import cover_in_words, printed_in_words
from punto.settlement import Cover, Limits, Line, Wager, most_cover, settle

STAKE = 10_000
"""The stake of the examples, in minor units."""

_COLUMNS = (
    Column("Bet", 1.5),
    Column("Cards as drawn", 3.2),
    Column("What happens", 4.2),
    Column("Net", 1.2, "figure"),
    Column("Clause", 1.5),
)


def examples(book: Book, layout: str | None, issue: Issue, currency: str = USUAL) -> Document:
    """Worked examples of a book as a document, in a currency."""
    with amounts_in(currency):
        return _examples(book, layout, issue, currency)


def _examples(book: Book, layout: str | None, issue: Issue, currency: str) -> Document:
    groups = layout_groups(book, layout)
    cover = (
        Paragraph(
            f"Each example was settled by Punto with a stake of {show_money(STAKE)} {currency}, unless another is "
            "named. Cards are in the order in which they leave the shoe: Player, Banker, Player, Banker, then third "
            "cards. A is an ace, T a ten; c, d, h and s are the suits. Net is what the patron is up or down."
            f"{_beside(book)}"
        ),
    )
    sections = [*(_wagers(group, currency) for group in groups), *_insurance(book, currency)]
    sections.append(_special(book, groups[0], currency))
    return booklet(book, "Worked examples", issue, cover, tuple(sections))


def _beside(book: Book) -> str:
    """What is to be said of a printed card."""
    if book.cards.printed is None:
        return ""
    return f" {printed_in_words(book.cards.printed)} It is not among the cards as drawn, and in every coup below them."


def _wagers(group: Group, currency: str) -> Section:
    """For each bet a coup of every row, and one that loses."""
    groups: list[Rows] = []
    for bet, priced in group.menu.bets.items():
        rows: list[tuple[Cell, ...]] = []
        for row in (*priced.rows, None):
            coup = coup_of(priced, row)
            if coup is not None:
                name = Cell("" if rows else priced.bet.name, strong=True)
                rows.append(_told(group.menu.book, name, coup, _line(group.menu, coup, bet, currency)))
        groups.append(tuple(rows))
    named = f"{group.name[:1].lower()}{group.name[1:]}"
    return Section(f"Wins, losses and ties of {named}", (TableBlock("", _COLUMNS, tuple(groups)),))


def _line(menu: Menu, coup: Coup, bet: str, currency: str) -> Line:
    [line] = settle(menu.book, coup, [Wager(bet, STAKE)], layout=menu.layout.id, currency=currency, admitted=True)
    return line


def _told(book: Book, name: Cell, coup: Coup, line: Line) -> tuple[Cell, ...]:
    drawn = Cell(show(drawn_cards(book, coup)), headline(coup))
    return (name, drawn, Cell(line.says), Cell(_signed(line.net)), where(line.basis))


def _signed(net: int) -> str:
    return ("+" if net > 0 else "-" if net < 0 else "") + show_money(abs(net))


def _insurance(book: Book, currency: str) -> list[Section]:
    """Every price of cover: a coup in which it wins, one in which it loses, and a tie."""
    if book.insurance is None:
        return []
    groups: list[Rows] = []
    for row in book.insurance.rows:
        rows: list[tuple[Cell, ...]] = []
        for result in ("other", row.hand, "tie"):
            found = _covered(book, row, result, currency)
            if found is not None:
                coup, line = found
                name = Cell("" if rows else str(cover_in_words(row)), "" if rows else STAGES[row.stage], strong=True)
                rows.append(_told(book, name, coup, line))
        groups.append(tuple(rows))
    says = (
        f"Cover on a wager of {show_money(STAKE)} on the insured hand, as much as its caps allow under a maximum of "
        f"{show_money(_POSTED.maximum or 0)} and in chips of {show_money(_POSTED.unit)}. It wins when that hand loses. "
        "Shown is the line of the cover alone."
    )
    columns = (Column("Cover", 2.2), *_COLUMNS[1:])
    return [Section("Insurance that wins, loses and ties", (Paragraph(says), TableBlock("", columns, tuple(groups))))]


_POSTED = Limits(maximum=4 * STAKE, unit=100)
"""What some caps of cover are a share of."""


def _covered(book: Book, row: CoverRow, result: str, currency: str) -> tuple[Coup, Line] | None:
    """A coup in which cover at a row ends so, with the line of the cover; None if no coup does."""
    for coup in _insured():
        ended = coup.winner if coup.winner in (row.hand, "tie") else "other"
        if ended == result and _is_offered(row, coup):
            most = most_cover(book, coup, row.stage, row.hand, STAKE, _POSTED)
            cover = Cover(row.stage, row.hand, most, 0)
            return coup, settle(book, coup, [Wager(row.hand, STAKE)], [cover], limits=_POSTED, currency=currency)[-1]
    return None


def _is_offered(row: CoverRow, coup: Coup) -> bool:
    """Whether cover at a row is on offer in a coup."""
    seen = coup.situation(row.stage)
    if seen is None or not seen.card_due:
        return False
    return seen.own(row.hand) in row.own and seen.opposite(row.hand) in row.opposite


@cache
def _insured() -> tuple[Coup, ...]:
    """Coups through every situation of insurance to every winner, the shortest first."""
    return tuple(sorted(insured().values(), key=lambda coup: len(coup.cards)))


@cache
def _by_length(printed: PrintedCard | None) -> tuple[Coup, ...]:
    """A coup of every outcome without pairs, beside a printed card where there is one, the shortest first."""
    plain = (coup for coup in coups(printed).values() if coup.pairs == "none")
    return tuple(sorted(plain, key=lambda coup: len(coup.cards)))


def _special(book: Book, group: Group, currency: str) -> Section:
    """Limits, chips and what is refused."""
    columns = (Column("Case", 2), Column("What was laid", 2.6), Column("What Punto says", 5), Column("Clause", 1.5))
    rows: list[Rows] = []
    for case, laid, tried in _cases(book, group, currency):
        try:
            lines = tried()
            said = [(line.says, line.basis) for line in lines]
        except Refused as refused:
            basis = Basis((refused.clause,) if refused.clause else (), refused.readings)
            said = [(f"Refused: {refused.reason}", basis)]
        told = [(Cell(says), where(basis)) for says, basis in said]
        rows.append(
            tuple(
                (Cell("" if at else case, strong=True), Cell("" if at else laid), *each) for at, each in enumerate(told)
            )
        )
    says = "What limits, chips and caps do, and what cannot be wagered. A refusal is a sentence of the program."
    blocks: list[Block] = [Paragraph(says), TableBlock("", columns, tuple(rows))]
    return Section("Special cases", tuple(blocks))


def _rounded(priced: Priced, chip: int) -> Coup | None:
    """A coup in which one chip on a bet wins what is no whole number of chips; None if none does."""
    for coup in _by_length(priced.printed):
        row = priced.row_of(coup)
        if row is not None and row.odds is not None and row.odds.fraction * chip % chip:
            return coup
    return None


def _with_clauses(line: Line, book: Book, limit: str) -> Line:
    """A line that rests on what a book says of a limit, too, as at a table."""
    return replace(line, basis=line.basis.plus(book.basis("limits", limit)))


def _posting(also: CapAt) -> Limits:
    """Limits of which the one that a cap is a share of is the stake of the examples."""
    posted = Limits(unit=_POSTED.unit)
    return replace(posted, **{also.of: STAKE})


Case = tuple[str, str, Callable[[], list[Line]]]


def _cases(book: Book, group: Group, currency: str) -> Iterator[Case]:
    plain = _by_length(book.cards.printed)
    wins = {hand: next(coup for coup in plain if coup.winner == hand) for hand in HANDS}
    tie = next(coup for coup in plain if coup.winner == "tie")
    natural = next(coup for coup in plain if coup.natural)
    case = partial(_case, book, group, currency)
    hands = [Wager(hand, STAKE) for hand in HANDS]
    yield case("A natural", natural, hands, Limits())
    yield case("A tie on both hands", tie, hands, Limits())
    yield from _cases_of_limits(book, case, wins)
    yield from _cases_of_chips(group, case, wins)
    if book.insurance is not None:
        yield from _cases_of_cover(book.insurance, case, natural)


def _case(
    book: Book,
    group: Group,
    currency: str,
    name: str,
    coup: Coup,
    wagers: list[Wager],
    limits: Limits,
    covers: tuple[Cover, ...] = (),
) -> Case:
    """A case by its name: what was laid, how the coup went, and the lines that it comes to."""
    names = {bet: priced.bet.name for bet, priced in group.menu.bets.items()}
    laid = [f"{show_money(each.stake)} on {names[each.bet]}" for each in wagers]
    laid += [f"{show_money(each.stake)} of {cover_taken(each)}" for each in covers]
    settled = partial(settle, layout=group.layouts[0], limits=limits, currency=currency, admitted=True)
    return name, f"{', '.join(laid)}; {headline(coup)}", lambda: settled(book, coup, wagers, covers)


def _cases_of_limits(book: Book, case: Callable[..., Case], wins: Mapping[str, Coup]) -> Iterator[Case]:
    pipeline = book.point("limits", "pipeline")
    if pipeline is not None and "differential" in pipeline.values:
        three, gap = [Wager("player", stake * STAKE) for stake in (20, 5, 1)], 10 * STAKE
        name = f"A differential of {show_money(gap)}, with a minimum of {show_money(STAKE)}"
        held = case(name, wins["player"], three, Limits(STAKE, None, gap))
        yield *held[:2], lambda: [_with_clauses(line, book, "pro-rata-floor") for line in held[2]()]
    most = Limits(maximum=5 * STAKE)
    yield case(f"A maximum of {show_money(5 * STAKE)}", wins["banker"], [Wager("banker", 8 * STAKE)], most)
    name = f"A wager under the minimum of {show_money(STAKE)}, found after the close"
    under = case(name, wins["player"], [Wager("player", STAKE // 2)], Limits(minimum=STAKE))
    yield *under[:2], lambda: [_with_clauses(line, book, "under-minimum-late") for line in under[2]()]


def _cases_of_chips(group: Group, case: Callable[..., Case], wins: Mapping[str, Coup]) -> Iterator[Case]:
    uneven = next((bet for bet, priced in group.menu.bets.items() if priced.multiple > 1), None)
    if uneven is not None:
        yield case("A stake that cannot be paid exactly", wins["banker"], [Wager(uneven, STAKE + 1)], Limits())
        exact = Limits(unit=STAKE)
        yield case(f"Chips of {show_money(exact.unit)}, payments exact", wins["banker"], [Wager(uneven, STAKE)], exact)
        up = Limits(unit=STAKE // 4, rounding="up")
        rounded = _rounded(group.menu[uneven], up.unit) or wins["banker"]
        yield case(f"Chips of {show_money(up.unit)}, payments rounded up", rounded, [Wager(uneven, up.unit)], up)
    yield case("A stake that is not whole chips", wins["player"], [Wager("player", STAKE // 4)], Limits(unit=STAKE))


def _cases_of_cover(insurance: Insurance, case: Callable[..., Case], natural: Coup) -> Iterator[Case]:
    on_player = [Wager("player", STAKE)]
    twice = Cover("four-cards", "player", 2 * STAKE, 0)
    yield case("Cover over its cap", deal("6h 2c Kd As 5h"), on_player, _POSTED, (twice,))
    for also in insurance.cap_at:
        found = ((row, coup) for row in insurance.rows for coup in _insured() if _is_offered(row, coup))
        for row, coup in [each for each in found if each[0].odds == also.odds][:1]:
            name = f"Cover at {also.odds.in_words}, with a {also.of} of {show_money(STAKE)}"
            cover = Cover(row.stage, row.hand, STAKE, 0)
            yield case(name, coup, [Wager(row.hand, STAKE)], _posting(also), (cover,))
    tenth = Cover("four-cards", "player", STAKE // 10, 0)
    yield case("Cover after a natural", natural, on_player, _POSTED, (tenth,))
