"""The installed site: an offline page without a connection, and never a cached hand."""

from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Console, Visit
from tests.e2e.dealer import Dealer

WORKS = "() => navigator.serviceWorker.ready.then(() => !!navigator.serviceWorker.controller)"
KEPT = """async () => {
  const paths = [];
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) paths.push(new URL(request.url).pathname);
  }
  return paths;
}"""

KEPT_IN = """async (language) => {
  while ((await caches.match("/offline"))?.headers.get("Content-Language") !== language) {
    await new Promise((done) => requestAnimationFrame(done));
  }
}"""  # Page.wait_for_function would take the promise itself for true


def installed(visit: Visit, **options: object) -> Page:
    """Return a page whose browser has the service worker."""
    page = visit(PHONE, service_workers="allow", **options)
    page.goto("/")
    page.evaluate(WORKS)
    page.reload()
    assert page.evaluate(WORKS)
    return page


def test_without_a_connection_a_page_says_so_and_comes_back_with_it(
    visit: Visit, dealer: Dealer, console: Console
) -> None:
    console.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource")
    page = installed(visit)
    page.goto(dealer.seat(page, "dealt", fresh=True).table)
    cards = page.locator("#room").get_attribute("data-say")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.set_offline(False)
    expect(page.locator("#room")).to_have_attribute("data-say", cards or "")


def test_nothing_is_kept_but_the_page_without_a_connection_and_static_files(visit: Visit, dealer: Dealer) -> None:
    page = installed(visit)
    page.goto(dealer.seat(page, "collected", fresh=True).page)
    page.goto("/me")
    kept = page.evaluate(KEPT)
    assert {path for path in kept if not path.startswith("/static/")} == {"/offline"}


def test_the_page_without_a_connection_follows_the_language(visit: Visit, dealer: Dealer, console: Console) -> None:
    console.expect("ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource")
    page = installed(visit)
    dealer.prefer(page, language="ja")
    page.goto("/about")
    page.evaluate(KEPT_IN, "ja")
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="接続がありません")).to_be_visible()
