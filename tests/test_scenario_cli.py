"""`punto scenario run` as its users meet it, and what the pages on the table and its stories must tell."""

import json
from pathlib import Path

import msgspec
import pytest

from punto.scenario import play, read
from punto.scenario.playing import _CHECKS
from punto.scenario.story import OWN
from punto.scenario.words import FORMS
from punto.table import AUTOMATION, COMMANDS, EVENTS
from punto.table.answering import TOPICS

from console import DOCS
from test_cli import ok, punto_command, refused

ROOT = DOCS.parent
OPEN = "open-table wu-song 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=1000"
STORY = f"""scenario No bets before the call
shows wu-song 3.3

{OPEN}
sit ann 1
buy-in ann 500
place ann player 100
  refused 3.3
  ann has 500
"""


def told(folder: Path, text: str, name: str = "one.scenario") -> str:
    """A file with a story."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def otherwise(*arguments: str) -> str:
    """What is printed of stories that do not go as told."""
    done = punto_command("scenario", "run", *arguments)
    assert (done.returncode, done.stderr) == (1, "")
    return done.stdout


def differences(*lines: str) -> list[tuple[int, str]]:
    """Lines below the opening of a table, and where they went otherwise."""
    played = play(read("\n".join(("scenario Lines", OPEN, *lines))))
    return [(each.line, each.found) for each in played.differences]


def test_as_told(tmp_path: Path) -> None:
    file = told(tmp_path, STORY)
    assert ok("scenario", "run", file) == f"as told  {file}: No bets before the call\n1 of 1 as told.\n"


def test_a_difference_shows_line_told_and_found(tmp_path: Path) -> None:
    file = told(tmp_path, STORY.replace("refused 3.3", "refused 5.7").replace("has 500", "has 400"))
    assert otherwise(file).splitlines() == [
        f"OTHERWISE {file}: No bets before the call",
        "  line 8, told:  refused 5.7",
        "          found: refused: Bets are not open: the opening call comes first. (wu-song 3.3)",
        "  line 9, told:  ann has 400",
        "          found: ann has 500.00",
        "0 of 1 as told.",
    ]


def test_a_refusal_that_is_not_told_ends_the_story(tmp_path: Path) -> None:
    file = told(tmp_path, STORY.replace("  refused 3.3\n", "") + "open-bets by ann\n")
    printed = otherwise(file)
    assert "line 7, told:  place ann player 100" in printed
    assert "found: refused: Bets are not open" in printed
    assert "open-bets" not in printed


def test_a_command_that_is_accepted_where_a_refusal_is_told(tmp_path: Path) -> None:
    printed = otherwise(told(tmp_path, STORY + "buy-in ann 100\n  refused\n"))
    assert "line 11, told:  refused" in printed
    assert "found: accepted: bought-in patron=ann amount=10000" in printed


def test_a_folder_is_searched(tmp_path: Path) -> None:
    told(tmp_path, STORY, "b.scenario")
    told(tmp_path, STORY.replace("has 500", "has 1"), "inner/a.scenario")
    told(tmp_path, "not a story", "notes.txt")
    printed = otherwise(str(tmp_path))
    assert [line.split()[0] for line in printed.splitlines() if "scenario:" in line] == ["as", "OTHERWISE"]
    assert printed.endswith("1 of 2 as told.\n")


def test_the_stories_that_ship_are_found() -> None:
    file = "scenarios/wu-song/a-composed-ruling.scenario"
    assert "1 of 1 as told." in ok("scenario", "run", str(ROOT / file))


def test_json(tmp_path: Path) -> None:
    good, bad = told(tmp_path, STORY), told(tmp_path, STORY.replace("has 500", "has 1"), "two.scenario")
    assert json.loads(ok("scenario", "run", "--json", good)) == [
        {"file": good, "title": "No bets before the call", "as_told": True, "events": 3, "differences": []}
    ]
    first, second = json.loads(otherwise("--json", good, bad))
    assert (first["as_told"], second["as_told"]) == (True, False)
    assert second["differences"] == [{"line": 9, "expected": "ann has 1", "found": "ann has 500.00"}]


def test_events_are_printed_one_a_line(tmp_path: Path) -> None:
    lines = ok("scenario", "run", "--events", told(tmp_path, STORY)).splitlines()
    made = [json.loads(line) for line in lines if line.startswith("{")]
    assert [each["event"] for each in made] == ["table-opened", "patron-sat", "bought-in"]
    assert (made[2]["amount"], made[1]["by"]) == (50000, "ann")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ":1: a scenario begins with its title"),
        ("# nothing but a remark\n", ":1: a scenario begins with its title"),
        (f"{OPEN}\n", ":1: a scenario begins with its title"),
        ("scenario A title and no more\n", ":1: nothing happens in this scenario."),
        ("scenario A\n\n  refused\n", ":3: what is expected stands below a command."),
        ("scenario A\n\nplaec ann player 100\n", ":3: there is no command 'plaec'; perhaps place is meant."),
        ("scenario A\n\ndance ann\n", ":3: there is no command 'dance'; they are announce, answer,"),
        ("scenario A\nplace ann player ten\n", ":2: 'ten' is not an amount"),
        ("scenario A\nplace ann player -5\n", ":2: '-5' is negative"),
        ("scenario A\nplace ann player 100 box=two\n", ":2: box is a whole number, not 'two'."),
        (
            "scenario A\nplace ann player 100 1 chips extra\n",
            ":2: place takes patron, bet, stake, box, medium; it is written ",
        ),
        (
            "scenario A\nplace ann player 100 colour=red\n",
            ":2: place takes patron, bet, stake, box, medium; not colour.",
        ),
        ("scenario A\noffer-insurance now\n", ":2: offer-insurance takes nothing."),
        ("scenario A\npay-owed ann\n", ":2: pay-owed needs amount; it is written pay-owed PATRON AMOUNT [chips=…]."),
        ("scenario A\nplace ann\n", ":2: place needs bet and stake; it is written place PATRON BET STAKE "),
        (f"scenario A\n{OPEN} limits=5\n", ":2: open-table takes book, at, decks, layout, positions, currency,"),
        (f"scenario A\n{OPEN} chip=5\n", "maximum, differential, unit, payout, rounding, min-BET, max-BET; not chip."),
        ("scenario A\nplace ann player 100 box=1 box=2\n", ":2: box is said twice."),
        (f"scenario A\n{OPEN} face-down=perhaps\n", ":2: face-down is yes or no, not 'perhaps'."),
        (f"scenario A\n{OPEN} min-tie=x\n", ":2: 'x' is not an amount"),
        ("scenario A\nanswer count counted count=Ah\n", ":2: count is a list of name:value, not 'Ah'."),
        ("scenario A\nshows poker 1.1\n", ":2: there is no book 'poker'; they are commission-insurance,"),
        ("scenario A\nshows\n", ":2: there is no book ''"),
        ("scenario A\nshows wu-song 3.3 99.9\n", ":2: wu-song has no clause 99.9."),
        ('scenario A\nreport other note="A glass\n', ":2: No closing quotation."),
        (f"scenario A\n{OPEN}\n  refused says='It\n", ":3: No closing quotation."),
    ],
)
def test_a_file_that_cannot_be_read_is_a_sentence_with_file_and_line(tmp_path: Path, text: str, says: str) -> None:
    file = told(tmp_path, text)
    printed = refused("scenario", "run", file)
    assert printed.startswith(f"punto: {file}:")
    assert says in printed
    assert printed.count("\n") == 1


def test_files_that_are_none(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.scenario")
    assert refused("scenario", "run", missing) == f"punto: {missing} cannot be read: No such file or directory.\n"
    assert "There is no scenario in there" in refused("scenario", "run", str(tmp_path))
    binary = tmp_path / "binary.scenario"
    binary.write_bytes(STORY.encode() + b"draw\n# caf\xe9\n")
    assert refused("scenario", "run", str(binary)) == f"punto: {binary}:11: this is not text in UTF-8.\n"
    assert punto_command("scenario", "run").returncode == 2


def test_files_as_other_editors_write_them(tmp_path: Path) -> None:
    file = tmp_path / "windows.scenario"
    file.write_bytes(b"\xef\xbb\xbf" + STORY.replace("\n", "\r\n").encode())
    assert "1 of 1 as told." in ok("scenario", "run", str(file))


def test_an_answer_to_nothing_is_refused_in_words() -> None:
    assert differences("answer offer yes") == [(3, "refused: There is no open question about 'offer'.")]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("expects nothing", "'expects' is no expectation; they are refused, event, no-event"),
        ("ann has 5", "there is no ann at the table"),
        ("event table-openned", "there is no event 'table-openned'"),
        ("no-event table-openned", "there is no event 'table-openned'"),
        ("no-event table-opened", "table-opened setup="),
        ("event table-opened by=ann", "table-opened setup="),
        ("asks offer", "the open questions are: none"),
        ("round betting", "the round is none"),
        ("next player", "the next card is due to nothing"),
        ("hand player 9h", "player has no cards"),
        ("carried 9h", "carried over: nothing"),
        ("results tie", "the results are: nothing"),
        ("line ann player win 1", "ann's lines are: none"),
        ("house 1", "the house stands at 0.00"),
        ("house one", "the line cannot be read: 'one' is not an amount"),
        *((word, "the line cannot be read: it is written ") for word in ("event", "asks", "round", "next", "house")),
        ("line ann", "the line cannot be read: it is written line PATRON BET RESULT AMOUNT [CLAUSE…]"),
    ],
)
def test_expectations_that_do_not_hold(line: str, found: str) -> None:
    [(where, why)] = differences(f"  {line}")
    assert where == 3
    assert why.startswith(found)


def test_expectations_that_hold() -> None:
    assert (
        differences(
            "  event table-opened by=dealer method=none acting=no cites 2.2.1",
            "  no-question",
            "  no-event round-settled",
            "  round none",
            "  next nothing",
            "  carried nothing",
            "  results nothing",
            "  house 0",
            "place ann player 1 by ann  # a remark",
            '  refused says="no patron"',
        )
        == []
    )


# What the pages must tell


def _fields(kind: type[msgspec.Struct], *without: str) -> str:
    fields = [each for each in msgspec.structs.fields(kind) if each.name not in without]
    return " ".join(f"`{each.encode_name}`" if each.required else f"`{each.encode_name}=`" for each in fields)


def test_the_page_on_the_table_explains_every_question_and_every_switch() -> None:
    """The columns are: topic, asked when, who answers, choices, reason, blocks, if nobody answers."""
    asked, rest = (DOCS / "table.md").read_text(encoding="utf-8").split("What each rests on, by book")
    rows = {row[1].strip(" `"): row for row in (line.split("|") for line in asked.splitlines() if line[:3] == "| `")}
    lapses = {"cured": "lapses when it is met", "next-round": "lapses when the next round opens"}
    assert set(rows) == set(TOPICS)
    for name, topic in TOPICS.items():
        _, _, _, answered_by, choices, reason, blocks, silence, _ = map(str.strip, rows[name])
        assert ("each" in answered_by) == (topic.to == "patrons"), name
        assert [choice for choice in topic.choices if f"`{choice}`" not in choices] == [], name
        assert not topic.reason or reason == "yes", name
        assert blocks.startswith("yes" if topic.blocks else "no"), name
        assert silence.startswith("waits" if topic.blocks else lapses.get(topic.lapses, "lapses with the round")), name
        assert topic.default is None or f"default `{topic.default}`" in silence, name
    assert sorted(topic for topic in TOPICS if f"\n| `{topic}` |" not in rest) == []
    assert [switch for switch in AUTOMATION if f"\n| `{switch}` |" not in rest] == []


def test_the_page_on_scenarios_lists_every_command_event_and_expectation() -> None:
    """A row that is missing or has changed is printed here as it must begin."""
    text = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    own = {name for name in OWN if "patron" in COMMANDS[name].__struct_fields__}
    rows = [
        f"| `{name}` | {_fields(kind, 'by', 'limits')} | {'the patron' if name in own else 'the dealer'} |"
        for name, kind in COMMANDS.items()
    ]
    rows += [f"| `{name}` | {_fields(kind, 'by', 'acting', 'basis')} |" for name, kind in EVENTS.items()]
    rows += [f"| `{form}` |" for form in (*FORMS.values(), "NAME has AMOUNT", "NAME holds AMOUNT", "NAME owes AMOUNT")]
    missing = "\n".join(row for row in rows if f"\n{row}" not in text)
    assert not missing, missing
    for kind in ("open-table", "report", "answer"):  # their fields are explained one by one
        named = [
            each.encode_name for each in msgspec.structs.fields(COMMANDS[kind]) if each.name not in ("by", "limits")
        ]
        assert [name for name in named if f"`{name}`" not in text.split("### Opening a table")[1]] == []


def test_every_expectation_is_written_down() -> None:
    assert FORMS.keys() == _CHECKS.keys()


# The words of stories, without the documentation


def test_the_words_of_stories_are_listed_as_the_page_has_them() -> None:
    """Every command with what it needs and takes, as the tables of the page have it, and every expectation."""
    listed = ok("scenario", "words")
    page = (DOCS / "scenarios.md").read_text(encoding="utf-8")
    forms = {line.split()[0]: line.split()[1:] for line in listed.splitlines() if line.startswith("  ")}
    assert set(forms) >= set(COMMANDS)
    for name in COMMANDS:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        documented = [each.strip("`") for each in row.split("|")[2].split()]
        taken = [each for each in forms[name] if each.strip("[]").partition("=")[0] not in POSTED]
        written = [each.strip("[]…").lower() for each in taken]
        assert written == [each.strip("=") + "=" * each.endswith("=") for each in documented], name
    for expectation in FORMS.values():
        assert f"  {expectation}\n" in listed
    assert "NAME has AMOUNT" in listed
    for word in ("insurance-neglected", "banker-third", "round-settled"):
        assert word in listed


POSTED = ("minimum", "maximum", "differential", "unit", "payout", "rounding", "min-BET", "max-BET")


def test_one_command_of_a_story_is_told_and_a_misspelt_one_is_helped() -> None:
    assert ok("scenario", "words", "pay-owed").startswith("  pay-owed PATRON AMOUNT [chips=…]\n")
    assert ok("scenario", "words", "post-limits").startswith("  post-limits [minimum=…] [maximum=…]")
    assert refused("scenario", "words", "pay-owd").endswith("perhaps pay-owed is meant.\n")
    assert "punto scenario words" in " ".join(ok("scenario", "run", "--help").split())


def test_a_story_made_of_the_listed_words_goes_as_told() -> None:
    """Everything that a first story needs can be read from the list: how a line is written, and in which order."""
    told_by = {line.split()[0]: line for line in ok("scenario", "words").splitlines() if line.startswith("  ")}
    assert told_by["open-table"].split()[1:4] == ["BOOK", "AT", "DECKS"]
    assert told_by["place"].split()[1:4] == ["PATRON", "BET", "STAKE"]
    assert differences("load-shoe", "sit ann 1", "buy-in ann 500", "open-bets", "place ann player 100") == []


def test_what_was_found_names_clauses_as_people_are_shown_them() -> None:
    """A clause whose parts are told apart behind a # is printed without them, and once."""
    dealt = (
        "load-shoe",
        "sit ann 1",
        "buy-in ann 500",
        "open-bets",
        "place ann player 100",
        "close-bets",
        *["draw"] * 4,
    )
    [(_, found)] = differences(*dealt, "expose 9h 2c Kd 4s", "settle", "  line ann player lose -100")
    assert found == "ann's lines are: player win 100.00 (4.1.1)"
