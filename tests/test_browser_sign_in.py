"""Logging in with a second factor in a browser, and the page of one's sessions."""

import re
import time
from base64 import b32decode
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from browsing import CHROMIUM, NO_CHROMIUM, PASSWORD, PATIENCE, Door, House, axe_finds
from punto.service.accounts.registry import Accounts
from punto.service.accounts.totp import STEP, code_of
from service_process import open_house

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def test_the_code_is_asked_for_and_other_sessions_are_ended(house: House, door: Door) -> None:
    house.staff("lee", "pit-manager")
    accounts = Accounts(open_house(house.database))
    address, _ = accounts.set_second_factor("lee")
    accounts.enter(accounts.existing("lee"), "192.0.2.66", "link")
    page = door.open("/")
    form = page.locator("form.log-in")
    form.get_by_label("Name").fill("lee")
    form.get_by_label("Password").fill(PASSWORD)
    expect(form.get_by_label("Code")).to_be_hidden()
    form.get_by_role("button", name="Log in").click()
    expect(form.get_by_role("alert")).to_contain_text("Give the code", timeout=PATIENCE)
    assert axe_finds(page) == []
    [secret] = re.findall("secret=([A-Z2-7]+)", address)
    form.get_by_label("Code").fill(code_of(b32decode(secret), int(time.time()) // STEP))
    form.get_by_role("button", name="Log in").click()
    page.locator(".who").click(timeout=PATIENCE)
    rows = page.locator("[data-session]")
    expect(rows).to_have_count(2, timeout=PATIENCE)
    assert axe_finds(page) == []
    lost = rows.filter(has_text="One-time link, from 192.0.2.66")
    lost.get_by_role("button").click()
    expect(lost).to_have_count(0, timeout=PATIENCE)
    expect(rows).to_contain_text("This one")
    rows.get_by_role("button").click()
    expect(page.locator("form.log-in")).to_be_visible(timeout=PATIENCE)
    door.forgive("status of 40")  # the missing code, and what is still asked for as the session ends


@pytest.mark.parametrize("again", [False, True], ids=["undisturbed", "drawn again meanwhile"])
def test_a_link_lets_in_though_the_house_has_said_before_that_nobody_is_there(
    house: House, door: Door, *, again: bool
) -> None:
    """The page asks at once who is there; the link is spent only once that is answered, or once all is drawn again."""
    name = "drawn-again" if again else "undisturbed"
    patron = house.patron(name)

    def hold_the_link_back(page: Page) -> None:
        def once_answered(route: Route) -> None:
            page.wait_for_function(
                "performance.getEntriesByName(`${location.origin}/api/who`).some((e) => e.responseEnd)"
            )
            if again:
                page.evaluate("dispatchEvent(new Event('language'))")
            route.continue_()

        page.route("**/api/link", once_answered)

    page = door.open(f"/{house.link(patron)}", meanwhile=hold_the_link_back)
    expect(page.locator(".who")).to_contain_text(name, timeout=PATIENCE)
    expect(page.locator("form.log-in")).to_have_count(0)
