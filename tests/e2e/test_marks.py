"""Marks of cards appear at once and are not lost."""

import re

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.e2e.conftest import Console
from tests.e2e.dealer import Dealer
from tests.e2e.traffic import requests_of
from tests.e2e.visitor import Visitor, finger, mouse

pytestmark = pytest.mark.moving

AN_ACTION = "**/play/poker/*/*"


def is_mark(answer: Response) -> bool:
    return "verb=mark" in (answer.request.post_data or "")


def tap(page: Page, *positions: int) -> None:
    """Tap these cards quickly, without waiting for responses."""
    for position in positions:
        page.locator("label", has=page.locator(f"#hold-{position}")).tap()


def test_it_is_there_before_the_site_has_answered(phone: Page, dealer: Dealer) -> None:
    held_back: list[Route] = []
    phone.goto(dealer.seat(phone, "dealt", fresh=True).table)

    def hold_back(route: Route) -> None:
        held_back.append(route)

    phone.route(AN_ACTION, hold_back)
    visitor = Visitor(phone, finger)
    expect(visitor.draw_button).to_contain_text(re.compile("draw", re.IGNORECASE))
    with requests_of(phone):
        tap(phone, 2)
    assert visitor.held() == [2]
    assert "Draw 4 cards" in visitor.draw_button.inner_text()
    word = phone.locator("label", has=visitor.card(2)).get_by_text("HOLD")
    expect(word).to_be_visible()
    assert len(held_back) == 1
    with phone.expect_response(is_mark):
        held_back[0].continue_()
    assert visitor.held() == [2]


def test_all_are_kept_however_fast_they_are_tapped(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt", fresh=True).table)
    answered: list[bool] = []
    phone.on("response", lambda answer: answered.append(is_mark(answer)))
    tap(phone, 1, 2, 4, 5, 2, 3, 1)
    visitor = Visitor(phone, finger)
    assert visitor.held() == [3, 4, 5]
    while sum(answered) < 7:
        phone.wait_for_event("response", is_mark)
    phone.reload()
    assert visitor.held() == [3, 4, 5]
    expect(visitor.draw_button).to_contain_text("Draw 2 cards")


def test_all_five_may_be_kept(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "marked", fresh=True).table)
    visitor = Visitor(phone, finger)
    assert visitor.held() == [2, 4]
    tap(phone, 1, 3, 5)
    expect(visitor.draw_button).to_contain_text("Keep all five")


def test_one_that_comes_too_late_shows_the_hand_as_it_is(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt", fresh=True).table)
    other_tab = phone.context.new_page()
    other_tab.goto("/play/poker")
    other = Visitor(other_tab, finger)
    other.hold_what_repeats()
    tap(other_tab, 1)
    late = Visitor(phone, finger)
    expect(phone.locator("[data-draw]")).to_contain_text("Draw all 5")
    other.draw()
    with phone.expect_response(lambda answer: answer.request.method == "GET" and answer.url.endswith("/play/poker")):
        tap(phone, 3)
    expect(phone.locator("[data-mark]")).to_have_count(0)
    expect(phone.locator("[data-moving]")).to_have_count(0)
    assert late.phase() == ("empty" if other.phase() == "over" else other.phase())


def test_one_that_is_refused_shows_the_hand_as_it_is(phone: Page, dealer: Dealer, console: Console) -> None:
    console.expect("status of 422")
    phone.goto(dealer.seat(phone, "dealt", fresh=True).table)
    visitor = Visitor(phone, finger)
    visitor.hold(1)
    visitor.card(4).evaluate("box => { box.value = '9'; }")
    with visitor.change():
        tap(phone, 4)
    assert visitor.held() == [1]


@pytest.mark.parametrize("first", ["draw", "marks"])
def test_one_that_the_draw_has_overtaken_does_not_hide_the_result(desktop: Page, dealer: Dealer, first: str) -> None:
    """Two quick marks and a draw on a slow connection: the draw reaches the site before the marks."""
    held_back: dict[str, Route] = {}

    def hold_back(route: Route) -> None:
        action = re.search(r"verb=(\w+)", route.request.post_data or "")
        name = action[1] if action else "board"
        if name in held_back:
            route.continue_()
        else:
            held_back[name] = route

    def answer_marks() -> None:
        """Marks are sent one after another: once the second is answered, the page has processed the first."""
        with desktop.expect_response(lambda answer: "arg=2" in (answer.request.post_data or "")):
            held_back["mark"].continue_()

    def answer_draw() -> None:
        with visitor.change():
            held_back["hold"].fulfill(response=drawn)

    desktop.goto(dealer.seat(desktop, "will be nothing", fresh=True).table)
    visitor = Visitor(desktop, mouse)
    desktop.route(AN_ACTION, hold_back)
    desktop.route("**/play/poker", hold_back)
    with requests_of(desktop):  # at its end the draw has been sent, and is held back
        for position in (1, 2):
            desktop.locator("label", has=visitor.card(position)).click()
        visitor.draw_button.click()
    drawn = held_back["hold"].fetch()
    with requests_of(desktop) as sent:
        for answer in (answer_draw, answer_marks) if first == "draw" else (answer_marks, answer_draw):
            answer()
    others = [
        request.post_data for request in sent if "verb=hold" not in (request.post_data or "")
    ]  # it may be repeated
    assert others == ["verb=mark&arg=2&held=1"], "the table is not asked for"
    expect(desktop.get_by_role("heading", name="No hand this time")).to_be_visible()
