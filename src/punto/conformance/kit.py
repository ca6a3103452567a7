"""A conformance kit of a book: its cases as JSON Lines, and what of the book they cover."""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from punto.conformance.protocol import Answers
from punto.conformance.rounds import round_questions
from punto.conformance.stories import STATES, stories
from punto.messages import say
from punto.rulebook import Book, Refused

FORMAT = 1
KIT, BOOK = "kit.json", "book.toml"
FILES = ("rounds.jsonl", "stories.jsonl")
T = TypeVar("T")


class KitCase(msgspec.Struct, frozen=True):
    """One question with the answer that the book gives, and what it shows."""

    id: str
    shows: tuple[str, ...]
    ask: dict[str, Any]
    expect: dict[str, Any]


class Coverage(msgspec.Struct, frozen=True):
    """What of a book its kit comes to; rows of irregularities that no story reached are named."""

    pay_rows: int
    cells: int
    irregularity_rows: int
    irregularity_rows_reached: int
    not_reached: tuple[str, ...]


class Kit(msgspec.Struct, frozen=True):
    """A kit: which book it is of, its cases by file, and what they cover."""

    format: int
    book: str
    digest: str
    rounds: int
    stories: int
    coverage: Coverage


def cases(book: Book, states: int = STATES, chosen: int | None = None) -> Iterator[KitCase]:
    """Every case of the kit of a book: rounds, then stories; `chosen` is how many of those chosen, if not all."""
    answers = Answers([book])
    for number, each in enumerate(round_questions(book), start=1):
        yield _case(answers, f"round-{number}", each.shows, each.ask)
    known: set[bytes] = set()
    for number, story in enumerate(stories(book, states, chosen), start=1):
        shows = tuple(_row_name(book, row) for row in sorted(story.rows))
        case = _case(answers, f"story-{number}", shows, {"story": msgspec.to_builtins(list(story.commands))})
        yield _without(known, case)


def _case(answers: Answers, name: str, shows: tuple[str, ...], ask: dict[str, Any]) -> KitCase:
    expect = answers.answer({"id": name, **ask})
    del expect["id"]
    return KitCase(name, shows, ask, expect)


def _without(known: set[bytes], case: KitCase) -> KitCase:
    """A story without the answers that another has after the same commands; the last is never left out."""
    steps = case.expect["steps"]
    so_far = blake2b(digest_size=16)
    kept: list[Any] = []
    for command, step in zip(case.ask["story"], steps, strict=True):
        so_far.update(msgspec.json.encode(command))
        kept.append({} if so_far.digest() in known and "refused" not in step else step)
        known.add(so_far.digest())
    kept[-1:] = steps[-1:]
    return msgspec.structs.replace(case, expect={"steps": kept})


def _row_name(book: Book, row: int) -> str:
    found = book.irregularities[row]
    return f"irregularity {row} {found.fact} {found.basis.clause}"


def write_kit(book: Book, source: bytes, folder: Path, states: int = STATES, chosen: int | None = None) -> Kit:
    """Write the kit of a book into a folder; `source` is the book's text."""
    folder.mkdir(parents=True, exist_ok=True)
    every = list(cases(book, states, chosen))
    rounds = [each for each in every if "round" in each.ask]
    told = [each for each in every if "story" in each.ask]
    for name, some in zip(FILES, (rounds, told), strict=True):
        (folder / name).write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in some))
    kit = Kit(FORMAT, book.id, book.digest, len(rounds), len(told), _coverage(book, every))
    (folder / KIT).write_bytes(msgspec.json.format(msgspec.json.encode(kit), indent=2) + b"\n")
    (folder / BOOK).write_bytes(source)
    return kit


def _coverage(book: Book, every: Iterable[KitCase]) -> Coverage:
    shown = {name for each in every for name in each.shows}
    rows = [_row_name(book, row) for row in range(len(book.irregularities))]
    return Coverage(
        sum(name.startswith("row ") for name in shown),
        len({" ".join(name.split(" ")[:5]) for name in shown if name.startswith("cell ") and "no price" not in name}),
        len(rows),
        sum(name in shown for name in rows),
        tuple(name for name in rows if name not in shown),
    )


def read_kit(folder: Path) -> tuple[Kit, list[KitCase]]:
    """A kit as it lies in a folder."""
    kit = _read(folder, KIT, msgspec.json.Decoder(Kit).decode)
    if kit.format != FORMAT:
        raise Refused(
            say(
                "kit-of-another-format",
                "This kit has format {format}; this release reads {own}.",
                format=kit.format,
                own=FORMAT,
            )
        )
    decode = msgspec.json.Decoder(KitCase).decode
    rounds, told = (_read(folder, name, lambda text: [decode(line) for line in text.splitlines()]) for name in FILES)
    if (len(rounds), len(told)) != (kit.rounds, kit.stories) or not (rounds or told):
        raise Refused(
            say(
                "kit-not-whole",
                "This kit is not whole: it was made with {rounds} rounds and {stories} stories, and here are {found}"
                " rounds and {told} stories.",
                rounds=kit.rounds,
                stories=kit.stories,
                found=len(rounds),
                told=len(told),
            )
        )
    return kit, [*rounds, *told]


def _read(folder: Path, name: str, decode: Callable[[bytes], T]) -> T:
    """What a file of a kit holds; refused where it holds something else."""
    try:
        return decode((folder / name).read_bytes())
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Refused(
            say(
                "kit-unreadable",
                "{file} is no file of a kit as `punto conformance make` writes it: {error}.",
                file=str(folder / name),
                error=str(error).rstrip("."),
            )
        ) from None


def keys_left_out(cases: Iterable[KitCase], names: Iterable[str]) -> frozenset[str]:
    """Keys of answers that are not to be looked at; refused where no answer has one, for then it is misspelt.

    >>> keys_left_out([KitCase("round-1", (), {}, {"lines": [{"net": "8.00"}]})], ["net"])
    frozenset({'net'})
    """
    known = set().union(*(_keys(each.expect) for each in cases))
    wanted = frozenset(names)
    for name in sorted(wanted - known):
        raise Refused(
            say(
                "no-such-key-of-answers",
                "No answer of this kit has a key {name:quoted}. It has: {keys:list}.",
                name=name,
                keys=sorted(known),
            )
        )
    return wanted


def _keys(answer: Any) -> set[str]:
    """Every key in an answer, at any depth."""
    if isinstance(answer, dict):
        return set(answer).union(*map(_keys, answer.values()))
    return set().union(*map(_keys, answer)) if isinstance(answer, list) else set()
