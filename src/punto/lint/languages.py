"""Texts in other languages: tags under which no screen looks for a text."""

from collections.abc import Iterator, Mapping

from punto.lint.findings import Finding, found
from punto.messages import say
from punto.rulebook import Book
from punto.rulebook.lines import Path
from punto.rulebook.places import shown
from punto.rulebook.references import named_in

_FIELDS = {"names", "titles"}
_LONGEST_LANGUAGE = 3
"""A tag begins with a language, and those in use have two or three letters."""

_MEANT: Mapping[str, str] = {
    **dict.fromkeys(("chinese", "mandarin", "cantonese", "traditional", "cn"), "zh-Hant"),
    **dict.fromkeys(("simplified",), "zh-Hans"),
    **dict.fromkeys(("vietnamese", "vn"), "vi"),
    **dict.fromkeys(("portuguese",), "pt"),
    **dict.fromkeys(("japanese", "jp"), "ja"),
    **dict.fromkeys(("korean",), "ko"),
    **dict.fromkeys(("english",), "en"),
}
"""What people write for a language that has a tag: its English name, or a country that is no language."""


def check_languages(book: Book) -> Iterator[Finding]:
    """Tags that are those of no language."""
    for at, tag in _tags(book):
        language = tag.partition("-")[0].casefold()
        right = _MEANT.get(language)
        if len(language) <= _LONGEST_LANGUAGE and right is None:
            continue
        says = say(
            "no-language-of-tag", "no screen looks for {tag:quoted}: a tag is like zh-Hant, vi or pt-BR.", tag=tag
        )
        if right is not None:
            says = say("language-tag-meant", "no screen looks for {tag:quoted}: write {right}.", tag=tag, right=right)
        yield found(book, "finding", "language", at, shown(book, at), says)


def _tags(book: Book) -> Iterator[tuple[Path, str]]:
    """Every tag of a text in another language, with the key that it is in the file; a bet of several choices once."""
    named: dict[Path, None] = {}
    for at, pair in named_in(book, _FIELDS):
        if "choice" not in at:  # what is chosen goes by the tags of its bet
            named[(*at[:-1], pair[0])] = None
    for term, names in book.term_names.items():
        named |= {("terms", term, "names", tag): None for tag, _ in names}
    yield from ((at, str(at[-1])) for at in named)
