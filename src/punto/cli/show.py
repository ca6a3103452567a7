"""`punto show`: a book's pay tables as a person would read them."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypedDict, cast

import typer

from punto.cli.output import Book, Json, Layout, Table, check_table, print_json, print_table, span, write_table

if TYPE_CHECKING:
    from punto.rulebook import Book as Rulebook
    from punto.rulebook import Menu
    from punto.rulebook.model import Layout as OnLayout

_STAGES = {"four-cards": "after four cards", "third-card": "after Player's third card"}


class ShownTable(StrEnum):
    """The tables of a layout."""

    PAYS = "pays"
    RULES = "rules"
    INSURANCE = "insurance"


class _Pay(TypedDict):
    bet: str
    name: str
    when: str
    result: str
    odds: str | None
    pays: str
    clause: str
    readings: tuple[str, ...]


class _Rule(TypedDict):
    bet: str
    name: str
    rule: str
    says: str
    clause: str
    readings: tuple[str, ...]


class _Cover(TypedDict):
    stage: str
    hand: str
    when: str
    odds: str
    tie: str
    clause: str
    readings: tuple[str, ...]


def show(
    book: Book,
    layout: Layout = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print the file itself, to begin one's own with.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="Print the file with all that it has from its base.")] = False,
    output: Table = None,
    of: Annotated[
        ShownTable | None, typer.Option(metavar="pays|rules|insurance", help="Which table --output writes; else pays.")
    ] = None,
    json: Json = False,
) -> None:
    """Show a book's pay tables on a layout, with the clause of every row."""
    from punto.lint import check_prints
    from punto.rulebook import load, menu, source
    from punto.rulebook import whole as whole_text

    check_table(output, of)
    if (toml or whole) and output is not None:
        raise typer.BadParameter("--output writes a table: leave it out with --toml and --whole.")
    if toml or whole:
        text = source(book)
        typer.echo((whole_text(text, book) if whole else text).decode(), nl=False)
        return
    found = load(book)
    carried = menu(found, layout)
    on = carried.layout
    if of is ShownTable.RULES:
        write_table(output, rules_of(carried), list(_Rule.__annotations__))
    elif of is ShownTable.INSURANCE:
        write_table(output, covers_of(found), list(_Cover.__annotations__))
    else:
        write_table(output, carried.to_rows())
    if json:
        print_json(_as_json(found, carried))
        return
    print_head(found, on)
    print_pays(pays_of(carried))
    print_rules(rules_of(carried))
    print_covers(covers_of(found))
    for check in check_prints(found, on):
        if not check.agrees:
            typer.echo(f"Contradiction: layout {on.id} {check.says}.")


def _as_json(book: "Rulebook", carried: "Menu") -> dict[str, object]:
    from punto.lint import check_prints

    on = carried.layout
    return {
        "rulebook": book.id,
        "title": book.title,
        "version": book.version,
        "layout": on.id,
        "layouts": list(book.layouts),
        "decks": [book.decks.min, book.decks.max],
        "positions": [on.positions.min, on.positions.max],
        "verified": on.verified and on.positions.verified and book.decks.verified,
        "pays": pays_of(carried),
        "rules": rules_of(carried),
        "insurance": covers_of(book),
        "prints": [{"says": check.says, "agrees": check.agrees} for check in check_prints(book, on)],
    }


def print_head(book: "Rulebook", on: "OnLayout") -> None:
    """Which book and layout it is, and what of them could not be verified."""
    from punto.rulebook import games
    from punto.rulebook.approval import approval, ships
    from punto.rulebook.vocabulary import PRINTED

    title = on.title or on.version
    named = f" ({title})" if title else ""
    decks = book.decks.noun if book.decks.min else "decks not stated"
    boxes = f"{on.positions.min} to {on.positions.max} positions" if on.positions.max else "positions not known"
    typer.echo(f"{book.title}, version {book.version}, {book.operator}")
    typer.echo(f"Layout {on.id}{named} of {span(list(book.layouts))}; {boxes}; {decks}")
    if (on_layout := book.cards.printed) is not None:
        clause = on_layout.basis.clause
        typer.echo(f"Printed on the layout: {on_layout.card}, as {PRINTED[on_layout.place]}. ({clause})")
    if book.id in games() and ships(book):
        typer.echo(str(approval(book).says))
    for verified, what, readings in (
        (on.verified, "which bets this layout carries", on.readings),
        (on.positions.verified, "how many positions it has", on.positions.readings),
        (book.decks.verified, "how many decks are used", book.decks.basis.readings),
    ):
        if not verified:
            typer.echo(f"Not verified: {what} ({', '.join(readings)}).")


def print_pays(pays: list[_Pay]) -> None:
    """The pay tables."""
    print_table(
        None,
        ["bet", "when", "pays", "clause", "readings"],
        [(each["name"], each["when"], each["pays"], each["clause"], ", ".join(each["readings"])) for each in pays],
    )


def print_rules(rules: list[_Rule]) -> None:
    """What holds of bets besides their pays, where anything does."""
    if not rules:
        return
    print_table(
        "Besides",
        ["bet", "is bet", "clause", "readings"],
        [(each["name"], each["says"], each["clause"], ", ".join(each["readings"])) for each in rules],
    )


def print_covers(covers: list[_Cover]) -> None:
    """The prices of insurance, where there are any."""
    if not covers:
        return
    print_table(
        "Insurance",
        ["offered", "situation", "pays", "a tie", "clause", "readings"],
        [
            (
                _STAGES[each["stage"]],
                each["when"],
                _odds(each["odds"]),
                each["tie"],
                each["clause"],
                ", ".join(each["readings"]),
            )
            for each in covers
        ],
    )


def pays_of(carried: "Menu") -> list[_Pay]:
    """The pay rows of a layout."""
    return cast("list[_Pay]", carried.to_rows().records())


def rules_of(carried: "Menu") -> list[_Rule]:
    """What holds of the bets of a layout besides their pays."""
    from punto.rulebook import printed
    from punto.rulebook.bet_rules import bet_rules

    return [
        _Rule(
            bet=name,
            name=priced.bet.name,
            rule=rule.key,
            says=str(rule.says),
            clause=printed(rule.basis.clauses[0]),
            readings=rule.basis.readings,
        )
        for name, priced in carried.bets.items()
        for rule in bet_rules(carried.book, priced.bet)
    ]


def covers_of(book: "Rulebook") -> list[_Cover]:
    """The rows of the insurance table."""
    from punto.rulebook import printed
    from punto.rulebook.words import cover_in_words

    return [
        _Cover(
            stage=row.stage,
            hand=row.hand,
            when=str(cover_in_words(row)),
            odds=row.odds.text,
            tie="pays" if row.tie_pays else "returns",
            clause=printed(row.basis.clauses[0]),
            readings=row.tie_pays.readings if row.tie_pays else (),
        )
        for row in (book.insurance.rows if book.insurance else ())
    ]


def _odds(odds: str | None) -> str:
    return "comes back" if odds is None else odds.replace(":", " to ")
