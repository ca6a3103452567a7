"""Sound at a patron's table: nothing is loaded or heard until somebody asks for it."""

from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, coup, laid, speak, tap

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

HEARD = """
window.heard = {sounds: 0, bells: 0, said: [], times: []};
const start = AudioScheduledSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
  window.heard.sounds += 1;
  window.heard.times.push([when[0], when[0] + when[2]]);
  return start.apply(this, when.slice(0, 1));
};
const stop = OscillatorNode.prototype.stop;
OscillatorNode.prototype.stop = function (when) {
  window.heard.bells += 1;
  return stop.call(this, when);
};
Object.defineProperty(window, "speechSynthesis", {
  value: {cancel() {}, speak({text, lang}) { window.heard.said.push(`${lang}: ${text}`); }},
});
"""
"""Counts what is played, and notes what is said."""


def wait_for(page: Page, heard: str) -> None:
    """Wait until something that was heard is so."""
    page.wait_for_function(f"() => {heard}", timeout=PATIENCE)


def test_chips_cards_and_calls_are_heard_once_they_are_asked_for(house: House, door: Door) -> None:
    patron, table = house.patron("listens"), house.table("listens", "wu-song")
    patron.sit(table, 3, 5_000_00)
    house.manager.do(table, "open-bets")
    page = door.open("about:blank", patron)
    page.add_init_script(HEARD)
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"/table/{table}")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    switch = page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "false", timeout=PATIENCE)
    assert not [each for each in loaded if each.endswith("/sound.js")]
    assert page.evaluate("window.heard") == {"sounds": 0, "bells": 0, "said": [], "times": []}
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    tap(page, "banker")
    laid(page, "banker", 100_00)
    wait_for(page, "window.heard.sounds === 1")
    house.manager.do(table, "close-bets")
    wait_for(page, "window.heard.said.includes('en: No more bets')")
    house.deal(table, coup("B", 0))
    wait_for(page, "window.heard.said.some((call) => call.startsWith('en: Banker wins'))")
    assert page.evaluate("window.heard.sounds") > 5
    assert page.evaluate("window.heard.bells") == 1  # when bets closed
    times = page.evaluate("window.heard.times")
    assert all(later[0] >= sooner[1] - 1e-6 for sooner, later in pairwise(times)), times  # never two at once
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    before = page.evaluate("[window.heard.sounds, window.heard.said.length]")
    house.manager.do(table, "open-bets")
    expect(page.locator(".call")).to_have_text("Place your bets", timeout=PATIENCE)
    assert page.evaluate("[window.heard.sounds, window.heard.said.length]") == before


def test_the_call_is_spoken_in_the_language_of_the_page(house: House, door: Door) -> None:
    patron, table = house.patron("hears-chinese"), house.table("hears-chinese", "wu-song")
    patron.sit(table, 3, 5_000_00)
    page = door.open("about:blank", patron)
    page.add_init_script(HEARD)
    page.goto(f"/table/{table}")
    speak(page, "zh-Hant")
    switch = page.get_by_role("button", name="聲音")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    house.manager.do(table, "open-bets")
    wait_for(page, "window.heard.said.includes('zh-Hant: 請下注')")
