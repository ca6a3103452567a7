"""What two books have in common of how a table is opened: there a story shows what it is about, and nothing else.

The day from which a book counts, its decks and the boxes of its layouts are parts of their own. Whatever else a story
is about, its table opens on a day, with decks and boxes that both books take; so neither book refuses the first
command of it, and neither opens another table.
"""

from msgspec.structs import replace

from punto.rulebook import Book
from punto.rulebook.model import Layout, PositionRange
from punto.table import commands as c

Story = tuple[c.Command, ...]


def on_common_ground(a: Book, b: Book, part: str) -> tuple[Book, Book]:
    """Two books under the same names, alike in how a table is opened, but for what the part says of it.

    Both take effect when the later one does. Where they share no number of decks, each keeps its own.

    >>> from punto.rulebook import load, parse, source
    >>> later = source("wu-song").replace(b"2024-12-06", b"2026-12-06").replace(b"max = 10,", b"max = 9,", 1)
    >>> a, b = on_common_ground(load("wu-song"), parse(later, "mine.toml"), "bet tie")
    >>> a.effective == b.effective == parse(later, "mine.toml").effective, a.decks.counts
    (True, (4, 5, 6, 7, 8, 9))
    """
    if part != "effective":
        later = max(a.effective, b.effective)
        a, b = replace(a, effective=later), replace(b, effective=later)
    both = tuple(count for count in a.decks.counts if count in b.decks.counts)
    if part != "decks" and both:
        a, b = (replace(book, decks=replace(book.decks, named=both)) for book in (a, b))
    return _laid_alike(a, b, part), _laid_alike(b, a, part)


def _laid_alike(book: Book, other: Book, part: str) -> Book:
    """A book with the layouts that the other has, too, each with the boxes that both allow; and with the part's own."""
    shared = {
        name: each if part == f"layout {name}" else _with_boxes(each, other.layouts[name])
        for name, each in book.layouts.items()
        if name in other.layouts
    }
    own = {name: each for name, each in book.layouts.items() if part == f"layout {name}"}
    return replace(book, layouts={**shared, **own}) if shared else book


def _with_boxes(layout: Layout, other: Layout) -> Layout:
    boxes = common_boxes(layout.positions, other.positions)
    return layout if boxes is None else replace(layout, positions=boxes)


def common_boxes(ours: PositionRange, theirs: PositionRange) -> PositionRange | None:
    """The numbers of boxes that both allow, or None where there is none."""
    least = max(ours.min, theirs.min)
    most = min((each.max for each in (ours, theirs) if each.max is not None), default=None)
    return replace(ours, min=least, max=most) if most is None or least <= most else None


def with_boxes_said(a: Book, b: Book, story: Story, part: str) -> Story:
    """A story whose tables have a number of boxes that both books allow, where each would take another of its own.

    What the part itself says of a layout stays as it is.
    """
    return tuple(_said(a, b, command, part) for command in story)


def _said(a: Book, b: Book, command: c.Command, part: str) -> c.Command:
    if not isinstance(command, c.OpenTable) or command.positions is not None or part == f"layout {command.layout}":
        return command
    layouts = [book.layouts.get(command.layout or book.first_layout) for book in (a, b)]
    ours, theirs = (None if each is None else each.positions for each in layouts)
    if ours is None or theirs is None or ours.max == theirs.max:
        return command
    boxes = common_boxes(ours, theirs)
    return command if boxes is None else replace(command, positions=boxes.max)
