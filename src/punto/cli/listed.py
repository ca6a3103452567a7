"""How a command with commands of its own lists them in its help, and tells of a value that is of the wrong kind."""

from typing import TYPE_CHECKING, Any

import typer.core

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

FIRST_SENTENCES = {
    "rulebooks": "List the rulebooks that come with Punto, their earlier editions, or the public games.",
    "show": "Show a book's pay tables on a layout, with the clause of every row.",
    "clauses": "Print which clause is enforced, which tests show it, and the change that proves it.",
    "new": "Write a commented rulebook, its clause index and a first story, by a few answers.",
    "lint": "Check a rulebook. Faults make the exit status 1; findings only with --strict.",
    "fmt": "Put rulebook files into one style; what they mean never changes, and comments are kept.",
    "watch": "Show faults, pay table and edges of a file, again after every save, until Ctrl-C.",
    "cover": "Play stories, and tell which clauses, rows, cells, guards and choices of a book they reach.",
    "design": "Find the pay tables in whole odds that give a bet nearly the wanted edge.",
    "diff": "Compare two books, or two versions of one, point by point; with --prove, in what they pay and do.",
    "messages": "Every message id with its English template, as JSON: what a translation has to say.",
    "schema": "The rulebook format as a JSON Schema, for editors; or what a command prints with --json.",
    "settle": "Settle rounds: one line of JSON a round in, one line out, in the same order.",
    "explain": "Say why each wager was paid as it was, with the clause of every step.",
    "odds": "Print the exact odds of every bet, and of insurance, from a full or depleted shoe.",
    "simulate": "Deal shoes and hold what every bet returned beside its exact figure.",
    "exposure": "Deal shoes, and before every round compute every bet's exact edge from the cards that are left.",
    "certify": "Certify a rulebook: every pay row and insurance cell, exact, with findings, readings and plots.",
    "evidence": "Tell what kept runs and certificates still show. Exit status 1 if a command gives something else.",
    "roads": "Draw the bead plate, the big road and the three derived roads, with the two ask answers.",
    "demo": "Deal a shoe: every round with its wagers settled, the clause of each line, and the roads.",
    "serve": "Serve live tables, by API and in the browser; all is durable before anybody hears of it.",
    "doctor": "Look at a house and say what is wrong, and how to mend it. Exit status 1 if something is.",
    "scenario": "Stories at a table: play them, and see whether they go as told.",
    "history": "Recorded shoes: count, draw and settle them, or make them from others'.",
    "conformance": "Conformance kits: cases from a book that other systems are held to.",
    "journal": "The journal of a house: verify it, export its rounds.",
    "shoe": "Virtual shoes: hold one against its commitment.",
    "users": "Accounts: people and devices, and the posts that they hold.",
    "cage": "The cage: the count, deposits, and money that the house holds.",
    "keys": "The keys of a house: show them, and replace them.",
    "witness": "A witness of a house: signs heads of chains that follow from one another.",
    "feed": "Card-reading shoes: simulate one.",
}
"""What the help of `punto` says of each command: as its own help begins. So the list needs none of their modules."""


class ListedCommands(typer.core.TyperGroup):
    """A group whose help says of every command all of its first sentence, however wide the terminal is."""

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:  # noqa: ARG002  # as Typer calls it
        """Write the commands in the order in which they are declared."""
        told = {name: (command.help or "").partition("\n\n")[0] for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, " ".join(text.split())) for name, text in told.items()])

    def invoke(self, ctx: "Context") -> Any:  # as Typer declares it
        """Run a command; a value of the wrong kind is told in a sentence that shows the right one."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _plain(error) or error.message
            raise


def _plain(error: typer.BadParameter) -> str | None:
    """What is wrong with a value, where Typer has it from a validator that speaks to programmers."""
    errors = getattr(error.__cause__, "errors", None)
    if errors is None or error.param is None:
        return None
    wrong = errors(include_url=False)[0]
    given, kind, bound = wrong["input"], wrong["type"], wrong.get("ctx", {})
    if kind.startswith("int"):
        return f"{given!r} is not a whole number: write it like {_number_like(error.param.default, 8)}."
    if kind.startswith("float"):
        return f"{given!r} is not a number: write it like {_number_like(error.param.default, 0.5):g}."
    if kind == "greater_than_equal":
        return f"{given} is too little: it is at least {bound['ge']:g}."
    if kind == "less_than_equal":
        return f"{given} is too much: it is at most {bound['le']:g}."
    if "%Y" in wrong["msg"]:
        return f"{given!r} is no day: write it like 2026-01-31."
    return str(wrong["msg"]).removeprefix("Value error, ")


def _number_like(default: Any, other: float) -> float:
    """The default where there is one, else another number."""
    return default if isinstance(default, int | float) else other
