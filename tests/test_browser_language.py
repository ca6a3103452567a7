"""Chinese pages in a real browser: no view shows an English sentence, and pages say what Python says."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, speak
from punto.messages.languages import language
from punto.rulebook import ids, load
from punto.scenario import read
from said import heard_in
from scenes import Scenes
from service_process import until

STORIES = Path(__file__).parent.parent / "scenarios"
CHINESE = ("zh-Hant", "zh-Hans")
SEEN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement: parent } = walker.currentNode;
    const leftOut = "script, style, noscript, pre, option[lang], option[value^=our-]";
    if (data.trim() && !parent.closest(leftOut)) found.push(data.trim());
  }
  for (const each of document.body.querySelectorAll("[aria-label], [title], [placeholder]")) {
    found.push(...["aria-label", "title", "placeholder"].map((name) => each.getAttribute(name) ?? ""));
  }
  return found;
}"""
"""Every text of a page, folded or not, and every text for the ear; entries as they are stored are left out,
and books of the house's own, whose titles are as they are written."""

ENGLISH = re.compile(
    r"\b(?!Punto|English|RWS|MBS|Hoiana|Player|Banker|CSV|PDF|USD|AMB|Esc|Tab|Enter)[A-Za-z][a-z']{2,}"
)
"""A word, but for names that stand for themselves; both languages stand side by side on the felt."""

NAMES = re.compile(r"\b(?:mei|mina|lan|manager|chinese|refusing|ann|bob|ben|chun|punto-shoe-\d|App\.\w)\b")
"""People and tables of these tests and of the drills, formats of shoes, and appendices."""

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def english_on(page: Page) -> list[str]:
    """What is English on a page, but for names: of people and tables, and those that the books give to their bets."""
    books = [load(book) for book in ids()]
    titles = {bet.name for book in books for bet in book.bets.values()}
    titles |= {layout.title for book in books for layout in book.layouts.values() if layout.title}
    found = []
    for text in page.evaluate(SEEN):
        text = NAMES.sub("", text)
        for title in sorted(titles, key=len, reverse=True):
            text = text.replace(title, "")
        if ENGLISH.search(text):
            found.append(text)
    return found


@pytest.fixture(scope="module")
def table(house: House) -> str:
    """A table at which a round was paid, and in the next of which somebody must decide what to do."""
    patron, name = house.patron("mei"), house.table("chinese", "commission-insurance")
    patron.sit(name, 3)
    house.play(name, patron, "2c 4d 3h 2s Ks")
    house.manager.do(name, "open-bets")
    patron.bet(name, "banker", 100_00)
    house.manager.do(name, "close-bets")
    house.deal(name, "2c 2d 2h 3s")
    house.manager.do(name, "assign", person="mina", post="pit-supervisor", acting=True)
    house.manager.do(name, "report", fact="other", note="杯子倒了")
    return name


VIEWS = {
    "lobby": ("/", ".tile", "mei"),
    "table": ("/table/chinese", ".spot-box", "mei"),
    "board": ("/board/chinese", ".road-bead g g", "mei"),
    "shoe": ("/shoe", ".shoe-tables", "mei"),
    "sessions": ("/sessions", "main h1", "mei"),
    "log-in": ("/", ".log-in", None),
    "trainer": ("/train?kind=irregularity&book=wu-song&seed=3", ".t-answers .choice", "mei"),
    "dealer": ("/dealer/chinese", ".next-button", "manager"),
    "pit": ("/pit", ".p-tile .money", "manager"),
    "pit-table": ("/pit/chinese", ".part-journal li", "manager"),
    "report": ("/report", ".day-report table", "manager"),
    "dealers": ("/dealer", ".tables a", "manager"),
}


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("view", VIEWS)
def test_no_view_shows_an_english_sentence_in_chinese(house: House, door: Door, view: str) -> None:
    path, landmark, who = VIEWS[view]
    page = door.open("/train", house.person(who) if who else None)
    for tag in CHINESE:
        page.evaluate("(tag) => localStorage.setItem('language', JSON.stringify(tag))", tag)
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", tag)
        expect(page.locator(landmark).first).to_be_visible(timeout=PATIENCE)
        page.wait_for_load_state("networkidle")
        until(lambda: not page.locator("main [lang=en]").count(), "what the indexes say, in Chinese")
        assert english_on(page) == []
    if view == "trainer":
        page.locator(".t-answers .choice").first.click()
        expect(page.locator(".verdict")).to_be_visible(timeout=PATIENCE)
        expect(page.locator("main [lang=en]")).to_have_count(0, timeout=PATIENCE)
        assert english_on(page) == []


@pytest.mark.parametrize("book", ids())
def test_no_state_of_a_patrons_table_shows_an_english_sentence_in_chinese(house: House, door: Door, book: str) -> None:
    """From no seat to a paid round, with every tab beside the felt; the title of the book is in Chinese, too."""
    scenes = Scenes(house, book, f"chinese-{ids().index(book)}")
    title = load(book).title.split(" (")[0]
    steps = (scenes.no_seat, scenes.no_chips, scenes.staked_of_all, scenes.offered_now, scenes.paid)
    tabs = (scenes.history, scenes.odds, scenes.requests, scenes.limits, scenes.guide)
    for step in (*steps, *tabs):
        scene = step()
        page = door.open(scene.path, scene.who)
        speak(page, "zh-Hant")
        page.locator(scene.landmark).first.wait_for(timeout=PATIENCE)
        scene.act(page)
        page.wait_for_load_state("networkidle")
        assert english_on(page) == [], step.__name__
        assert title not in page.locator("h1").first.inner_text()
        page.context.close()


def test_refusals_results_and_lines_are_told_in_chinese(house: House, door: Door) -> None:
    patron, name = house.patron("lan"), house.table("refusing", "wu-song")
    patron.sit(name, 2)
    house.manager.do(name, "open-bets")
    page = door.open(f"/table/{name}", patron)
    speak(page, "zh-Hans")
    expect(page.locator('[data-bet="player"] .spot-odds')).to_contain_text("闲赢7 点", timeout=PATIENCE)
    with page.expect_response(re.compile("languages/zh-Hant.txt")):
        page.reload()
    patron.bet(name, "player", 100_00)
    house.manager.do(name, "close-bets")
    house.deal(name, "7c 6d Kh Ks")
    page.locator(".result-panel .line summary").first.click()
    expect(page.locator(".result-panel .line p").first).to_have_text(
        "闲赢 7 比 6：闲 100 赢 50（2 赔 1）。", timeout=PATIENCE
    )
    expect(page.locator(".clause-list li").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator("main [lang=en]")).to_have_count(0, timeout=PATIENCE)
    assert english_on(page) == []

    page.goto("/table/none")
    expect(page.get_by_role("alert").filter(has_text="没有此赌台。")).to_be_visible(timeout=PATIENCE)

    login = door.open("/", None)
    speak(login, "zh-Hant")
    login.get_by_label("名稱").fill("lan")
    login.get_by_label("密碼").fill("something else")
    login.get_by_role("button", name="登入", exact=True).click()
    expect(login.get_by_role("alert").filter(has_text="名稱或密碼錯誤。")).to_be_visible(timeout=PATIENCE)
    door.forgive("40[34]|此赌台|no table")  # what was refused


def test_pages_say_messages_as_python_does(door: Door) -> None:
    """The same file, read twice: but for noughts and commas of amounts, which pages write for the eye."""
    stories = sorted(STORIES.glob("*/*.scenario"))[::12]
    heard = [each for path in stories for each in heard_in(read(path.read_text(encoding="utf-8")))]
    several = list({msgspec.json.encode(each): each for each in heard}.values())
    assert len({each.id for each in several}) > 80
    page = door.open("/train")
    for tag in CHINESE:
        speak(page, tag)
        said = page.evaluate(
            """async (messages) => {
              const { openCatalogue } = await import("/static/base/catalogue.js");
              const catalogue = await openCatalogue();
              await catalogue.load();
              return messages.map((each) => catalogue.say(each));
            }""",
            json.loads(msgspec.json.encode(several)),
        )
        assert list(map(plain, said)) == [plain(language(tag).say(each)) for each in several]


def test_a_third_language_is_a_file(door: Door) -> None:
    """Its entries are what the pages say, where it has them; the rest stays English."""
    page = door.open("/train")
    page.route(
        "**/languages/id.txt", lambda route: route.fulfill(body="page/lobby = Lobi\nbets-closed = Taruhan tutup.")
    )
    said = page.evaluate(
        """async () => {
          const { LANGUAGES, phrase, sentence, setLanguage } = await import("/static/base/language.js");
          const { openCatalogue } = await import("/static/base/catalogue.js");
          LANGUAGES.id = "Bahasa Indonesia";
          setLanguage("id");
          await openCatalogue();
          const told = (id) => sentence({ says: "As written.", message: { id } });
          return [phrase("lobby"), phrase("log out"), told("bets-closed"), told("bets-not-open")];
        }"""
    )
    assert said == ["Lobi", "Log out", "Taruhan tutup.", "As written."]


def test_the_language_that_was_chosen_last_is_spoken(door: Door) -> None:
    """Also where the files of another arrive after it: on a slow line somebody chooses again."""
    page = door.open("/train")
    held: list[Route] = []
    page.route("**/base/catalogue.js", lambda route: held.append(route))
    for tag in ("zh-Hans", "en"):
        page.locator("#top select").select_option(tag)
        expect(page.locator("html")).to_have_attribute("lang", tag)
    expect(page.locator("#top nav a").first).to_have_text("Lobby")

    def is_asked_for() -> bool:
        page.wait_for_timeout(20)  # the page goes on only while Playwright is asked something
        return bool(held)

    until(is_asked_for, "the file of Chinese is asked for")
    with page.expect_response("**/base/catalogue.js"):
        for route in held:
            route.continue_()
    page.wait_for_load_state("networkidle")
    said = page.evaluate(
        """async () => {
          const { phrase } = await import("/static/base/language.js");
          return phrase("lobby");
        }"""
    )
    assert said == "Lobby"
    assert page.locator("main h1, main h2").first.inner_text().isascii()


def plain(text: str) -> str:
    """A text with its amounts written in one way."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.replace("−", "-")).replace(".00", "")
