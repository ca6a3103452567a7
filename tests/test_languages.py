"""Other languages than English: every sentence has its entry, and no story leaves an English word in one."""

import re
from itertools import islice
from pathlib import Path
from string import Formatter

import pytest

from punto.coup import deal
from punto.messages import FORMATS, Message, say
from punto.messages.catalogue import english, templates
from punto.messages.languages import language, languages, read, say_in, told_in
from punto.rulebook import clauses, ids, load, parse, readings
from punto.rulebook.facts import FACTS
from punto.rulebook.words import pattern_in_words
from punto.scenario import read as read_story
from punto.service.desk.names import OBJECT_NAMES, STEP_NAMES
from punto.service.training import irregularity, mark_irregularity, mark_payout
from punto.settlement import Wager, explain
from punto.table.codec import EVENTS
from said import heard_in, left_in_latin, messages_in

SOURCE = Path(__file__).parents[1] / "src" / "punto"
FILES = SOURCE / "messages" / "languages"
WEB = SOURCE / "web"
STORIES = Path(__file__).parents[1] / "scenarios"
CHINESE = ("zh-Hant", "zh-Hans")
EVERY = 4
"""Of so many stories one is played again here, with its refusals and next steps; `test_scenarios` hears all events."""


def arguments(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def ways(template: str) -> set[str]:
    return {part for _, name, way, _ in Formatter().parse(template) if name and way for part in way.split("+")}


# The files


@pytest.mark.parametrize("room", ["settlement", "table"])
def test_hands_and_bets_of_a_table_are_named_in_words(room: str) -> None:
    """They are ids or English names in a message: each sentence says in which way its language shows them."""
    shown = read((FILES / "zh-Hant.txt").read_text(encoding="utf-8"))
    for file, name, _ in templates(SOURCE / room):
        bare = {each for _, each, way, _ in Formatter().parse(shown[name]) if each and not way}
        assert not bare & {"hand", "bet", "winner"}, f"{file}: {name}"


@pytest.mark.parametrize("tag", CHINESE)
def test_every_message_has_an_entry_with_the_same_arguments_and_no_entry_is_of_no_message(tag: str) -> None:
    entries = language(tag).entries
    messages = {name: text for name, text in entries.items() if "/" not in name and name != "name"}
    assert set(messages) == set(english())
    assert {name for name, text in english().items() if arguments(messages[name]) != arguments(text)} == set()
    assert [name for name, text in messages.items() if not text] == []


@pytest.mark.parametrize("tag", CHINESE)
def test_every_way_to_show_an_argument_is_one_that_the_file_has(tag: str) -> None:
    entries = language(tag).entries
    kinds = {name.partition("/")[0] for name in entries if "/" in name}
    named = {name.partition("/")[2] for name in entries if name.startswith(("join/", "show/"))}
    known = {"money", "nth"} | named | kinds
    used = {way for name, text in entries.items() if "/" not in name for way in ways(text)}
    assert used <= known
    assert used & set(FORMATS) <= known


def test_messages_stand_in_the_order_of_their_ids() -> None:
    names = [name for name in read((FILES / "zh-Hant.txt").read_text(encoding="utf-8")) if "/" not in name]
    assert names[1:] == sorted(names[1:])


def clause_texts() -> dict[str, str]:
    """What the indexes say in English, and the Chinese of it."""
    text = (FILES / "clauses" / "zh-Hant.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^(\S.*)\n {2}(.+)$", text, re.M))


def test_what_the_indexes_say_of_every_clause_is_there_in_chinese_and_nothing_else() -> None:
    """But for fronts and appendices, which no event rests on; of readings those that a ruling may change."""
    cited = [each for book in ids() for each in clauses(book).values()]
    said = {each.summary for each in cited if not each.clause.startswith(("App", "front"))}
    said |= {readings()[policy.reading] for book in ids() for policy in load(book).policies.values()}
    assert set(clause_texts()) == said
    for english_text, chinese in clause_texts().items():
        assert re.search("[一-鿿]", chinese), english_text
        assert sorted(re.findall(r"\d+\.\d+", english_text)) == sorted(re.findall(r"\d+\.\d+", chinese)), english_text


def test_simplified_chinese_has_no_traditional_character() -> None:
    """GB 2312 is the set of characters that simplified Chinese is written with."""
    file = read((FILES / "zh-Hans.txt").read_text(encoding="utf-8"))
    changed = {pair[0] for pair in file["characters"].split()}
    written = [*phrases(), *clause_texts().values()]
    texts = [*language("zh-Hans").entries.values(), *map(language("zh-Hans").write, written)]
    for text in texts:
        "".join(re.findall("[一-鿿]", text)).encode("gb2312")
        assert changed & set(text) == set(), text


def phrases() -> list[str]:
    """What the pages say themselves in Chinese, and the names that the house gives them."""
    sources = [each.read_text(encoding="utf-8") for each in sorted(WEB.rglob("*.js"))]
    chinese = [text for source in sources for text in re.findall(r'"([^"\n]*[一-鿿][^"\n]*)"', source)]
    assert len(chinese) > 400
    facts = [fact.names for fact in FACTS.values()]
    named = [names[1] for names in (*STEP_NAMES.values(), *OBJECT_NAMES.values(), *facts)]
    return [text for text in chinese if text != "简体中文"] + named


def test_a_word_is_changed_before_its_characters() -> None:
    assert language("zh-Hans").write("甚麼檔案") == "什么文件"


# Names


def test_what_is_named_in_two_places_is_named_alike() -> None:
    entries = language("zh-Hant").entries
    assert {name: entries[f"fact/{name}"] for name in FACTS} == {name: fact.names[1] for name, fact in FACTS.items()}
    assert {name: entries[f"step/{name}"] for name in STEP_NAMES} == {n: names[1] for n, names in STEP_NAMES.items()}
    of_pages = dict(re.findall(r'^  "?([A-Z][\w ]*)"?: "(.*)",$', (WEB / "base/bet-names.js").read_text("utf-8"), re.M))
    assert len(of_pages) == 19
    assert {name: language("zh-Hant").term("bet", name) for name in of_pages} == of_pages


@pytest.mark.parametrize("book", ids())
def test_whatever_a_book_names_has_a_chinese_name(book: str) -> None:
    rules, entries = load(book), language("zh-Hant").entries
    named = [f"rank/{rank}" for tier in rules.ranks for rank in tier]
    named += [f"bet/{bet}" for bet in rules.bets]
    named += [f"word/{each}" for name, policy in rules.policies.items() for each in (name, *policy.choices)]
    assert [each for each in named if each not in entries] == []


def test_every_kind_of_event_has_a_name() -> None:
    assert {name for name in EVENTS if f"event/{name}" not in language("zh-Hant").entries} == set()


def test_pages_offer_the_languages_that_there_are() -> None:
    source = (WEB / "base/language.js").read_text(encoding="utf-8")
    [listed] = re.findall(r"LANGUAGES = \{(.*?)\}", source, re.S)
    offered = dict(re.findall(r'"?([\w-]+)"?: "([^"]+)"', listed))
    assert offered == {"en": "English"} | {tag: language(tag).entries["name"] for tag in languages()[1:]}


# What is said


def test_a_message_of_which_a_file_knows_nothing_is_said_in_english() -> None:
    assert language("zh-Hant").knows(Message("bets-closed"))
    assert not language("zh-Hant").knows(Message("two-sentences", {"first": Message("later"), "second": "x"}))
    assert told_in("zh-Hant", say("bets-closed", "Bets are closed.")) == "已停止下注。"
    assert say_in("en", Message("bets-closed")) == "Bets are closed."
    with pytest.raises(ValueError, match="no file for the language 'de'"):
        say_in("de", Message("bets-closed"))


def test_arguments_are_shown_as_the_language_shows_them() -> None:
    [*_, last] = explain(load("wu-song"), deal("7 6 K K"), [Wager("player", 10000)], layout="A")
    assert last.message is not None
    assert say_in("zh-Hant", last.message) == "閒贏 7 比 6：閒 100.00 贏 50.00（2 賠 1）。100.00 × 1/2 = 50.00。"
    assert say_in("zh-Hans", last.message) == "闲赢 7 比 6：闲 100.00 赢 50.00（2 赔 1）。100.00 × 1/2 = 50.00。"
    ranks = Message("no-such-rank", {"rank": "boss", "ranks": ["dealer", "pit-manager"]})
    assert say_in("zh-Hans", ranks) == "没有职级“boss”；规则书有 荷官、巡场经理。"
    cards = Message("card-seen-named", {"cards": ["Kd", "9h"]})
    assert say_in("zh-Hant", cards) == "有牌被看見：Kd 9h，仍按次序使用。"


@pytest.mark.parametrize("tag", CHINESE)
@pytest.mark.parametrize("book", ids())
def test_no_story_leaves_an_english_word_in_chinese(book: str, tag: str) -> None:
    """Events, refusals and next steps; what people have typed and ids that they are to type are as they are written."""
    heard = 0
    for path in islice(sorted((STORIES / book).rglob("*.scenario")), 0, None, EVERY):
        for message in heard_in(read_story(path.read_text(encoding="utf-8"))):
            assert left_in_latin(tag, message) == [], f"{path}: {language(tag).say(message)}"
            heard += 1
    assert heard > 100


@pytest.mark.parametrize("book", ids())
def test_no_drill_leaves_an_english_word_in_chinese(book: str) -> None:
    rules = load(book)
    for seed in range(8):
        told = [
            irregularity(rules, seed).messages,
            mark_irregularity(rules, seed, 0),
            mark_payout(rules, None, seed, []),
        ]
        found = list(messages_in(told))
        assert len(found) > 5
        assert [each for each in found if left_in_latin("zh-Hant", each)] == []


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("{ margin = 1 }", "兩家相差 1 點"),
        ("{ cards = 6, margin = 1 }", "兩家相差 1 點（共 6 張牌）"),
        ('{ winner = "banker", margin = "1-3" }', "庄贏，相差 1-3 點"),
        ('{ cards = 6, all-cards = { colour = "red" } }', "（共 6 張牌），全部牌全是紅牌"),
        ('{ cards = "4-6", sum = "0-5" }', "雙方合計 0-5 點"),
        ("{ any = [{ margin = 4 }, { margin = 5 }] }", "兩家相差 4 點或兩家相差 5 點"),
    ],
)
def test_a_row_that_names_no_winner_neither_begins_with_a_comma_nor_has_two(when: str, said: str) -> None:
    row = f'[[pays.tie]]\nbet = "tie"\nwhen = {when}\nodds = "9:1"\nclause = "5.3"\n'
    head = 'id = "mine"\ntitle = "Mine"\noperator = "a house"\napprover = "nobody"\nversion = "1"\n'
    text = f'base = "punto-banco"\n{head}effective = 2025-01-01T00:00:00+00:00\n\n{row}'
    book = parse(text.encode(), "mine.toml")
    assert told_in("zh-Hant", pattern_in_words(book.pays["tie"][-1].when)) == said
