"""A shoe is checked in the page itself: by the published examples, as it was played, and where a record is forged."""

import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, sideways, speak
from punto.shoe import WITH_WORDS, commit, commit_word, shuffle, with_words
from service_process import opening, until

from console import DOCS

pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)
pytest_plugins = ("browser_fixtures",)

PAGE = (DOCS / "shoe.md").read_text(encoding="utf-8")
VECTORS = re.findall(
    r"seed        (\w{64})\ndecks       (\d+)\ncontext     (.+)\ncommitment  (\w{64})\n"
    r"first 8     (.+)\nlast 4      (.+)\nshoe        (\w{64})\n",
    PAGE,
)
_BLOCK = PAGE.partition("An example, with the context")[2].partition("```python")[0]
EXAMPLE = dict(re.findall(r"^(first 8|[a-z'][a-z' ]+[a-z]) +(\S.*)$", _BLOCK, re.M))
"""The example with words of patrons."""

HASHED = ("ann", "bob")
HASHES = re.findall(r"^its hash      (\w{64})$", PAGE, re.M)

COMPUTED = """async (given) => {
  const { commitmentOf, seedWithWords, shuffled } = await import("/static/shoe/check.js");
  const { bytesOf, hashOfWord } = await import("/static/base/shoe-hashes.js");
  const [name, ...rest] = given;
  if (name === "shoe") return [await commitmentOf(...rest, 1), await shuffled(rest[0], rest[1])];
  if (name === "commit") return commitmentOf(...rest);
  if (name === "seed") return seedWithWords(...rest);
  return hashOfWord(bytesOf(rest[0]), rest[1], rest[2]);
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose virtual tables are quick."""
    found = House(tmp_path_factory.mktemp("shoe"), betting_seconds=0.2, pace=0.4)
    try:
        yield found
    finally:
        found.close()


# By the published examples


def test_the_browser_computes_every_example_on_the_page(door: Door) -> None:
    page = door.open("/shoe")
    assert len(VECTORS) == 4
    for seed, decks, context, commitment, first, last, digest in VECTORS:
        given, cards = page.evaluate(COMPUTED, ["shoe", seed, int(decks), context])
        assert given == commitment
        assert (" ".join(cards[:8]), " ".join(cards[-4:])) == (first, last)
        assert sha256(" ".join(cards).encode()).hexdigest() == digest

    seed, published = EXAMPLE["house's seed"], EXAMPLE["commitment"]
    words = [EXAMPLE["word of ann"], EXAMPLE["word of bob"]]
    assert page.evaluate(COMPUTED, ["commit", seed, 8, "table 7, shoe 1", 2]) == published
    hashes = [page.evaluate(COMPUTED, ["word", word, published, who]) for word, who in zip(words, HASHED, strict=True)]
    assert hashes == HASHES
    made = page.evaluate(COMPUTED, ["seed", seed, 8, words])
    assert made == EXAMPLE["seed of shoe"]
    assert page.evaluate(COMPUTED, ["seed", seed, 8, []]) == EXAMPLE["without words"]
    assert " ".join(page.evaluate(COMPUTED, ["shoe", made, 8, ""])[1][:8]) == EXAMPLE["first 8"]


def _type(page: Page, **typed: str) -> None:
    labels = {
        "commitment": "Commitment",
        "seed": "Seed of the house",
        "context": "Context",
        "decks": "Decks",
        "words": "Words in the order",
        "cards": "Cards that left",
    }
    for name, text in typed.items():
        page.get_by_label(re.compile(f"^{labels[name]}")).fill(text)
    page.get_by_role("button", name="Check").click()


def test_a_shoe_is_typed_in_and_checked_without_a_network(door: Door) -> None:
    page = door.open("/shoe")
    expect(page.locator(".shoe-tables, form.panel").first).to_be_visible(timeout=PATIENCE)
    page.context.set_offline(True)
    verdict = page.locator(".shoe-verdict")
    page.get_by_label("Scheme").select_option("2")
    lines = "\n".join(f"{who} {EXAMPLE[f'word of {who}']}" for who in HASHED)
    given = {"commitment": EXAMPLE["commitment"].upper(), "seed": EXAMPLE["house's seed"], "words": lines}
    _type(page, **given, context="table 7, shoe 1", decks="8", cards="? 3D 4h, Kd\n7d")
    expect(verdict).to_contain_text("It fits: this is the shoe that was committed to.", timeout=PATIENCE)
    expect(verdict).to_contain_text("Held against the commitment that was typed in.")
    expect(verdict).to_contain_text("Cards that left the shoe: 5, of which seen: 4.")
    expect(verdict).to_contain_text(f"The word of ann has the hash {HASHES[0]}")
    assert axe_finds(page) == []

    for changed, says in (
        ({"cards": "Kh 3d 4h Kd 7c"}, "Card 5 of the shoe is 7d, but 7c was dealt."),
        ({"cards": ""}, "The seed fits. There are no cards to compare."),
        ({"context": "table 7, shoe 2"}, "The commitment does not match"),
        (
            {"context": "table 7, shoe 1", "cards": " ".join(["?"] * 417)},
            "417 cards were dealt, but the shoe holds only",
        ),
        ({"cards": "", "words": f"{lines} {'0' * 64}"}, f"does not have the hash that was given for it, {'0' * 64}"),
    ):
        _type(page, **changed)
        expect(verdict).to_contain_text(says, timeout=PATIENCE)
    for changed, says in (
        ({"words": "ann"}, "Line 1 of the words is not a name"),
        ({"words": "", "cards": "Kh 1z"}, "“1z” is no card"),
        ({"cards": "", "decks": "13"}, "A shoe has 1 to 12 decks."),
        ({"decks": "8", "seed": "00"}, "that is 64 hexadecimal digits."),
    ):
        _type(page, **changed)
        expect(page.locator("form .refusal")).to_contain_text(says, timeout=PATIENCE)
        expect(verdict).to_have_count(0)
    page.context.set_offline(False)


# As it was played


def _end(house: House, table: str) -> bool:
    """End the shoe in use, if no round is running."""
    try:
        house.manager.do(table, "end-shoe")
    except (AssertionError, httpx.HTTPError):
        return False
    return True


def _open(house: House, name: str) -> None:
    given = opening("wu-song", shoe="virtual", auto=["announce", "offer"])
    house.manager.do(name, str(given.pop("do")), **given)


@pytest.fixture(scope="module")
def played(house: House, browser: Browser) -> Iterator[tuple[Page, dict[str, Any]]]:
    """A patron's browser that saw a shoe from beginning to end, with a word of its own; and what is told of it."""
    ann = house.patron("ann")
    _open(house, "v")
    ann.do("v", "sit", patron="ann", box=1)
    door = Door(browser, house)
    page = door.open("/table/v", ann)
    page.get_by_role("tab", name="Requests").click()
    page.get_by_label("Shuffle a random word of this browser into each shoe").check()

    def with_a_word() -> bool:
        """End shoes, until there is one that was shuffled after the page was ready."""
        words = house.manager.view("v")["words"]
        if words is not None and words["shoe"] == ["ann"]:
            return True
        _end(house, "v")
        page.wait_for_timeout(50)
        return False

    until(with_a_word, "a shoe with the patron's word")
    number = house.manager.view("v")["shoe"]["number"]
    expect(page.locator(".shoe-line")).to_contain_text(f"Shoe {number}: ", timeout=PATIENCE)

    def over() -> dict[str, Any] | None:
        page.wait_for_timeout(50)
        last: dict[str, Any] | None = house.manager.get("/api/tables/v/shoes/last")
        if last is not None and last["number"] == number:
            return last
        if len(house.manager.view("v")["results"]) > 1:
            _end(house, "v")
        return None

    told = until(over, "the end of that shoe")
    yield page, told
    door.close()
    assert door.errors == []


def _answers(page: Page, told: dict[str, Any]) -> Callable[[], None]:
    """Let the house tell this; returns how to stop that."""

    def fulfil(route: Route) -> None:
        route.fulfill(body=json.dumps(told), content_type="application/json")

    address = "**/api/tables/v/shoes/last"
    page.route(address, fulfil)
    return lambda: page.unroute(address, fulfil)


def _checked(page: Page, told: dict[str, Any]) -> str:
    """What the page says when the house tells this."""
    stop = _answers(page, told)
    page.goto("/shoe/v")
    verdict = page.locator(".shoe-verdict")
    expect(verdict).to_be_visible(timeout=PATIENCE)
    says: str = verdict.inner_text()
    stop()
    return says


def test_a_played_shoe_is_checked_at_the_table_itself(played: tuple[Page, dict[str, Any]]) -> None:
    """The house is asked for the record alone: what is found is computed in the page, without leaving the table."""
    page, told = played
    page.goto("/table/v")
    check = page.locator(".shoe-line button")
    expect(check).to_have_text(re.compile("^Check (this shoe|shoe [0-9]+)$"), timeout=PATIENCE)
    at = next(at for at, face in enumerate(told["cards"]) if face != "?")
    other = "Ac" if told["cards"][at] != "Ac" else "2c"
    forged = {**told, "cards": [other if place == at else face for place, face in enumerate(told["cards"])]}
    verdict = page.locator(".beside .shoe-verdict")
    for record, says in (
        (told, "It fits: this is the shoe that was committed to."),
        (forged, f"Card {at + 1} of the shoe is {told['cards'][at]}, but {other} was dealt."),
    ):
        stop = _answers(page, record)  # by now another may have ended
        check.click()
        expect(verdict).to_contain_text(says, timeout=PATIENCE)
        stop()
    expect(verdict).to_contain_text("Held against what this browser noted by itself before the first card")
    assert axe_finds(page) == []
    for wide, high in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": wide, "height": high})
        assert sideways(page) == 0
    assert page.url.endswith("/table/v")
    page.locator(".shoe-found").get_by_role("button", name="Close").click()
    expect(verdict).to_have_count(0)


def test_a_played_shoe_is_checked_on_its_page_in_both_languages(played: tuple[Page, dict[str, Any]]) -> None:
    page, told = played
    stop = _answers(page, told)  # by now another may have ended
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/shoe/v")
    verdict = page.locator(".shoe-verdict")
    expect(verdict).to_contain_text("It fits: this is the shoe that was committed to.", timeout=PATIENCE)
    expect(verdict).to_contain_text("Held against what this browser noted by itself before the first card")
    expect(verdict).to_contain_text("compared with hashes that were given before any word came out: 1.")
    expect(verdict).to_contain_text("The word of this browser is in the shoe.")
    seen = sum(face != "?" for face in told["cards"])
    expect(verdict).to_contain_text(f"Cards that left the shoe: {len(told['cards'])}, of which seen: {seen}.")
    verdict.locator("summary").click()
    expect(verdict.locator(".shoe-cards li")).to_have_count(len(told["cards"]))
    assert axe_finds(page) == []
    assert {url.partition("/api/")[2] for url in asked if "/api/" in url} <= {"tables/v/shoes/last", "who"}
    for wide, high in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": wide, "height": high})
        assert sideways(page) == 0
    speak(page, "zh-Hant")
    expect(verdict).to_contain_text("這就是所承諾的牌靴。", timeout=PATIENCE)
    assert sideways(page) == 0
    speak(page, "en")
    expect(verdict).to_contain_text("It fits", timeout=PATIENCE)
    stop()


# Forged records


def test_a_forged_record_is_found(played: tuple[Page, dict[str, Any]]) -> None:
    page, told = played
    at = next(at for at, face in enumerate(told["cards"]) if face != "?")
    other = "Ac" if told["cards"][at] != "Ac" else "2c"
    cards = [other if place == at else face for place, face in enumerate(told["cards"])]
    says = _checked(page, {**told, "cards": cards})
    assert "It does not fit." in says
    assert f"Card {at + 1} of the shoe is {told['cards'][at]}, but {other} was dealt." in says

    says = _checked(page, {**told, "words": [{**told["words"][0], "word": "11" * 32}]})
    assert "The word of ann does not have the hash that was given for it" in says
    says = _checked(page, {**told, "words": []})
    assert "It does not fit." in says
    says = _checked(page, {**told, "seed": "11" * 32})
    assert "The commitment does not match" in says


def test_a_record_that_was_made_afterwards_fits_itself_and_not_what_the_browser_noted(
    played: tuple[Page, dict[str, Any]], door: Door
) -> None:
    """The house shows another whole shoe: its seed, commitment, hash of the word and cards belong together."""
    page, told = played
    seed, [given] = bytes(range(32)), told["words"]
    commitment = commit(seed, told["decks"], told["context"], WITH_WORDS)
    word = bytes.fromhex(given["word"])
    words = [{**given, "hash": commit_word(word, commitment, given["patron"])}]
    shoe = shuffle(with_words(seed, told["decks"], [word]), told["decks"])
    cards = [str(card) for card in shoe[: len(told["cards"])]]
    forged = {**told, "seed": seed.hex(), "commitment": commitment, "words": words, "cards": cards}
    says = _checked(page, forged)
    assert "It does not fit." in says
    assert "Held against what this browser noted by itself before the first card" in says
    assert f"The house now gives another commitment for this shoe: {commitment}" in says

    elsewhere = door.open("/shoe")  # a browser that noted nothing can only say so
    says = _checked(elsewhere, forged)
    assert "It fits" in says
    assert "Held against what the house says now: this browser noted nothing of this shoe" in says


def test_a_table_without_a_shoe_that_has_ended_says_so(house: House, door: Door) -> None:
    table = house.table("hand", "wu-song")
    page = door.open(f"/shoe/{table}")
    expect(page.get_by_text("No shoe of this table has ended yet.")).to_be_visible(timeout=PATIENCE)
    house.manager.do(table, "end-shoe")
    page.goto(f"/shoe/{table}")
    expect(page.get_by_text("was dealt by hand: there is no seed to check.")).to_be_visible(timeout=PATIENCE)
