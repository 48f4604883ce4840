"""The sentence of a shared table: it addresses the player it is about, and names that player to everybody else."""

import re
from html import unescape

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.clock import Clock
from tests.support.languages import GAPLESS
from tests.support.player import Json
from tests.support.table_players import (
    TablePlayer,
    banker_of,
    bet_all,
    betting,
    people,
    play_out,
    players,
    playing,
    see_all,
)
from webapp.engine.cards import parse_cards
from webapp.services.records import stored_round
from webapp.web.templating import qr

CODE = re.compile(r'<svg [^>]*class="qr__code".*?</svg>')
YOU = re.compile(r"\b(you|your)\b|あなた|[你您]", re.IGNORECASE)


def page(visitor: TablePlayer, language: str = "en") -> str:
    visitor.get(f"/t/{visitor.code}", **FORMS["fragment"], Accept_Language=language)
    assert visitor.status == 200
    return visitor.answer.text


def sentence(page: str) -> str:
    *_, found = re.findall(r'data-part="verdict">(.*?)</p>', page, re.DOTALL)  # those before belong to the steps
    return unescape(re.sub(r"<[^>]*>", "", found))


def aloud(page: str) -> str:
    (found,) = re.findall(r'data-say="([^"]*)"', page)
    return unescape(found)


def sat(app: Flask, *names: str) -> tuple[list[TablePlayer], TablePlayer]:
    """Return seated players with these names, and a watcher without a cookie."""
    *visitors, watcher = people(app, len(names) + 1)
    code = visitors[0].open()
    for number, (visitor, name) in enumerate(zip(visitors, names, strict=True)):
        visitor.come(code)
        visitor.do("sit", number, name=name)
    watcher.come(code)
    return visitors, watcher


def net(chips: int, who: str, words: tuple[str, str, str]) -> str:
    won, lost, even = words
    return f"{who} {won} {chips:,}." if chips > 0 else f"{who} {lost} {-chips:,}." if chips else f"{who} {even}."


def why(own: Json, bank: Json) -> str:
    """Return how the only hand of a player compares with the bank's."""
    if own["total"] > 21:
        return f"{own['total']} is more than 21."
    if bank["natural"] and own["natural"]:
        return "Blackjack against blackjack."
    if bank["natural"]:
        return "The bank’s blackjack beats your 21." if own["total"] == 21 else "The bank has blackjack."
    if bank["total"] > 21:
        return f"The bank went over 21 with {bank['total']}."
    if own["natural"]:
        return f"A blackjack against the bank’s {bank['total']}."
    return f"Your {own['total']} against the bank’s {bank['total']}."


def over(bank: Json, others: list[Json]) -> str:
    """Return how the hand of the bank compares with the only one that is left."""
    (own,), left = bank["hands"], [hand for hand in others if hand["total"] <= 21]
    if own["natural"]:
        return " Blackjack against blackjack." if all(hand["natural"] for hand in left) else ""
    if len(left) > 1:
        return ""
    other = "a blackjack" if left[0]["natural"] else left[0]["total"]
    return f" Your {own['total']} against {other}."


YOURS, ITS = ("win", "lose", "break even"), ("wins", "loses", "breaks even")


@pytest.mark.parametrize("names", [("Aki", "Mika"), ("Aki", "Mika", "Ren")])
def test_who_plays_is_told_of_their_own_turn_and_end_and_nobody_else_is(app: Flask, names: tuple[str, ...]) -> None:
    visitors, watcher = sat(app, *names)
    turns = 0
    for _ in range(3):
        for visitor in visitors:
            visitor.now("ready")
        see_all(visitors)
        banker = banker_of(visitors)
        name = banker.seat()["name"]
        for visitor in players(visitors):
            if "bet" in visitor.table["actions"]:
                assert sentence(page(visitor)) == f"{name} is the bank. Place your bet."
        assert sentence(page(banker)) == "You are the bank."
        assert sentence(page(watcher)) == f"{name} is the bank."
        bet_all(visitors, 20)
        while visitors[0].phase == "playing":
            acting = visitors[0].table["acting"]
            for visitor in visitors:
                told = page(visitor)
                if visitor.you == acting:
                    (total,) = [hand["total"] for hand in visitor.seat()["hands"] if hand["active"]]
                    chooses = r" On a soft 17 or more the bank chooses\." if visitor is banker else ""
                    assert re.fullmatch(rf"Your turn(, hand [12])?: (soft )?{total}\.{chooses}", sentence(told))
                    assert aloud(told).endswith(sentence(told))
                    turns += 1
                else:
                    assert "Your turn" not in sentence(told) + aloud(told)
            assert not YOU.search(sentence(page(watcher)) + aloud(page(watcher)))
            actor = next(visitor for visitor in visitors if visitor.you == acting)
            actor.do("hit" if "hit" in actor.table["actions"] else "stand")
            see_all(visitors)
        its = net(banker.seat()["net"], name, ITS)
        blackjack = " The bank has blackjack." if banker.seat()["hands"][0]["natural"] else ""
        for visitor in visitors:
            told = sentence(page(visitor))
            if visitor is banker:
                unseen = None in visitor.seat()["hands"][0]["cards"]
                down = "Everybody went over 21: your second card stays face down. " if unseen else ""
                total = visitor.seat()["hands"][0]["total"]
                others = [hand for player in players(visitors) for hand in player.seat()["hands"] or ()]
                end = f" {total} is more than 21." if total > 21 else "" if unseen else over(visitor.seat(), others)
                assert told == down + net(visitor.seat()["net"], "As the bank you", YOURS) + end
            elif visitor.table["seats"][visitor.you or 0].get("hands"):
                (own,), (bank,) = visitor.seat()["hands"], banker.seat()["hands"]  # it never splits
                assert told == f"{net(visitor.seat()['net'], 'You', YOURS)} {why(own, bank)}"
            assert aloud(page(visitor)).endswith(told)
        assert sentence(page(watcher)) == its.removesuffix(".") + f" as the bank.{blackjack}"
    assert turns > 2


@pytest.mark.parametrize(("language", "second"), [("en", "s"), *((code, "秒") for code in GAPLESS)])
def test_a_sentence_has_the_spaces_of_its_language(app: Flask, language: str, second: str) -> None:
    visitors, watcher = sat(app, "あき", "小雨")
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)
    seen = {sentence(page(watcher, language)), *(sentence(page(visitor, language)) for visitor in visitors)}
    clock = re.search(r"<span data-seconds>\d*</span>( ?)(s|秒)", page(watcher, language))
    assert clock is not None
    assert clock.groups() == (" " if second == "s" else "", second)
    bet_all(visitors)
    play_out(visitors, ("hit", "stand"))
    for visitor in (*visitors, watcher):
        told = page(visitor, language)
        seen |= {sentence(told), aloud(told), *re.findall(r"<li>([^<]*)</li>", told)}
    assert len(seen) > 5
    if language != "en":
        spaced = [each for each in seen if re.search(r"(あき|小雨) | (あき|小雨)", each)]
        assert spaced == []


def until_late(app: Flask, clock: Clock, policy: str, code: str) -> tuple[TablePlayer, TablePlayer]:
    """Play until the automatic move of a player whose time is up has this code; return that player and the banker."""
    for _ in range(60):
        visitors = playing(app)
        (late,) = players(visitors)
        late.now("policy", policy)
        clock.move(21)
        see_all(visitors)
        if any(line["label"]["code"] == code and line["auto"] for line in late.table["log"]):
            return late, banker_of(visitors)
    raise AssertionError("it never comes to that")


def test_who_is_out_of_time_reads_that_a_card_was_drawn(app: Flask, clock: Clock) -> None:
    while True:
        late, banker = until_late(app, clock, "dealer", "SEAT_DREW")
        if late.table["acting"] == late.you:
            break
    (total,) = [hand["total"] for hand in late.seat()["hands"]]
    found = sentence(page(late))
    assert re.fullmatch(rf"Time ran out: a card was drawn for you\. Your turn: (soft )?{total}\.", found)
    assert "Time ran out" not in sentence(page(banker))
    late.now("stand")
    assert "Time ran out" not in sentence(page(late)), "that was the player's own doing"


def test_who_is_out_of_time_reads_that_the_hand_stands(app: Flask, clock: Clock) -> None:
    late, banker = until_late(app, clock, "timid", "SEAT_STANDS")
    assert sentence(page(late)).startswith("Time ran out: your hand stands. ")
    assert "Time ran out" not in sentence(page(banker))


def test_who_was_late_with_the_bet_reads_that_the_lowest_was_placed(app: Flask, clock: Clock) -> None:
    while True:
        visitors = betting(app)
        (late,) = players(visitors)
        clock.move(21)
        see_all(visitors)
        if late.table["acting"] == late.you:
            break
    assert sentence(page(late)).startswith("Time ran out: 10 was bet for you. Your turn: ")


def test_others_read_that_somebody_was_out_of_time(app: Flask, clock: Clock) -> None:
    late, _ = until_late(app, clock, "timid", "SEAT_STANDS")
    (watcher,) = people(app, 1)
    watcher.come(late.code)
    assert sentence(page(watcher)).startswith("Out of time. ")
    assert "Out of time. " not in sentence(page(late)), "who was late is told so in other words"


@pytest.mark.parametrize(
    ("third", "named"), [("Tc", "The bank’s blackjack beats your 21."), ("9c", "The bank has blackjack.")]
)
def test_the_banks_blackjack_is_named_where_it_beats_a_21(
    app: Flask, monkeypatch: pytest.MonkeyPatch, third: str, named: str
) -> None:
    cards = parse_cards(f"5h Kd 6h As {third} 2c 2d 2s 3c 3d 3s")
    monkeypatch.setattr(stored_round, "ShuffledPacks", lambda *_: (cards,))
    visitors, watcher = sat(app, "Aki", "Mika")
    for visitor in visitors:
        visitor.now("ready")
    see_all(visitors)
    bet_all(visitors)
    player = players(visitors)[0]
    player.now("hit")
    if player.phase == "playing":
        player.now("stand")
    assert player.phase == "settled"
    assert sentence(page(player)) == f"You lose 10. {named}"
    assert sentence(page(watcher)).endswith(". The bank has blackjack.")
    assert "blackjack" not in sentence(page(banker_of(visitors)))


def test_who_comes_back_after_a_void_round_is_told_so_once(app: Flask, clock: Clock) -> None:
    visitors = playing(app, 2, turn_clock=40)  # before the first turn is over all are away
    watcher = people(app, 1)[0]
    clock.move(10 * 60)
    watcher.come(visitors[0].code)
    assert "The last round is void" not in page(watcher), "who did not play has lost nothing"
    assert "went back" not in page(watcher)
    for visitor, chips in ((banker_of(visitors), 40), (players(visitors)[0], 20)):
        told = f"The last round is void. {chips} chips went back to your purse."
        assert sentence(page(visitor)) == told
        assert told in aloud(page(visitor))
        assert f"<b>Void · {chips} went back</b>" in page(visitor), "in the list of rounds"
    back = visitors[0]
    back.now("sit", 0)
    assert "The last round is void" not in page(back)
    visitors[1].now("sit", 1)
    assert "The last round is void" not in page(visitors[1])


def test_a_screen_reader_hears_a_total_once(app: Flask) -> None:
    """The sentence that calls a player to act contains the total; the sentence before it does not."""
    heard = set()
    visitors, _ = sat(app, "Aki", "Mika")
    for number in range(150):
        if heard == {"You draw", "You turn"}:
            break
        for visitor in visitors:
            if "ready" in visitor.see()["actions"]:
                visitor.do("ready")
        see_all(visitors)
        bet_all(visitors)
        while visitors[0].phase == "playing":
            actor = next(visitor for visitor in visitors if visitor.you == visitor.table["acting"])
            told = aloud(page(actor))
            if len(actor.seat()["hands"]) == 1:
                (total,) = [hand["total"] for hand in actor.seat()["hands"]]
                own = re.findall(r"You (?:have|draw|turn) [^.]*\.|Your turn[^.]*\.", told)
                assert [str(total) in sentence for sentence in own] == [*(len(own) - 1) * [False], True], told
                heard |= {word for word in ("You have", "You draw", "You turn") if word in told}
            actor.do("stand" if number % 2 else "hit")
            see_all(visitors)
    assert heard == {"You draw", "You turn"}


def test_a_visitor_reads_who_keeps_a_seat_and_what_is_played(app: Flask) -> None:
    alice, bob = people(app, 2)
    bob.come(alice.open(min_bet=5, max_bet=50))
    assert sentence(page(bob)) == "It begins as soon as two are ready."
    alice.do("sit", 2, name="Alice", ready="1")
    bob.see()
    shown = page(bob)
    assert sentence(shown) == "Alice keeps you a seat. It begins when you sit down."
    assert "one of you is the bank, and it goes round. No real money." in shown
    assert "Bets 5 to 50 · blackjack pays 3:2" in shown
    numbers = re.findall(r'class="place place--free place--f(\d)"', shown)
    assert numbers == ["0", "1", "3", "4"], "in their natural order"
    (form,) = re.findall(r'<form id="sit".*?</form>', shown, re.DOTALL)
    assert 'name="ready" value="1"' in form
    assert form.count("<button") == 1


def test_a_player_without_a_name_is_you_to_oneself(app: Flask) -> None:
    alice, bob = people(app, 2)
    bob.come(alice.open())
    alice.do("sit", 0)
    who = re.compile(r'place__who" dir="auto">([^<]*)')
    assert who.findall(page(alice))[0].strip() == "You"
    assert who.findall(page(bob))[0].strip() == "Seat 1"


def test_chips_and_log_call_a_player_without_a_name_you_as_the_seat_does(app: Flask) -> None:
    visitors = betting(app, 2)
    bet_all(visitors)
    play_out(visitors)
    for visitor in visitors:
        own, other = f"Seat {(visitor.you or 0) + 1}", f"Seat {2 - (visitor.you or 0)}"
        panels = page(visitor).partition('data-part="chips"')[2]
        chips, log = (unescape(re.sub(r"<[^>]*>", " ", part)) for part in panels.split('data-part="round"')[:2])
        log = log.partition('data-part="')[0]
        assert re.search(r"\bYou\b", chips)
        assert other in chips
        assert re.search(r"\b[Yy]ou (win|lose|break even|bet|stand|turn|draw|have)", log)
        assert own not in chips + log


def test_bots_are_counted_only_where_there_are_several(app: Flask) -> None:
    (alice,) = people(app, 1)
    alice.open()
    alice.do("sit", 0)
    alice.now("bot", 2)
    bots = re.compile(r"House bot(?: \d)?")
    assert set(bots.findall(page(alice))) == {"House bot"}
    alice.now("bot", 4)
    assert set(bots.findall(page(alice))) >= {"House bot 1", "House bot 2"}
    assert not {"House bot", "House bot 3", "House bot 5"} & set(re.findall(r'__who" dir="auto">([^<]*)', page(alice)))


def test_the_codes_in_the_page_of_a_seat_lead_to_the_table_and_to_the_seat(app: Flask) -> None:
    (alice,), watcher = sat(app, "Alice")
    public = f"http://localhost/t/{alice.code}"
    private = f"http://localhost{alice.see()['seat_link']}"
    on_the_felt, beside_it, of_the_seat = CODE.findall(page(alice))
    assert (on_the_felt, beside_it, of_the_seat) == (qr.picture(public), qr.picture(public), qr.picture(private))
    assert CODE.findall(page(watcher)) == [qr.picture(public)]


def test_who_is_the_bank_is_said_once(app: Flask) -> None:
    visitors = betting(app, 2)
    shown = re.sub(r"<[^>]*>", " ", page(visitors[0]).partition("place--banker")[2].partition("</section>")[0])
    assert len(re.findall(r"\bbank\b", shown, re.IGNORECASE)) == 1


def replays(page: str) -> list[str]:
    """Return the keys of the rounds that the actions of a table lead to."""
    page = re.sub(r"<template.*?</template>", "", page, flags=re.DOTALL)  # what is shown before the end
    dock = page[page.index('data-part="dock"') :]
    return re.findall(r'<a class="btn btn--icon" href="/h/([^"]+)"', dock[: dock.index("</section>")])


@pytest.mark.parametrize("all_bust", [False, True], ids=["the bank turns its card", "all are bust"])
def test_after_a_round_everybody_can_open_all_of_its_hands_face_up(app: Flask, all_bust: bool) -> None:
    visitors, watcher = round_that_ends(app, all_bust)
    key = watcher.table["last"].removeprefix("/h/")
    assert [replays(page(visitor)) for visitor in (*visitors, watcher)] == [[key]] * 3
    found = watcher.get(f"/h/{key}.json").json
    last = watcher.get(f"/h/{key}?step={len(found['moves'])}", Accept="text/html").text
    felt = last[last.index('class="company__seats') : last.index('class="deck"')]
    assert sorted(re.findall(r"#c-(\w+)", felt)) == sorted(found["cards"][0])


def round_that_ends(app: Flask, all_bust: bool) -> tuple[list[TablePlayer], TablePlayer]:
    """Return the players of a round that is over, and a watcher. If all are bust, the bank turns no card."""
    for _ in range(20):
        visitors, (watcher,) = playing(app), people(app, 1)
        watcher.come(visitors[0].code)
        assert [replays(page(visitor)) for visitor in (*visitors, watcher)] == [[]] * 3, "it is not over"
        play_out(visitors, ("hit", "stand") if all_bust else ("stand", "hit"))
        see_all([*visitors, watcher])
        assert watcher.phase == "settled"
        bank = watcher.seat(watcher.table["banker"])
        if (None in bank["hands"][0]["cards"]) == all_bust:
            return visitors, watcher
    raise AssertionError("twenty rounds, and none like that")
