"""The consoles of the staff in a real browser, against the real service."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, sideways

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


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
    door.errors = [each for each in door.errors if "409" not in each]  # Chromium's own line about the refusal


def test_the_pit_sees_money_and_people_on_every_tile(house: House, door: Door) -> None:
    table = house.table("counted", "wu-song")
    for box, name in enumerate(("una", "vic"), 1):
        house.patron(name).sit(table, box, 1_000_00)
    house.manager.do(table, "open-bets")
    house.person("una").bet(table, "player", 300_00)
    house.person("vic").bet(table, "tie", 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2h 9c Kd Ks")  # the Banker wins: both lose
    house.manager.do(table, "cash-out", patron="una", amount=200_00)
    page = door.open("/pit", house.manager)
    figures = page.locator(".p-tile", has=page.get_by_role("link", name=table, exact=True)).locator(".tile-money > div")
    for said in ("Patrons2", "Drop today2,000", "Cashed out200", "Win or loss+400", "Hold20.0 %"):
        expect(figures.filter(has_text=said)).to_have_count(1, timeout=PATIENCE)
    for said in ("Chips with patrons1,400", "Average wager200", "Highest wager300"):
        expect(figures.filter(has_text=said)).to_have_count(1, timeout=PATIENCE)
    assert axe_finds(page) == []
