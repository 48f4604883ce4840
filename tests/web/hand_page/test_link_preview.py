"""The preview of a link to a finished hand, for people who did not play it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.support import blackjack_rounds, table21_rounds
from webapp.engine.action import Action
from webapp.engine.cards import parse_cards
from webapp.engine.game import AnyGame, Setup, states
from webapp.engine.games import GAMES
from webapp.services.records.finished import Finished, FinishedSeat
from webapp.services.records.replays import Replay
from webapp.web.hand_page import link_preview
from webapp.web.hand_page.link_preview import link_text, subject_of
from webapp.web.hand_page.picture_text import is_drawable
from webapp.web.i18n.display_names import names_of
from webapp.web.i18n.messages import say_of
from webapp.web.i18n.review_words import ledger_sentence
from webapp.web.i18n.translations import language, use_language
from webapp.web.languages import LANGUAGES


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with use_language("en"):
        yield


def _finished(game: AnyGame, setup: Setup, words: tuple[str, ...], status: str = "done") -> Finished:
    moves = tuple(map(Action.parse, words))
    replay = Replay(game, setup, moves, tuple(states(game, setup, moves)))
    record = replay.record.as_void() if status == "void" else replay.record
    return Finished(
        key="k" * 22,
        table=setup.variant,
        seq=7,
        status=status,
        player="",
        replay=replay,
        record=record,
        payouts=record.payouts or (0,),
        commitment="",
        proof=None,
        finished_at=datetime(2026, 11, 22, tzinfo=UTC),
    )


def blackjack(
    cards: str, *moves: str, table: str = "vegas", stakes: tuple[int, ...] = (10,), status: str = "done"
) -> Finished:
    return _finished(GAMES["blackjack"], blackjack_rounds.setup_of(cards, table, stakes), moves, status)


def draw(code: str, table: str, packs: str, *moves: str, stakes: tuple[int, ...] = ()) -> Finished:
    rows = tuple(parse_cards(row) for row in packs.split(","))
    return _finished(GAMES[code], Setup(table, stakes, rows), moves)


def company(cards: str, *moves: str, bets: tuple[int, ...], names: tuple[str, ...], status: str = "done") -> Finished:
    setup = table21_rounds.setup_of(bets, 0, (parse_cards(cards),))
    hand = _finished(table21_rounds.TABLE, setup, moves, status)
    nets = table21_rounds.nets(hand.last)
    seats = tuple(
        FinishedSeat(
            number=place,
            name=name,
            bot=False,
            banker=place == 0,
            stake=setup.stakes[place],
            auto_bet=False,
            moves=(),
            payout=hand.payouts[place],
            net=nets[place],
        )
        for place, name in enumerate(names)
    )
    return replace(hand, seats=seats)


WON = blackjack("Tc 9d Th 8s", "stand")
PUSH = blackjack("Tc 9d 9h Js", "stand")
LOST = blackjack("Tc 9d 8h Js", "stand")
NATURAL = blackjack("Ac 9d Th Js")
_SPLITS = ("split", "split", "split", "stand", "stand", "hit", "stand", "stand")
FOUR = blackjack("8c 6d 8d Th 8h 8s Tc 9s 2c 9c Td Ah", *_SPLITS, stakes=(100,))
CLASSIC = blackjack("Tc 9d 8h Js", "stand", table="classic")
ROUND = company("Tc Ts 9d 7h Kc Kd", "stand@1", "stand@2", "stand", bets=(50, 20), names=("Cy", "Ann", "Bob"))


@pytest.mark.parametrize(
    ("hand", "title"),
    [
        (WON, "The player wins: +10"),
        (PUSH, "Push: ±0"),
        (LOST, "The dealer wins: −10"),
        (NATURAL, "Blackjack: +15"),
        (blackjack("Tc 6d 6h Ts Kc", "hit"), "Bust, the dealer wins: −10"),
        (blackjack("Tc 6d Th Ts Kc", "stand"), "The dealer is bust, the player wins: +10"),
        (FOUR, "Round won: +300"),
        (CLASSIC, "The dealer wins"),
        (draw("joker", "arcade-1", "KcKdThTc2s3s4s5s6s7s", "hold-1-2-3-4", stakes=(10,)), "+10"),
        (draw("joker", "arcade-1", "KcQdTh9c2s3d4s5s6s7s", "hold-1-2-3-4", stakes=(10,)), "−10"),
        (draw("poker", "quest", "KcKdThTc2s3s4s5s6s7s", "hold-1-2-3-4", "collect"), ": 100"),
    ],
)
def test_the_title_has_the_net_result_and_not_the_payout(hand: Finished, title: str) -> None:
    assert link_text(hand).title.endswith(title)


@pytest.mark.parametrize("hand", [WON, PUSH, LOST, NATURAL, FOUR, CLASSIC, ROUND])
def test_nothing_on_a_link_speaks_to_a_stranger_as_the_player(hand: Finished) -> None:
    text, subject = link_text(hand), subject_of(hand)
    said = [text.title, text.description, subject.title, *(group.caption for group in subject.groups)]
    assert "you" not in " ".join(said).lower().split()


def test_a_picture_of_a_split_hand_has_all_hands_and_the_net_of_the_round_once() -> None:
    subject = subject_of(FOUR)
    assert subject.title == "Round won"
    assert subject.amount == "+300"
    assert [(group.caption, group.amount, len(group.cards)) for group in subject.groups] == [
        ("Hand: 18", "+100", 2),
        ("Hand: 17", "0", 2),
        ("Hand: 19", "+100", 3),
        ("Hand: 18", "+100", 2),
        ("Dealer: 17", "", 3),
    ]


def test_a_description_says_every_sentence_once() -> None:
    sentences = link_text(FOUR).description.split(". ")
    assert len(sentences) == len(set(sentences)) == 2


def test_a_link_says_who_won_and_who_lost_at_a_shared_table() -> None:
    text = link_text(ROUND)
    assert text.title == "Cy +30, Bob +20, Ann −50"
    assert text.description == "Table 21. Cy wins 30 as the bank."


def test_a_picture_says_that_a_blackjack_decided() -> None:
    beaten = subject_of(blackjack("Tc Td 8h Ad"))
    assert beaten.title == "The dealer has blackjack"
    assert beaten.groups[-1].caption == "Dealer: blackjack"


def test_a_picture_of_a_round_calls_a_player_by_the_seat_if_the_font_lacks_the_name() -> None:
    hand = replace(ROUND, seats=(replace(ROUND.seats[0], name="花子"), *ROUND.seats[1:]))
    assert link_text(hand).title.count("花子") == 1
    assert [group.caption for group in subject_of(hand).groups] == ["Seat 1", "Ann", "Bob"]


@pytest.mark.parametrize("hand", [WON, PUSH, LOST, NATURAL, FOUR, CLASSIC, ROUND])
def test_the_font_has_every_letter_of_a_picture(hand: Finished) -> None:
    subject = subject_of(hand)
    words = (text for group in subject.groups for text in (group.caption, group.amount))
    assert is_drawable("".join((subject.title.replace("\n", ""), subject.amount, *words)))


def test_a_hand_that_was_not_played_out_names_what_it_cost() -> None:
    assert link_text(blackjack("Tc 9d 8h Js", status="forfeited")).title == "Left for a day, and forfeited: −10"
    assert link_text(blackjack("Tc 9d 8h Js", status="void")).title == "Void"


@pytest.mark.parametrize("code", [language.code for language in LANGUAGES])
def test_the_picture_is_english_and_the_text_is_in_the_language_of_the_page(code: str) -> None:
    expected = subject_of(FOUR)
    with use_language(code):
        assert subject_of(FOUR) == expected
        assert (link_text(FOUR).title == "Round won: +300") == (code == "en")


@pytest.mark.parametrize("code", [language.code for language in LANGUAGES])
def test_a_picture_whose_address_names_a_language_is_in_it(code: str) -> None:
    for hand in (WON, FOUR, ROUND):
        subject = subject_of(hand, None, code)
        assert subject.language == code
        with use_language(code):
            assert subject.title.split("\n")[0] == say_of(hand.labels[0], names_of(hand))
        assert is_drawable(subject.words, code)


def test_a_picture_is_english_if_its_words_cannot_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_preview, "_", lambda text: "Ĉ" if language() == "ja" else text)
    with use_language("ja"):
        assert not is_drawable("Ĉ", "ja")
    assert link_preview.day_subject("2026-11-22", "ja") == link_preview.day_subject("2026-11-22")


REVIEWED = {"start": -0.0123, "luck": 12.5, "cost": 0.002, "payout": 10, "seats": [{"seat": 0, "cost": 0.002}]}


def test_a_picture_has_the_review_in_one_line_of_small_print_once_there_is_one() -> None:
    assert subject_of(WON).small == ""
    small = subject_of(WON, REVIEWED).small
    assert small == "Played all but perfectly · lucky by 12.5 chips"
    assert is_drawable(small)


@pytest.mark.parametrize("code", [language.code for language in LANGUAGES])
def test_the_text_beside_a_link_ends_with_the_review_in_the_language_of_the_page(code: str) -> None:
    with use_language(code):
        plain, told = link_text(WON), link_text(WON, REVIEWED | {"decisions": [{}]})
        assert told.title == plain.title
        assert told.description.removeprefix(plain.description).strip() == ledger_sentence(1, 0.002, 12.5, "chips")


def test_a_picture_says_that_there_was_help_with_a_review_and_without() -> None:
    helped = replace(WON, helped=True)
    assert subject_of(helped).small == "played with help"
    assert subject_of(helped, REVIEWED).small.endswith("lucky by 12.5 chips · played with help")


def test_the_picture_of_a_round_says_what_the_decisions_of_each_seat_cost() -> None:
    seats = [{"seat": place, "cost": cost} for place, cost in enumerate((0, 1.25, 0))]
    small = subject_of(ROUND, REVIEWED | {"seats": seats}).small
    assert small == "Chips given away by decisions: Cy 0, Ann –1.25, Bob 0"
