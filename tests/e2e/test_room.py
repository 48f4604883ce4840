"""Tables on a phone: they fit, nothing moves, and controls are large enough for a thumb, in every language."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, Console, Visit
from tests.e2e.dealer import FINISHED, PAGES, TABLE, Dealer, complaints
from tests.e2e.geometry import Box, clipped, moved, places, shifts, small_targets, still, too_large, watch_shifts
from tests.e2e.visitor import Visitor, finger, mouse
from tests.support.languages import WIDEST


@pytest.mark.parametrize("language", WIDEST)
def test_on_a_phone_all_fits_no_word_is_cut_off_and_a_thumb_hits_everything(
    phone: Page, dealer: Dealer, console: Console, language: str
) -> None:
    console.expect("status of 404")
    dealer.prefer(phone, language=language, deal="cut")

    def wrong(page: Page, where: str) -> list[str]:
        return too_large(page, where not in TABLE) + clipped(page) + small_targets(page)

    assert complaints(phone, dealer, wrong) == {}


@pytest.mark.parametrize("game", ["poker", "joker", "video", "blackjack"])
@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_without_scripts_a_sealed_deck_can_be_cut_and_dealt_without_scrolling(
    visit: Visit, device: dict[str, object], game: str
) -> None:
    page = visit(device, java_script_enabled=False)
    page.goto(f"/play/{game}")
    page.get_by_role("button", name="Deal").click()
    cut, deal = page.get_by_label("Any word of your own"), page.get_by_role("button", name="Cut and deal")
    assert [page.viewport_size["height"] >= bottom(control) for control in (cut, deal)] == [True, True]


def bottom(control: Locator) -> float:
    expect(control).to_be_visible()
    box = control.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


@pytest.mark.parametrize("language", WIDEST)
def test_the_steps_of_a_replay_and_the_way_on_are_on_the_first_screen(
    phone: Page, dealer: Dealer, language: str
) -> None:
    dealer.prefer(phone, language=language)

    def below(page: Page, where: str) -> list[str]:
        found = {name: bottom(page.locator(name)) for name in (".stepper__bar", ".finish__share")}
        return [f"{name} ends at {y}" for name, y in found.items() if y > 640]

    assert complaints(phone, dealer, below, FINISHED) == {}


def test_a_step_that_leads_nowhere_looks_like_it(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "nothing").page)
    looks = phone.locator(".stepper__bar a").evaluate_all(
        "all => all.map(each => [each.ariaDisabled, getComputedStyle(each).color, getComputedStyle(each).backgroundColor])"
    )
    back, _, forward, last = looks
    assert forward == last
    assert back[0] is None
    assert forward[1] != back[1]
    assert forward[2] != back[2]


A_PLACE_OF_EACH_KIND = ("sealed", "dealt", "won", "tied", "page of nothing", "page of limit", *PAGES)


@pytest.mark.parametrize("size", [(640, 360), (320, 320)], ids=["200%", "400%"])
def test_at_twice_and_four_times_the_size_nothing_is_to_be_scrolled_sideways(
    visit: Visit, dealer: Dealer, console: Console, size: tuple[int, int]
) -> None:
    """A desktop of 1280 pixels at 200 % and 400 % zoom."""
    console.expect("status of 404")
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True)), "device_scale_factor": 2})
    dealer.prefer(page, deal="cut")
    assert complaints(page, dealer, lambda page, where: too_large(page), A_PLACE_OF_EACH_KIND) == {}


@pytest.mark.moving
def test_nothing_sticks_out_while_cards_are_dealt(phone: Page, dealer: Dealer) -> None:
    dealer.show(phone, "dealt")
    width = phone.evaluate(
        """() => {
          const cards = document.querySelector("[role=group]");
          cards.replaceWith(cards.cloneNode(true)); // dealt once more
          for (const each of document.getAnimations()) { each.pause(); each.currentTime = 1; }
          return document.documentElement.scrollWidth;
        }"""
    )
    assert width <= 360


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.parametrize("device", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])
@pytest.mark.moving
def test_from_the_empty_table_to_the_result_everything_stays_in_its_place(
    visit: Visit, dealer: Dealer, device: dict[str, object], language: str
) -> None:
    page = visit(device)
    dealer.prefer(page, language=language, deal="cut")
    seen: dict[str, dict[str, Box]] = {}
    for where in ("empty", "sealed", "dealt", "marked", "asked", "collected", "nothing"):
        dealer.show(page, where)
        seen[where] = places(page)
    first = seen.pop("empty")
    assert len([name for name in first if name.startswith("card")]) == 5
    assert {where: moved(first, then) for where, then in seen.items()} == {where: [] for where in seen}


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.parametrize("device", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])
def test_where_one_bets_everything_stays_in_its_place_from_the_deal_to_the_end(
    visit: Visit, dealer: Dealer, device: dict[str, object], language: str
) -> None:
    page = visit(device)
    visitor = Visitor(page, finger if device is PHONE else mouse)
    dealer.prefer(page, language=language)
    page.goto("/play/joker")
    seen = []
    while visitor.phase() != "over":
        with visitor.change():
            visitor.press(page, page.locator(".dock__row button:not(:disabled):visible").last, "Enter")
        seen.append({name: box for name, box in places(page).items() if name != "next step"})
    first, *rest = seen
    assert len(rest) >= 1
    assert [moved(first, then) for then in rest] == [[] for _ in rest]


@pytest.mark.parametrize("device", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])
@pytest.mark.moving
def test_in_the_double_up_everything_stays_in_its_place(
    visit: Visit, dealer: Dealer, device: dict[str, object]
) -> None:
    page = visit(device)
    seen: dict[str, dict[str, Box]] = {}
    for where in ("picking", "won", "tied", "lost", "doubled", "limit"):
        dealer.show(page, where)
        seen[where] = {name: box for name, box in places(page).items() if name != "next step"}
    first = seen.pop("picking")
    assert len([name for name in first if name.startswith("pick")]) == 4
    assert {where: moved(first, then) for where, then in seen.items()} == {where: [] for where in seen}


def test_the_table_of_the_hand_and_that_of_the_double_up_share_their_frame(phone: Page, dealer: Dealer) -> None:
    dealer.show(phone, "asked")
    hand = places(phone)
    dealer.show(phone, "picking")
    assert moved(hand, places(phone)) == []


@pytest.mark.moving
def test_a_hold_moves_nothing_but_the_card_that_is_held(phone: Page, dealer: Dealer) -> None:
    phone.goto(dealer.seat(phone, "dealt", fresh=True).table)  # hands that are not fresh are only read
    before = places(phone)
    for position in (1, 3, 5):
        phone.locator("label", has=phone.locator(f"#hold-{position}")).tap()
    assert moved(before, places(phone)) == []
    words = phone.get_by_text("HOLD", exact=True)
    assert [words.nth(n).is_visible() for n in range(5)] == [True, False, True, False, True]


@pytest.mark.moving
@pytest.mark.parametrize("device", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_nothing_shifts_in_a_whole_hand(visit: Visit, dealer: Dealer, device: dict[str, object]) -> None:
    phone = visit(device)
    watch_shifts(phone)
    phone.goto(dealer.seat(phone, "will be a pair", fresh=True).table)
    visitor = Visitor(phone, finger, checked=still)
    visitor.hold(1)
    visitor.hold(2)
    visitor.draw()
    visitor.double()
    while visitor.phase() == "pick":
        visitor.pick(2)
    if visitor.phase() == "ask":
        visitor.collect()
    assert shifts(phone) == []


@pytest.mark.moving
def test_nothing_shifts_while_a_page_loads(phone: Page, dealer: Dealer, console: Console) -> None:
    console.expect("status of 404")
    watch_shifts(phone)
    dealer.prefer(phone, deal="cut")
    assert complaints(phone, dealer, lambda page, where: shifts(page), A_PLACE_OF_EACH_KIND) == {}
