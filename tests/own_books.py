"""The shipped books in files of a house: under other ids, with their clause indexes beside them."""

from importlib.resources import files
from pathlib import Path

from punto.rulebook import ids, source

PREFIX = "our-"


def own_id(book: str) -> str:
    """The id of the copy of a shipped book."""
    return f"{PREFIX}{book}"


def copy_books(folder: Path) -> Path:
    """Write a copy of every shipped book into a folder, under another id; the folder."""
    for book in ids():
        text = source(book).decode().replace(f'id = "{book}"', f'id = "{own_id(book)}"', 1)
        (folder / f"{own_id(book)}.toml").write_text(text, encoding="utf-8")
        index = (files("punto.rulebook") / "clauses" / f"{book}.csv").read_text(encoding="utf-8")
        (folder / f"{own_id(book)}.clauses.csv").write_text(index, encoding="utf-8")
    return folder
