"""A new browser: two tabs that begin at once, and one that keeps no cookies."""

from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.conftest import Console
from tests.support.server import Server

JSON = {"Accept": "application/json", "Sec-Fetch-Site": "same-origin"}


def test_two_tabs_that_begin_at_once_keep_both_hands(phone: Page) -> None:
    """Both first requests are sent before either is answered."""
    other = phone.context.new_page()
    held: list[Route] = []

    def hold_both(route: Route) -> None:
        if route.request.method != "POST" or len(held) == 2:
            route.continue_()
            return
        held.append(route)
        if len(held) == 2:
            for each in held:
                each.continue_()

    phone.goto("/play/poker")
    other.goto("/play/joker")
    other.locator("[data-stake]").first.fill("5")
    phone.context.route("**/play/*", hold_both)
    for page in (phone, other):
        page.locator("#sit button").evaluate("button => button.click()")
    for page, game in ((phone, "poker"), (other, "joker")):
        page.locator("[data-mark]").last.wait_for()
        board = phone.request.get(f"/play/{game}", headers=JSON).json()
        assert board["status"] == "live", game
        page.reload()
        page.locator("[data-mark]").last.wait_for()


def test_without_cookies_the_page_says_so(browser: Browser, server: Server, console: Console) -> None:
    console.expect("403|Cookie")
    context = browser.new_context(base_url=server.url)
    page = context.new_page()

    def without_cookies(route: Route) -> None:
        headers = {name: value for name, value in route.request.headers.items() if name.lower() != "cookie"}
        answer = route.fetch(headers=headers, max_redirects=0)
        kept = [each for each in answer.headers_array if each["name"].lower() != "set-cookie"]
        body = answer.body()
        context.clear_cookies()
        route.fulfill(status=answer.status, headers={each["name"]: each["value"] for each in kept}, body=body)

    page.goto("/play/poker")
    page.route("**/play/**", without_cookies)
    for _ in range(2):
        page.locator("#sit button").click()
        expect(page.get_by_text("Your browser keeps no cookies for this site").first).to_be_visible()
        page.goto("/play/poker")
    context.close()
