"""The browser's own record of its deals, and its comparison with what the house says."""

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Console
from tests.e2e.visitor import Visitor, finger

TAMPER = """change => {
  const deals = JSON.parse(localStorage.getItem("tefuda.deals"));
  Object.assign(deals[0], change);
  localStorage.setItem("tefuda.deals", JSON.stringify(deals));
}"""


def compared(page: Page) -> list[int]:
    """Return how many deals fit, are not opened yet, and do not fit."""
    page.goto("/fair")
    page.get_by_role("button", name="Compare").tap()
    expect(page.locator("[data-record-result]")).to_be_visible()
    return [int(page.locator(f"[data-count={kind}]").inner_text()) for kind in ("fits", "open", "wrong")]


def test_a_browser_finds_its_deals_again_as_they_were_sealed_and_cut(phone: Page, console: Console) -> None:
    console.expect("404")  # a hand that is still played has no page of its own
    phone.goto("/play/poker")
    visitor = Visitor(phone, finger)
    visitor.deal()
    assert compared(phone) == [0, 1, 0], "it is still played"
    phone.goto("/play/poker")
    visitor.hold_what_repeats()
    visitor.draw()
    if visitor.phase() == "ask":
        visitor.collect()
    visitor.deal()
    assert compared(phone) == [1, 1, 0]


def test_a_hand_with_another_seal_or_cut_or_that_is_gone_does_not_fit(phone: Page, console: Console) -> None:
    console.expect("404")
    phone.goto("/play/poker")
    visitor = Visitor(phone, finger)
    visitor.deal()
    visitor.hold_what_repeats()
    visitor.draw()
    if visitor.phase() == "ask":
        visitor.collect()
    assert compared(phone) == [1, 0, 0]
    key = phone.evaluate("JSON.parse(localStorage.getItem('tefuda.deals'))[0].key")
    for change in ({"cut": "another"}, {"cut": "", "seal": "0" * 64}, {"key": key[::-1]}):
        phone.evaluate(TAMPER, change)
        assert compared(phone) == [0, 0, 1], change
    expect(phone.locator("[data-record-wrong]")).to_contain_text(key[::-1])
