"""No response before the end, to the player or to others, contains more than the table shows."""

from random import Random

import pytest
from flask import Flask

from tests.support.answer_forms import FORMS
from tests.support.cookies import cookie_of, layers, signed
from tests.support.moves import dealt, finished, finished_json, hold, next_move, sealed
from tests.support.player import Player
from tests.support.secret_scan import cards_in, shown_until, tells_the_seed
from webapp.services.fairness.verification import checks


def test_every_layer_of_the_cookie_opened_reveals_no_card_and_no_seed(alice: Player) -> None:
    cookies = []
    sealed(alice)
    cookies.append(cookie_of(alice))
    alice.deal("a-cut")
    cookies.append(cookie_of(alice))
    while not alice.over:
        alice.do(next_move(alice.board, Random(1), greed=1))
        cookies.append(cookie_of(alice))
    hand = finished_json(alice, alice.hand)
    opened = [layer for cookie in cookies for layer in layers(cookie.encode())]
    assert len(opened) > 10
    assert any(hand["hand"].encode() in layer for layer in opened), "the layers were opened: the hand's key is there"
    assert not tells_the_seed(opened, bytes.fromhex(hand["proof"]["seed"]))
    readable = b"\n".join(layer for layer in opened if layer.isascii()).decode()
    assert not cards_in(readable)


def test_the_layers_of_a_cookie_that_did_hold_a_seed_would_show_it(app: Flask) -> None:
    """Proves that the check above can fail."""
    seed = bytes(range(32))
    cookie = signed(app, {"box": {"hand": {"seed": seed.hex(), "more": "x" * 200}}})
    assert tells_the_seed(list(layers(cookie.encode())), seed)


def test_no_answer_shows_a_card_before_its_time_nor_ever_the_seed(app: Flask) -> None:
    random = Random(1)
    newcomer = Player(app.test_client())
    # on the lobby's tiles and on the page of an error there are always the same cards, whoever looks
    decoration = {card for path in ("/", "/nothing") for card in cards_in(newcomer.get(path, Accept="text/html").text)}
    for _ in range(6):
        player = Player(app.test_client())
        heard: list[tuple[int, str]] = []

        def listen(player: Player = player, heard: list[tuple[int, str]] = heard) -> None:
            """Collect everything that can be requested now, in every form."""
            heard.append((player.step, f"{player.answer.headers}\n{player.answer.text}"))
            if player.over:
                heard.pop()
                return
            for path in (
                "/play/poker",
                "/",
                f"/play/poker?hand={player.hand}",
                "/me",
                "/me/hands",
                f"/h/{player.hand}",
            ):
                for form in FORMS.values():
                    answer = player.get(path, **form)
                    heard.append((player.step, f"{answer.headers}\n{answer.text}"))

        sealed(player)
        before = [player.answer.text, player.get("/play/poker", Accept="text/html").text]
        player.deal("cut")
        listen()
        while not player.over:
            player.do(next_move(player.board, random, greed=0.9))
            listen()
        hand = finished_json(player, player.hand)
        everything = [*before, *(text for _, text in heard)]
        assert not tells_the_seed(everything, bytes.fromhex(hand["proof"]["seed"]))
        assert not any(map(cards_in, before))
        for step, text in heard:
            assert cards_in(text) - decoration <= shown_until(hand, step), f"step {step}: {text[:2000]}"


def test_while_picking_the_four_hidden_cards_are_null_and_on_no_page(app: Flask) -> None:
    alice = first_hand_that_pays(app)
    alice.act("double")
    (now,) = alice.board["view"]["rounds"]
    assert now["picks"] == [None] * 4
    assert now["picked"] is None
    before = [alice.answer.text, *(alice.get("/play/poker", **form).text for form in FORMS.values())]
    table = {*alice.board["view"]["hand"], now["open"]}
    assert cards_in("".join(before)) == table
    assert all('name="arg"' in page and page.count("Hidden card") == 4 for page in before[2:])
    alice.act("pick", 2)
    turned = alice.board["view"]["rounds"][0]["picks"]
    assert all(turned), "after the pick all four are turned over"
    assert set(turned) <= cards_in(alice.answer.text)


def first_hand_that_pays(app: Flask) -> Player:
    """Return a player whose first hand pays, so that the page shows no cards of earlier hands."""
    while True:
        player = Player(app.test_client())
        dealt(player)
        player.do(hold(player.board))
        if "double" in player.actions:
            return player


@pytest.mark.parametrize("form", FORMS)
def test_a_ready_hand_shows_its_commitment_and_proposes_no_cut(alice: Player, form: str) -> None:
    sealed(alice)
    text = alice.get("/play/poker", **FORMS[form]).text
    assert alice.board["commitment"] in text
    if form != "json":
        assert 'name="cut"' in text
        tag = text[text.rindex("<input", 0, text.index('name="cut"')) :].split(">")[0]
        assert " value" not in tag
    else:
        assert alice.board["cut"] is None


def test_the_seal_shown_before_the_cut_is_the_one_that_is_opened_at_the_end(alice: Player) -> None:
    for cut in ("first", "second", ""):
        promised = sealed(alice)["commitment"]
        assert alice.deal(cut)["commitment"] == promised
        hand = finished_json(alice, finished(alice))
        assert hand["proof"]["commitment"] == promised
        assert hand["proof"]["cuts"] == [cut or "-"]
        assert all(check.ok for check in checks(hand))


def test_two_hands_never_share_a_seed_or_a_deck(alice: Player, bob: Player) -> None:
    proofs = []
    for player in (alice, bob, alice):
        dealt(player)
        proofs.append(finished_json(player, finished(player)))
    assert len({hand["proof"]["seed"] for hand in proofs}) == 3
    assert len({tuple(hand["cards"][0]) for hand in proofs}) == 3
