"""Explores small tables of every book breadth first, and says what was found.

python explore/explorer.py [--minutes 10] [--to FOLDER] [--states N] [book …]

Every command of the alphabet is given in every state, states are merged (both in src/punto/explore), and the rules of
keeping a table are looked at after each. The time is divided evenly among the books, and among the tables of each book.
The shortest story to each fault is written as a scenario. Exit status 1 if there is one.
"""

import argparse
import re
import shutil
import sys
import time
from pathlib import Path

from punto.explore.search import Explored, Flaw, explore
from punto.explore.starts import Opening, openings, starts
from punto.rulebook import ids, load
from punto.scenario import write

FAULTS = Path("explore-faults")


def story(opening: Opening, finding: Flaw) -> str:
    """A fault as the text of a scenario; run, it shows the fault as long as it is there."""
    lines = [
        f"scenario {finding.rule}: {finding.why}",
        f"# {opening.command.book}, {opening.name}; met {finding.times} times",
        "",
        *(write(each, opening.command.currency) for each in finding.story),
        "  sound",
    ]
    for each in finding.tried:
        told = write(each, opening.command.currency)
        lines += [f"# named by next: {told}", told]
    return "\n".join(lines) + "\n"


def file_name(opening: Opening, finding: Flaw) -> str:
    """A name for the story of a fault."""
    said = re.sub(r"[^a-z]+", "-", f"{opening.name} {finding.rule} {finding.why}".lower()).strip("-")
    return f"{opening.command.book}/{said[:90].strip('-')}.scenario"


def told(opening: Opening, explored: Explored, seconds: float) -> str:
    """What an exploration has seen, as a row of a table."""
    deaths = sum(each.rule == "dead end" for each in explored.findings.values())
    faults = len(explored.findings) - deaths
    depth = f"{explored.depth}{', all' if explored.whole else ''}"
    counts = (explored.states, explored.expanded, explored.transitions, explored.refused)
    numbers = " | ".join(f"{each:,}" for each in counts)
    return f"| {opening.command.book} | {opening.name} | {numbers} | {depth} | {deaths} | {faults} | {seconds:.0f} |"


HEAD = """\
| book | table | states | gone on from | transitions | refused | depth | dead ends | violations | seconds |
|---|---|---|---|---|---|---|---|---|---|"""


def main() -> None:
    """Explore, print a row for each table, and write the stories."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="of processor time, for all of it together")
    parser.add_argument("--states", type=int, help="how many states of each table are gone on from at most")
    parser.add_argument("--to", type=Path, default=FAULTS, help="the folder for the stories; it is emptied first")
    parser.add_argument("books", nargs="*", default=[*ids()])
    asked = parser.parse_args()
    shutil.rmtree(asked.to, ignore_errors=True)
    print(HEAD, flush=True)
    found: list[tuple[Opening, Flaw]] = []
    for book in asked.books:
        tables = openings(load(book))
        for opening in tables:
            began = time.process_time()
            share = 60 * asked.minutes / len(asked.books) / len(tables)
            explored = explore(starts(opening), share, most=asked.states)
            print(told(opening, explored, time.process_time() - began), flush=True)
            found += ((opening, each) for each in explored.findings.values())
    print()
    for opening, finding in found:
        file = asked.to / file_name(opening, finding)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(story(opening, finding), encoding="utf-8")
        print(f"{finding.rule}: {finding.why} ({finding.times} times): {file}")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
