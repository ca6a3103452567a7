"""`punto journal`: go through a journal with no service running, and write its rounds down as hand histories."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from punto.cli.output import Json, Table, check_table, counted, print_json, write_table

if TYPE_CHECKING:
    from punto.audit import Verified
    from punto.journal import Journal
    from punto.journal.witness import Cosigned

app = typer.Typer(no_args_is_help=True, help="The journal of a house: verify it, export its rounds.")

Database = Annotated[
    str,
    typer.Option("--database", metavar="URL", envvar="PUNTO_DATABASE", help="sqlite:///file.db or postgresql://…."),
]
Master = Annotated[
    Path | None,
    typer.Option(
        "--master-key",
        metavar="FILE",
        envvar="PUNTO_MASTER_KEY_FILE",
        help="The master key: cards of shoes in use are then checked too.",
    ),
]
OneTable = Annotated[str | None, typer.Option("--table", metavar="T", help="Only this table; else all of them.")]


@app.callback()
def journal() -> None:
    """The journal of a house."""


@app.command()
def verify(
    database: Database = "sqlite:///punto.db",
    table: OneTable = None,
    trusted: Annotated[
        str | None,
        typer.Option(
            "--trusted", metavar="KEY", help="The public key that must have signed every checkpoint; else any."
        ),
    ] = None,
    witness: Annotated[
        str | None,
        typer.Option("--witness", metavar="FILE|KEY", help="The file of a witness, or its public key."),
    ] = None,
    book: Annotated[
        list[Path] | None,
        typer.Option("--book", metavar="FILE", help="A rulebook that does not ship with Punto; may be repeated."),
    ] = None,
    master: Master = None,
    output: Table = None,
    json: Json = False,
) -> None:
    """Check every hash, signature, decision and amount again; exit status 1 if an event is wrong.

    No service need be running, and nothing is changed. The first event of a table that is wrong is named, and why.
    """
    from punto.audit import open_journal
    from punto.audit import verify as go_through
    from punto.journal import MasterKey
    from punto.rulebook import SHIPPED, load
    from punto.table import ENGINE
    from punto.table.invariants import INVARIANTS
    from punto.table.snapshot import STATE

    check_table(output)
    library = SHIPPED
    for file in book or ():
        library = library.with_book(load(str(file)))
    journal = open_journal(database)
    if master is not None:
        journal.master = MasterKey.of_text(master.read_text(encoding="utf-8"))
    found = go_through(journal, table, _key(trusted), library, _witnessed(journal, witness))
    write_table(output, map(_chain, found), _COLUMNS)
    if json:
        whole = all(each.wrong is None for each in found)
        rules = {each.name: each.says for each in INVARIANTS}
        print_json({"whole": whole, "engine": ENGINE, "state": STATE, "rules": rules, "chains": found})
    else:
        for each in found:
            typer.echo(str(each.wrong) if each.wrong is not None else _whole(each))
        names = ", ".join(each.name for each in INVARIANTS)
        typer.echo(f"Checked: {_CHECKED.format(engine=ENGINE, state=STATE)}; after every command: {names}.")
        wrong = sum(each.wrong is not None for each in found)
        typer.echo(f"{len(found) - wrong} of {counted(len(found), 'chain')} whole.")
    if any(each.wrong is not None for each in found):
        raise typer.Exit(1)


_COLUMNS = (
    "table", "entries", "events", "decided", "not_decided", "rounds", "faces", "checkpoints", "signed", "keys",
    "snapshots", "other_snapshots", "witnessed", "wrong",
)  # fmt: skip


def _chain(each: "Verified") -> dict[str, Any]:
    """What was gone through at a table, as a row; nothing is wrong where nothing stands there."""
    told = {name: getattr(each, name) for name in _COLUMNS}
    wrong = None if each.wrong is None else str(each.wrong)
    return told | {"not_decided": sum(each.not_decided.values()), "wrong": wrong}


_CHECKED = (
    "hashes, signatures, decisions by engine {engine}, settlements, amounts at the call, virtual shoes, "
    "snapshots of format {state}"
)
_NOT_DECIDED = {
    "no-command": "without their command",
    "other-engine": "decided by another engine",
    "sealed": "sealed in a shoe whose key is not out",
}


def _whole(each: "Verified") -> str:
    done = [f"{counted(each.events, 'event')} in {_entries(each.entries)}"]
    if each.decided:
        done.append(f"{counted(each.decided, 'command')} decided again")
    if each.rounds:
        done.append(f"{counted(each.rounds, 'round')} settled again")
    if each.faces:
        done.append(f"{counted(each.faces, 'face')} held against a shoe")
    if each.snapshots:
        done.append(f"{counted(each.snapshots, 'snapshot')} compared")
    if each.other_snapshots:
        done.append(f"{counted(each.other_snapshots, 'snapshot')} of another format not compared")
    by = f"signed up to event {each.signed} by {', '.join(each.keys)}" if each.signed else "nothing signed"
    seen = f", witnessed up to event {each.witnessed}" if each.witnessed else ""
    return f"{each.table}: whole. {', '.join(done)}; {by}{seen}.{_not_decided(each)}"


def _not_decided(each: "Verified") -> str:
    """For how many entries decisions were not repeated, and why."""
    if not each.not_decided:
        return ""
    why = ", ".join(f"{count} {_NOT_DECIDED[reason]}" for reason, count in sorted(each.not_decided.items()))
    return f" Decisions were not repeated for {_entries(sum(each.not_decided.values()))}: {why}."


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _witnessed(journal: "Journal", given: str | None) -> "list[Cosigned]":
    """What a witness has signed: by its own file, or as far as the journal keeps what it signed."""
    from punto.audit import BadAudit
    from punto.journal.cosignatures import cosigned
    from punto.journal.witness import read_cosigned

    if given is None:
        return []
    if not Path(given).exists():
        return cosigned(journal, _key(given) or "")
    found = read_cosigned(Path(given))
    if len({each.key for each in found}) > 1:
        raise BadAudit(f"{given} holds what several witnesses have signed.")
    return found


def _key(given: str | None) -> str | None:
    from punto.audit import BadAudit

    if given is None:
        return None
    key = given.strip().lower()
    if len(key) != 64 or not set(key) <= set("0123456789abcdef"):
        raise BadAudit(f"{given!r} is not a public key: that is 64 hexadecimal digits.")
    return key


@app.command()
def export(
    database: Database = "sqlite:///punto.db",
    table: OneTable = None,
    out: Annotated[
        Path, typer.Option("--output", "-o", "--out", metavar="FOLDER", help="Where to write the files.")
    ] = Path("histories"),
    form: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="F", help="csv, jsonl or parquet: rounds, wagers and events as tables; else histories."
        ),
    ] = None,
) -> None:
    """Write every round that is over as a hand history, a file a table; or rounds, wagers and events as tables."""
    from punto.tabular import FORMS

    if form is not None and form not in FORMS.values():
        raise typer.BadParameter(f"--format is csv, jsonl or parquet, not {form!r}.")
    from punto.audit import export as write
    from punto.audit import open_journal

    made = write(open_journal(database), out, table, form)
    for each in made:
        typer.echo(f"{each.file}  {counted(each.rounds, 'round')}")
    if not made:
        typer.echo("No round is over yet.")
