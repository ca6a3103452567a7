"""`punto fmt`: one style, with the same meaning and the same comments, whatever a file looked like."""

import random
import re
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from punto.rulebook import BadBook, Book, ids, parse, source
from punto.rulebook.formatting import format_book
from punto.rulebook.starter import SIDE_BETS, StartedBook
from whole_app import app

STARTED = StartedBook("mine", "Mine", "seven", "8:1", tuple(SIDE_BETS)).book()
TEXTS = {**{book: source(book).decode() for book in ids()}, "mine": STARTED}


def meaning(text: str) -> Book:
    """A book but for its text and digest, with its bets, groups and layouts in order."""
    return msgspec.structs.replace(parse(text.encode(), "mine.toml"), digest="", file="", text="")


def same_meaning(one: str, other: str) -> bool:
    first, second = (msgspec.structs.asdict(meaning(text)) for text in (one, other))
    return repr(first) == repr(second)


def comments(text: str) -> list[tuple[str, str]]:
    """Every comment with what it belongs to: the statement behind which, or above which, it stands."""
    found = []
    lines = [line.strip() for line in text.splitlines()]
    for at, line in enumerate(lines):
        read = re.match(r'((?:[^"#]|"[^"]*")*)(#.*)$', line)
        if read:
            below = next((each for each in lines[at:] if each and not each.startswith("#")), "")
            found.append((read[2], re.sub(r'[\s"]', "", read[1] or below).partition("#")[0]))
    return sorted(found)


@pytest.mark.parametrize("book", TEXTS)
def test_what_a_book_means_and_its_comments_stay(book: str) -> None:
    done = format_book(TEXTS[book])
    assert same_meaning(done, TEXTS[book])
    assert comments(done) == comments(TEXTS[book])
    assert format_book(done) == done
    assert "\n\n\n" not in done
    assert not re.search(r"[ \t]\n", done)


def test_a_new_file_is_in_the_style() -> None:
    assert format_book(STARTED) == STARTED


def spaced_badly(text: str, chance: random.Random) -> str:
    """The same file with other spaces, quotes, commas and empty lines."""

    def otherwise(read: re.Match[str]) -> str:
        sign, other = read[0], chance.random() < 0.5
        if sign[0] == '"':
            return f"'{sign[1:-1]}'" if other and "'" not in sign and "\\" not in sign else sign
        spaced = {" = ": "=", ", ": "   , ", "{ ": "{", " }": "   }", "]": "]  ", "[": "[ \t"}
        return spaced[sign] if other else sign

    lines = []
    for line in text.splitlines():
        if line and not line.startswith(("#", "[")) and "#" not in line:
            line = re.sub(r'"(?:[^"\\]|\\.)*"| = |, |\{ | \}|\[|\]', otherwise, line).rstrip()
            if line.endswith("]") and line != "]" and chance.random() < 0.5:
                line = f"{line[:-1]} , ]"
            line = re.sub("^ +", " " * chance.randrange(6), line)
        lines.append(line + " " * chance.randrange(3))
        if not line:
            lines += [""] * chance.randrange(3)
    return "\r\n".join(lines) + "\n" * chance.randrange(3)


@pytest.mark.parametrize("book", TEXTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_file_that_is_spaced_badly_comes_out_the_same(book: str, seed: int) -> None:
    bad = spaced_badly(TEXTS[book], random.Random(seed))
    assert bad != TEXTS[book]
    assert same_meaning(bad, TEXTS[book])
    assert format_book(bad) == format_book(TEXTS[book])


@pytest.mark.parametrize("book", ids())
def test_sections_in_any_order_come_out_in_that_of_the_format(book: str) -> None:
    """Sections of one name keep their order among themselves, and take their comments along."""
    text = format_book(TEXTS[book])
    head, *parts = re.split(r"\n\n(?=(?:#.*\n)*\[)", text.rstrip("\n"))
    roots: dict[str, list[str]] = {}
    for part in parts:
        root = re.search(r"^\[+([a-z-]+)", part, re.MULTILINE)
        assert root
        roots.setdefault(root[1], []).append(part)
    shuffled = list(roots)
    random.Random(book).shuffle(shuffled)
    mixed = "\n\n".join((head, *(part for root in shuffled for part in roots[root]))) + "\n"
    assert mixed != text
    assert format_book(mixed) == text


def test_comments_in_lists_at_ends_and_at_the_top() -> None:
    text = """
#:schema ./rulebook.schema.json
# Who wrote this.

title="T"    # behind
# above
id = "t"
silent = [ "cut-card",   # the first
 # above the second
"free-hand"
 # the last word
 ]
# at the end of the head

[terms] # of the game
A."b c" = '1'

# lost
"""
    assert (
        format_book(text)
        == """\
#:schema ./rulebook.schema.json
# Who wrote this.

# above
id = "t"
title = "T"  # behind
silent = [
    "cut-card",  # the first
    # above the second
    "free-hand",
    # the last word
]

# at the end of the head

[terms]  # of the game
A."b c" = "1"

# lost
"""
    )
    assert format_book(format_book(text)) == format_book(text)


def test_texts_of_all_kinds_mean_the_same() -> None:
    text = "a = 'C:\\x'\nb = \"\"\"one\ntwo\"\"\"\nc = '''it's'''\nd = \"\\u00e9 \\\" \\t\"\n"
    text += '"" = 1\nn = [ ]\nt = { }\nx = 0x1F\n'
    assert format_book(text) == (
        '"a" = "C:\\\\x"\n"b" = "one\\ntwo"\n"c" = "it\'s"\n"d" = "é \\" \\t"\n"" = 1\n"n" = []\n"t" = {}\n"x" = 0x1F\n'
    )


def test_a_long_list_is_spread_and_a_short_one_stays_as_it_was() -> None:
    long = ", ".join(f'"{number:020}"' for number in range(6))
    assert format_book(f"a = [{long}]").count("\n") == 8
    assert format_book('a = ["1",\n"2"]') == 'a = ["1", "2"]\n'
    assert format_book('a = [\n"1","2"]') == 'a = [\n    "1",\n    "2",\n]\n'


def test_what_is_not_toml_is_left_alone(tmp_path: Path) -> None:
    with pytest.raises(BadBook, match="has no value behind the =: write one"):
        format_book("a = ")
    good, bad, broken = tmp_path / "good.toml", tmp_path / "bad.toml", tmp_path / "broken.toml"
    good.write_text("a = 1\n")
    bad.write_text("a=1")
    broken.write_text("a=")
    run = CliRunner()
    checked = run.invoke(app, ["fmt", "--check", str(good), str(bad)])
    assert (checked.exit_code, bad.read_text()) == (1, "a=1")
    assert "1 file of 2 would be changed." in checked.output
    done = run.invoke(app, ["fmt", str(good), str(broken), str(bad)])
    assert (done.exit_code, bad.read_text(), broken.read_text()) == (1, "a = 1\n", "a=")
    assert run.invoke(app, ["fmt", "--check", str(good), str(bad)]).exit_code == 0
