"""Names in a browser: one that is cut keeps its beginning, from whichever side it is written."""

import re
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Visit
from tests.support.languages import GAPLESS
from tests.support.player import SAME_ORIGIN
from tests.support.table_players import TablePlayer

NAMES: Final = ("محمد رضا احمدی طولانی", "אברהם יצחק יעקב ישראל", "Wilhelmina Alexandrovna")
FIRST_AND_LAST: Final = """who => {
  who.style.width = "60px";
  const walker = document.createTreeWalker(who, NodeFilter.SHOW_TEXT);
  const text = walker.nextNode();
  const box = who.getBoundingClientRect();
  const letters = [...text.data].flatMap((letter, at) => /\\p{L}/u.test(letter) ? [at] : []);
  return [letters[0], letters.at(-1)].map((at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const letter = range.getBoundingClientRect();
    return letter.left >= box.left - 1 && letter.right <= box.right + 1;
  });
}"""
"""Whether the first and the last letter of a name are within the box that cuts it."""


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_cut_keeps_its_beginning(visit: Visit, name: str) -> None:
    page = visit({**PHONE, "viewport": {"width": 320, "height": 568}})
    page.goto("/tables")
    visitors = [TablePlayer(page.evaluate("location.origin")) for _ in range(4)]
    code = visitors[0].open()
    for number, visitor in enumerate(visitors):
        visitor.come(code)
        visitor.do("sit", number, name=name)
    page.goto(f"/t/{code}")
    expect(page.locator(".place__who")).to_have_count(4)
    for cut in (*page.locator(".place__who").all(), *page.locator(".facts__who").all()):
        assert cut.evaluate(FIRST_AND_LAST) == [True, False], cut.evaluate("who => who.className")


@pytest.mark.parametrize("name", ["Wolfeschlegelsteinhausen", "Ada Lovelace"])
def test_a_name_is_whole_where_one_takes_it_along_to_a_phone(visit: Visit, name: str) -> None:
    page, other = visit(PHONE), visit(PHONE)
    page.request.post("/settings", form={"name": name, "next": "/me"}, headers=SAME_ORIGIN)
    link = page.request.post("/me/link", headers={"Accept": "application/json", **SAME_ORIGIN}).json()["url"]
    other.goto(link)
    shown = other.locator(".stat dd").first
    expect(shown).to_have_text(name)
    assert shown.evaluate("name => name.scrollWidth <= name.clientWidth")


@pytest.mark.parametrize("language", GAPLESS)
def test_no_half_space_stands_before_a_full_width_bracket(visit: Visit, language: str) -> None:
    page = visit(PHONE, locale=language)
    page.goto("/tables")
    page.goto(f"/t/{TablePlayer(page.evaluate('location.origin')).open()}")
    page.locator("input[name=name]").first.fill("小明")
    page.keyboard.press("Enter")
    expect(page.locator(".place--you .place__who")).to_have_text(re.compile("小明（"))
