"""How documents name a book: its file, its digest, and in commands, which can be given as they stand."""

from hashlib import sha256
from pathlib import Path
from shlex import quote

from punto.rulebook import Book, games, ids
from punto.rulebook.approval import ships
from punto.rulebook.superseded import edition_name, is_digest, superseded


def file_name(book: Book) -> str:
    """The name of a book's file; of an edition that was loaded by its digest, its id with the first digits of that.

    >>> from punto.rulebook import load
    >>> file_name(load("wu-song"))
    'wu-song.toml'
    """
    if book.file == edition_name(book.digest):
        return f"{book.id}-{book.digest[:12]}.toml"
    return Path(book.file).name


def digest_fact(book: Book) -> tuple[str, str]:
    """The digest that a book is known by, and of what it is: of its file, or with its base where that has one.

    >>> from punto.rulebook import load
    >>> digest_fact(load("wu-song"))[0]
    'SHA-256 of the file'
    """
    alone = sha256(book.text.encode()).hexdigest() == book.digest
    return "SHA-256 of the file" if alone else "SHA-256 with its base", book.digest


def named(book: Book) -> str:
    """How a command line names a book: by its id, by the digest of an edition that was superseded, else by its file.

    A file whose name would be read as something else is named with its folder.

    >>> from punto.rulebook import load
    >>> named(load("wu-song"))
    'wu-song'
    """
    if ships(book):
        return book.id
    if book.digest in superseded():
        return book.digest
    name = file_name(book)
    taken = name in (*ids(), *games()) or is_digest(name) or name.startswith("-")
    return quote(f"./{name}" if taken else name)


def layout_option(layout: str | None, otherwise: str = "") -> str:
    """The option that names a layout, with a space before it; `otherwise` is said where none is named.

    >>> layout_option("C"), layout_option("High limit"), layout_option(None, "--every-layout")
    (' --layout C', " --layout 'High limit'", ' --every-layout')
    """
    if layout is not None:
        return f" --layout {quote(layout)}"
    return f" {otherwise}" if otherwise else ""


def simulate_command(book: Book, decks: int) -> str:
    """What deals shoes of a book, but for how many and from which seed."""
    return f"punto simulate {named(book)} --decks {decks}"


def exposure_base(book: Book, layout: str | None, decks: int) -> str:
    """What looks at shoes of a book with a counter's eyes, but for how many and from which seed."""
    return f"punto exposure {named(book)}{layout_option(layout, '--every-layout')} --decks {decks}"
