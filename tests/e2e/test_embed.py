"""A finished hand in a frame of another site, in a real browser; and the HTML that puts it there."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.e2e.axe import axe, in_both_lights
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Visit
from tests.e2e.dealer import OVER, Dealer
from tests.e2e.geometry import small_targets, too_large
from tests.support.languages import WIDEST

STEP = ".stepper__now"


class Blog(BaseHTTPRequestHandler):
    """Another site: each address is a page with the HTML that it says."""

    def do_GET(self) -> None:
        (html,) = parse_qs(urlsplit(self.path).query).get("html", [""])
        body = (
            f'<!doctype html><title>A blog</title><link rel="icon" href="data:,"><a href="#">before</a>{html}'.encode()
        )
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing of it."""


@pytest.fixture(scope="module")
def blog() -> Iterator[str]:
    """Return the address of another site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Blog)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


def frame_of(page: Page, blog: str, address: str, sandbox: str = "") -> Frame:
    """Open a page of another site that shows an address in a frame."""
    restricted = f' sandbox="{sandbox}"' if sandbox else ""
    html = f'<iframe src="{address}" title="A hand" width="560" height="640"{restricted}></iframe>'
    page.goto(f"{blog}?{urlencode({'html': html})}")
    frame = page.locator("iframe").element_handle().content_frame()
    assert frame is not None
    frame.wait_for_load_state()
    return frame


def drawn_cards(frame: Frame) -> list[bool]:
    """Return for each card on the felt whether its art is drawn."""
    return frame.locator(".finish__felt .card__face use").evaluate_all(
        "uses => uses.map(use => use.getBBox().width > 50 && use.getBBox().height > 50)"
    )


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
@pytest.mark.parametrize("sandbox", ["", "allow-scripts"], ids=["free", "sandboxed"])
def test_a_hand_is_looked_through_step_by_step_within_its_frame(
    visit: Visit, dealer: Dealer, blog: str, sandbox: str, scripts: bool
) -> None:
    """Some sites restrict frames that they do not know to an origin of their own, where files cannot be used."""
    page = visit(DESKTOP, java_script_enabled=scripts)
    frame = frame_of(page, blog, f"{dealer.url}{dealer.seat(page, 'doubled').page}/embed?step=0", sandbox)
    seen = []
    for _ in range(3):
        seen.append(frame.locator(STEP).inner_text())
        cards = drawn_cards(frame) if scripts else [frame.locator(".card__face").count() >= 5]
        assert cards and all(cards)
        with page.expect_event("framenavigated"):
            frame.get_by_role("link", name="Step forward").click()
    assert len(set(seen)) == 3
    assert page.url.startswith(blog)
    expect(frame.get_by_role("link", name="See this hand on Tefuda")).to_be_visible()


def test_cards_that_pay_are_raised_as_on_the_page_of_the_hand(desktop: Page, dealer: Dealer, blog: str) -> None:
    hand = dealer.seat(desktop, "doubled").page
    frame = frame_of(desktop, blog, f"{dealer.url}{hand}/embed")
    raised = "cards => cards.map(card => getComputedStyle(card).transform)"
    in_frame = frame.locator(".card--makes .card__face").evaluate_all(raised)
    desktop.goto(f"{dealer.url}{hand}")
    assert in_frame == desktop.locator(".card--makes .card__face").evaluate_all(raised)
    assert in_frame
    assert "none" not in in_frame


def test_by_keyboard_the_next_step_has_the_focus_of_the_last_one(desktop: Page, dealer: Dealer, blog: str) -> None:
    frame = frame_of(desktop, blog, f"{dealer.url}{dealer.seat(desktop, 'doubled').page}/embed?step=0")
    desktop.get_by_role("link", name="before").focus()
    forward = frame.get_by_role("link", name="Step forward")
    for _ in range(10):
        desktop.keyboard.press("Tab")
        if forward.evaluate("link => link === document.activeElement"):
            break
    for number in (2, 3):
        with desktop.expect_event("framenavigated"):
            desktop.keyboard.press("Enter")
        expect(frame.locator(STEP)).to_contain_text(f"Step {number} of")
        expect(forward).to_be_focused()
        assert forward.evaluate("link => link.matches(':focus-visible')")


@pytest.mark.parametrize("language", WIDEST)
def test_no_step_has_to_be_scrolled_in_the_frame_that_is_offered(visit: Visit, dealer: Dealer, language: str) -> None:
    page = visit({"viewport": {"width": 560, "height": 640}}, locale=language)
    wrong = {}
    for scene in OVER:
        hand = dealer.seat(page, scene)
        for step in range(30):
            page.goto(f"{hand.page}/embed?step={step}")
            found = too_large(page)
            if page.evaluate("document.documentElement.scrollHeight > innerHeight"):
                found.append("it scrolls")
            if found:
                wrong[scene, step] = found
            if page.locator("#step-arrowright").get_attribute("aria-disabled"):
                break
    assert wrong == {}


@pytest.mark.parametrize("device", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
@pytest.mark.parametrize("path", ["/embed", "-not-there/embed"], ids=["a hand", "none"])
def test_axe_finds_nothing_serious_and_every_link_can_be_hit(
    visit: Visit, dealer: Dealer, device: dict, path: str, console
) -> None:
    console.expect("status of 404")
    page = visit(device)
    page.goto(dealer.seat(page, "doubled").page + path)
    assert in_both_lights(page) == []
    assert small_targets(page) == too_large(page) == []


def test_the_html_is_unfolded_beside_share_and_copied(desktop: Page, dealer: Dealer) -> None:
    desktop.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hand = dealer.seat(desktop, "collected")
    desktop.goto(hand.page)
    field = desktop.get_by_label("HTML for a page of your own")
    expect(field).to_be_hidden()
    desktop.get_by_role("button", name="Share").focus()
    for _ in range(6):
        desktop.keyboard.press("Tab")
        if desktop.evaluate("document.activeElement.matches('.embed summary')"):
            break
    desktop.keyboard.press("Enter")
    expect(desktop.get_by_role("button", name="Copy")).to_be_in_viewport(ratio=1)
    expect(field).to_be_in_viewport(ratio=1)
    assert axe(desktop) == []
    desktop.get_by_role("button", name="Copy").click()
    expect(desktop.get_by_role("button", name="Copied")).to_be_visible()
    assert desktop.evaluate("navigator.clipboard.readText()") == field.input_value()
    assert f'src="{dealer.url}{hand.page}/embed"' in field.input_value()


def test_without_scripts_the_html_can_be_unfolded_and_there_is_no_button_that_does_nothing(
    no_js: Page, dealer: Dealer
) -> None:
    no_js.goto(dealer.seat(no_js, "collected").page)
    no_js.locator(".embed summary").click()
    expect(no_js.get_by_label("HTML for a page of your own")).to_be_visible()
    expect(no_js.locator(".embed button")).to_be_hidden()
