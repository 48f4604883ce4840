"""The rules of a table, and their notation in links."""

from dataclasses import fields, replace
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.blackjack_rounds import BLACKJACK, custom
from webapp.engine.bets import Bets
from webapp.engine.errors import SetupError
from webapp.engine.game import Pack
from webapp.engine.games.blackjack.rules import BETS, BOXES, CHOICES, PRESETS, BlackjackRules, format_rules, parse_rules
from webapp.engine.games.blackjack.shoe import cut_card, reserve, shuffled_at, size

some_choices = st.fixed_dictionaries({}, optional={name: st.sampled_from(each) for name, each in CHOICES.items()})

# ------------------------------------------------------------------------------------------ values and defaults

# name, values with the default first: the table of the rules
TABLE = {
    "decks": (6, {1, 2, 3, 4, 5, 6, 7, 8}),
    "penetration": (0.75, {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9}),
    "shuffle": ("cut_card", {"cut_card", "continuous"}),
    "soft_17": ("stand", {"stand", "hit"}),
    "hole_card": ("peek", {"peek", "no_peek"}),
    "lose": ("original", {"original", "all"}),
    "blackjack_pays": ("3:2", {"3:2", "6:5", "1:1"}),
    "double_on": ("any", {"any", "9-11", "10-11", "none"}),
    "double_after_split": (True, {True, False}),
    "split_by": ("value", {"value", "rank", "none"}),
    "max_hands": (4, {2, 3, 4}),
    "resplit_aces": (False, {True, False}),
    "hit_split_aces": (False, {True, False}),
    "surrender": ("none", {"none", "late"}),
    "insurance": (True, {True, False}),
    "auto_stand_21": (True, {True, False}),
    "deal": ("face_up", {"face_up", "pitch"}),
}


@pytest.mark.parametrize("name", TABLE)
def test_each_rule_has_the_values_and_the_default_of_the_table(name):
    default, values = TABLE[name]
    assert getattr(BlackjackRules(), name) == default
    assert set(CHOICES[name]) == values


def test_no_rule_is_missing_and_the_rest_is_for_the_site_to_say():
    names = [field.name for field in fields(BlackjackRules)]
    assert [name for name in names if name in TABLE] == list(TABLE) == list(CHOICES), "in the order they are written"
    assert set(names) - set(TABLE) == {"naturals", "fresh_deck", "bets"}


def test_a_box_takes_10_to_1000_and_the_purse_starts_at_1000():
    assert BlackjackRules().bets == Bets(start=1000, least=10, most=1000, places=BOXES, chips=(10, 25, 100, 500))


def test_the_presets_are_those_of_the_rules():
    assert list(PRESETS) == ["vegas", "downtown", "european", "single", "classic"]
    assert BLACKJACK.spec.default == "vegas"
    assert PRESETS["vegas"] == BlackjackRules()
    assert PRESETS["downtown"] == BlackjackRules(decks=2, soft_17="hit", surrender="none")
    assert PRESETS["european"] == BlackjackRules(decks=6, hole_card="no_peek", double_on="9-11", lose="all")
    single = BlackjackRules(decks=1, blackjack_pays="6:5", soft_17="hit", double_after_split=False)
    assert PRESETS["single"] == single


def test_classic_is_the_beginners_game():
    classic = PRESETS["classic"]
    assert (classic.decks, classic.fresh_deck) == (1, True), "one fresh deck each round"
    assert classic.bets is None, "no bets"
    assert not classic.naturals
    assert (classic.double_on, classic.split_by, classic.insurance) == ("none", "none", False)
    assert classic.surrender == "none", "hit or stand only"
    assert not classic.auto_stand_21, "the player is still asked at 21"
    assert classic.soft_17 == "stand", "the dealer stands on every 17"


def test_only_the_fresh_deck_preset_deals_each_round_from_a_new_deck():
    assert [name for name, rules in PRESETS.items() if rules.fresh_deck] == ["classic"]


# ------------------------------------------------------------------------------------------ the word


def test_a_preset_is_its_own_word():
    for name, rules in PRESETS.items():
        assert parse_rules(name) == rules
        assert format_rules(rules, name) == name


@pytest.mark.parametrize(
    "word, rules",
    [
        ("vegas,decks=2,soft_17=hit", BlackjackRules(decks=2, soft_17="hit")),
        ("vegas,penetration=0.9", BlackjackRules(penetration=0.9)),
        ("vegas,insurance=false", BlackjackRules(insurance=False)),
        ("european,lose=original", replace(PRESETS["european"], lose="original")),
        ("classic,auto_stand_21=true", replace(PRESETS["classic"], auto_stand_21=True)),
    ],
)
def test_own_rules_are_a_preset_and_what_differs_from_it(word, rules):
    assert parse_rules(word) == rules
    assert format_rules(rules, word.split(",")[0]) == word


@given(preset=st.sampled_from(list(PRESETS)), chosen=some_choices)
def test_rules_are_read_back_from_their_word(preset, chosen):
    rules = replace(PRESETS[preset], **chosen)
    word = format_rules(rules, preset)
    assert parse_rules(word) == rules
    assert format_rules(parse_rules(word), preset) == word
    assert word.isascii()
    assert not set(word) & set(" /@*"), "it has to fit into the notation of a hand"


# Fifteen rules together are too many: every combination of the one half, and every one of the other.
HALVES = (list(CHOICES)[:8], list(CHOICES)[8:])


@pytest.mark.parametrize("names", HALVES, ids=["first eight", "last seven"])
def test_every_combination_of_choices_is_read_back(names):
    """Two thousand combinations of the first half of the choices; the long test takes all."""
    chance = Random(1)
    combinations = list(product(*(CHOICES[name] for name in names)))
    for values in chance.sample(combinations, min(len(combinations), 2000)):
        rules = replace(PRESETS["vegas"], **dict(zip(names, values, strict=True)))
        assert parse_rules(format_rules(rules)) == rules


@pytest.mark.soak
def test_all_combinations_of_all_choices_have_words_of_their_own():
    for names in HALVES:
        written = set()
        combinations = list(product(*(CHOICES[name] for name in names)))
        for values in combinations:
            rules = replace(PRESETS["vegas"], **dict(zip(names, values, strict=True)))
            written.add(format_rules(rules))
            assert parse_rules(format_rules(rules)) == rules
        assert len(written) == len(combinations)
    chance = Random(2)
    for _ in range(200_000):
        rules = replace(PRESETS["vegas"], **{name: chance.choice(each) for name, each in CHOICES.items()})
        assert parse_rules(format_rules(rules)) == rules


def test_the_longest_word_is_known():
    """Columns that store rules need room for it."""
    longest = 0
    for preset, base in PRESETS.items():
        chosen = {
            name: max((choice for choice in each if choice != getattr(base, name)), key=lambda each: len(str(each)))
            for name, each in CHOICES.items()
        }
        longest = max(longest, len(format_rules(replace(base, **chosen), preset)))
    assert longest == 279


@pytest.mark.parametrize(
    "word, offender",
    [
        ("", "no such table: ''"),
        ("roulette", "no such table: 'roulette'"),
        ("VEGAS", "no such table: 'VEGAS'"),
        (" vegas", "no such table: ' vegas'"),
        ("decks=2", "no such table: 'decks=2'"),
        ("vegas,", "no such rule: ''"),
        ("vegas,,decks=2", "no such rule: ''"),
        ("vegas,decks", "no such rule: 'decks'"),
        ("vegas,decks=", "no such rule: 'decks='"),
        ("vegas,decks=9", "no such rule: 'decks=9'"),
        ("vegas,decks=0", "no such rule: 'decks=0'"),
        ("vegas,decks=02", "no such rule: 'decks=02'"),
        ("vegas,decks=２", "no such rule: 'decks=２'"),
        ("vegas,decks=2 ", "no such rule: 'decks=2 '"),
        ("vegas,decks=true", "no such rule: 'decks=true'"),
        ("vegas,decks=2=2", "no such rule: 'decks=2=2'"),
        ("vegas,insurance=False", "no such rule: 'insurance=False'"),
        ("vegas,insurance=0", "no such rule: 'insurance=0'"),
        ("vegas,penetration=0.99", "no such rule: 'penetration=0.99'"),
        ("vegas,penetration=.75", "no such rule: 'penetration=.75'"),
        ("vegas,penetration=nan", "no such rule: 'penetration=nan'"),
        ("vegas,soft_17=draw", "no such rule: 'soft_17=draw'"),
        ("vegas,naturals=false", "no such rule: 'naturals=false'"),
        ("vegas,fresh_deck=true", "no such rule: 'fresh_deck=true'"),
        ("vegas,bets=none", "no such rule: 'bets=none'"),
        ("vegas,min_bet=1", "no such rule: 'min_bet=1'"),
        ("vegas,__class__=2", "no such rule: '__class__=2'"),
        ("vegas,downtown", "no such rule: 'downtown'"),
        ("vegas," + "x" * 500, "no such rule: '" + "x" * 80 + "'"),
        ("x" * 500, "no such table: '" + "x" * 80 + "'"),
        ("vegas,decks=6", "these rules are written 'vegas', not 'vegas,decks=6'"),
        (
            "vegas,decks=2,decks=2",
            "these rules are written 'vegas,decks=2', not 'vegas,decks=2,decks=2'",
        ),
        (
            "vegas,soft_17=hit,decks=2",
            "these rules are written 'vegas,decks=2,soft_17=hit', not 'vegas,soft_17=hit,decks=2'",
        ),
    ],
)
def test_a_bad_word_is_refused_and_what_is_wrong_is_named(word, offender):
    with pytest.raises(SetupError) as refused:
        parse_rules(word)
    assert str(refused.value) == offender
    for ask in (BLACKJACK.rules, BLACKJACK.packs):
        with pytest.raises(SetupError):
            ask(word)


@given(st.text(max_size=40) | st.text(alphabet="vegasdckspntrio,=_0123456789.", max_size=40).map("vegas,".__add__))
def test_any_text_is_rules_or_is_refused_and_nothing_else_happens(text):
    try:
        rules = parse_rules(text)
    except SetupError:
        return
    assert format_rules(rules, text.split(",")[0]) == text


def test_rules_that_no_player_may_choose_have_no_word():
    for rules in (
        BlackjackRules(naturals=False),
        BlackjackRules(bets=None),
        BlackjackRules(decks=9),
        BlackjackRules(penetration=0.77),
    ):
        with pytest.raises(SetupError, match="vegas cannot be played with"):
            format_rules(rules)


# ------------------------------------------------------------------------------------------ the shoe


def test_the_cut_card_lies_at_the_share_of_the_rules():
    assert (size(BlackjackRules()), cut_card(BlackjackRules())) == (312, 234)
    assert cut_card(BlackjackRules(decks=1, penetration=0.5)) == 26
    assert cut_card(BlackjackRules(decks=1, penetration=0.9)) == 47, "46.8: the share is dealt when 47 are"
    assert cut_card(BlackjackRules(decks=5, penetration=0.7)) == 182, "and not 183, however the machine writes 0.7"


def test_the_shoe_is_shuffled_between_rounds_once_the_share_is_dealt():
    assert shuffled_at(BlackjackRules()) == 234


def test_it_is_shuffled_earlier_when_too_few_cards_are_left_for_a_round():
    deep = BlackjackRules(decks=1, penetration=0.9)
    assert 52 - shuffled_at(deep) == 25, "three boxes may need 26"
    assert 52 - shuffled_at(replace(deep, bets=replace(BETS, places=BOXES[:1]))) == 13, "and one 14"


def test_a_fresh_deck_is_used_up_by_each_round():
    assert BLACKJACK.cut_card("classic") is None
    assert BLACKJACK.packs("classic") == (Pack(decks=1, jokers=0, needed=52),)


def test_a_continuous_shuffler_deals_each_round_from_all_cards():
    assert BLACKJACK.cut_card("vegas,shuffle=continuous") is None
    assert BLACKJACK.packs("vegas,shuffle=continuous") == (Pack(decks=6, jokers=0, needed=312),)


@given(chosen=some_choices, boxes=st.integers(1, 3), dealt=st.integers(0, 416))
def test_a_round_that_may_begin_finds_all_the_cards_it_may_take(chosen, boxes, dealt):
    rules = replace(BlackjackRules(), **chosen)
    assert 2 * boxes + 2 <= reserve(rules, boxes) <= size(rules)
    if dealt < shuffled_at(rules):
        assert size(rules) - dealt >= reserve(rules, boxes)
    assert shuffled_at(rules) > 0, "a new shoe is good for a round"


@given(preset=st.sampled_from(list(PRESETS)), chosen=some_choices)
def test_a_pack_is_announced_with_what_most_boxes_may_need(preset, chosen):
    rules = replace(PRESETS[preset], **chosen)
    (pack,) = BLACKJACK.packs(format_rules(rules, preset))
    assert pack == Pack(decks=rules.decks, jokers=0, needed=reserve(rules, rules.bets.boxes if rules.bets else 1))


# ------------------------------------------------------------------------------------------ every table can be played


def test_a_game_knows_its_own_presets_only():
    game = custom(decks=3)
    assert game.spec.variants == ("own",)
    assert game.rules("own,decks=2") == BlackjackRules(decks=2)
    with pytest.raises(SetupError, match="no such table: 'vegas'"):
        game.rules("vegas")
