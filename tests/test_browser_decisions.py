"""Every kind of question that the engine asks, as the pit sees it: told in words, with what follows from each answer.

The tables come from the shipped stories: each is at the moment at which its question is asked.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from audited import STORIES, told_again
from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, Somebody, axe_finds, speak
from punto.journal import Append, Journal
from punto.journal.leases import mark_released
from punto.rulebook import ids, load
from punto.rulebook.facts import FACTS
from punto.rulebook.policy_words import POLICY_NAMES, VALUE_NAMES
from punto.rulebook.vocabulary import PATRONS, POLICIES, VERBS
from punto.service.accounts.account import HeldPost
from punto.service.desk.desk import desk_of
from punto.table import Table, act, encode
from punto.table.answering import TOPICS
from punto.table.events import Asked
from test_page_sources import MODULES, learned

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


class Asking(NamedTuple):
    """A table at the moment at which a question is asked, and the entries that led to it."""

    table: Table
    entries: list[tuple[bytes, ...]]
    to: str
    says: str


SOONEST = {
    "squeezer": "dragon-tiger-mbs/unknown-who-bet-first",
    "differential-late": "dragon-tiger-mbs/differential-found-late",
    "differential": "dragon-tiger-mbs/cut-card-first-and-the-differential",
    "count": "dragon-tiger-mbs/card-carried-off",
    "attend": "dragon-tiger-mbs/card-carried-off",
    "shoe": "dragon-tiger-hoiana/burn-after-the-first-hand",
    "permit": "dragon-tiger-hoiana/banker-served-before-player",
    "late-offer": "da-hu-ying-xiong/late-cover-beside-lawful-cover",
    "cancel-cover": "commission-insurance/wrong-lammer-and-then-the-card-flashes",
    "replace-cards": "commission-insurance/two-thirds-at-once",
    "refer": "commission-insurance/referred-to-the-shift-manager",
    "reversal": "commission-insurance/original-back-then-void",
    "order": "commission-insurance/order-of-the-first-cards",
    "no-insurance": "commission-insurance/everybody-present-agrees",
    "accept-no-insurance": "commission-insurance/everybody-present-agrees",
    "intended": "commission-insurance/corrected-twice-after-payment",
    "reconstructible": "commission-insurance/both-thirds-turned-at-once",
    "banker-third-first": "commission-insurance/banker-third-exposed-first",
    "squeeze": "commission-insurance/banker-third-exposed-first",
    "offer": "commission-insurance/any-other-dealing-error",
}
"""A story in which each topic is asked."""


NAMES = {topic: f"t{number}" for number, topic in enumerate(TOPICS)}
"""The tables, by what is asked there."""


@cache
def asking(topic: str) -> Asking:
    [story] = [each for each in STORIES if f"{each.parent.name}/{each.stem}" == SOONEST[topic]]
    entries: list[tuple[bytes, ...]] = []
    for before, command, made in told_again(story):
        entries.append(tuple(encode(event) for event in made))
        asked = [each.question for each in made if isinstance(each, Asked) and each.question.topic == topic]
        if asked:
            after, _ = act(before, command)
            return Asking(after, entries, asked[-1].to, asked[-1].says)
    raise AssertionError(f"nobody asks {topic} in {story}")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with a table for every topic, at which it is asked right now."""
    folder = tmp_path_factory.mktemp("house")
    journal = Journal(f"sqlite:///{folder / 'punto.db'}")
    journal.upgrade()
    for topic, name in NAMES.items():
        reached = 0
        for number, bodies in enumerate(asking(topic).entries):
            at = f"2026-11-15T08:{number // 60:02}:{number % 60:02}.000Z"
            journal.append([Append(name, reached, f"k{number}", "dealer", at, bodies)])
            reached += len(bodies)
    mark_released(journal, list(NAMES.values()))
    journal.close()
    found = House(folder)
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def decider(house: House) -> Somebody:
    """Somebody who holds at each table the rank that is asked, or the highest."""
    posts = {name: HeldPost(rank_of(asking(topic))) for topic, name in NAMES.items()}
    return house._somebody("decider", "staff", posts)


def rank_of(found: Asking) -> str:
    return found.to if found.to != PATRONS else found.table.book.ranks[-1][0]


IDS = re.compile(
    r"\b("
    + "|".join(
        sorted(each for each in {*FACTS, *VERBS, *TOPICS, *POLICIES} if "-" in each and each not in ("stand-off",))
    )
    + r"|(?:as-it-lies|take-back|replace-cards|told-of-complaint|time-frame))\b"
)


OWN_WORDS = """(main) => {
  const copy = main.cloneNode(true);
  for (const quoted of copy.querySelectorAll("[lang], pre, h1")) quoted.remove();
  return copy.innerText;
}"""
"""What a page says in its own words: without the indexes of the books, raw entries, and the table's name."""


def raw_ids(page: Page) -> list[str]:
    found: list[str] = IDS.findall(page.locator("main").evaluate(OWN_WORDS))
    return found


def card_of(page: Page, says: str) -> Locator:
    return page.locator("main .question").filter(has_text=says)


def test_every_topic_is_asked_in_words_with_what_follows(door: Door, decider: Somebody) -> None:
    page = door.open("/pit/t0", decider)
    for topic, name in NAMES.items():
        found = asking(topic)
        page.goto(f"/pit/{name}")
        card = card_of(page, found.says).first
        expect(card).to_contain_text("What each answer leads to", timeout=PATIENCE)
        if found.table.questions[-1].step is not None:
            expect(card).to_contain_text("What happened")
        expect(card).to_contain_text("What the book says")
        if found.table.round is not None and found.table.round.cards:
            expect(card.locator(".case-cards li").first).to_be_visible()  # nobody decides about cards unseen
        assert raw_ids(page) == [], topic
        choices = card.locator(".choice-item")
        assert choices.count() == len(found.table.questions[-1].choices)
        for text in choices.all_inner_texts():
            assert len(text.split()) > 2, (topic, text)  # more than a name: what it means or leads to
    assert axe_finds(page) == []


TOLD = {
    "offer": ("Another error in dealing", "其他發牌錯誤"),
    "shoe": ("The burn was missed", "漏燒牌"),
    "cancel-cover": ("Wrong insurance odds were shown", "保險賠率顯示錯誤"),
}
"""What was reported in the stories in which patrons are asked."""


def test_a_patron_who_is_asked_is_told_what_happened(house: House, door: Door) -> None:
    people: dict[str, Somebody] = {}
    for topic, (english, chinese) in TOLD.items():
        found = asking(topic)
        name = found.table.questions[-1].waiting[0]
        patron = people.get(name) or people.setdefault(name, house.patron(name))
        page = door.open(f"/table/{NAMES[topic]}", patron)
        speak(page, "en")
        card = page.locator(".asked .question").filter(has_text=found.says)
        expect(card.locator(".happened")).to_have_text(f"What happened: {english}", timeout=PATIENCE)
        assert axe_finds(page) == []
        speak(page, "zh-Hant")
        told = page.locator(".asked .question .happened")
        expect(told).to_contain_text(chinese, timeout=PATIENCE)


def test_where_money_moves_somebody_confirms(door: Door, decider: Somebody) -> None:
    page = door.open(f"/pit/{NAMES['reversal']}", decider)
    asked = asking("reversal")
    card = card_of(page, asked.says)
    yes = card.get_by_role("button", name="Yes", exact=True)
    yes.click()
    expect(card.locator(".confirm")).to_contain_text("Money moves. Confirm “Yes”:", timeout=PATIENCE)
    before = decider.view(NAMES["reversal"])["patrons"]
    card.get_by_role("button", name="Go back").click()
    expect(card.locator(".confirm")).to_have_text("")
    assert decider.view(NAMES["reversal"])["patrons"] == before
    yes.click()
    moves = desk_of(asked.table, rank_of(asked)).questions[-1].leads["yes"].moves
    assert moves
    for name, amount in moves.items():
        said = f"{name} {'gets' if amount > 0 else 'gives'} {abs(amount) // 100:,}"
        expect(card.locator(".confirm")).to_contain_text(said, timeout=PATIENCE)
    card.get_by_role("button", name="Confirm").click()
    expect(card).to_have_count(0, timeout=PATIENCE)
    after = {each["name"]: each["balance"] - each["owed"] for each in decider.view(NAMES["reversal"])["patrons"]}
    had = {each["name"]: each["balance"] - each["owed"] for each in before}
    assert {name: after[name] - had[name] for name in after if after[name] != had[name]} == moves


def test_a_reason_is_asked_for_before_anything_is_sent(door: Door, decider: Somebody) -> None:
    page = door.open(f"/pit/{NAMES['refer']}", decider)
    card = card_of(page, asking("refer").says)
    card.get_by_role("button", name="Go on", exact=True).click()
    expect(card).to_contain_text("Say the reason first: it goes on record.", timeout=PATIENCE)
    card.get_by_label("Reason").fill("The card fell down; nobody saw it.")
    card.get_by_role("button", name="Go on", exact=True).click()
    expect(card).to_have_count(0, timeout=PATIENCE)


def test_what_is_put_together_for_an_answer_stays_when_something_else_happens(door: Door, decider: Somebody) -> None:
    """Cards in the order in which they were tapped, which is then sent; a count; and the steps of a ruling."""
    page = door.open(f"/pit/{NAMES['order']}", decider)
    card = card_of(page, asking("order").says)
    two = card.locator(".card-pick")
    expect(two).to_have_count(2, timeout=PATIENCE)
    two.last.click()
    two.first.click()
    another_report(page, decider, NAMES["order"])
    expect(two.locator(".card-order")).to_have_text(["2.", "1."])
    chosen = [int(text) - 1 for text in card.locator(".card-pick .at").all_inner_texts()]
    with page.expect_request(re.compile("/foresee$")) as asked:
        card.get_by_role("button", name="Fix this order").click()
    sent = asked.value.post_data_json
    assert sent is not None
    assert sent["order"] == chosen[::-1]
    expect(card).to_contain_text("Something later is to be decided first.", timeout=PATIENCE)
    expect(two.locator(".card-order")).to_have_text(["2.", "1."])
    door.forgive("status of 409")

    page.goto(f"/pit/{NAMES['count']}")
    card = card_of(page, asking("count").says)
    card.get_by_label("6h", exact=True).fill("7")
    card.locator("input[name=sealed]").fill("6h")
    another_report(page, decider, NAMES["count"])
    expect(card.locator("input[name=sealed]")).to_have_value("6h")
    expect(card.locator("b", has_text="7")).to_be_visible()

    page.goto(f"/pit/{NAMES['refer']}")
    expect(page.locator(".part-journal li").first).to_be_visible(timeout=PATIENCE)
    another_report(page, decider, NAMES["refer"])
    card = page.get_by_role("region", name="A glass broke.")
    steps = card.locator(".steps li")
    card.locator("summary", has_text="ruling").click()
    for index in (3, 1):
        card.locator("select[name=step]").select_option(index=index)
        card.get_by_role("button", name="Add a step").click()
    put_together = steps.all_inner_texts()
    assert len(set(put_together)) == 2
    another_report(page, decider, NAMES["refer"], "exposed-card")
    expect(card.locator(".steps")).to_be_visible()
    assert steps.all_inner_texts() == put_together
    steps.first.get_by_role("button").click()
    expect(steps).to_have_count(1)


def another_report(page: Page, decider: Somebody, table: str, fact: str = "other") -> None:
    """Something else happens at a table, which leads to one more question there."""
    questions = page.locator("main .question")
    before = questions.count()
    decider.do(table, "report", fact=fact, note="A glass broke.")
    expect(questions).to_have_count(before + 1, timeout=PATIENCE)


def test_readings_and_disputes_are_told_in_words(door: Door, decider: Somebody) -> None:
    page = door.open(f"/pit/{NAMES['offer']}", decider)
    patron = decider.view(NAMES["offer"])["patrons"][0]["name"]
    for panel in ("Rulings on readings", "Disputes"):
        page.locator("summary", has_text=panel).click()
    rulings = page.locator(".part-rulings")
    expect(rulings).to_contain_text("What comes back to whoever withdraws: the wagers that are not decided")
    assert "scope" not in rulings.inner_text().lower()
    decider.do(NAMES["offer"], "raise-dispute", patron=patron, says="I had said so before.")
    item = page.locator(".dispute")
    expect(item).to_contain_text("I had said so before.", timeout=PATIENCE)
    expect(item).to_contain_text(re.compile(r"State\s*open"))
    expect(item).to_contain_text(re.compile(r"Next\s*\w"))
    decider.do(NAMES["offer"], "give-time-frame", dispute=0, due="by noon tomorrow")
    expect(item).to_contain_text(re.compile(r"By when\s*by noon tomorrow"), timeout=PATIENCE)
    page.reload()
    expect(item).to_contain_text(re.compile(r"By when\s*by noon tomorrow"), timeout=PATIENCE)
    expect(item).to_contain_text("time frame given")
    assert raw_ids(page) == []
    speak(page, "zh-Hant")
    expect(page.locator(".part-rulings")).to_contain_text("取回時退回哪些注", timeout=PATIENCE)


# Without a browser


def test_every_choice_and_every_reading_has_a_name() -> None:
    known = {key for module in MODULES for key in learned(module)}
    offered = {choice.do for book in ids() for offer in load(book).offers.values() for choice in offer.choices}
    fixed = {choice for topic in TOPICS.values() for choice in topic.choices}
    assert (offered | fixed) - known - {"offer", "rule", "settle", "remove", "void"} <= {"yes", "no"}
    assert set(POLICY_NAMES) == set(POLICIES) == set(VALUE_NAMES)
    for book in ids():
        for name, policy in load(book).policies.items():
            assert set(policy.choices) <= set(VALUE_NAMES[name])


def test_what_an_answer_leads_to_is_what_happens() -> None:
    """The money that is foreseen of every choice is that which moves when it is chosen."""
    for topic in TOPICS:
        table = asking(topic).table
        [question] = [each for each in table.questions if each.topic == topic]
        [open_] = [each for each in desk_of(table, rank_of(asking(topic))).questions if each.question.topic == topic]
        assert msgspec.json.encode(open_)  # it can be told
        assert set(open_.leads) <= set(question.choices)
        if question.form is None:
            assert set(open_.leads) == set(question.choices)
