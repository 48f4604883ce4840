"""No response at a shared table contains a face-down card, a card of the deck, or the seed."""

from contextlib import ExitStack, closing
from random import Random

from flask import Flask, render_template_string

from tests.support.answer_forms import FORMS
from tests.support.player import Answer
from tests.support.secret_scan import cards_in, tells_the_seed
from tests.support.streams import OpenStream
from tests.support.table_players import (
    TablePlayer,
    bet_all,
    betting,
    drawn_for_the_bank,
    finished,
    lying,
    open_cards,
    people,
    see_all,
)

ROUNDS = 4


def art_of(app: Flask) -> str:
    """Return the five decorative cards beside the name of the game, which do not depend on what is dealt."""
    words = '{% import "components/cards.html" as cards %}{% include "games/table21/_art.html" %}'
    with app.test_request_context():
        return render_template_string(words).strip()


def told(visitor: TablePlayer, art: str) -> str:
    """Return everything that a visitor can request about the table now, and responses to invalid requests."""
    here, board = f"/t/{visitor.code}", visitor.board
    answers: list[Answer] = []
    for form in FORMS.values():
        answers += [visitor.get(path, **form) for path in (here, f"{here}?since={visitor.version - 1}", "/tables")]
        for verb in ("nonsense", "stand" if visitor.you is None else "bet"):
            answers.append(visitor.post(f"{here}/{visitor.version}", [("verb", verb), ("arg", "1")], **form))
            assert answers[-1].status >= 400
    visitor.board = board
    assert any(art in answer.text for answer in answers), "on the list"
    return "\n".join(f"{answer.headers}\n{answer.text.replace(art, '')}" for answer in answers)


def test_no_answer_to_anybody_shows_a_hidden_card_or_the_seed(app: Flask) -> None:
    chance, places, art = Random(1), set(), art_of(app)
    for _ in range(ROUNDS):
        seats = betting(app, 3)
        (watcher,) = people(app, 1)
        watcher.come(seats[0].code)
        visitors = [*seats, watcher]
        drawn = drawn_for_the_bank(watcher.see())
        before = [told(visitor, art) for visitor in visitors]
        assert set().union(*map(cards_in, before)) <= drawn
        bet_all(seats, 20)
        heard: list[tuple[int, bool, str]] = []
        while seats[0].phase == "playing":
            see_all(visitors)
            table, banker = watcher.table, watcher.table["banker"]
            turned = table["acting"] == banker
            for visitor in visitors:
                if not turned:
                    places.add("watcher" if visitor.you is None else "banker" if visitor.you == banker else "player")
                heard.append((lying(table), turned, told(visitor, art)))
            acting = next(visitor for visitor in seats if visitor.you == table["acting"])
            acting.do(chance.choice([verb for verb in acting.table["actions"] if verb in ("hit", "stand", "double")]))
            assert acting.status == 200, acting.answer.text
            see_all(visitors)
        hand = finished(watcher)
        for number, turned, text in heard:
            extra = cards_in(text) - open_cards(hand, number, turned) - drawn
            assert not extra, f"{extra} with {number} cards on the table in {hand['notation']}"
        seed = bytes.fromhex(hand["proof"]["seed"])
        assert not tells_the_seed([*before, *(text for *_, text in heard)], seed)
        assert tells_the_seed([watcher.get(f"{watcher.table['last']}.json").text], seed), "now it is published"
    assert places == {"watcher", "banker", "player"}, "each was there while a card lay face down"


def test_no_stream_shows_a_hidden_card_or_the_seed(app: Flask) -> None:
    chance, hidden, seen = Random(2), 0, set[str]()
    for _ in range(ROUNDS):
        seats = betting(app, 3)
        watchers = people(app, 2)
        for watcher in watchers:
            watcher.come(seats[0].code)
        watcher, heard = watchers[0], list[tuple[int, bool, str]]()
        drawn = drawn_for_the_bank(watcher.see())
        with ExitStack() as stack:
            streams = []
            for visitor in (*seats, *watchers):
                stream = OpenStream(visitor.line.client, visitor.code, since=0)  # type: ignore[union-attr]
                streams.append(stack.enter_context(closing(stream)))
            bet_all(seats, 20)
            while True:
                table = watcher.see()
                turned = table["acting"] == table["banker"] or table["phase"] != "playing"
                said = [stream.until(f"event: moved\ndata: {watcher.version}\n") for stream in streams]
                if table["phase"] != "playing":
                    break
                assert "hx-partial" in said[-2]
                heard += [(lying(table), turned, text) for text in said]
                hidden += not turned
                acting = next(visitor for visitor in seats if visitor.you == table["acting"])
                actions = acting.see()["actions"]
                acting.do(chance.choice([verb for verb in actions if verb in ("hit", "stand", "double")]))
                assert acting.status == 200, acting.answer.text
        hand = finished(watcher)
        for number, turned, text in heard:
            extra = cards_in(text) - open_cards(hand, number, turned) - drawn
            assert not extra, f"{extra} with {number} cards on the table in {hand['notation']}"
            seen |= cards_in(text) - drawn
        assert not tells_the_seed([text for *_, text in heard], bytes.fromhex(hand["proof"]["seed"]))
    assert hidden and seen


def test_the_check_above_can_fail() -> None:
    hand = {"cards": [["6c", "Th", "9s", "8d", "5h"]], "stakes": [10, 20]}
    assert open_cards(hand, 4, turned=False) == {"Th", "6c", "9s"}
    assert open_cards(hand, 5, turned=True) == {"Th", "6c", "8d", "9s", "5h"}
    assert cards_in('<use href="#c-8d"/>') - open_cards(hand, 4, turned=False) == {"8d"}
    assert cards_in('{"cards": ["Th", "8d"]}') - open_cards(hand, 4, turned=False) == {"8d"}
    assert cards_in("five of hearts") - open_cards(hand, 4, turned=False) == {"5h"}
