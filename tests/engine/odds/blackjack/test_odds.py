"""The odds of blackjack at the table: in chips, for each action, at each step of a round."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from tests.support.blackjack_rounds import BLACKJACK, custom, play
from webapp.engine.action import ALONE, Action
from webapp.engine.cards import STANDARD_DECK, Card, Stock, parse_cards
from webapp.engine.game import Setup, states
from webapp.engine.games.blackjack.game import DECLINE, DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER
from webapp.engine.games.blackjack.rules import CHOICES
from webapp.engine.games.blackjack.state import BlackjackPhase
from webapp.engine.odds import odds_of, question_of
from webapp.engine.odds.blackjack.compositions import index_of
from webapp.engine.odds.blackjack.odds import BlackjackOdds
from webapp.engine.odds.blackjack.spot import spot
from webapp.engine.odds.blackjack.unseen import ImpossibleCards, Unseen
from webapp.engine.odds.question import ImpossibleSpot, Question
from webapp.engine.odds.review import ledger
from webapp.engine.odds.value import MemoryStore

ODDS = odds_of(BLACKJACK)
STORE = MemoryStore()
CARDS = tuple(parse_cards("As 2s 3s 4s 5s 6s 7s 8s 9s Ts"))
"""One card of each value."""


def decide(state, odds=ODDS, seen=()):
    return odds.decision(state, STORE, seen)


def values(state, odds=ODDS, seen=()):
    return {option.action: float(option.value) for option in decide(state, odds, seen).options}


def next_cards(state):
    """Return the cards that can be drawn and their probabilities. The hole card is none that the peek has ruled out."""
    cards = (state.dealer[0], *(card for hand in state.hands for card in hand.cards))
    unseen = Unseen(state.rules.decks, cards).counts
    left = sum(unseen)
    ruled_out = {0: 9, 9: 0}.get(index_of(state.dealer[0]))
    peeked = state.rules.hole_card == "peek" and state.rules.naturals and ruled_out is not None
    for value, card in enumerate(CARDS):
        chance = 0.0
        for hole in range(10):
            if peeked and hole == ruled_out:
                continue
            holes = left - (unseen[ruled_out] if peeked else 0)
            chance += unseen[hole] / holes * (unseen[value] - (hole == value)) / (left - 1)
        yield card, chance


def with_next(state, *cards: Card):
    taken = state.stock.taken
    return replace(state, stock=Stock((*(CARDS[0],) * taken, *cards, *(CARDS[3],) * 9), taken))


def after(game, state, action, *cards):
    return game.apply(with_next(state, *cards), action)


LOOKS = [{}, {"hole_card": "no_peek", "lose": "original"}, {"hole_card": "no_peek", "lose": "all"}]


@pytest.mark.parametrize("hand, dealer", [("Th 2s", "Ts"), ("Ah 3s", "As"), ("5h 3s 2d", "Ad"), ("Ah 6s", "4d")])
@pytest.mark.parametrize("changes", [*LOOKS, {"soft_17": "hit"}])
def test_drawing_is_worth_the_average_of_what_comes(hand, dealer, changes) -> None:
    game = custom(auto_stand_21=False, decks=2, **changes)
    odds = BlackjackOdds(game)
    state = spot(game, "own", hand, dealer)
    average = sum(
        chance * float(odds.value(after(game, state, HIT, card), ALONE, STORE)) for card, chance in next_cards(state)
    )
    assert values(state, odds)[HIT] == pytest.approx(average, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("pair, dealer", [("8h 8s", "Ts"), ("8h 8s", "Ad"), ("2h 2s", "6d"), ("9h 9s", "7d")])
@pytest.mark.parametrize("changes", LOOKS)
def test_a_split_is_worth_a_little_less_than_hands_that_look_at_each_other(pair, dealer, changes) -> None:
    """The values assume a fixed policy; at the table a hand can take the cards of the others into account."""
    game = custom(auto_stand_21=False, **changes)
    odds = BlackjackOdds(game)
    state = spot(game, "own", pair, dealer)
    average = sum(
        chance * float(odds.value(after(game, state, SPLIT, card), ALONE, STORE)) for card, chance in next_cards(state)
    )
    assert -0.003 < average - values(state, odds)[SPLIT] < 0.05


def test_split_aces_are_worth_the_average_of_their_two_cards() -> None:
    game = custom(auto_stand_21=False)
    odds = BlackjackOdds(game)
    state = spot(game, "own", "Ah As", "9d")
    chances, unseen = dict(next_cards(state)), Unseen(6, parse_cards("Ah As 9d")).counts
    average = 0.0
    for first, second in product(CARDS, CARDS):
        chance = chances[first] * (unseen[index_of(second)] - (first == second)) / 308
        done = after(game, state, SPLIT, first, second)
        assert done.phase is BlackjackPhase.OVER
        average += chance * values(replace(state, boxes=done.boxes), odds)[STAND]
    assert values(state, odds)[SPLIT] == pytest.approx(average, abs=1e-9)


def test_insurance_is_priced_by_the_tens_that_are_left() -> None:
    state = play("Th As 5c 9d")
    worth = values(state)
    assert worth[INSURE] - worth[DECLINE] == pytest.approx(5 * (3 * 95 / 309 - 1))


def test_even_money_is_the_bet_for_certain() -> None:
    assert values(play("Th As Ac 9d"))[INSURE] == pytest.approx(10)


def test_declining_is_worth_the_average_over_what_the_look_tells() -> None:
    state = play("Th As 5c 9d")
    looked = play("Th As 5c 9d", "decline")
    average = 95 / 309 * -10 + (1 - 95 / 309) * float(ODDS.value(looked, ALONE, STORE))
    assert values(state)[DECLINE] == pytest.approx(average)


def test_a_surrender_loses_the_half_that_is_rounded_up() -> None:
    table = "vegas,surrender=late"
    assert values(play("Th Ts 6c 9d", table=table, stakes=(15,)))[SURRENDER] == pytest.approx(-8)


def test_a_natural_that_waits_in_another_box_wins_whole_chips() -> None:
    alone = values(play("Th 5s 6c 9d", stakes=(15,)))
    both = values(play("Th Ad 5s 6c Kd 9d", stakes=(15, 15)))
    assert both[STAND] - alone[STAND] == pytest.approx(22, abs=0.2)


def test_without_bets_a_hand_is_worth_a_point() -> None:
    state = play("Th 5s Kc 9d", table="classic")
    assert 0.5 < values(state)[STAND] < 1
    assert set(values(state)) == {HIT, STAND}


def test_values_are_in_bets_of_this_hand_and_grow_with_it() -> None:
    small, large = (values(play("6h 5s 5c 9d", stakes=(bet,))) for bet in (10, 100))
    assert large == pytest.approx({action: 10 * worth for action, worth in small.items()})
    assert max(small, key=small.__getitem__) == DOUBLE


@pytest.mark.parametrize("table", ["vegas", "downtown", "european", "single"])
def test_no_value_changes_when_unseen_cards_are_shuffled(table) -> None:
    chance = Random(table)
    rules = BLACKJACK.rules(table)
    for _ in range(8):
        shoe = list(STANDARD_DECK * rules.decks)
        chance.shuffle(shoe)
        moves, state = [], None
        setup = Setup(table, (10,), (tuple(shoe),))
        (state,) = states(BLACKJACK, setup, ())
        while legal := BLACKJACK.legal_actions(state):
            before = values(state)
            # unseen are all cards but the open ones, the dealer's hole card included
            rest = [*state.dealer[1:], *state.stock.cards[state.stock.taken :]]
            chance.shuffle(rest)
            hidden = state.dealer[:1] + tuple(rest[: len(state.dealer) - 1])
            if BLACKJACK.view(replace(state, dealer=hidden), ALONE).peeked and not could_be(state, hidden):
                hidden = state.dealer
            taken = state.stock.taken
            stock = Stock((*state.stock.cards[:taken], *rest[len(hidden) - 1 :]), taken)
            assert values(replace(state, dealer=hidden, stock=stock)) == before
            moves.append(chance.choice(legal))
            state = BLACKJACK.apply(state, moves[-1])


def could_be(state, dealer) -> bool:
    return not replace(state, dealer=dealer).dealer_has_natural


def test_a_finished_round_is_worth_what_it_brought() -> None:
    state = play("Th 9s 9c 9d", "stand")
    assert ODDS.value(state, ALONE, STORE) == 10


def test_cards_that_were_seen_change_the_values() -> None:
    state = play("Th Ts 6c 9d")
    small, tens = parse_cards("4h 5h 4d 5d 4c 5c"), parse_cards("Th Td Tc Kh Kd Kc")
    assert values(state, seen=small)[HIT] < values(state)[HIT] < values(state, seen=tens)[HIT]


def test_more_cards_than_the_decks_have_cannot_have_been_seen() -> None:
    with pytest.raises(ImpossibleCards, match="Th is named 7 times, and there are 6 decks"):
        decide(play("Th Ts 6c 9d"), seen=parse_cards("Th Th Th Th Th Th"))


def test_a_dealer_who_looked_shows_that_other_cards_are_left() -> None:
    game = custom(decks=1)
    state = spot(game, "own", "Th 6s", "Ad")
    others = tuple(card for card in STANDARD_DECK if index_of(card) < 9 and str(card) not in ("6s", "Ad"))
    with pytest.raises(ImpossibleCards, match="the dealer would have a natural"):
        decide(state, BlackjackOdds(game), others)


def test_before_the_deal_a_place_is_worth_its_edge() -> None:
    setup = Setup("classic", (), ((),))
    start = ODDS.start(setup, ALONE, STORE)
    assert start == pytest.approx(ODDS.game("classic", STORE).value) == pytest.approx(-0.042462, abs=1e-6)


def test_the_ledger_of_a_round_is_balanced() -> None:
    chance = Random(19)
    for _ in range(6):
        shoe = chance.sample(STANDARD_DECK, 52)
        setup = Setup("classic", (), (tuple(shoe),))
        (state,) = states(BLACKJACK, setup, ())
        moves = []
        while legal := BLACKJACK.legal_actions(state):
            moves.append(chance.choice(legal))
            state = BLACKJACK.apply(state, moves[-1])
        told = ledger(BLACKJACK, ODDS, setup, moves, ALONE, STORE)
        assert told.start + told.luck - told.cost == told.payout
        assert all(step.cost >= 0 for step in told.steps)


def any_table(chance):
    """Return random rules."""
    words = {name: chance.choice(choices) for name, choices in CHOICES.items()}
    return custom(**words, naturals=chance.random() < 0.9)


@pytest.mark.slow
def test_every_legal_action_has_a_value_under_any_rules() -> None:
    chance = Random(3)
    for _ in range(25):
        game = any_table(chance)
        odds, rules = BlackjackOdds(game), game.rules("own")
        shoe = list(STANDARD_DECK * rules.decks)
        chance.shuffle(shoe)
        if chance.random() < 0.5:  # pairs and aces in front
            shoe.sort(key=lambda card: str(card)[0] not in "A8" or chance.random() < 0.3)
        boxes = chance.randint(1, 3)
        bets = tuple(chance.randint(10, 30) for _ in range(boxes))
        (state,) = states(game, Setup("own", bets, (tuple(shoe),)), ())
        while legal := game.legal_actions(state):
            decision = odds.decision(state, STORE)
            assert {option.action for option in decision.options} == set(legal)
            assert odds.value(state, ALONE, STORE) == decision.best.value
            assert all(abs(option.value) <= 9 * sum(bets) for option in decision.options)
            state = game.apply(state, chance.choice(legal))
        assert abs(odds.value(state, ALONE, STORE)) <= 9 * sum(bets)


SEEN = [
    ("8h Tc 8d 5s 3h 2d 4c 9s 7c 6h Kd", (10,), "vegas", "split hit stand double"),
    ("8h Ac 8d 5s 8c 3h 4c 9s 2d 7c", (25,), "european", "decline split hit double"),
    ("Th 9h As 6c Ad 9d 2c 5s 7d", (25, 10), "vegas", "insure decline hit stand"),
    ("8h 3d Tc 8d 7s Ts 5s 3h 9c", (25, 10), "vegas,surrender=late", "split stand stand double"),
]


@pytest.mark.parametrize("cards, stakes, table, moves", SEEN)
def test_a_question_says_all_that_a_decision_depends_on(cards: str, stakes, table: str, moves: str) -> None:
    """The question contains open cards only, so that the hole card may be any."""
    state = BLACKJACK.start(Setup(table, stakes, (parse_cards(cards),)))
    for move in moves.split():
        question = question_of(BLACKJACK, state)
        assert question == ODDS.question(state)
        found = ODDS.spot(question)
        alone, whole = decide(found.state, seen=found.others), decide(state)
        assert {*BLACKJACK.legal_actions(found.state)} == {*BLACKJACK.legal_actions(state)}
        for action in BLACKJACK.legal_actions(state):
            cost = float(alone.cost(action)) * state.box.bet / found.state.box.bet
            assert cost == pytest.approx(float(whole.cost(action)), abs=1e-7)
        state = BLACKJACK.apply(state, Action(ALONE, move))


@pytest.mark.parametrize(
    "fields, reason",
    [
        ({"cards": "9h 8d", "ask": "insurance"}, "no-insurance"),
        ({"cards": "9h 8d", "dealer": "Ac", "ask": "surrender"}, "no-insurance"),
        ({"cards": "9h 8d 2c", "dealer": "Ac", "ask": "insurance"}, "hand-least"),
        ({"hands": "8h9c"}, "no-split"),
        ({"hands": "8h9c-,8d9d-"}, "no-split"),
        ({"hands": "8h9c,"}, "no-split"),
        ({"hands": "8h9c,8dJk"}, "no-joker"),
        ({"hands": ",".join(["8h9c"] * 20)}, "too-many"),
    ],
)
def test_a_question_that_no_hand_asks_is_refused(fields, reason: str) -> None:
    with pytest.raises(ImpossibleSpot) as refused:
        ODDS.spot(Question("vegas", **{"dealer": "Tc"} | fields))
    assert refused.value.reason == reason
