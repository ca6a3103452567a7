"""The examples at the end of every command's help."""

from textwrap import indent

import typer

EXAMPLES: dict[str, tuple[str, ...]] = {
    "rulebooks": ("punto rulebooks", "punto rulebooks --games"),
    "show": ("punto show wu-song --layout E", "punto show my-game.toml --whole"),
    "clauses": ("punto clauses", "punto clauses dragon-tiger-mbs --status stated", "punto clauses my-game.toml --add"),
    "new": ("punto new my-game.toml --ask", "punto new my-game.toml --banker commission --tie 8:1"),
    "lint": ("punto lint my-game.toml", "punto lint my-game.toml --strict --format sarif"),
    "fmt": ("punto fmt my-game.toml", "punto fmt --check books/a.toml books/b.toml"),
    "watch": ("punto watch my-game.toml",),
    "cover": (
        "punto cover wu-song scenarios/wu-song",
        "punto cover my-game.toml stories --least 0.9 --junit cover.xml",
    ),
    "design": ("punto design my-game.toml dragon-7 --edge 0.07",),
    "diff": (
        "punto diff wu-song da-hu-ying-xiong",
        "punto diff wu-song --layouts A,B",
        "punto diff wu-song my-wu-song.toml --prove",
    ),
    "messages": ("punto messages",),
    "schema": ("punto schema > rulebook.schema.json", "punto schema odds", "punto schema --list"),
    "settle": (
        "punto settle rounds.jsonl",
        "punto settle wagers.csv --output settled.parquet",
        "punto settle < rounds.jsonl > settled.jsonl",
    ),
    "explain": (
        "punto explain wu-song '5h 7c Kd Ks Qh' banker=100 --layout E",
        "punto explain commission-insurance '6h 2c Kd As 5h' player=100 --cover four-cards:player=20",
    ),
    "odds": (
        "punto odds wu-song",
        "punto odds wu-song --output edges.csv",
        "punto odds commission-insurance --decks 6 --removed '6h 6 Kd'",
    ),
    "simulate": ("punto simulate wu-song", "punto simulate wu-song --shoes 1000000 --seed 7 --save wu-song.tally.json"),
    "exposure": ("punto exposure wu-song", "punto exposure wu-song --bet tie --shoes 100000"),
    "certify": (
        "punto certify wu-song --output certificate.pdf",
        "punto certify wu-song --pack submission --issuer 'A. Lab' --issued 2026-01-31",
    ),
    "evidence": (
        "punto evidence wu-song.tally.json certificate.pdf submission",
        "punto evidence certificate.pdf --repeat",
    ),
    "roads": ("punto roads BBPTPbBBnP", "punto roads BPTBBP --json"),
    "demo": ("punto demo", "punto demo dragon-tiger-mbs --seed 7 --rounds 20"),
    "serve": (
        "punto serve --demo",
        "punto serve --config house.toml --port 8001",
    ),
    "doctor": ("punto doctor", "punto doctor --config house.toml --json"),
    "scenario words": ("punto scenario words", "punto scenario words place open-table"),
    "scenario run": ("punto scenario run scenarios/wu-song", "punto scenario run story.scenario --events"),
    "history show": ("punto history show evening.history",),
    "history roads": ("punto history roads evening.history --shoe 2",),
    "history replay": ("punto history replay evening.history --shoe 1", "punto history replay evening.history --json"),
    "history export": (
        "punto history export evening.history --output rounds.csv",
        "punto history export evening.history --wagers --output wagers.parquet",
    ),
    "history settle": ("punto history settle evening.history",),
    "history import": (
        "punto history import shoes.txt --book wu-song --output shoes.history",
        "punto history import hands.csv --from csv --book commission-insurance --decks 8",
    ),
    "conformance make": ("punto conformance make wu-song --output kit",),
    "conformance run": (
        "punto conformance run kit --program './my-engine'",
        "punto conformance run kit --url http://localhost:9000/case --junit report.xml",
    ),
    "conformance answer": ("punto conformance run kit --program 'punto conformance answer'",),
    "journal verify": ("punto journal verify", "punto journal verify --table wu-song --json"),
    "journal export": (
        "punto journal export --table wu-song --output rounds",
        "punto journal export --format csv",
    ),
    "shoe verify": (
        "punto shoe verify --table wu-song --shoe 3",
        "punto shoe verify --commitment C --seed S 6h 2c Kd As",
    ),
    "users add": ("punto users add ann --kind patron", "punto users add lee --kind staff --post wu-song:dealer"),
    "users list": ("punto users list",),
    "users password": ("punto users password lee",),
    "users post": ("punto users post lee wu-song pit-manager", "punto users post lee wu-song"),
    "users remove": ("punto users remove lee",),
    "users shown": ("punto users shown ann 'Ann B.'",),
    "users link": ("punto users link lee --url https://casino.example --hours 2",),
    "users token": ("punto users token shoe-1",),
    "users revoke": ("punto users revoke lee --config house.toml",),
    "users totp": ("punto users totp lee",),
    "users oidc": ("punto users oidc lee 00u1a2b3 --issuer https://login.example",),
    "users sessions": ("punto users sessions", "punto users sessions lee"),
    "users end-session": ("punto users end-session 9ef2e645e7319f3c",),
    "users acts": ("punto users acts --json", "punto users acts lee --since 2026-11-15T20:00Z"),
    "cage count": ("punto cage count", "punto cage count --day 2026-01-31"),
    "cage report": ("punto cage report 2026-01-31", "punto cage report 2026-01-31 -o day.pdf"),
    "cage deposit": ("punto cage deposit p-1 500",),
    "cage withdraw": ("punto cage withdraw p-1 500",),
    "cage pay-out": ("punto cage pay-out p-1 500",),
    "cage hold": ("punto cage hold p-1",),
    "keys new": ("punto keys new > /etc/punto/master.key",),
    "keys show": ("punto keys show",),
    "keys master": ("punto keys master --new /etc/punto/master-2.key",),
    "keys tokens": ("punto keys tokens",),
    "keys signing": ("punto keys signing --config house.toml",),
    "witness serve": ("punto witness serve --folder witness --port 9100",),
    "witness key": ("punto witness key --folder witness",),
    "feed simulate": ("punto feed simulate --to localhost:9000 --table wu-song --token T --seed 7",),
}
"""By command; a test reads each as the command would."""


_WIDTH = 72


def _folded(example: str) -> str:
    r"""An example on lines that fit a terminal, as a shell takes them.

    >>> _folded("punto certify wu-song --pack submission --issuer 'A. Lab' --issued 2026-01-31").splitlines()
    ["punto certify wu-song --pack submission --issuer 'A. Lab' \\", '    --issued 2026-01-31']
    """
    first, *options = example.split(" --")
    lines = [first]
    for option in options:
        if len(f"{lines[-1]} --{option}") <= _WIDTH:
            lines[-1] += f" --{option}"
        else:
            lines.append(f"    --{option}")
    return " \\\n".join(lines)


def add_examples(app: typer.Typer, path: str = "") -> None:
    """Put the examples at the end of the help of every command."""
    for command in app.registered_commands:
        name = command.name or getattr(command.callback, "__name__", "").replace("_", "-")
        told = EXAMPLES[f"{path} {name}".strip()]
        lines = "\n".join(map(_folded, told))
        heading = "Examples:" if len(told) > 1 else "Example:"
        command.epilog = f"\b\n{heading}\n{indent(lines, '  ')}"  # the sign keeps the lines as they are
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_examples(group.typer_instance, f"{path} {group.name}".strip())
