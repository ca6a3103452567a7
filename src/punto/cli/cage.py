"""`punto cage`: the count of the house, deposits in its own wallet, and purses that it holds."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.count_tables import COLUMNS, CountTable, records
from punto.cli.house import acting_person, console_user, house_key, opened_house
from punto.cli.output import Config, Database, Json, Table, check_table, print_json, write_table
from punto.extras import needs

if TYPE_CHECKING:
    from punto.service.money.count import Count

app = typer.Typer(no_args_is_help=True, help="The cage: the count, deposits, and money that the house holds.")

Who = Annotated[str, typer.Argument(metavar="PERSON", help="The id of a person, as punto users list tells it.")]
HowMuch = Annotated[str, typer.Argument(metavar="AMOUNT", help="An amount, such as 1000 or 250.50.")]


def _in_capitals(code: str) -> str:
    return code.upper()


Currency = Annotated[str, typer.Option(metavar="CODE", callback=_in_capitals, help="The currency.")]


@app.callback()
def cage() -> None:
    """Money outside the tables. Whatever is done here is on the record."""


@app.command()
@needs("serve")
def count(
    day: Annotated[
        str | None, typer.Option(metavar="DAY", help="A gaming day, such as 2026-11-15; else all days.")
    ] = None,
    database: Database = None,
    config: Config = None,
    output: Table = None,
    of: Annotated[
        CountTable | None,
        typer.Option(metavar="tables|patrons|purses|currencies", help="Which table --output writes; else tables."),
    ] = None,
    json: Json = False,
) -> None:
    """Count the house by table, cage, wallet and patron, from the chains; exit status 1 if it is not zero in all."""
    from punto.service.days import start_of_days
    from punto.service.money.count import Counter

    check_table(output, of)
    day = None if day is None else _day(day)
    journal, given = opened_house(database, config)
    found = Counter(journal, start_of_days(given.day_starts), house_key(journal, given)).count(day)
    asked = of or CountTable.TABLES
    write_table(output, records(found, asked), COLUMNS[asked])
    if json:
        print_json(found)
    else:
        _print(found)
    if not found.zero:
        raise typer.Exit(1)


def _day(text: str) -> str:
    """A gaming day as it was given."""
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no day, like 2026-11-15.") from None


def _print(found: "Count") -> None:
    from punto.amounts import amounts_in, show_money

    for table in found.tables:
        with amounts_in(table.currency):
            moved = f"bought {show_money(table.bought)}, cashed {show_money(table.cashed)}, won {show_money(table.won)}"
            typer.echo(f"{table.table} ({table.currency}): {moved}; in all {show_money(table.result)}.")
            for person, had in table.patrons.items():
                moved = f"bought {show_money(had.bought)}, cashed {show_money(had.cashed)}"
                owes = f", owes {show_money(had.owed)}" if had.owed else ""
                typer.echo(f"  {person}: {moved}, has {show_money(had.chips)}{owes}")
    for kind, people in (("held for", found.held), ("in the wallet of", found.wallets)):
        for person, amounts in people.items():
            for currency, amount in amounts.items():
                typer.echo(f"{kind} {person}: {show_money(amount, currency)} {currency}")
    for each in found.currencies:
        parts = ("cage", "wallet", "under_way", "held", "tables", "patrons")
        with amounts_in(each.currency):
            sums = ", ".join(f"{part.replace('_', ' ')} {show_money(getattr(each, part))}" for part in parts)
            typer.echo(f"{each.currency}: {sums}; together {show_money(each.sum)}.")
    typer.echo("It sums to zero." if found.zero else "It does not sum to zero.")


@app.command()
@needs("serve")
def report(
    day: Annotated[str, typer.Argument(metavar="DAY", help="A gaming day, such as 2026-11-15.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A .csv, .jsonl, .parquet or .pdf file.")
    ] = None,
    database: Database = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Report a gaming day by table, dealer and patron, from the chains: as CSV, or as a file."""
    from punto.service.accounts.registry import Accounts
    from punto.service.days import start_of_days
    from punto.service.money.count import Counter
    from punto.service.money.report_files import report_csv, report_pdf, report_rows
    from punto.tabular import is_table

    day = _day(day)
    is_pdf = output is not None and output.suffix.lower() == ".pdf"
    if output is not None and not is_pdf and not is_table(output):
        raise typer.BadParameter("A report is a .csv, .jsonl, .parquet or .pdf file.")
    check_table(None if is_pdf else output)
    journal, given = opened_house(database, config)
    counter = Counter(journal, start_of_days(given.day_starts), house_key(journal, given))
    found = counter.report(day)
    shown = Accounts(journal).shown_names(found.people)
    if json:
        print_json(found)
    elif output is None:
        typer.echo(report_csv(found, shown).replace("\r\n", "\n"), nl=False)
    elif is_pdf:
        output.write_bytes(report_pdf(found, shown))
    elif output.suffix.lower() == ".csv":
        output.write_text(report_csv(found, shown), encoding="utf-8", newline="")
    else:
        write_table(output, report_rows(found, shown))


@app.command()
@needs("serve")
def deposit(
    person: Who, amount: HowMuch, currency: Currency = "USD", database: Database = None, config: Config = None
) -> None:
    """Take money for a person into the house's own wallet."""
    import secrets

    from punto.service.money.own_wallet import OwnWallet

    journal, _ = opened_house(database, config)
    acting_person(journal, person)
    minor = _minor(amount, currency)
    OwnWallet(journal).deposit(f"cage {secrets.token_hex(16)}", person, minor, currency, who=console_user())
    typer.echo(f"{person} has {amount} {currency} more in the wallet.")


@app.command()
@needs("serve")
def withdraw(
    person: Who, amount: HowMuch, currency: Currency = "USD", database: Database = None, config: Config = None
) -> None:
    """Pay a person out of the house's own wallet."""
    import secrets

    from punto.service.money.own_wallet import OwnWallet

    wallet = OwnWallet(opened_house(database, config)[0])
    wallet.withdraw(f"cage {secrets.token_hex(16)}", person, _minor(amount, currency), currency, who=console_user())
    typer.echo(f"{person} was paid {amount} {currency}.")


@app.command("pay-out")
@needs("serve")
def pay_out(
    person: Who, amount: HowMuch, currency: Currency = "USD", database: Database = None, config: Config = None
) -> None:
    """Pay out money that the house holds for a person whose account was removed, or whose wallet took none."""
    from punto.service.money import purses

    journal, _ = opened_house(database, config)
    purses.pay_out(journal, person, _minor(amount, currency), currency, by=console_user(), at=_now())
    typer.echo(f"{person} was paid {amount} {currency}.")


@app.command()
@needs("serve")
def hold(person: Who, database: Database = None, config: Config = None) -> None:
    """Take a person's chips off every table, and hold what they come to."""
    from punto.service.money import purses

    journal, given = opened_house(database, config)
    emptied = purses.hold_purses(journal, person, by=console_user(), now=_now, key=house_key(journal, given))
    if emptied:
        typer.echo(f"What {person} had at {', '.join(emptied)} is held.")
    else:
        acting_person(journal, person)  # a name that nobody has is a mistake
        typer.echo(f"{person} has nothing at any table.")


def _minor(amount: str, currency: str) -> int:
    """An amount in minor units of a currency that is one."""
    from punto.amounts import money
    from punto.rulebook import check_currency

    check_currency(currency)
    return money(amount, currency)


def _now() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
