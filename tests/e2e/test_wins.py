"""How wins are shown: after the last card, by transform and opacity, and ended by a tap. See artifacts/wins-*.

The test chooses the cards. Animations are stopped when they begin and inspected at chosen times, so that no picture
depends on the speed of the machine.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.chosen_cards import ChosenCards, chosen_cards
from tests.e2e.conftest import DESKTOP, PHONE, Visit
from tests.e2e.dealer import Dealer
from tests.e2e.motion_cases import CASES
from tests.e2e.pictures import shoot
from tests.e2e.recording import states
from tests.e2e.table_recording import answered_by
from tests.support.languages import WIDEST

pytestmark = pytest.mark.moving

DOUBLE_UPS = ("5h 9c 3d 4s 2c",) * 10
HANDS = {
    "pair": ("poker", "9c 2d 9h 4s 6c Kd"),
    "two pair": ("poker", "9c 9d 4h 4s 2c Kd"),
    "full house": ("poker", "9c 9d 9h 4s 2c 4d"),
    "royal flush": ("poker", "Th Jh Qh Kh 2c Ah"),
    "joker": ("joker?table=kings-or-better", "9c 9d 4h 2s 6c Jk"),
    "five of a kind": ("joker?table=kings-or-better", "9c 9d 9h 9s 2c Jk"),
    "wild royal": ("video?table=deuces-full", "2d Ah Qh Jh 9c Th"),
    "four deuces": ("video?table=deuces-full", "2d 2h 2c 9h 7c 2s"),
    "near miss": ("poker", "Th Jh Qh Kh 2c 3s"),
}
EFFECTS = (".wins__coin", ".wins__light", ".glory__dark")
"""What nothing but a win of tier 1, 2 and 3 has."""
TIERS = {"pair": 0, "two pair": 1, "full house": 2, "royal flush": 3, "joker": 1, "five of a kind": 3, "near miss": 0}
TIERS |= {"wild royal": 2, "four deuces": 3}
ARRESTED = """
document.addEventListener("result-shown", (event) => {
  window.__shown = event.detail;
  window.__late = document.querySelectorAll(".card--coming").length
    + (document.querySelector("[data-moving]") ? 1 : 0);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  requestAnimationFrame(function inspect() {
    if (event.detail.tier && !isStill && !document.querySelector(".wins")) {
      requestAnimationFrame(inspect);  // its script is still being loaded
      return;
    }
    window.__moving = [...new Set(document.getAnimations()
      .filter((each) => each.effect.target.closest(".wins, .glory, .verdict, .hand, .coin, .boxes, .picks"))
      .flatMap((each) => each.effect.getKeyframes().flatMap(Object.keys)))].sort();
    if (window.__arrest) document.getAnimations().forEach((each) => { each.pause(); each.currentTime = 0; });
  });
});
"""


SHOWN = """() => new Promise((done) => {
  const ask = () => (window.__moving ? done() : requestAnimationFrame(ask));
  ask();
})"""


EARLY_FRAMES = """
const later = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = (act) => later((now) => act(now - 40));
window.__counted = [];
new MutationObserver(() => {
  const sum = document.querySelector("[data-sum][data-full]");
  if (sum) window.__counted.push(Number(sum.textContent.replace(",", "")));
}).observe(document, {subtree: true, childList: true, characterData: true});
"""
"""The time of a frame is that of its beginning, and what a page does before it may take a while; and all sums shown."""


@pytest.fixture(scope="module")
def site(blank_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChosenCards]:
    with chosen_cards(blank_sqlite, tmp_path_factory.mktemp("chosen")) as site:
        yield site


@pytest.fixture
def play(visit: Visit, site: ChosenCards) -> Callable[..., Page]:
    """Draw the last card of one of HANDS, and stop when its result is shown."""

    def play(
        hand: str, device: dict[str, object] = PHONE, arrest: bool = True, script: str = "", **options: object
    ) -> Page:
        game, cards = HANDS[hand]
        site.deal(f"{cards} 5c 6d 8h", *DOUBLE_UPS)
        page = visit(device, base_url=site.url, **options)
        page.add_init_script(f"window.__arrest = {str(arrest).lower()};{ARRESTED};{script}")
        page.goto(f"/play/{game}")
        page.locator("#sit .btn--primary").click()
        for place in (1, 2, 3, 4):
            page.locator(f"#hold-{place}").check(force=True)
        page.evaluate(SHOWN)  # the result of the deal: no win
        page.evaluate("() => { window.__moving = window.__shown = null; }")
        page.locator("[data-draw]").click()
        expect(page.locator(".verdict__name")).not_to_have_text("")
        page.locator("[data-moment$='-1']").wait_for(state="attached")
        page.evaluate(SHOWN)
        return page

    return play


def at(page: Page, time: int) -> None:
    """Set all animations to this time."""
    page.evaluate("(time) => document.getAnimations().forEach((each) => { each.currentTime = time; })", time)


def is_in_flight(page: Page) -> bool:
    return bool(page.evaluate("() => document.querySelector('.wins, .glory__dark') !== null"))


MOVED = {"composite", "computedOffset", "easing", "offset", "opacity", "transform"}


@pytest.mark.parametrize("hand", HANDS)
def test_a_win_is_shown_after_its_last_card_by_transform_and_opacity_only(play: Callable[..., Page], hand: str) -> None:
    page = play(hand)
    assert page.evaluate("() => window.__shown.tier") == TIERS[hand]
    assert page.evaluate("() => window.__shown.isLost") is (hand == "near miss")
    assert page.evaluate("() => window.__late") == 0
    assert set(page.evaluate("() => window.__moving")) <= MOVED
    shown = [page.locator(effect).count() for effect in EFFECTS]
    coins = 5 if TIERS[hand] == 1 or not HANDS[hand][0].startswith("poker") else 0  # the payment flies to the purse
    assert shown == [coins, TIERS[hand] == 2, TIERS[hand] == 3]
    assert page.locator(".wins__dark").count() == (hand == "near miss")


@pytest.mark.parametrize("hand", ["two pair", "full house", "royal flush"])
def test_a_tap_shows_the_end_at_once(play: Callable[..., Page], hand: str) -> None:
    page = play(hand)
    assert is_in_flight(page)
    page.mouse.click(20, 200)
    assert not is_in_flight(page)
    expect(page.locator(".verdict__name")).to_be_visible()


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize(("hand", "part"), [("full house", ".wins__felt"), ("near miss", ".wins__dark")])
def test_light_and_shadow_stay_on_the_felt(
    play: Callable[..., Page], device: dict[str, object], hand: str, part: str
) -> None:
    page = play(hand, device)
    light, dock = (page.locator(each).bounding_box() for each in (part, ".dock"))
    assert light
    assert dock
    assert light["height"] > 200
    assert light["y"] + light["height"] <= dock["y"] + 0.5


def test_the_light_has_no_edge(play: Callable[..., Page]) -> None:
    """A slanted gradient is transparent in two corners only: the sides of a tall box would be visible."""
    light = play("full house").locator(".wins__light")
    assert light.evaluate("light => getComputedStyle(light).backgroundImage").startswith("linear-gradient(90deg,")


def test_a_key_shows_the_end_at_once(play: Callable[..., Page]) -> None:
    page = play("royal flush")
    page.keyboard.press("Shift")
    assert not is_in_flight(page)


@pytest.mark.parametrize("hand", ["two pair", "full house", "royal flush", "five of a kind"])
def test_who_wants_no_motion_sees_a_still_frame(play: Callable[..., Page], hand: str) -> None:
    page = play(hand, reduced_motion="reduce")
    assert page.evaluate("() => window.__moving") == []
    assert not is_in_flight(page)
    assert page.locator(".card--makes").count() == {"two pair": 4}.get(hand, 5)
    assert page.locator(".crest__seal").count() == (1 if TIERS[hand] == 3 else 0)


def test_the_cards_that_pay_lie_eight_pixels_higher(play: Callable[..., Page]) -> None:
    page = play("two pair", reduced_motion="reduce")
    tops = page.evaluate(
        "() => [...document.querySelectorAll('.hand .card__face')].map((face) => face.getBoundingClientRect().top)"
    )
    assert len(set(tops[:4])) == 1
    assert tops[4] - tops[0] == pytest.approx(8, abs=0.5)


def test_what_came_into_the_purse_is_seen_above_the_felt(play: Callable[..., Page]) -> None:
    page = play("joker")
    at(page, 700)
    gain = page.locator(".purse__gain")
    box = gain.bounding_box()
    assert box is not None
    felt = page.locator(".felt").bounding_box()
    assert felt is not None
    assert box["y"] + box["height"] > felt["y"]  # it hangs over the felt
    top = page.evaluate(
        "([x, y]) => { const gain = document.querySelector('.purse__gain'); gain.style.pointerEvents = 'auto';"
        " return document.elementFromPoint(x, y) === gain; }",
        [box["x"] + box["width"] / 2, box["y"] + box["height"] - 3],
    )
    assert top is True


def test_the_purse_counts_up_to_what_it_holds(play: Callable[..., Page]) -> None:
    page = play("five of a kind", arrest=False)
    expect(page.locator("[data-sum]")).to_have_text("2,090")


def test_the_purse_counts_from_what_it_held_though_the_frame_began_before(play: Callable[..., Page]) -> None:
    page = play("five of a kind", arrest=False, script=EARLY_FRAMES)
    expect(page.locator("[data-sum]")).to_have_text("2,090")
    counted = page.evaluate("() => window.__counted")
    assert counted[0] == 90
    assert counted == sorted(counted)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_ten_doubles_in_a_row_end_with_their_cards_in_an_arc(visit: Visit, dealer: Dealer, motion: str) -> None:
    page = visit(PHONE, reduced_motion=motion)
    case = CASES["double-up: the last win there is"]
    address, before, after = states(dealer.app, case)
    page.route(re.compile(r"/play/"), answered_by(before, after))
    page.goto(address)
    page.locator(case.press).first.evaluate("button => button.click()")
    page.locator({"reduce": ".glory", "no-preference": ".glory__dark"}[motion]).wait_for(state="attached")
    page.keyboard.press("Shift")
    expect(page.get_by_role("heading", name="Ten in a row")).to_be_visible()
    expect(page.locator(".glory .card")).to_have_count(10)
    expect(page.locator(".crest__seal")).to_be_visible()
    expect(page.locator(".ladder__rung--won")).to_have_count(10)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


CREST = """
window.__crest = [];
window.__turned = [];
addEventListener("load", function look() {
  for (const card of document.querySelectorAll("[data-moving] .glory__in > .hand > .card")) {
    const { transform } = getComputedStyle(card);
    window.__turned.push(Math.abs(new DOMMatrix(transform).b));
  }
  const seal = document.querySelector(".room:not([data-moving]) .crest__seal");
  const isSeen = seal?.checkVisibility({visibilityProperty: true, opacityProperty: true});
  if (seal) window.__crest.push(isSeen);
  requestAnimationFrame(look);
});
"""


def test_what_the_greatest_win_ends_with_is_not_seen_before_it_comes(play: Callable[..., Page]) -> None:
    page = play("royal flush", arrest=False, script=CREST)
    page.wait_for_function("() => !document.querySelector('.wins')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seen = page.evaluate("() => window.__crest")
    assert seen[0] is False
    assert seen == sorted(seen)
    assert seen[-1] is True
    turned = page.evaluate("() => window.__turned")
    assert max(turned) < 0.01


def test_a_pair_that_pays_nods(play: Callable[..., Page]) -> None:
    page = play("pair")
    moved = page.evaluate(
        "() => document.getAnimations().filter(({effect}) => effect.target.matches('.card--makes'))"
        ".map(({effect}) => effect.getKeyframes()[1].transform).filter((each) => each !== 'none')"
    )
    assert moved == ["translateX(4px)", "translateX(-4px)"]


@pytest.mark.parametrize("hand", ["two pair", "full house", "royal flush", "five of a kind", "near miss"])
@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_is_cut_and_axe_finds_nothing(play, axe, hand: str, device: dict[str, object]) -> None:
    page = play(hand, device, reduced_motion="reduce")
    assert axe(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    edges = page.evaluate(
        "() => [...document.querySelectorAll('.hand .card, .crest')].map((part) => part.getBoundingClientRect())"
        ".map(({left, right}) => [left, right])"
    )
    width = page.evaluate("() => innerWidth")
    assert all(left >= 0 and right <= width for left, right in edges)


SAMPLE = ("royal flush", "joker")


@pytest.mark.parametrize("device", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.soak)], ids=["phone", "desktop"])
@pytest.mark.parametrize(
    "hand", [hand if hand in SAMPLE else pytest.param(hand, marks=pytest.mark.soak) for hand in HANDS]
)
def test_pictures_to_look_at(play: Callable[..., Page], hand: str, device: dict[str, object]) -> None:
    """A sample; all of them with ``-m soak``."""
    page = play(hand, device)
    name = f"wins-{hand}-{page.viewport_size['width']}"  # type: ignore[index]
    for time in (100, 300, 500, 800, 1100, 1400, 1600, 1800):
        at(page, time)
        shoot(page, f"{name}-{time:04d}")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), time
    page.keyboard.press("Shift")
    shoot(page, f"{name}-end")


@pytest.mark.parametrize("language", WIDEST)
def test_the_joker_and_the_near_miss_in_every_language(play: Callable[..., Page], language: str) -> None:
    for hand in ("joker", "near miss"):
        page = play(hand, locale={"zh_Hant": "zh-Hant"}.get(language, language), reduced_motion="reduce")
        shoot(page, f"wins-{hand}-{language}")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", WIDEST)
def test_a_hand_with_a_long_name_and_all_its_buttons_fit_a_small_phone(
    visit: Visit, site: ChosenCards, language: str
) -> None:
    site.deal("As Qh Ad Qs Ac 2c 3d 4h 5s 6c", *DOUBLE_UPS)
    page = visit(
        PHONE, base_url=site.url, locale={"zh_Hant": "zh-Hant"}.get(language, language), reduced_motion="reduce"
    )
    page.goto("/play/joker?table=arcade")
    page.locator("#sit .btn--primary").click()
    expect(page.locator("[data-mark]:checked")).to_have_count(5)
    shoot(page, f"long-name-{language}")
    assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0
    name, hint = page.locator(".verdict").bounding_box(), page.locator(".hand > .card").first.bounding_box()
    assert name and hint
    assert name["y"] + name["height"] <= hint["y"]


@pytest.mark.parametrize(("game", "lines"), [("joker?table=kings-or-better", 1), ("video", 1), ("video", 10)])
def test_a_payment_is_one_number_at_the_purse_and_in_the_sentence(
    visit: Visit, site: ChosenCards, game: str, lines: int
) -> None:
    """And the purse rises by it."""
    site.deal(*("9c 9d 9h 4s 2c Kd 5c 6d 8h",) * 10)
    page = visit(PHONE, base_url=site.url, reduced_motion="reduce")
    page.goto(f"/play/{game}")
    page.locator("#stake").fill("10")
    for choice in page.locator("[data-lines]").all():
        choice.select_option(str(lines))
    page.locator("#sit .btn--primary").click()
    purse = page.locator(".purse__sum")
    expect(purse).to_have_text(str(100 - 10 * lines))
    page.locator(".dock__main").click()
    page.locator("#sit").wait_for()
    told = page.locator(".verdict__text strong" if lines == 1 else ".verdict__name").first.inner_text()
    paid = int(told.split()[-1])
    expect(purse).to_have_text(str(100 - 10 * lines + paid))
    expect(page.locator(".purse__gain")).to_have_text(f"+{paid}")
    expect(purse).to_have_attribute("data-gain", str(paid))
