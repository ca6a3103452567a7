"""Every sentence of the engine has an id with arguments, from which it can be said in any language."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import msgspec
import pytest
from typer.testing import CliRunner

from punto.amounts import BadAmount, money
from punto.coup import BadCards, deal
from punto.lint import lint
from punto.messages import Message, Sentence, SpokenError, message_of, render, say
from punto.messages.catalogue import SPOKEN_BY, english, templates
from punto.odds import BadComposition
from punto.rulebook import BadBook, Basis, Book, Refused, ids, load, menu, parse, source
from punto.rulebook.words import cover_in_words, guards_in_words, pattern_in_words
from punto.settlement import Chips, Cover, Limits, Line, Wager, explain, settle, wager_line
from punto.table import Table, act, why_not
from punto.table import commands as c
from punto.table import events as e
from punto.table.codec import EVENTS, decode_event, encode
from punto.table.view import view
from random_commands import Chance, an_opportunity, anything, open_it, play_on, something_goes_wrong
from whole_app import app

SOURCE = Path(__file__).parents[1] / "src" / "punto"
SPEAKING_ROOMS = ("coup", "lint", "odds", "rulebook", "settlement", "table")


def said_again(message: Message | None) -> str:
    """The English of a message, made from the catalogue alone, after a way through JSON.

    It has no argument that the sentence does not say: whoever may read the one may read the other.
    """
    assert message is not None
    said = {name for _, name, _, _ in Formatter().parse(english()[message.id]) if name}
    assert set(message.args) == said, message
    return render(msgspec.json.decode(msgspec.json.encode(message), type=Message), english())


def sentences(event: e.Event) -> Iterator[tuple[str, Message | None]]:
    """What the engine says in an event, with the messages beside it."""
    if isinstance(event, e.Asked):
        yield event.question.says, event.question.message
    elif isinstance(event, e.RoundSettled):
        for lines in event.lines.values():
            yield from ((line.says, line.message) for line in lines)
    elif isinstance(event, e.Spoken) and not isinstance(event, e.Reported):
        says: str = event.says  # type: ignore[attr-defined]  # every other kind that speaks has it
        if says:
            yield says, event.message


# Where sentences stand in the source


def test_no_id_has_two_templates() -> None:
    seen: dict[str, str] = {}
    for file, name, template in templates(SOURCE):
        assert seen.setdefault(name, template) == template, f"{file}: {name}"
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), f"{file}: {name}"
    assert seen == english()


def test_every_template_stands_beside_its_id() -> None:
    """So that the catalogue has it: a template in a variable would be in none."""
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in SPOKEN_BY:
                continue
            name, template = node.args[:2]
            if isinstance(name, ast.Constant):
                assert isinstance(template, ast.Constant), f"{file}:{node.lineno}"


def test_no_template_has_two_ids() -> None:
    """The same words in two places are one message, so that they are translated once."""
    names: dict[str, set[str]] = {}
    for _, name, template in templates(SOURCE):
        names.setdefault(template, set()).add(name)
    twice = {template: each for template, each in names.items() if len(each) > 1 and " " in template}
    assert not twice


@pytest.mark.parametrize("room", SPEAKING_ROOMS)
def test_nothing_is_refused_asked_or_found_in_bare_english(room: str) -> None:
    speaking = {"Refused", "refuse", "ask", "fault", "done", "finding", "found", "step", "stated", "BadCards"}
    for file in sorted((SOURCE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name not in speaking:
                continue
            for value in (*node.args, *(each.value for each in node.keywords)):
                assert not isinstance(value, ast.JoinedStr | ast.Constant) or not _ends(value), f"{file}:{node.lineno}"


def _ends(value: ast.JoinedStr | ast.Constant) -> bool:
    """Whether a text ends as a sentence does."""
    last = value.values[-1] if isinstance(value, ast.JoinedStr) else value
    return isinstance(last, ast.Constant) and str(last.value).endswith((".", "?"))


def test_every_kind_of_event_with_a_sentence_has_room_for_its_message() -> None:
    people_say = {e.DisputeRaised, e.DisputeMoved}
    for kind in EVENTS.values():
        if "says" in kind.__struct_fields__ and kind not in people_say:
            assert "message" in kind.__struct_fields__, kind.__name__


# What is said while playing


@pytest.mark.parametrize("book", ids())
@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_at_a_table_can_be_said_again_from_its_message(book: str, seed: int) -> None:
    luck = Chance(f"{book} {seed}")
    table: Table | None = None
    heard = refused = 0
    command: c.Command
    for _ in range(250):
        if table is None or not table.open:
            command = open_it(luck, load(book))
            before = None
        else:
            maker = luck.one((anything, an_opportunity, something_goes_wrong, *[play_on] * 6))
            command, before = maker(luck, table), table
        refusal = why_not(before, command)
        if refusal is not None:
            assert said_again(refusal.message) == refusal.reason
            refused += 1
            continue
        table, events = act(before, command)
        for event in events:
            kept = decode_event(encode(event))
            assert kept == event
            for says, message in sentences(kept):
                assert said_again(message) == says
                heard += 1
        for step in view(table, "dealer").next:
            assert said_again(step.message) == step.says
    assert heard
    assert refused


def test_an_event_of_an_earlier_journal_has_no_message_and_can_be_read() -> None:
    event = decode_event(b'{"event":"noticed","says":"Bets are closed."}')
    assert event == e.Noticed("Bets are closed.")
    assert isinstance(event, e.Noticed)
    assert event.message is None


# Settling, explaining, loading, linting

DEALT = ("6h 2c Kd As 5h", "7 6 K K", "9h 9c Kd Ks", "3h 3d 8c 8s 4h 5c", "K 4 2 J 9", "2 2 2 2 2 2", "8 K K K")


def settled(book: Book, cards: str, bet: str, limits: Limits) -> list[tuple[str, Message | None]]:
    """What is said of one wager: its line and the steps that lead to it, or why it is refused."""
    try:
        [line] = settle(book, deal(cards), [Wager(bet, 10100)], limits=limits)
        steps = explain(book, deal(cards), [Wager(bet, 10100)], limits=limits)
    except Refused as refusal:
        return [(refusal.reason, refusal.message)]
    return [(line.says, line.message), *((step.says, step.message) for step in steps)]


@pytest.mark.parametrize("name", ids())
def test_every_line_and_every_step_of_its_explanation_can_be_said_again(name: str) -> None:
    book = load(name)
    for cards in DEALT:
        for bet in book.bets:
            for limits in (Limits(), Limits(maximum=5000, unit=100, rounding="up")):
                for says, message in settled(book, cards, bet, limits):
                    assert said_again(message) == says


def test_cover_can_be_said_again_and_so_can_what_is_rounded_or_over_a_limit() -> None:
    book, coup = load("commission-insurance"), deal("6h 2c Kd As 5h")
    lines = settle(book, coup, [Wager("player", 10000)], [Cover("four-cards", "player", 2000, on=0)])
    for line in lines:
        assert said_again(line.message) == line.says
    banker, won = menu(book)["banker"], deal("K 9 K K")
    cut = wager_line(banker, Wager("banker", 5000), 2500, Basis(("3.16",)), won, Chips(100, "down"))
    assert cut.says.endswith("The payment is rounded down to the chip. 25.00 is over the limit and comes back.")
    assert said_again(cut.message) == cut.says
    none = wager_line(banker, Wager("banker", 5000), 0, None, won, Chips())
    assert said_again(none.message) == none.says


def test_bad_cards_are_refused_with_a_message() -> None:
    for cards in ("1h", "6 2 K A", "9 K", "9 K 9 K 2"):
        with pytest.raises(BadCards) as refused:
            deal(cards)
        assert said_again(refused.value.says.message) == str(refused.value)


def test_what_is_no_amount_is_refused_with_a_message() -> None:
    for text in ("-5", "9" * 16, "five", "0.005"):
        with pytest.raises(BadAmount) as refused:
            money(text)
        assert said_again(refused.value.message) == str(refused.value)


@pytest.mark.parametrize("name", ids())
def test_what_a_pay_row_a_price_of_cover_and_a_guard_are_about_can_be_said_again(name: str) -> None:
    book = load(name)
    phrases = [pattern_in_words(row.when) for rows in book.pays.values() for row in rows]
    phrases += [cover_in_words(row) for row in book.insurance.rows] if book.insurance else []
    phrases += [guards_in_words(row.when) for row in book.irregularities]
    for phrase in phrases:
        assert said_again(message_of(phrase)) == phrase


def test_faults_of_a_file_and_findings_of_the_linter_can_be_said_again() -> None:
    text = source("wu-song").decode()
    with pytest.raises(BadBook) as bad:
        parse(text.replace("lose", "looses").replace("[authority", "[authorities", 1).encode(), "mine.toml")
    assert len(bad.value.faults) > 1
    for fault in bad.value.faults:
        assert said_again(fault.message) == fault.says
    for name in ids():
        for finding in lint(load(name)):
            assert said_again(finding.message) == finding.says


# Other languages

GERMAN = {
    "stake-wins": "{fact}: {stake:money} auf {bet} gewinnt {net:money} zu {odds:odds}.",
    "hand-wins-to": "{hand:hand} gewinnt mit {points} gegen {other}",
    "no-round-running": "Es läuft keine Runde.",
}
GERMAN_WAYS = {
    "money": lambda amount: f"{amount // 100},{amount % 100:02d} €",
    "hand": lambda hand: {"player": "Spieler", "banker": "Bank"}[hand],
    "odds": lambda odds: odds.replace(":", " zu "),
}


def test_a_second_language_needs_nothing_but_the_message() -> None:
    [line] = settle(load("wu-song"), deal("7 6 K K"), [Wager("player", 10000)], layout="A")
    kept = msgspec.json.decode(msgspec.json.encode(line), type=Line)
    assert kept.message is not None
    said = render(kept.message, GERMAN, GERMAN_WAYS)
    assert said == "Spieler gewinnt mit 7 gegen 6: 100,00 € auf Player gewinnt 50,00 € zu 1 zu 2."


def test_a_sentence_is_text_and_its_message_is_data() -> None:
    told = say("cards-of", "{patron} has {cards:cards}.", patron="ann", cards=("Kd", "As"))
    assert told == "ann has Kd As."
    assert told.message == Message("cards-of", {"patron": "ann", "cards": ["Kd", "As"]})
    assert message_of("ann has Kd As.") is None
    assert isinstance(told, Sentence)
    with pytest.raises(TypeError, match="no argument"):
        say("edge", "{edge}", edge=0.5)


def test_a_sentence_and_an_error_that_is_one_go_to_another_process_with_their_message() -> None:
    told = say("too-few-for-a-coup", "{cards} cards are too few: a coup may need six.", cards=5)
    for each in (told, SpokenError(told), BadComposition(told)):
        again = pickle.loads(pickle.dumps(each))
        assert (type(again), str(again), again.message) == (type(each), str(told), told.message)


def test_the_catalogue_is_printed_for_translators() -> None:
    printed = CliRunner().invoke(app, ["messages"])
    assert printed.exit_code == 0
    assert msgspec.json.decode(printed.stdout)["no-round-running"] == "No round is running."
