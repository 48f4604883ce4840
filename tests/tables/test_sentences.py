"""The one sentence of a shared table: to who plays it is about them, to all others about everybody."""

import re
from html import unescape

import pytest
from flask import Flask

from tests.tables.guests import Guest, banker_of, bet_all, people, play_out, players, see_all
from tests.web.forms import FORMS

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

YOU = re.compile(r"\b(you|your)\b|あなた|[你您]", re.IGNORECASE)


def page(guest: Guest, language: str = "en") -> str:
    guest.get(f"/t/{guest.code}", **FORMS["fragment"], Accept_Language=language)
    assert guest.status == 200
    return guest.answer.text


def sentence(page: str) -> str:
    (found,) = re.findall(r'data-part="verdict">(.*?)</p>', page, re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", found))


def aloud(page: str) -> str:
    (found,) = re.findall(r'data-say="([^"]*)"', page)
    return unescape(found)


def sat(app: Flask, *names: str) -> tuple[list[Guest], Guest]:
    """People at a table who have names, and somebody without a cookie, who watches."""
    *guests, watcher = people(app, len(names) + 1)
    code = guests[0].open()
    for number, (guest, name) in enumerate(zip(guests, names, strict=True)):
        guest.come(code)
        guest.do("sit", number, name=name)
    watcher.come(code)
    return guests, watcher


def net(chips: int, who: str, words: tuple[str, str, str]) -> str:
    won, lost, even = words
    return f"{who} {won} {chips:,}." if chips > 0 else f"{who} {lost} {-chips:,}." if chips else f"{who} {even}."


YOURS, ITS = ("win", "lose", "come out even"), ("wins", "loses", "comes out even")


def test_who_plays_is_told_of_their_own_turn_and_end_and_nobody_else_is(app: Flask) -> None:
    guests, watcher = sat(app, "Aki", "Mika", "Ren")
    turns = 0
    for _ in range(3):
        for guest in guests:
            guest.now("ready")
        see_all(guests)
        banker = banker_of(guests)
        name = banker.seat()["name"]
        for guest in players(guests):
            if "bet" in guest.table["actions"]:
                assert sentence(page(guest)) == f"{name} is the bank. Place your bet."
        assert sentence(page(banker)) == "You are the bank."
        assert sentence(page(watcher)) == f"{name} is the bank."
        bet_all(guests, 20)
        while guests[0].phase == "playing":
            acting = guests[0].table["acting"]
            for guest in guests:
                told = page(guest)
                if guest.you == acting:
                    (total,) = [hand["total"] for hand in guest.seat()["hands"] if hand["active"]]
                    assert re.fullmatch(rf"Your turn(, hand [12])?: (soft )?{total}\.", sentence(told))
                    assert aloud(told).endswith(sentence(told))
                    turns += 1
                else:
                    assert "Your turn" not in sentence(told) + aloud(told)
            assert not YOU.search(sentence(page(watcher)) + aloud(page(watcher)))
            actor = next(guest for guest in guests if guest.you == acting)
            actor.do("hit" if "hit" in actor.table["actions"] else "stand")
            see_all(guests)
        its = net(banker.seat()["net"], "The bank", ITS)
        for guest in guests:
            told = sentence(page(guest))
            if guest is banker:
                assert told == net(guest.seat()["net"], "As the bank you", YOURS)
            elif guest.table["seats"][guest.you or 0].get("hands"):
                assert told == f"{net(guest.seat()['net'], 'You', YOURS)} {its}"
            assert aloud(page(guest)).endswith(told)
        assert sentence(page(watcher)) == its.removesuffix(".") + f": {name}."
    assert turns > 2


@pytest.mark.parametrize(("language", "second"), [("en", "s"), ("ja", "秒"), ("zh", "秒")])
def test_a_sentence_has_the_spaces_of_its_language(app: Flask, language: str, second: str) -> None:
    guests, watcher = sat(app, "あき", "小雨")
    for guest in guests:
        guest.now("ready")
    see_all(guests)
    seen = {sentence(page(watcher, language)), *(sentence(page(guest, language)) for guest in guests)}
    clock = re.search(r"<span data-seconds>\d*</span>( ?)(s|秒)", page(watcher, language))
    assert clock is not None
    assert clock.groups() == (" " if second == "s" else "", second)
    bet_all(guests)
    play_out(guests, ("hit", "stand"))
    for guest in (*guests, watcher):
        told = page(guest, language)
        seen |= {sentence(told), aloud(told), *re.findall(r"<li>([^<]*)</li>", told)}
    assert len(seen) > 5
    if language != "en":
        spaced = [each for each in seen if re.search(r"(あき|小雨) | (あき|小雨)", each)]
        assert spaced == []
