"""Blackjack in a browser: by touch, by keyboard, without JavaScript, and in every layout of the table."""

import hashlib
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE, TABLET, TALL, Visit
from tests.e2e.dealer import Dealer, Hand
from tests.e2e.geometry import (
    burst,
    clipped,
    fits,
    overlaid,
    places,
    shifts,
    shredded,
    small_targets,
    still,
    too_large,
    watch_shifts,
)
from tests.e2e.stacked import OVER, TABLE, played, show
from tests.e2e.taps import tap, to_the_next_page
from tests.e2e.visitor import swapped
from tests.support.app import close, make_app
from tests.support.cookies import cookie_of
from tests.support.languages import CODES, WIDEST
from tests.support.player import Player
from tests.support.server import Server
from webapp.engine.cards import Rank
from webapp.engine.games import GAMES
from webapp.engine.shuffling import ShuffledPacks
from webapp.engine.twenty_one.hand import value

CUT = "stacked"
WORST = (
    "soft",
    "three boxes",
    "may surrender",
    "insured boxes",
    "four hands",
    "twelve hands",
    "twelve at the end",
    "many cards",
    "classic draw",
)

Pages = Callable[..., dict[str, str]]


@pytest.fixture(scope="module")
def pages(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """Return the pages of a scene by address: ``pages("won", language="ja")``."""
    app = make_app(f"sqlite:///{server.instance / 'tefuda.sqlite3'}", Path(tmp_path_factory.mktemp("stacked")))
    once = cache(lambda scene, preferences: played(app, scene, preferences))
    yield lambda scene, **preferences: once(scene, "&".join(f"{k}={v}" for k, v in preferences.items()))
    close(app)


def verb(page: Page, name: str):
    return page.locator(f"button[name=verb][value={name}]")


def play_on(page: Page, press: Callable[[str], None]) -> None:
    """Decline insurance and stand until the round is over."""
    for _ in range(20):
        # the actions appear with the last card
        page.locator("#room:not([data-moving], .htmx-settling)").wait_for(state="attached")
        if page.locator("main :is([popovertarget=sharing], a[data-share])").count():
            return
        asked = page.locator("[aria-keyshortcuts=N]").count()
        with swapped(page, "#room"):
            press("N" if asked else "S")
        fits(page)
    pytest.fail("the round does not end")


@pytest.mark.moving
def test_a_round_by_touch(phone: Page) -> None:
    watch_shifts(phone)
    phone.goto(TABLE)
    fits(phone)
    phone.get_by_role("button", name="+ second box").tap()
    expect(phone.locator("#stake-2")).to_have_value("100")
    phone.locator(".chip", has_text="25").tap()
    expect(phone.locator("#stake-2")).to_have_value("125")
    phone.get_by_role("button", name="Deal", exact=False).last.tap()
    phone.locator(".pile .card").first.wait_for()
    expect(phone.get_by_role("region", name="Box 2").first).to_be_visible()
    play_on(phone, lambda key: tap(phone.locator(f"[aria-keyshortcuts={key}]")))
    expect(phone.locator("#stake-1")).to_have_value("100")
    expect(phone.locator("#stake-2")).to_have_value("125")
    assert shifts(phone) == []
    phone.get_by_role("link", name="Replay").tap()
    expect(phone.get_by_role("heading", name="The proof opens when the shoe is finished")).to_be_visible()


@pytest.mark.parametrize("language", WIDEST)
@pytest.mark.moving
def test_on_a_tall_phone_nothing_jumps_when_the_first_cards_have_come(visit: Visit, language: str) -> None:
    page = visit(TALL, locale=language)
    watch_shifts(page)
    page.goto(TABLE)
    page.locator(".dock__row button").last.tap()
    for said in (".verdict[data-held]", ".verdict:not([data-held])"):
        page.locator(said).wait_for(state="attached")
    assert shifts(page) == []


@pytest.mark.moving
def test_a_round_by_keys(desktop: Page) -> None:
    desktop.goto(TABLE)
    desktop.keyboard.press("?")
    expect(desktop.get_by_role("region", name="Rules and keys")).to_contain_text("hit: one more card")
    expect(desktop.get_by_role("region", name="Rules and keys")).not_to_contain_text("hold a card")
    desktop.reload()  # nothing has the focus now
    desktop.keyboard.press("Enter")
    desktop.locator(".pile .card").first.wait_for()
    play_on(desktop, desktop.keyboard.press)
    expect(desktop.locator("[data-focus]").first).to_be_focused()
    expect(desktop.get_by_role("status").first).to_have_text(re.compile("The dealer has"))


def test_a_round_without_scripts(no_js: Page) -> None:
    no_js.goto(f"{TABLE}?table=downtown")
    no_js.locator("#stake-2").fill("50")
    to_the_next_page(no_js.get_by_role("button", name="Deal"))
    no_js.locator("#stake-2").fill("50")
    to_the_next_page(no_js.get_by_role("button", name="Cut and deal"))
    expect(no_js.get_by_text("Downtown, two decks").first).to_be_visible()
    for _ in range(20):
        if no_js.get_by_role("link", name="Replay").count():
            break
        asked = no_js.get_by_role("button", name=re.compile("^No( N)?$"))
        to_the_next_page(asked if asked.count() else verb(no_js, "stand"))
    no_js.get_by_role("link", name="Replay").click()
    expect(no_js.get_by_role("heading", name="Hand by hand")).to_be_visible()
    expect(no_js.get_by_role("heading", name="Box 2")).not_to_have_count(0)


def test_own_rules_without_scripts(no_js: Page) -> None:
    no_js.goto("/rules/blackjack")
    no_js.get_by_label("Decks").select_option("2")
    no_js.get_by_label("Surrender").select_option("late")
    no_js.get_by_role("button", name="To this table").click()
    expect(no_js).to_have_url(re.compile(r"table=vegas(,|%2C)decks(=|%3D)2(,|%2C)surrender(=|%3D)late$"))


def pair_against_an_ace(dealer: Dealer) -> Hand:
    """Deal until there is a pair of low cards against an ace, and no blackjack."""
    game = GAMES["blackjack"]
    player = Player(dealer.app.test_client())
    key = hashlib.sha256(b"pair against an ace").hexdigest()[:12]
    for number in count():
        seed = hashlib.sha256(f"{key}{number}".encode()).digest()
        a, up, b, hole, *_ = ShuffledPacks(seed, key, (CUT,), game.packs("vegas"))[0]
        if a.rank is b.rank and 2 <= value(a) <= 5 and up.rank is Rank.ACE and value(hole) != 10:
            break
    with (
        patch("webapp.services.solo.shoes.new_seed", lambda: seed),
        patch("webapp.services.solo.shoes.new_key", lambda: key),
    ):
        player.sit("blackjack")
    player.deal(CUT, (100,))
    return Hand(player.hand, cookie_of(player), over=False)


def test_insurance_split_and_double_have_places_of_their_own(phone: Page, dealer: Dealer) -> None:
    dealer.give(phone, pair_against_an_ace(dealer))
    phone.goto(TABLE)
    expect(phone.get_by_role("heading", name="Insurance?")).to_be_visible()
    with swapped(phone, "#room"):
        verb(phone, "insure").tap()
    still(phone)
    split, double = verb(phone, "split").bounding_box(), verb(phone, "double").bounding_box()
    assert split and double and split["x"] >= double["x"] + double["width"]
    expect(verb(phone, "double")).to_contain_text("+100")
    with swapped(phone, "#room"):
        verb(phone, "split").tap()
    fits(phone)
    expect(phone.get_by_role("region", name="Hand 1 of 2")).to_have_attribute("aria-current", "true")
    with swapped(phone, "#room"):
        verb(phone, "double").tap()
    fits(phone)


@pytest.mark.parametrize("language", WIDEST)
def test_on_a_phone_every_table_fits_and_no_word_is_cut_off(phone: Page, pages: Pages, language: str) -> None:
    wrong = {}
    for scene in WORST:
        show(phone, pages(scene, language=language, count="1")[TABLE])
        wrong[scene] = too_large(phone, tall=False) + small_targets(phone)
        wrong[scene] += [each for each in clipped(phone) if "pile__" not in each and "topbar" not in each]
    assert {scene: found for scene, found in wrong.items() if found} == {}


SAYING_MUCH = (
    "bust",
    "surrendered",
    "dealer's blackjack takes all",
    "insurance",
    "even money",
    "insured boxes",
    "insured",
    "soft, five cards",
    "classic bust",
    "classic won",
)


SMALL = {"small": (320, 568), "phone": (360, 640), "landscape": (640, 360)}


def resize(page: Page, size: tuple[int, int]) -> None:
    """Change the size of the window. The page is notified before its next frame."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize("language", WIDEST)
def test_what_is_said_stays_in_its_place_and_lies_on_no_card(phone: Page, pages: Pages, language: str) -> None:
    wrong = {}
    for scene in SAYING_MUCH:
        show(phone, pages(scene, language=language)[TABLE])
        for name, size in SMALL.items():
            resize(phone, size)
            found = burst(phone) + too_large(phone, tall=False) + small_targets(phone)
            found += overlaid(phone, ".pile__more, .pile__state", ".pile .card__face, .pile__line")
            found += overlaid(phone, ".dealer .total", ".dealer .card")
            for word in phone.locator(".dealer__name").all():  # as wide as its letters are, not as its place is
                if word.evaluate("each => each.scrollWidth > each.clientWidth + 1"):
                    found.append("the dealer's name")
            wrong[scene, name] = found
    assert {where: found for where, found in wrong.items() if found} == {}


def test_in_landscape_it_fits_as_well(visit: Visit, pages: Pages) -> None:
    page = visit({**PHONE, "viewport": {"width": 640, "height": 360}})
    for scene in WORST:
        show(page, pages(scene)[TABLE])
        assert too_large(page, tall=False) == [], scene


@pytest.mark.parametrize("scene", ["insured boxes", "twelve hands", "twelve at the end", "classic draw"])
def test_axe_finds_nothing_serious(phone: Page, pages: Pages, axe: Callable[[Page], list[str]], scene: str) -> None:
    found = pages(scene)
    for address in (TABLE, "/h/") if scene in OVER else (TABLE,):
        show(phone, found[address], address)
        still(phone)
        assert axe(phone) == [], address


def test_on_a_desktop_the_own_cards_are_as_large_as_on_a_phone(visit: Visit, pages: Pages) -> None:
    phone, desktop = visit(PHONE), visit(DESKTOP)

    def size(page: Page, card: str) -> float:
        return float(page.locator(card).first.evaluate("card => card.getBoundingClientRect().width"))

    for scene in ("one box", "three boxes", "four hands", "insurance", "won", "classic"):
        html = pages(scene)[TABLE]
        show(phone, html)
        show(desktop, html)
        own = size(desktop, ".pile--active .card__face, .boxes--1 .pile .card__face")
        assert own >= size(phone, ".pile--active .card__face, .boxes--1 .pile .card__face"), scene
        assert own > size(desktop, ".dealer .card__face"), scene


@pytest.mark.parametrize("language", WIDEST)
def test_on_a_desktop_every_table_fits(desktop: Page, pages: Pages, language: str) -> None:
    wrong = {}
    for scene in (*WORST, "insurance", "bust", "dealer's blackjack takes all"):
        show(desktop, pages(scene, language=language, count="1")[TABLE])
        for width in (1280, 1140):
            resize(desktop, (width, 800))
            found = [each for each in clipped(desktop) if "pile__" not in each and not each.startswith("b.")]
            wrong[scene, width] = too_large(desktop, tall=False) + shredded(desktop) + found
    assert {where: found for where, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", WIDEST)
def test_the_total_of_each_hand_is_seen_in_full(phone: Page, pages: Pages, language: str) -> None:
    """Includes the longest totals there are, of soft hands in three boxes."""
    soft = pages("soft", language=language)[TABLE]
    (total,) = set(re.findall(r'<span class="total__long">.*?</span><span class="total__short".*?</span>', soft))
    for scene in ("three boxes", "four hands"):
        show(
            phone,
            re.sub(
                r'(<p class="pile__line"[^>]*><span class="visually-hidden">[^<]*</span><span class="total">)\d+',
                rf"\g<1>{total}",
                pages(scene, language=language)[TABLE],
            ),
        )
        for name, size in SMALL.items():
            resize(phone, size)
            cut = phone.locator(".pile .total").evaluate_all(
                "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
            )
            assert phone.locator(".pile .total__short").count() >= 2
            assert cut == [], (scene, name)


@pytest.mark.parametrize("language", WIDEST)
def test_cards_fill_the_narrow_wells_of_a_tall_phone(visit: Visit, pages: Pages, language: str) -> None:
    """There is no room for them side by side: they lie one below the other."""
    phone, wrong = visit(TALL), {}
    for scene in ("three boxes", "insured boxes", "box of many cards", "three hands", "three boxes at the end"):
        show(phone, pages(scene, language=language)[TABLE])
        for size in ((360, 740), (390, 844), (430, 932)):
            resize(phone, size)
            found = too_large(phone, tall=False) + [each for each in clipped(phone) if "pile__" in each]
            found += overlaid(phone, ".pile .card__face", ".pile__name, .pile__line, .pile__foot")
            card, well = (phone.locator(name).first.bounding_box() for name in (".pile .card__face", ".pile"))
            if not card or not well or card["width"] < (0.4 if scene == "box of many cards" else 0.6) * well["width"]:
                found.append(f"{card} in {well}")
            wrong[scene, size] = found
    assert {where: found for where, found in wrong.items() if found} == {}


@pytest.mark.parametrize("device", [PHONE, TALL, LANDSCAPE, TABLET], ids=["phone", "tall", "landscape", "tablet"])
def test_the_cut_takes_the_place_of_the_bets_on_the_felt(
    visit: Visit, dealer: Dealer, device: dict[str, object]
) -> None:
    player = Player(dealer.app.test_client())
    player.sit("blackjack")
    page = visit(device)
    dealer.prefer(page, deal="cut")
    dealer.give(page, Hand(player.hand, cookie_of(player), over=False))
    page.goto(TABLE)
    expect(page.locator(".cutbox")).to_be_visible()
    expect(page.locator(".stake__field").first).to_be_visible()
    assert page.locator(".spot:visible").count() == 0


@pytest.mark.parametrize("language", WIDEST)
def test_the_dealers_rules_keep_clear_of_the_shoe(visit: Visit, dealer: Dealer, language: str) -> None:
    page = visit({**PHONE, "viewport": {"width": 320, "height": 568}})
    dealer.prefer(page, language=language)
    player = Player(dealer.app.test_client())
    player.sit("blackjack")
    player.deal(CUT, (100,))
    while actions := {"decline", "stand"} & set(player.actions):
        player.act(*actions)
    dealer.give(page, Hand(player.hand, cookie_of(player), over=True))
    page.goto(TABLE)
    still(page)
    gap = page.evaluate(
        """() => {
      const [left, right] = [".dealer--none", ".shoe__more"].map(name => {
        const text = document.createRange();
        text.selectNodeContents(document.querySelector(name));
        return text.getBoundingClientRect();
      });
      return right.left - left.right;
    }"""
    )
    assert gap >= 4


def test_where_nothing_is_staked_the_numbers_stand_apart_from_their_words(desktop: Page, dealer: Dealer) -> None:
    """In the second hand: in the first one the place tells what gold means."""
    player = Player(dealer.app.test_client())
    hands = 0
    while hands < 2 or player.over:
        player.sit("blackjack", "classic")
        player.deal(f"{CUT}-{hands}")
        hands += 1
        while hands == 1 and not player.over:
            player.act("stand")
    dealer.give(desktop, Hand(player.hand, cookie_of(player), over=False))
    desktop.goto(f"{TABLE}?hand={player.hand}")
    gaps = desktop.locator(".rail__fact").evaluate_all(
        "all => all.map(({children: [word, n]}) => n.getBoundingClientRect().left - word.getBoundingClientRect().right)"
    )
    assert len(gaps) == 3
    assert min(gaps) >= 4


@pytest.mark.parametrize("device", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "landscape", "desktop"])
@pytest.mark.moving
def test_the_table_stays_in_its_place_from_the_deal_to_the_end(
    visit: Visit, pages: Pages, device: dict[str, object]
) -> None:
    page = visit(device)
    seen = []
    for scene in ("one box", "insurance", "three boxes", "twelve hands", "won", "twelve at the end"):
        show(page, pages(scene)[TABLE])
        found = places(page)
        dealer = page.locator(".dealer .card").first.bounding_box()
        seen.append((found["actions"], found["sentence"], dealer and (dealer["y"], dealer["height"])))
    assert len(set(seen)) == 1, seen


@pytest.mark.parametrize("language", WIDEST)
def test_on_the_page_of_a_round_what_came_of_a_hand_does_not_squeeze_its_name(
    visit: Visit, pages: Pages, language: str
) -> None:
    page = visit({**PHONE, "viewport": {"width": 320, "height": 568}})
    wrong = {}
    for scene in OVER:
        show(page, pages(scene, language=language)["/h/"], "/h/")
        broken = page.locator(".end__name").evaluate_all(
            "all => all.filter(each => each.offsetHeight > 25).map(each => each.textContent)"
        )
        wrong[scene] = too_large(page) + shredded(page) + broken
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.locator(".finish__share").evaluate("way => way.getBoundingClientRect().bottom") <= 640
    assert {scene: found for scene, found in wrong.items() if found} == {}


@pytest.mark.parametrize("language", CODES)
def test_the_lobby_says_how_an_open_hand_stands(phone: Page, pages: Pages, language: str) -> None:
    show(phone, pages("may split", language=language)["/"], "/")
    text = phone.locator(".resume__text")
    expect(text).to_contain_text("16")
    assert text.evaluate("each => each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight)") <= 2.1


def test_below_a_hand_with_a_bet_a_word_says_what_came_of_it(phone: Page, pages: Pages) -> None:
    said = {}
    for scene in ("won", "lost", "bust", "push", "surrendered"):
        show(phone, pages(scene)[TABLE])
        words = "all => all.filter(each => each.offsetWidth > 1).map(each => each.textContent.trim()).join(' ')"
        said[scene] = phone.locator(".pile__state > *").evaluate_all(words)
    assert said == {
        "won": "Won +100",
        "lost": "Lost −100",
        "bust": "Bust −100",
        "push": "Push ±0",
        "surrendered": "Surrendered −50",
    }


def test_without_a_bet_that_a_hand_is_bust_is_said_once_with_its_total(phone: Page, pages: Pages) -> None:
    show(phone, pages("classic bust")[TABLE])
    words = phone.locator(".felt").evaluate(
        """felt => [...felt.querySelectorAll(".verdict__name, .verdict__text, .pile__state > *, .total")]
          .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.offsetWidth > 1)
          .map((each) => each.textContent.trim()).join("\\n")"""
    )
    assert len(re.findall(r"\bbust\b|went over", words, re.IGNORECASE)) == 1
    assert "26" in words


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (768, 1024), (1024, 768), (1280, 800), (1920, 1080)])
def test_own_cards_keep_their_size_when_the_longest_result_is_told(
    visit: Visit, pages: Pages, size: tuple[int, int]
) -> None:
    page = visit({"viewport": dict(zip(("width", "height"), size, strict=True))})
    for language in CODES:
        drawn = []
        for scene in ("one box", "dealer's bust"):
            show(page, pages(scene, language=language)[TABLE])
            still(page)
            drawn.append(page.locator(".pile .card").last.evaluate("card => card.offsetHeight"))
        assert drawn[0] == drawn[1] > 0, language
