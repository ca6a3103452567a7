"""Books by the name or the digest that a table was opened with."""

from punto.rulebook import Book, Refused, ids, load

_known: dict[str, Book] = {}


def register(book: Book) -> Book:
    """Make a book of one's own known, so that tables can be opened and folded with it.

    >>> register(load("wu-song")).id
    'wu-song'
    """
    _known[book.digest] = _known[book.id] = book
    return book


def remember(book: Book) -> Book:
    """Make an earlier form of a book known, by its digest alone: tables that were opened with it go on with it.

    >>> remember(load("wu-song")).id
    'wu-song'
    """
    _known[book.digest] = book
    return book


def book_for(name: str) -> Book:
    """The book with this id or digest; a refusal if none is known."""
    found = _known.get(name)
    if found is not None:
        return found
    for each in ids():
        if name == each or load(each).digest == name:
            _known[load(each).digest] = load(each)
            return load(each)
    raise Refused(f"There is no book {name!r}; these ship: {', '.join(ids())}.")
