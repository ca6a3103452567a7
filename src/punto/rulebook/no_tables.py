"""What to write where something else stands in the place of a table."""

from punto.messages import Sentence, say
from punto.rulebook.bookfile import show_path
from punto.rulebook.lines import Path
from punto.rulebook.vocabulary import POINTS

_TABLES = {
    "decks": '{ min = 6, max = 8, clause = "2.1" }',
    "names": '{ zh-Hant = "和", vi = "Hòa" }',
    "titles": '{ zh-Hant = "和", vi = "Hòa" }',
    "needs": '{ bets = ["player", "banker"], clause = "3.4" }',
    "at-most": '{ bets = ["player", "banker"], share = "1/2", clause = "3.4" }',
    "not-with": '{ bets = ["banker"], clause = "3.4" }',
    "not": '{ winner = "tie" }',
    "labels": '{ "庄" = "banker" }',
    "front": '{ title = "1", approval = "1" }',
}
"""What tables look like that are mostly written in one line."""


def not_a_table(path: Path, value: object, like: str | None) -> Sentence:
    """That something should be a table, and what to write."""
    like = like or _TABLES.get(str(path[-1]))
    if isinstance(value, list) and like is None:
        name = show_path(path)
        return say(
            "write-single-brackets", "must be one table: write [{name}] above it, with single brackets.", name=name
        )
    if like is None and len(path) > 1 and path[0] in POINTS:
        like = '{ value = "…", clause = "…" }'
    if like is not None:
        return say("must-be-table-like", "must be a table, like {example}.", example=like)
    return say("must-be-section", "must be a table: write [{name}], and its keys below.", name=show_path(path))


def not_tables(path: Path, value: object) -> Sentence:
    """That something should be a list of tables, and what to write."""
    if value == []:
        return say("must-have-a-table", "must not be empty: it is a list of tables.")
    if isinstance(value, dict) and any(isinstance(each, int) for each in path):
        like = f"{path[-1]} = [{{ … }}, {{ … }}]"
        return say("write-in-brackets", "must be a list of tables: write {like}.", like=like)
    if isinstance(value, dict):
        name = show_path(path)
        return say("write-double-brackets", "must be a list of tables: write [[{name}]] above it.", name=name)
    return say("must-be-list-of-tables", "must be a list of tables.")
