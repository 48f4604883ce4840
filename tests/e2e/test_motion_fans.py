"""The computed places of cards in a growing fan equal those of the browser's layout."""

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.stacked import played, show

SCENES = ("many cards", "soft, five cards", "four hands")

COMPARED = """async () => {
  const { placesOf } = await import("/static/js/fans.js");
  const fans = Array.from(document.querySelectorAll(".fan")).filter((fan) => fan.childElementCount > 1);
  return fans.flatMap((fan) => {
    const late = fan.childElementCount - 1;
    const reckoned = placesOf(fan, late).slice(0, -1).map((places) => Array.from(places.values(), ({left, top}) => [left, top]));
    const cards = Array.from(fan.children);
    return reckoned.map((places, nth) => {
      fan.replaceChildren(...cards.slice(0, nth + 1));
      const seen = Array.from(fan.querySelectorAll(".card__face"), (face) => face.getBoundingClientRect());
      if (nth === late - 1) fan.replaceChildren(...cards);
      return Math.max(...seen.map(({left, top}, n) => Math.max(Math.abs(left - places[n][0]), Math.abs(top - places[n][1]))));
    });
  });
}"""


@pytest.mark.parametrize("device", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
def test_cards_of_a_fan_lie_where_it_is_reckoned(visit: Visit, dealer: Dealer, device: dict[str, object]) -> None:
    page: Page = visit(device)
    off: list[float] = []
    for scene in SCENES:
        show(page, played(dealer.app, scene)["/play/blackjack"])
        off += page.evaluate(COMPARED)
    assert len(off) >= 15
    assert max(off) < 1, off
