"""The consoles of the staff in a real browser, against the real service."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browsing import CHROMIUM, NO_CHROMIUM, PASSWORD, PATIENCE, Door, House, Somebody, axe_finds, sideways, speak

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

MINUS = "−"  # noqa: RUF001


def test_dealer_and_pit_manager_resolve_an_irregularity_together(house: House, door: Door) -> None:
    patron, dealer, table = house.patron("bystander"), house.staff("dana", "dealer"), house.table("wrong", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 50_00)
    felt, pit = door.open(f"/dealer/{table}", dealer), door.open(f"/pit/{table}", house.manager)
    watched = door.open(f"/table/{table}", patron)
    step = felt.locator(".next-button")
    step.filter(has_text="Close bets").click()
    step.filter(has_text="Draw").click()
    felt.locator(".part-felt .d-down").wait_for()

    felt.locator(".part-report > summary").click()
    felt.get_by_role("button", name="A hand has the wrong number of cards").click()
    felt.get_by_role("button", name="What the book says").click()
    expect(felt.locator(".foreseen .clause").first).to_have_text("RWS 5.8", timeout=PATIENCE)
    felt.get_by_role("button", name="Report it").click()
    asked = "Can the hand be put right as it should have been dealt?"
    expect(felt.locator(".question.other")).to_contain_text(asked, timeout=PATIENCE)  # not for a dealer to say
    expect(felt.locator(".question.other")).to_contain_text(re.compile("pit supervisor", re.IGNORECASE))
    expect(step).to_be_disabled()

    card = pit.get_by_role("region", name=asked)
    expect(card.locator(".clause").first).to_have_text("RWS 5.8", timeout=PATIENCE)
    expect(pit.locator(".clause-says").first).to_contain_text("RWS 5.8")
    card.get_by_label("Reason").fill("Nobody knows which card came first.")
    card.get_by_role("button", name="No", exact=True).click()
    expect(card.locator(".confirm")).to_contain_text("bystander gets back 50 at stake", timeout=PATIENCE)
    card.get_by_role("button", name="Confirm").click()

    told = watched.locator(".result-panel")
    expect(told).to_contain_text("This round is void", timeout=PATIENCE)
    expect(told).to_contain_text("50Banker comes back")
    expect(told.locator(".clause-list")).to_contain_text("RWS 5.", timeout=PATIENCE)
    expect(felt.locator(".question")).to_have_count(0, timeout=PATIENCE)
    expect(felt.locator(".table-bar")).to_contain_text("void", timeout=PATIENCE, ignore_case=True)
    view = patron.view(table)
    assert (view["round"]["phase"], view["patrons"][0]["balance"]) == ("void", 10_000_00)
    expect(step).to_be_enabled(timeout=PATIENCE)

    alerts = pit.locator(".part-alerts li")
    expect(alerts).to_have_count(
        3, timeout=PATIENCE
    )  # reported, asked, and the round's end: until somebody has seen them
    pit.reload()
    for left in (3, 2, 1):
        expect(alerts).to_have_count(left, timeout=PATIENCE)
        alerts.first.get_by_role("button", name="Acknowledge").click()
    expect(pit.locator(".part-alerts")).to_contain_text("No alerts", timeout=PATIENCE)


CUT_OFF = """(form) => {
  const pen = document.createElement("canvas").getContext("2d");
  return Array.from(form.querySelectorAll("select")).flatMap((list) => {
    const style = getComputedStyle(list);
    pen.font = style.font;
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return Array.from(list.options, ({ text }) => text).filter((text) => pen.measureText(text).width > room);
  });
}"""
"""The options of a form's lists that are wider than their list."""


def test_a_table_is_opened_in_the_pit(house: House, door: Door) -> None:
    page = door.open("/pit", house.manager)
    page.get_by_text("Open table").first.click()
    form = page.locator(".part-opening form")
    for wide, high in ((390, 844), (844, 390), (1440, 900)):
        page.set_viewport_size({"width": wide, "height": high})
        assert form.evaluate(CUT_OFF) == []
        assert sideways(page) == 0
    needed = form.locator(".labelled:has(:required) > span")
    expect(needed).to_have_text(["Table name", "Decks", "Minimum", "Maximum", "Currency"])
    marks = needed.evaluate_all("(all) => all.map((each) => getComputedStyle(each, '::after').content)")
    assert all("*" in mark for mark in marks)
    form.get_by_role("button", name="Open table").click()  # it says what is missing, and nothing is sent
    assert form.locator(":invalid").evaluate_all("(all) => all.map((each) => each.name)") == [
        "table",
        "minimum",
        "maximum",
    ]
    form.get_by_label("Table name").fill("from-the-pit")
    form.get_by_label("Book").select_option("commission-insurance")
    form.get_by_label("Decks").fill("9")
    form.get_by_label("Minimum").fill("25")
    form.get_by_label("Maximum").fill("5,000")
    form.get_by_label("Differential").fill("20,000")
    form.get_by_label("Cards are dealt").select_option("face down")
    assert axe_finds(page) == []
    form.get_by_role("button", name="Open table").click()
    refusal = form.locator(".labelled:has([name=decks]) + .refusal")  # beside what caused it
    expect(refusal).to_contain_text("9 decks are not allowed: 4 to 8 are.", timeout=PATIENCE)
    expect(refusal.locator(".clause")).to_have_text("RWS 2.2.1")

    form.get_by_label("Decks").fill("6")
    form.get_by_role("button", name="Open table").click()
    expect(page.locator(".table-bar h1")).to_have_text("from-the-pit", timeout=PATIENCE)
    shown = house.manager.snapshot("from-the-pit")
    limits = shown["view"]["limits"]
    assert (limits["minimum"], limits["maximum"], limits["differential"]) == (25_00, 5_000_00, 20_000_00)
    assert (shown["decks"], shown["view"]["book"]) == (6, "commission-insurance")
    assert house.manager.get("/api/tables/from-the-pit/desk")["face_down"]
    door.forgive("status of 409")


def test_the_title_of_a_book_is_read_whole_where_a_table_is_opened(
    tmp_path_factory: pytest.TempPathFactory, browser: Browser
) -> None:
    """Public games have longer titles than a list on a phone has room for."""
    house = House(tmp_path_factory.mktemp("games"), games=True)
    door = Door(browser, house)
    try:
        page = door.open("/pit", house.manager)
        page.get_by_text("Open table").first.click()
        form = page.locator(".part-opening form")
        books = house.manager.get("/api/books")
        titles = {book: house.manager.get(f"/api/books/{book}")["title"] for book in books}
        longest = max(titles, key=lambda book: len(titles[book]))
        assert len(titles[longest]) > 60
        form.get_by_label("Book").select_option(longest)
        whole = form.locator(".labelled:has([name=book]) + p")
        for wide, high in ((390, 844), (844, 390), (1440, 900)):
            page.set_viewport_size({"width": wide, "height": high})
            expect(whole).to_have_text(titles[longest])
            assert whole.evaluate("(each) => each.scrollWidth <= each.clientWidth")
            assert sideways(page) == 0
    finally:
        door.close()
        house.close()
    assert door.errors == []


def test_odds_and_cards_are_told_in_words_of_the_trade(house: House, door: Door) -> None:
    """Neither the payments of the dealer nor the journal of the pit show an id such as 0.95:1 or Td."""
    table, patron = house.table("told", "commission-insurance"), house.patron("told-patron")
    patron.sit(table, 2)
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")  # 4 against 5: insurance is offered
    house.deal(table, "Td Ts")
    page = door.open(f"/dealer/{table}", house.manager)
    line = page.locator(".settlement .settle-lines li").first
    expect(line).to_contain_text("Banker 100 wins 0.95 to 1", timeout=PATIENCE)
    expect(page.locator(".settlement .box-number")).to_have_text(["2"])
    page.goto(f"/pit/{table}")
    journal = page.locator(".part-journal .entry-line .grow")
    expect(journal.filter(has_text="10♦")).not_to_have_count(0, timeout=PATIENCE)
    said = journal.all_inner_texts()
    assert [each for each in said if re.search(r"\d:\d|\b[2-9TJQKA][cdhs]\b", each)] == []


def a_played_table(house: House, name: str) -> str:
    """Una and Vic lose 400 between them, dealt by Dina; Una then cashes 200."""
    table, dealer = house.table(name, "wu-song"), house.staff(f"{name}-dina", "dealer")
    for box, patron in enumerate(("una", "vic"), 1):
        house.patron(f"{name}-{patron}").sit(table, box, 1_000_00)
    dealer.do(table, "open-bets")
    house.person(f"{name}-una").bet(table, "player", 300_00)
    house.person(f"{name}-vic").bet(table, "tie", 100_00)
    dealer.do(table, "close-bets")
    house.deal(table, "2h 9c Kd Ks", by=dealer)  # the Banker wins: both lose
    house.manager.do(table, "cash-out", patron=f"{name}-una", amount=200_00)
    return table


def test_the_pit_sees_money_and_people_on_every_tile(house: House, door: Door) -> None:
    table = a_played_table(house, "counted")
    house.person("counted-dina").do(table, "open-bets")
    house.person("counted-vic").bet(table, "player", 50_00)
    house.person("counted-dina").do(table, "close-bets")
    house.person("counted-dina").do(table, "draw")
    house.person("counted-dina").do(table, "report", fact="wrong-number")
    page = door.open("/pit", house.manager)
    tile = page.locator(".p-tile", has=page.get_by_role("link", name=table, exact=True))
    figures = tile.locator(".tile-money > div")
    for said in ("Patrons2", "Drop today2,000", "Cashed out200", "Win or loss+400", "Hold20.0%"):
        expect(figures.filter(has_text=said)).to_have_count(1, timeout=PATIENCE)
    for said in ("Chips with patrons1,400", "Average wager200", "Highest wager300", "Rounds today1"):
        expect(figures.filter(has_text=said)).to_have_count(1, timeout=PATIENCE)
    expect(figures.filter(has_text="Float today−1,400")).to_have_count(1)  # noqa: RUF001
    expect(figures.filter(has_text=re.compile(r"Dealer, since \d\d:\d\dcounted-dina"))).to_have_count(1)
    expect(tile).to_contain_text("Differential: 50 of ")
    expect(tile.locator(".waits .age")).to_have_text(re.compile(r"\d+ (s|min)"), timeout=PATIENCE)
    exact = house.manager.get(f"/api/tables/{table}/odds")["bets"]
    edges = tile.get_by_role("list", name="Edge of every bet").get_by_role("listitem")  # without a tap
    expect(edges).to_have_count(len(exact), timeout=PATIENCE)
    edge = f"{Decimal(exact['banker']['per_cent']):.2f}%".replace("-", MINUS)
    expect(edges.filter(has_text="Banker").filter(has_text=edge)).to_be_visible()
    house.person("counted-dina").do(table, "raise-dispute", patron="counted-una", says="That was mine.")
    expect(tile.locator(".alerts")).to_contain_text("That was mine.", timeout=PATIENCE)
    assert axe_finds(page) == []


def test_the_report_of_the_day_is_a_page_and_files(house: House, door: Door) -> None:
    table = a_played_table(house, "reported")
    page = door.open("/pit", house.manager)
    page.get_by_role("link", name="Report of the day").click()
    by_table = page.get_by_role("region", name="By table").get_by_role("row").filter(has_text=table)
    expect(by_table).to_have_text(
        re.compile(r"reportedUSD2,000200\+40020\.0%−1,40012400200300\d+"),  # noqa: RUF001
        timeout=PATIENCE,
    )
    by_dealer = page.get_by_role("region", name="By dealer").get_by_role("row").filter(has_text="reported-dina")
    expect(by_dealer).to_have_text(re.compile(r"reported-dina[A-Z]{3}\+40012400200300\d+"))
    by_patron = page.get_by_role("region", name="By patron").get_by_role("row").filter(has_text="reported-una")
    expect(by_patron).to_have_text(re.compile(r"reported-una[A-Z]{3}1,000200\+30030\.0%11300300300"))
    assert axe_finds(page) == []
    for suffix, begins in (("CSV", b"by,name,id,currency"), ("PDF", b"%PDF")):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"As {suffix}").click()
        assert download.value.path().read_bytes().startswith(begins)
    for wide, high in ((390, 844), (844, 390), (1440, 900)):
        page.set_viewport_size({"width": wide, "height": high})
        assert sideways(page) == 0
    page.get_by_label("Gaming day").fill("2026-01-31")
    expect(page.get_by_role("heading", level=1)).to_have_text("Report of the day 2026-01-31", timeout=PATIENCE)
    expect(by_patron).to_have_count(0)
    speak(page, "zh-Hant")
    expect(page.get_by_role("heading", level=1)).to_have_text("當日報告 2026-01-31", timeout=PATIENCE)


def test_a_dealer_has_no_report(house: House, door: Door) -> None:
    page = door.open("/pit", house.staff("no-reader", "dealer"))
    expect(page.get_by_role("heading", level=1)).to_have_text("All tables", timeout=PATIENCE)
    expect(page.get_by_role("link", name="Report of the day")).to_have_count(0)
    page.goto("/report")
    expect(page.locator("main p[role=alert]")).to_have_text(
        "The day's report is for the pit and above.", timeout=PATIENCE
    )
    door.forgive("status of 403|for the pit")


def test_a_dispute_is_followed_to_its_complaint_with_people_by_their_names(house: House, door: Door) -> None:
    """Hoiana 8: gathered, told to surveillance, promised, decided, complained of. The ids of persons mean nothing."""
    table = house.table("disputed", "dragon-tiger-hoiana")
    account = house._accounts.make("zoe", "patron", PASSWORD, {}, shown="Zoe Lim")
    zoe = Somebody(house.address, account.person, house._accounts.token(account))
    try:
        zoe.sit(table, 1)
        house.play(table, zoe, "2h 9c Kd Ks")
    finally:
        zoe.close()
    page = door.open(f"/pit/{table}", house.manager)
    page.locator(".part-disputes > summary").press("Enter")
    raised = page.locator(".part-disputes form").last
    raised.get_by_label("What is said").fill("My chips lay on Tie.")
    raised.get_by_role("button", name="Raise a dispute").click()
    item = page.locator(".dispute")
    expect(item).to_contain_text("Zoe Lim “My chips lay on Tie.”", timeout=PATIENCE)

    def do(label: str, done: str) -> None:
        item.get_by_role("button", name=label, exact=True).click()
        expect(item).to_contain_text(done, timeout=PATIENCE)

    do("Gather information", "information gathered")
    do("Tell surveillance", "surveillance told")
    item.get_by_label("By when").fill("by noon")
    do("Give a time frame", "time frame given")
    item.get_by_label("surveillance", exact=True).check()
    item.get_by_label("What is said").fill("They lay on Banker.")
    item.get_by_label("Patron agrees").select_option("No")
    do("Resolve", "may complain")
    do("Tell of the right to complain", "told of the right to complain")
    expect(item).to_contain_text(re.compile(r"Next\s*Zoe Lim: Zoe Lim may file a complaint"))
    do("Assist", "helped with the complaint")
    do("File the complaint", "complaint filed")
    expect(item.get_by_role("button")).to_have_count(0)  # nothing is left to be done
    expect(page.locator("main")).not_to_contain_text(account.person, timeout=PATIENCE)
    assert axe_finds(page) == []


def test_a_ruling_on_a_reading_is_told_in_words(house: House, door: Door) -> None:
    table, highest = house.table("ruled", "wu-song"), house.staff("ruler", "table-game-shift-manager")
    page = door.open(f"/pit/{table}", highest)
    page.locator(".part-rulings > summary").click()
    policy = page.locator(".policy", has_text="What comes back to whoever withdraws")
    policy.locator("summary").click()
    policy.get_by_label("Reading").select_option("all their wagers")
    policy.get_by_label("Reason").fill("So it is done here.")
    policy.get_by_role("button", name="Rule").click()
    ruled = "What comes back to whoever withdraws: all their wagers"
    expect(policy).to_contain_text(f"{ruled} · ruled here", timeout=PATIENCE)
    expect(page.locator(".journal")).to_contain_text(ruled, timeout=PATIENCE)
    assert "scope" not in page.locator(".journal").inner_text().lower()
    speak(page, "zh-Hant")
    expect(page.locator(".journal")).to_contain_text("取回時退回哪些注：全部注", timeout=PATIENCE)  # noqa: RUF001
