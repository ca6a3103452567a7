"""Pay rows held against each other, against the Table of Play and against the print of the layouts."""

from collections.abc import Iterator, Mapping
from itertools import combinations

import msgspec

from punto.coup import OUTCOMES, insurable_situations, outcome, reachable_outcomes, situation
from punto.extras import MissingExtra
from punto.lint.findings import Finding, Severity, finding, found
from punto.messages import Message, Sentence, say
from punto.rulebook import Basis, Book, Layout, Pattern, Priced, Row, cite, menu
from punto.rulebook.lines import Path
from punto.rulebook.model import Print, WagerResult
from punto.rulebook.places import line_of
from punto.rulebook.prices import Odds
from punto.rulebook.words import cover_in_words, pattern_in_words


def outcomes(pattern: Pattern) -> frozenset[int]:
    """The dense indexes of the outcomes that a pattern matches."""
    return frozenset(index for index in range(OUTCOMES) if pattern.matches(outcome(index)))


def place_of(book: Book, layout: str, row: Row, number: int = 0) -> Path:
    """Where a row that a layout carries stands in the file: its first place, or a later one where it stands twice."""
    groups = book.layouts[layout].pays
    places = [
        ("pays", group, book.pay_tables[group][at])
        for group in groups
        for at, each in enumerate(book.pays[group])
        if each == row
    ]
    return places[min(number, len(places) - 1)]


def check_rows(book: Book) -> Iterator[Finding]:
    """Rows that no coup can meet, and rows of one layout that claim the same outcome.

    Rows are met in order: one that lies within a later one is an exception to it, and none is ever reached of which
    earlier ones take everything. What looks at cards is not compared here; `check_counted_rows` counts it.
    """
    matched = {
        row: outcomes(row.when) & reachable_outcomes()
        for rows in book.pays.values()
        for row in rows
        if row.when.by_outcome
    }
    for group, rows in book.pays.items():
        for at, row in enumerate(rows):
            if matched.get(row) == frozenset():
                says = say("row-never-met", "no coup can meet this row: {row}.", row=pattern_in_words(row.when))
                yield finding(
                    book,
                    "unreachable",
                    ("pays", group, book.pay_tables[group][at]),
                    f"pays.{group}, {row.bet}",
                    says,
                    row.basis,
                )
    yield from _check_order(book, matched)


def _check_order(book: Book, matched: Mapping[Row, frozenset[int]]) -> Iterator[Finding]:
    """Rows of one layout of which earlier ones leave nothing, or that overlap with one: once for every place.

    A table of the file stands for several rows, one for each of its odds and of its bet's choices.
    """
    taken: set[object] = set()
    last: set[Path] = set()
    overlaps: dict[tuple[Path, Path], tuple[str, Row, Row]] = {}
    for layout in book.layouts:
        for bet in menu(book, layout).bets.values():
            behind = rows_behind_all(book, layout, bet.rows)
            if behind and (place := _before_others(book, layout, bet.rows)) not in last:
                last.add(place)
                yield _must_be_last(book, layout, place, behind)
            compared = [row for row in bet.rows if matched.get(row) and row not in behind]
            for at, row in enumerate(compared):
                before = frozenset().union(*(matched[each] for each in compared[:at]))
                if matched[row] <= before:
                    one = place_of(book, layout, row) if bet.bet.choice_of else row
                    if one not in taken:
                        taken.add(one)
                        yield row_taken(book, layout, row)
                    continue
                for first in compared[:at]:
                    both = matched[first] & matched[row]
                    exception = matched[first] < matched[row]
                    if both and not bet.bet.in_order and (pay_alike(first, row) or not exception):
                        places = (place_of(book, layout, first), place_of(book, layout, row, int(first == row)))
                        _, *worst = overlaps.setdefault(places, (layout, first, row))
                        if pay_alike(*worst) and not pay_alike(first, row):
                            overlaps[places] = (layout, first, row)
    for layout, first, row in overlaps.values():
        yield overlap(book, layout, first, row)


def pay_alike(first: Row, second: Row) -> bool:
    """Whether two rows do the same to a wager."""
    return (first.result, first.odds) == (second.result, second.odds)


def rows_behind_all(book: Book, layout: str, rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows of a bet that stand behind a table of the file that takes every coup; none where no table does."""
    seen: dict[Path, frozenset[int]] = {}
    for number, row in enumerate(rows):
        if row.when.by_outcome:
            at = place_of(book, layout, row)
            seen[at] = seen.get(at, frozenset()) | outcomes(row.when)
            if seen[at] >= reachable_outcomes():
                return tuple(each for each in rows[number + 1 :] if place_of(book, layout, each) != at)
    return ()


def _before_others(book: Book, layout: str, rows: tuple[Row, ...]) -> Path:
    """The table of the file that takes every coup, and before which others should stand."""
    behind = rows_behind_all(book, layout, rows)
    return place_of(book, layout, rows[rows.index(behind[0]) - 1])


def _must_be_last(book: Book, layout: str, at: Path, behind: tuple[Row, ...]) -> Finding:
    """One fault for a table that leaves nothing to all that stand behind it."""
    lines = sorted({line_of(book, place_of(book, layout, row)) for row in behind})
    says = say(
        "row-must-be-last",
        "this row takes every coup, and leaves nothing to the rows on lines {lines:and}: put it behind them.",
        lines=list(map(str, lines)),
    )
    if len(lines) == 1:
        says = say(
            "row-must-be-behind",
            "this row takes every coup, and leaves nothing to the row on line {line}: put it behind that one.",
            line=lines[0],
        )
    return found(book, "fault", "unreachable", at, f"layout {layout}, {behind[0].bet}", says)


def row_taken(book: Book, layout: str, row: Row) -> Finding:
    """A row of which earlier ones leave nothing."""
    says = say("row-taken", "rows before it take all that this row is about: {row}.", row=pattern_in_words(row.when))
    at = place_of(book, layout, row)
    return finding(book, "unreachable", at, f"layout {layout}, {row.bet}", says, row.basis, "fault")


def overlap(book: Book, layout: str, first: Row, second: Row) -> Finding:
    """Two rows of a bet that claim the same coups, and neither is an exception to the other."""
    basis = Basis((*first.basis.clauses, *second.basis.clauses))
    at, where = place_of(book, layout, second, int(first == second)), f"layout {layout}, {first.bet}"
    one, two = pattern_in_words(first.when), pattern_in_words(second.when)
    if pay_alike(first, second):
        says = say("rows-overlap", "'{first}' and '{second}' overlap.", first=one, second=two)
        return finding(book, "overlap", at, where, says, basis)
    says = say(
        "rows-differ",
        "'{first}' and '{second}' overlap and pay differently; the first one counts. If that is meant, write "
        "in-order = true under [bets.{bet}].",
        first=one,
        second=two,
        bet=book.bets[first.bet].choice_of or first.bet,
    )
    return finding(book, "overlap", at, where, says, basis, "fault")


class PrintCheck(msgspec.Struct, frozen=True):
    """Odds printed on a layout, and whether the pay rows agree."""

    printed: Print
    agrees: bool
    says: str
    message: Message


def check_prints(book: Book, layout: Layout) -> list[PrintCheck]:
    """Hold what is printed on a layout against its pay rows.

    Where either looks at cards, deals are counted; without the extra for it such a print is not held against anything.
    """
    found = []
    for each in layout.prints:
        cite(book.id, *each.basis.clauses)
        bet = menu(book, layout.id).bets.get(each.bet)
        if bet is None:
            says = say(
                "print-of-no-bet",
                "prints {bet} at {odds:odds}, and no group of pay rows that it carries pays that bet",
                bet=book.bets[each.bet].name,
                odds=each.odds.text,
            )
            found.append(PrintCheck(each, False, str(says), says.message))
            continue
        try:
            verdicts = _paid_by_body(book, layout, each, bet)
        except MissingExtra:
            continue
        paid = {odds.text if odds else result for result, odds in verdicts}
        agrees = all(odds is not None and odds.fraction == each.odds.fraction for _, odds in verdicts)
        says = say(
            "print",
            "prints {bet}, {row}, at {odds:odds}",
            bet=bet.bet.name,
            row=pattern_in_words(each.when),
            odds=each.odds.text,
        )
        if not agrees:
            body = [
                say("row-pays", "{row} at {odds:odds}", row=pattern_in_words(row.when), odds=row.odds.text)
                for row in bet.rows
                if row.odds
            ]
            says = say(
                "print-against-body",
                "{print}, but the body says {paid:and} there; it pays {body:items}",
                print=says,
                paid=sorted(paid),
                body=body,
            )
        found.append(PrintCheck(each, agrees, str(says), says.message))
    return found


def _paid_by_body(book: Book, layout: Layout, printed: Print, bet: Priced) -> set[tuple[WagerResult, Odds | None]]:
    """What the pay rows of a bet do wherever a print of it is about."""
    if bet.by_outcome and printed.when.by_outcome:
        meant = outcomes(printed.when) & reachable_outcomes()
        return {(verdict.result, verdict.odds) for verdict in map(bet.verdict, meant)}
    from punto.odds import bet_odds, full_shoe  # not before it is needed: it takes a second to load

    rows = [msgspec.structs.replace(row, when=row.when.within(printed.when)) for row in bet.rows]
    rows.append(Row(bet.bet.id, printed.when, "lose", None, bet.bet.loses))
    shoe = full_shoe(book.decks.usual)
    met = bet_odds(menu(book, layout.id).with_rows(bet.bet.id, tuple(rows)), shoe)[bet.bet.id]
    return {(each.row.result, each.row.odds) for each in met.rows if each.deals}


def check_layouts(book: Book) -> Iterator[Finding]:
    """Prints that contradict the body."""
    for layout in book.layouts.values():
        for at, check in enumerate(check_prints(book, layout)):
            if not check.agrees:
                yield finding(
                    book,
                    "print",
                    ("layouts", layout.id, "print", at),
                    f"layout {layout.id}",
                    say("print-differs", "{print}.", print=Sentence(check.says, check.message)),
                    check.printed.basis,
                )


def check_insurance(book: Book) -> Iterator[Finding]:
    """Cells of the insurance table that can never be offered, and cells with two prices."""
    if book.insurance is None:
        return
    seen = [situation(index) for index in insurable_situations()]
    for at, row in enumerate(book.insurance.rows):
        cells = {(each.own(row.hand), each.opposite(row.hand)) for each in seen if each.stage == row.stage}
        dead = [(own, other) for own in row.own for other in row.opposite if (own, other) not in cells]
        if dead:
            cells_said = [
                say("cell", "{own} against {opposite}", own=own, opposite=other) for own, other in sorted(dead)
            ]
            says = say(
                "cells-never-offered",
                "can never be offered: {hand:hand} {cells:list}.",
                hand=row.hand,
                cells=cells_said,
            )
            where = f"insurance, {row.stage}, {cover_in_words(row)}"
            yield finding(book, "dead-cell", ("insurance", "row", at), where, says, row.basis)
    for (_, first), (at, second) in combinations(enumerate(book.insurance.rows), 2):
        same = (first.stage, first.hand) == (second.stage, second.hand)
        if same and first.own & second.own and first.opposite & second.opposite:
            says = say(
                "cells-overlap",
                "'{first}' and '{second}' overlap; the first one counts.",
                first=cover_in_words(first),
                second=cover_in_words(second),
            )
            basis = Basis((*first.basis.clauses, *second.basis.clauses))
            severity: Severity = "finding" if first.odds == second.odds else "fault"
            place = ("insurance", "row", at)
            yield finding(book, "overlap", place, f"insurance, {first.stage}", says, basis, severity)
