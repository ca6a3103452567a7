"""Writes docs/rack-card.md: `python docs/rack_card.py`. The drawings are made with the site, by `publish.py`."""

from collections.abc import Iterator
from pathlib import Path

from irregularities import SHORT, table

from punto.report.groups import Group, layout_groups
from punto.report.pack.felt import layout_svg
from punto.report.pack.rack_card import rack_card_svg
from punto.rulebook import Book, ids, load

PAGE = Path(__file__).parent / "rack-card.md"
HEAD = """# Print a rack card

For the table and for classes: a rack card and the layouts of every book, ready to be printed. Nothing has to be
installed, and nothing typed.

## Rack cards {#cards}

What may be bet, what it pays, the house edge, and when a third card is drawn, on one side. Tap one to open it.
"""
PRINT = """## Print it {#print}

1. Open the file in a browser, and print it (`Ctrl` `P`, on a Mac `Cmd` `P`).
2. Paper: **A4**, *portrait*. One card fits on one sheet.
3. Scale: **100%**, also called *actual size*. Not *fit to page*.
4. Measure it: a card is exactly **100 mm wide**. If it is not, the scale was not 100%.
5. Cut it out. The files are drawings: a print shop can print them at any size without loss.

## Layouts {#layouts}

The layout of every table at a scale of **1 to 10**, with a bar to measure by. A book tells bets and positions, but no
measures; those are Punto's. Print a layout in the same way, *landscape*, on **A3**: the widest are 30 cm wide.
"""
FOOT = """The drawings are made with these pages, and lie beside them. In a clone of the repository there are none until
`make docs` has made the pages, in the folder `site`.

## In Chinese, or for a game of your own {#more}

Ask whoever looks after the program. `punto certify BOOK --pack FOLDER` writes the same files into a folder, in Chinese
too where there is a Chinese font, and besides them pay tables, procedures and worked examples as PDF. It takes some
minutes, and needs the extra `certify`: [the submission](submission.md).
"""


def card_name(book: Book, group: Group) -> str:
    """Where the rack card of some layouts stands in the site."""
    return f"rack-cards/{book.id}-{group.layouts[0]}.svg"


def layout_name(book: Book, name: str) -> str:
    """Where the drawing of a layout stands in the site."""
    return f"layouts/{book.id}-{name}.svg"


def drawings() -> Iterator[tuple[str, str]]:
    """Every drawing with its place in the site."""
    for book in map(load, ids()):
        yield from ((card_name(book, group), rack_card_svg(book, group)) for group in layout_groups(book))
        yield from ((layout_name(book, name), layout_svg(book, name)) for name in book.layouts)


def page() -> str:
    """The whole page."""
    books = [load(name) for name in ids()]
    cards = [
        [book.title, ", ".join(f"[{group.name}]({card_name(book, group)})" for group in layout_groups(book))]
        for book in books
    ]
    layouts = [
        [SHORT[book.id], ", ".join(f"[{name}]({layout_name(book, name)})" for name in book.layouts)] for book in books
    ]
    return "\n".join([HEAD, table(["game", "rack card"], cards), PRINT, table(["game", "layout"], layouts), FOOT])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
