"""Each language, requested by the browser or chosen in the settings, on whole pages."""

import re
from gettext import translation

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Console, Visit
from tests.e2e.dealer import EVERYWHERE, Dealer
from tests.e2e.visitor import Visitor, finger
from tests.support.languages import NARROW, TRANSLATED
from webapp.config import CHECKOUT
from webapp.web.i18n.translations import FOLDER
from webapp.web.languages import LANGUAGES, Language

TEXTS = """() => {
  const words = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent.closest("code, pre, kbd, script, textarea[readonly], [lang]:not(html)")) continue;
    const text = walker.currentNode.data;
    // with scripts enabled its content is one text of HTML
    const isHtml = parent.matches("noscript");
    words.push(isHtml ? new DOMParser().parseFromString(text, "text/html").body.textContent : text);
  }
  for (const name of ["aria-label", "alt", "title", "placeholder", "data-say", "data-copied", "data-draw-0",
                      "data-draw-4", "data-draw-5", "data-connecting", "data-lost", "data-title",
                      "data-text-commitment", "data-text-pack", "data-text-cards", "data-text-wrong"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) words.push(element.getAttribute(name));
  }
  return words.map(text => text.trim().replace(/\\s+/g, " ")).filter(Boolean);
}"""
# Names, and texts that are the same in every language; what players call a pay table, they call so in all of them.
SHARED = re.compile(
    r"Tefuda|Not So Ugly Ducks|HOLD|UTC|Cookie|JavaScript|\bid\b|ID|IP|Hi-Lo|Hi-Opt II|Zen|English|Python|HTML|JSON|SHA-256|HMAC|EN|tf1(\.py)?|%\(\w+\)s|\.(json|txt|png)|[0-9a-f]{8,}|Jk|[JQKA]"
)


def english(text: str) -> bool:
    return re.search(r"[A-Za-z]{2,}", SHARED.sub("", text)) is not None


def texts(page: Page) -> list[str]:
    found: list[str] = page.evaluate(TEXTS)
    return found


@pytest.mark.parametrize(
    ("locale", "lang"), [("en-GB", "en"), ("ja-JP", "ja"), ("zh-CN", "zh-Hans"), ("zh-TW", "zh-Hant"), ("fr-FR", "en")]
)
def test_the_browser_is_asked_first(visit: Visit, locale: str, lang: str) -> None:
    page = visit(PHONE, locale=locale)
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    assert page.get_by_role("button", name="Quest poker").count() == (lang == "en")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_switch_keeps_the_focus(visit: Visit, scripts: bool) -> None:
    page = visit(DESKTOP, java_script_enabled=scripts)
    page.goto("/")
    page.locator(".langs [lang=ja]").press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("button:focus")).to_have_attribute("lang", "ja")
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("scripts", [True, False])
def test_the_switch_is_kept_from_page_to_page(visit: Visit, scripts: bool) -> None:
    page = visit(DESKTOP, java_script_enabled=scripts)
    page.goto("/")
    for button, lang in [(known.short, known.tag) for known in (*LANGUAGES[1:], LANGUAGES[0])]:
        page.get_by_role("button", name=button, exact=True).click()
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.get_by_role("button", name=button, exact=True)).to_have_attribute("aria-pressed", "true")
        expect(page).to_have_url(re.compile("/#lang$"))
        page.goto("/rules/poker")
        expect(page.locator("html")).to_have_attribute("lang", lang)
        page.goto("/")


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_english_is_left_over(phone: Page, dealer: Dealer, console: Console, language: str) -> None:
    console.expect("status of 404")
    dealer.prefer(phone, language=language, deal="cut")
    left: dict[str, list[str]] = {}
    narrow: dict[str, list[str]] = {}
    for where in EVERYWHERE:
        dealer.show(phone, where)
        left[where] = [text for text in texts(phone) if english(text)]
        narrow[where] = [text for text in texts(phone) if NARROW.search(text)]
    assert {where: words for where, words in left.items() if words} == {}
    assert {where: words for where, words in narrow.items() if words} == {}, "marks of another language"


def test_english_is_recognised_as_such(phone: Page, dealer: Dealer) -> None:
    """The check of the test above detects English."""
    dealer.show(phone, "asked")
    assert len([text for text in texts(phone) if english(text)]) > 20


@pytest.mark.parametrize(
    ("language", "first"), [("ja", "ハート|スペード|ダイヤ|クラブ"), ("zh", "红|黑|方|梅"), ("zh-Hant", "紅|黑|方|梅")]
)
def test_cards_have_names_in_the_language_of_the_page(phone: Page, dealer: Dealer, language: str, first: str) -> None:
    dealer.prefer(phone, language=language)
    dealer.show(phone, "dealt")
    for n in range(1, 6):
        expect(phone.locator(f"#hold-{n}")).to_have_attribute("aria-label", re.compile(first))


OVER = ("The dealer went over", "Whoever is nearer", "No pair")
"""Beginnings of what newcomers are told when a hand is over; then no hint stands beside it."""
WHISPERED = """sentences => sentences.filter(([sentence, isOver]) => {
  const whisper = document.querySelector(".coach__whisper");
  document.querySelector("[data-hint]").hidden = isOver;
  whisper.textContent = sentence;
  return whisper.scrollWidth > whisper.clientWidth;
})"""


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_nothing_that_newcomers_are_told_is_cut_on_a_phone(visit: Visit, language: Language) -> None:
    phone = visit(PHONE, locale=language.tag)
    phone.goto("/play/poker")
    Visitor(phone, finger).deal()
    catalog = translation("messages", FOLDER, [language.locale], fallback=True)
    written = "".join(path.read_text() for path in (CHECKOUT / "templates").glob("games/*/_whisper.html"))
    sentences = re.findall(r'_\("([^"]+)"\)', written)
    assert len(sentences) >= 12
    shown = [(catalog.gettext(sentence) or sentence, sentence.startswith(OVER)) for sentence in sentences]
    assert phone.evaluate(WHISPERED, shown) == []
