"""The page of a finished hand: its title, and the step that it opens on."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from tests.support.moves import dealt_and_live, finished
from tests.support.player import Json, Player
from webapp.engine.games import SOLO
from webapp.engine.notation import loads
from webapp.engine.odds import odds_of
from webapp.engine.odds.review import review
from webapp.engine.odds.value import MemoryStore
from webapp.services.review.worker import ReviewWorker
from webapp.web.i18n.translations import use_language
from webapp.web.i18n.vocabulary import game_name, table_name


def _head(page: str) -> dict[str, str]:
    properties = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in properties}


def _played(player: Player, table: str, stakes: tuple[int, ...]) -> dict[str, object]:
    """Play a round, standing on every hand; return its JSON."""
    player.sit("blackjack", table)
    player.deal("cut", stakes)
    while not player.over:
        player.act("decline" if "decline" in player.board["actions"] else "stand")
    finished: dict[str, object] = player.get(f"/h/{player.hand}.json").json
    return finished


@pytest.mark.parametrize("table", ["vegas", "classic"])
def test_title_and_picture_of_a_link_say_the_net_result_to_a_stranger(visitor: Player, table: str) -> None:
    stakes = () if table == "classic" else (10,)
    for _ in range(6):
        finished = _played(visitor, table, stakes)
        page = visitor.get(f"/h/{visitor.hand}", Accept="text/html").text
        head, title = _head(page), unescape(re.findall("<title>(.*?)</title>", page)[0])
        assert head["og:title"] == head["twitter:title"]
        assert title.startswith(head["og:title"])
        assert "you" not in f"{title} {head['og:description']}".lower().split()
        net = finished["net"]
        number = "" if net is None else "±0" if not net else f"{net:+}".replace("-", "−")
        assert re.findall(r"[+−±]?\d+$", head["og:title"]) == ([number] if number else [])


@pytest.mark.parametrize("verb", ["stand", "hit", "double", "split", "insure", "decline"])
def test_no_step_of_a_finished_hand_speaks_to_a_stranger_as_the_player(
    alice: Player, charlie: Player, deal_that_offers: Callable[..., Json], verb: str
) -> None:
    """The text export does not, either. Its own player sees the same page, since the view has no viewer."""
    deal_that_offers(alice, verb, (10,))
    alice.do(verb)
    while not alice.over:
        alice.act("decline" if "decline" in alice.board["actions"] else "stand")
    steps = len(charlie.get(f"/h/{alice.hand}.json").json["moves"]) + 1
    assert steps > 1
    for step in range(steps):
        page = charlie.get(f"/h/{alice.hand}?step={step}", Accept="text/html").text
        felt = page[page.index('<main id="finish"') : page.index('class="finish__share"')]
        said = re.sub(r"<[^>]*>", " ", felt) + " ".join(re.findall(r'(?:aria-label|data-say)="([^"]*)"', felt))
        assert not re.findall(r"\byou\w*\b", said, re.IGNORECASE), step
    assert not re.findall(r"\byou\w*\b", charlie.get(f"/h/{alice.hand}.txt").text, re.IGNORECASE)


def test_the_text_of_a_hand_says_what_was_won_or_lost_in_all(
    alice: Player, deal_that_offers: Callable[..., Json]
) -> None:
    deal_that_offers(alice, "split", (10,))
    alice.do("split")
    while not alice.over:
        alice.act("stand")
    net = alice.get(f"/h/{alice.hand}.json").json["net"]
    written = "±0" if not net else f"{net:+}".replace("-", "−")
    assert f"Won or lost: {written}\n" in alice.get(f"/h/{alice.hand}.txt").text


@pytest.mark.parametrize(
    ("game", "table"),
    [(game.spec.code, table) for game in SOLO.values() for table in game.spec.variants],
)
def test_the_text_of_a_hand_says_a_payout_only_where_something_is_paid(alice: Player, game: str, table: str) -> None:
    alice.sit(game, table)
    bets = SOLO[game].rules(table).bets
    alice.deal("cut", (bets.least,) if bets else ())
    while not alice.over:
        action = next((word for word in alice.actions if word in ("decline", "stand", "collect")), alice.actions[0])
        verb, *args = action.split("-")
        alice.act(verb, *map(int, args))
        assert alice.status == 200, alice.answer.text
    written = alice.get(f"/h/{alice.hand}.txt").text
    assert ("Payout" in written) == SOLO[game].rules(table).pays
    with use_language("en"):
        assert f"{game_name(game)}, {table_name(table)}\n" in written


def _doubled(player: Player) -> Json:
    """Play quest poker until a hand with a double-up is over."""
    while True:
        player.sit("poker")
        player.deal("cut")
        board = player.act("hold", 1, 2, 3, 4, 5)
        while "double" in player.actions:
            board = player.act("double")
            while "pick-1" in player.actions:
                board = player.act("pick", 1)
        if board["view"]["rounds"]:
            return board


def test_the_page_of_a_doubled_hand_opens_on_the_hand_and_leads_on_to_the_double_up(visitor: Player) -> None:
    board = _doubled(visitor)
    page = visitor.get(f"/h/{visitor.hand}", Accept="text/html").text
    felt = page[page.index('class="finish__felt') : page.index('class="stepper"')]
    assert re.findall(r'#c-(\w\w)"', felt) == board["view"]["hand"]
    assert f'href="/h/{visitor.hand}?step=2"' in felt, "the first card of the double-up"
    assert "Step 2 of" in page


def test_every_step_of_a_doubled_hand_can_be_opened_and_the_last_one_names_its_last_round(visitor: Player) -> None:
    board = _doubled(visitor)
    last = visitor.step
    for step in range(last + 1):
        page = visitor.get(f"/h/{visitor.hand}?step={step}", Accept="text/html").text
        assert f"Step {step + 1} of {last + 1}" in page
    assert f'verdict__name">{board["result"]["labels"][1]["text"]}</h2>' in page


@pytest.mark.parametrize("game", ["poker", "joker", "video"])
def test_a_stranger_is_offered_the_cards_and_finds_both_hands_side_by_side_afterwards(
    alice: Player, charlie: Player, game: str
) -> None:
    dealt_and_live(alice, game)
    page = f"/h/{finished(alice)}"
    invited = charlie.get(page, Accept="text/html").text
    assert "Play these cards" in invited
    assert 'id="review"' in invited, "what each decision was worth is told to anybody"
    assert "Play these cards" not in alice.get(page, Accept="text/html").text
    charlie.post(f"{page}/again")
    charlie.board, charlie.game = charlie.answer.json, game
    own = f"/h/{finished(charlie)}"
    beside = charlie.get(own, Accept="text/html").text
    assert beside.index('id="compare"') < beside.index('id="review"')
    assert beside.count('class="sides__worth"') >= 2, "what each decided will be told there, too"
    assert "Play these cards" not in charlie.get(page, Accept="text/html").text


def test_a_stranger_is_told_whose_hand_it_is_and_its_player_is_not(alice: Player, charlie: Player) -> None:
    dealt_and_live(alice, "poker")
    page = f"/h/{finished(alice)}"
    assert "A player’s hand." in charlie.get(page, Accept="text/html").text
    alice.post("/settings", [("name", "Aki")])
    assert "Aki’s hand." in charlie.get(page, Accept="text/html").text
    assert "’s hand." not in alice.get(page, Accept="text/html").text


def test_hashes_of_a_proof_are_folded(alice: Player) -> None:
    dealt_and_live(alice, "poker")
    key = finished(alice)
    proof = alice.get(f"/h/{key}.json").json["proof"]
    page = alice.get(f"/h/{key}", Accept="text/html").text
    shown = re.sub("<[^>]*>", "", re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL))
    for name in ("commitment", "seed"):
        assert proof[name] in page
        assert proof[name] not in shown


def test_two_hands_of_a_deal_are_named_by_who_played_them(alice: Player, charlie: Player) -> None:
    dealt_and_live(alice, "poker")
    first = finished(alice)
    played = {}
    for player in (alice, charlie):
        player.post(f"/h/{first}/again")
        player.board, player.game = player.answer.json, "poker"
        played[player] = finished(player)

    def sides(viewer: Player, key: str) -> list[str]:
        page = viewer.get(f"/h/{key}", Accept="text/html").text
        (head,) = re.findall(r'class="sides__head".*?</li>', page, re.DOTALL)
        return [unescape(name).strip() for name in re.findall(r">([^<>]*\w[^<>]*)<", head)]

    assert sides(charlie, played[charlie]) == ["You", "The first player"]
    assert sides(alice, played[charlie]) == ["The second player", "You"]
    assert sides(alice, played[alice]) == ["This time", "The first time"]
    alice.post("/settings", [("name", "Aki")])
    assert sides(charlie, played[charlie]) == ["You", "Aki"]


def test_a_first_hand_that_cannot_be_reviewed_takes_no_review_from_the_next(
    alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt_and_live(alice, "poker")
    first = finished(alice)
    charlie.post(f"/h/{first}/again")
    charlie.board, charlie.game = charlie.answer.json, "poker"
    own, game = finished(charlie), SOLO["poker"]

    def here(_worker: ReviewWorker, key: str, notation: str, _seconds: float) -> Any:
        line = loads(notation)
        reviewed = review(game, odds_of(game), line.setup, line.moves, MemoryStore())
        return {"error": "failed", "text": "it took too long"} if key == first else reviewed

    monkeypatch.setattr(ReviewWorker, "ask", here)
    part = charlie.get(f"/h/{own}/review", Accept="text/html", HX_Request="true")
    assert part.status == 200
    assert "This cannot be worked out here" not in part.text
