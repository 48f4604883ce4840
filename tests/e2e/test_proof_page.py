"""What readers of a finished hand see of the check, in a real browser under the site's content security policy."""

import html
import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.javascript_engines import SCRIPT
from tests.support.proofs import from_a_shoe, proof

pytestmark = pytest.mark.e2e

POLICY = "default-src 'none'; script-src 'self'"
SECTION = """
<section id="proof" data-proof="{proof}" data-text-commitment="The seed opens the commitment"
    data-text-pack="Pack %(pack)s of %(id)s: decks %(decks)s, jokers %(jokers)s, offset %(offset)s"
    data-text-cards="%(right)s of %(all)s cards dealt again, the same" data-text-wrong="This does not fit">
  <button type="button" data-proof-check hidden>Deal it again</button><div data-proof-result role="status"></div>
</section>"""


@pytest.fixture
def show(chromium):
    """Open a finished page with this proof: ``show(proof())``. The test fails if the console has messages."""
    complaints: list[str] = []
    contexts = []

    def open_page(facts: object, secure: bool = True) -> Page:
        text = facts if isinstance(facts, str) else json.dumps(facts)
        section = SECTION.format(proof=html.escape(text))
        body = f'<!doctype html><link rel="icon" href="data:,"><script src="/fair.js" defer></script>{section}'

        def answer(route):
            if route.request.url.endswith("/fair.js"):
                return route.fulfill(content_type="text/javascript", body=SCRIPT.read_text("utf-8"))
            headers = {
                "Content-Security-Policy": f"{POLICY}; img-src data:",
                "Content-Type": "text/html; charset=utf-8",
            }
            return route.fulfill(headers=headers, body=body)

        context = chromium.new_context()
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route("**/*", answer)
        page.goto("https://fair.test/h/hand" if secure else "http://fair.test/h/hand")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def rows(page: Page):
    return page.locator("[data-proof-result] > ul > li")


@pytest.mark.parametrize("secure", [True, False], ids=["https", "plain http"])
def test_the_cards_are_dealt_again_and_ticked_one_by_one(show, secure):
    page = show(proof(), secure)
    page.get_by_role("button", name="Deal it again").click()
    expect(rows(page)).to_have_count(2)
    expect(rows(page).nth(0)).to_have_text("✓The seed opens the commitment")
    expect(rows(page).nth(1)).to_contain_text("✓15 of 15 cards dealt again, the same")
    expect(rows(page).nth(1)).to_contain_text(re.compile("^[^✗]*(✓[^✗]*){16}$"))


def test_it_is_said_what_was_dealt_from(show):
    page = show(from_a_shoe())
    page.get_by_role("button", name="Deal it again").click()
    expect(rows(page).nth(1)).to_contain_text(f"Pack 1 of {proof()['id']}: decks 1, jokers 0, offset 4")
    page = show(proof())
    page.get_by_role("button", name="Deal it again").click()
    for number in (1, 2):
        expect(rows(page).nth(1)).to_contain_text(f"Pack {number} of {proof()['id']}: decks 1, jokers 0, offset 0")


def test_a_hand_that_no_rules_deal_is_refused(show):
    page = show(proof(offset=1, cards=[proof()["cards"][0][1:], proof()["cards"][1]]))
    page.get_by_role("button", name="Deal it again").click()
    expect(rows(page)).to_have_text(["✗This does not fit"])


def test_checking_twice_shows_one_result(show):
    page = show(proof())
    for _ in range(2):
        page.get_by_role("button", name="Deal it again").click()
    expect(rows(page)).to_have_count(2)


def test_a_wrong_card_is_crossed_and_said(show):
    cards = proof()["cards"]
    page = show(proof(cards=[["As", *cards[0][1:]], cards[1]]))
    page.get_by_role("button", name="Deal it again").click()
    expect(rows(page)).to_have_count(3)
    expect(rows(page).nth(1)).to_contain_text("✗14 of 15 cards dealt again, the same")
    expect(rows(page).nth(1)).to_contain_text("As\u00a0✗")
    expect(rows(page).nth(2)).to_have_text("✗This does not fit")


def test_a_broken_commitment_is_said(show):
    page = show(proof(commitment="0" * 64))
    page.get_by_role("button", name="Deal it again").click()
    expect(rows(page).nth(0)).to_have_text("✗This does not fit")


@pytest.mark.parametrize("facts", ["", "{}", "null", "<b>", json.dumps(proof(seed="<b>"))])
def test_what_is_no_proof_is_said_and_never_becomes_part_of_the_page(show, facts):
    page = show(facts)
    page.get_by_role("button", name="Deal it again").click()
    expect(rows(page)).to_have_text(["✗This does not fit"])
    assert page.locator("b").count() == 0


def test_the_button_comes_back_when_the_page_is_swapped(show):
    """htmx swaps it when the reader steps through the hand."""
    page = show(proof())
    page.evaluate(
        """() => {
          const section = document.querySelector("#proof");
          const fresh = section.cloneNode(true);
          fresh.querySelector("button").hidden = true;
          section.replaceWith(fresh);
          fresh.dispatchEvent(new CustomEvent("htmx:after:swap", { bubbles: true }));
        }"""
    )
    page.get_by_role("button", name="Deal it again").click()
    expect(rows(page)).to_have_count(2)
