"""The provable shuffle, against the published test vectors."""

import hashlib
import hmac
from collections import Counter
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.tf1_vectors import VECTORS, Vector
from webapp.engine import shuffling
from webapp.engine.cards import JOKER, STANDARD_DECK, format_cards
from webapp.engine.errors import SetupError
from webapp.engine.game import Pack
from webapp.engine.shuffling import ShuffledPacks, below, commitment, is_word, shuffled

SEED = bytes(range(32))
vectors = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.name)


def shuffled_by(vector: Vector) -> str:
    return format_cards(shuffled(*vector.pack_facts))


def broken_shuffle(vector: Vector, reject: bool = False) -> str:
    """Shuffle by code written from the published text; its rejection step can be left out."""
    seed, id, pack, decks, jokers, cuts = vector.pack_facts
    message = "|".join(["tf1", id, str(pack), str(decks), str(jokers), *cuts])
    blocks = (hmac.digest(seed, f"{message}|{i}".encode(), "sha256") for i in count())
    words = (int.from_bytes(block[i : i + 2], "big") for block in blocks for i in range(0, 32, 2))
    order = list(range(52 * decks + jokers))
    for i in range(len(order) - 1, 0, -1):
        word = next(words)
        while reject and word >= 65536 - 65536 % (i + 1):
            word = next(words)
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return " ".join("Jk" if k >= 52 * decks else "A23456789TJQK"[k % 13] + "cdhs"[k // 13 % 4] for k in order)


# ------------------------------------------------------------------------------------------ the figures


@vectors
def test_the_published_cards_are_dealt(vector):
    cards = shuffled_by(vector)
    assert cards.startswith(vector.first10 + " ")
    assert cards.endswith(" " + vector.last3)
    assert hashlib.sha256(cards.encode()).hexdigest() == vector.sha256


@vectors
def test_the_published_commitment_is_made(vector):
    assert commitment(vector.seed, vector.id) == vector.commitment


@vectors
def test_the_published_number_of_words_is_rejected(vector, monkeypatch):
    rejected = 0

    def counting(m, words):
        nonlocal rejected
        limit = 65536 - 65536 % m
        word = next(words)
        while word >= limit:
            rejected += 1
            word = next(words)
        return below(m, iter([word]))

    monkeypatch.setattr(shuffling, "below", counting)
    shuffled.cache_clear()
    shuffled_by(vector)
    assert rejected == vector.rejected_words


@vectors
def test_a_missing_rejection_step_is_caught_by_the_figures(vector):
    right = vector.sha256
    assert hashlib.sha256(broken_shuffle(vector, reject=True).encode()).hexdigest() == right
    without = hashlib.sha256(broken_shuffle(vector, reject=False).encode()).hexdigest()
    assert (without == right) is (vector.rejected_words == 0)


def test_the_figures_hold_words_that_are_rejected():
    assert sum(vector.rejected_words > 0 for vector in VECTORS) >= 2


# ------------------------------------------------------------------------------------------ below


def test_below_52_throws_the_uneven_end_away_and_uses_all_three_words():
    words = iter([65520, 65535, 65519])
    assert below(52, words) == 51
    assert next(words, None) is None


def test_below_does_not_read_a_word_too_many():
    words = iter([65519, 7])
    assert below(52, words) == 51
    assert next(words) == 7


def test_below_without_words_is_refused():
    with pytest.raises(SetupError, match="the words ran out"):
        below(52, iter([65535]))


@pytest.mark.parametrize("m", [1, 2, 3, 47, 52, 53, 54, 104, 256, 418])
def test_below_gives_every_number_equally_often_over_all_words(m):
    numbers = Counter(below(m, iter([word, 0])) for word in range(65536 - 65536 % m))
    assert set(numbers) == set(range(m))
    assert len(set(numbers.values())) == 1


def test_a_power_of_two_rejects_nothing():
    assert below(64, iter([65535])) == 63


# ------------------------------------------------------------------------------------------ laws

words = st.text(alphabet="abcXYZ019_-", min_size=1, max_size=64)
cuts = st.lists(words, min_size=1, max_size=5).map(tuple)


@given(st.binary(min_size=32, max_size=32), words, st.integers(0, 30), st.integers(1, 8), st.integers(0, 2), cuts)
def test_a_shuffled_pack_has_exactly_the_cards_of_the_pack(seed, id, pack, decks, jokers, cuts):
    cards = shuffled(seed, id, pack, decks, jokers, cuts)
    assert Counter(cards) == Counter(STANDARD_DECK * decks + (JOKER,) * jokers)
    assert cards == shuffled.__wrapped__(seed, id, pack, decks, jokers, cuts)  # not the remembered ones


def test_whatever_is_changed_changes_the_cards():
    plain = [SEED, "hand", 0, 1, 0, ("cut",)]
    changed = [
        plain,
        [bytes(32), *plain[1:]],
        [SEED, "Hand", *plain[2:]],
        [SEED, "hand", 1, *plain[3:]],
        [*plain[:5], ("Cut",)],
        [*plain[:5], ("cut", "-")],
        [*plain[:5], ("-", "cut")],
    ]
    assert len({shuffled(*facts) for facts in changed}) == len(changed)


def test_the_packs_of_one_hand_are_shuffled_apart():
    packs = ShuffledPacks(SEED, "hand", ("cut",), (Pack(),) * 21)
    assert len(set(packs)) == 21


# ------------------------------------------------------------------------------------------ statistics
# They find a bias that is large. A missing rejection step they would never notice; the figures above do.

DEALS = 4000


@pytest.fixture(scope="module")
def deals():
    return [shuffled(SEED, f"deal-{n}", 0, 1, 0, ("cut",)) for n in range(DEALS)]


def chi_square(counts, expected):
    return sum((n - expected) ** 2 / expected for n in counts)


@pytest.mark.parametrize("slot", [0, 1, 4, 25, 50, 51])
def test_every_card_comes_to_every_slot_equally_often(deals, slot):
    counts = Counter(cards[slot] for cards in deals)
    assert len(counts) == 52
    assert 15 < chi_square(counts.values(), DEALS / 52) < 101  # 51 degrees of freedom, five deviations up


def test_the_next_card_does_not_depend_on_the_card_before_it(deals):
    suits = Counter((cards[0].suit, cards[1].suit) for cards in deals)
    same = sum(n for (one, other), n in suits.items() if one == other)
    assert abs(same / DEALS - 12 / 51) < 0.03


def test_one_card_stays_in_its_place_on_average(deals):
    unshuffled = shuffling._ORDER_OF_A_DECK
    stayed = sum(card == before for cards in deals for card, before in zip(cards, unshuffled, strict=True))
    assert abs(stayed / DEALS - 1) < 0.08


def test_bytes_of_the_stream_are_even():
    words = islice(shuffling._words(SEED, b"stream"), 64_000)
    counts = Counter(byte for word in words for byte in divmod(word, 256))
    assert 150 < chi_square([counts[byte] for byte in range(256)], 500) < 370


# ------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param((bytes(31), "id", 0, 1, 0, ("cut",)), id="short seed"),
        pytest.param((bytes(33), "id", 0, 1, 0, ("cut",)), id="long seed"),
        pytest.param((b"", "id", 0, 1, 0, ("cut",)), id="no seed"),
        pytest.param((SEED, "", 0, 1, 0, ("cut",)), id="no id"),
        pytest.param((SEED, "i|d", 0, 1, 0, ("cut",)), id="a bar in the id"),
        pytest.param((SEED, "i d", 0, 1, 0, ("cut",)), id="a space in the id"),
        pytest.param((SEED, "id\n", 0, 1, 0, ("cut",)), id="a line end in the id"),
        pytest.param((SEED, "手", 0, 1, 0, ("cut",)), id="an id beyond ascii"),
        pytest.param((SEED, "i" * 65, 0, 1, 0, ("cut",)), id="long id"),
        pytest.param((SEED, "id", -1, 1, 0, ("cut",)), id="a pack before the first"),
        pytest.param((SEED, "id", 0, 0, 0, ("cut",)), id="no deck"),
        pytest.param((SEED, "id", 0, 9, 0, ("cut",)), id="nine decks"),
        pytest.param((SEED, "id", 0, 1, -1, ("cut",)), id="a joker less than none"),
        pytest.param((SEED, "id", 0, 1, 3, ("cut",)), id="three jokers"),
        pytest.param((SEED, "id", 0, 1, 0, ()), id="no cut"),
        pytest.param((SEED, "id", 0, 1, 0, ("",)), id="empty cut"),
        pytest.param((SEED, "id", 0, 1, 0, ("cut", "")), id="second cut empty"),
        pytest.param((SEED, "id", 0, 1, 0, ("a|b",)), id="a bar in the cut"),
        pytest.param((SEED, "id", 0, 1, 0, ("１",)), id="a digit beyond ascii"),
        pytest.param((SEED, "id", 0, 1, 0, ("c" * 65,)), id="long cut"),
    ],
)
def test_what_the_scheme_does_not_know_is_refused(facts):
    with pytest.raises(SetupError):
        shuffled(*facts)


@pytest.mark.parametrize("seed, id", [(bytes(31), "id"), (SEED, ""), (SEED, "i d"), (SEED, "i" * 65)])
def test_a_commitment_is_refused_likewise(seed, id):
    with pytest.raises(SetupError):
        commitment(seed, id)


def test_a_refusal_does_not_tell_the_seed():
    with pytest.raises(SetupError) as refused:
        commitment(b"secret!" * 5, "id")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("word", ["a", "-", "--", "_", "A-Z_09", "x" * 64])
def test_words_of_the_scheme(word):
    assert is_word(word)


# ------------------------------------------------------------------------------------------ packs on demand


@pytest.fixture
def shuffles(monkeypatch):
    """The numbers of the packs in the order they were shuffled."""
    numbers = []

    def noted(seed, id, pack, decks, jokers, cuts):
        numbers.append(pack)
        return shuffled(seed, id, pack, decks, jokers, cuts)

    monkeypatch.setattr(shuffling, "shuffled", noted)
    return numbers


def test_a_pack_is_shuffled_when_it_is_first_looked_at_and_only_then(shuffles):
    packs = ShuffledPacks(SEED, "hand", ("cut",), (Pack(jokers=1), Pack(), Pack(decks=2)))
    assert (len(packs), shuffles) == (3, [])
    assert len(packs[2]) == 104
    assert shuffles == [2]
    assert packs[2] is packs[-1]
    assert shuffles == [2]
    assert packs[0] == shuffled(SEED, "hand", 0, 1, 1, ("cut",))
    assert shuffles == [2, 0]


def test_packs_are_a_sequence(shuffles):
    packs = ShuffledPacks(SEED, "hand", ("cut",), (Pack(), Pack()))
    assert packs[:] == tuple(packs) == (packs[0], packs[1])
    assert shuffles == [0, 1]
    assert packs[1:] == (packs[1],)
    with pytest.raises(IndexError):
        packs[2]


def test_the_same_packs_are_shuffled_once_and_others_anew():
    first, again = (ShuffledPacks(SEED, "hand", ("cut",), (Pack(decks=6),), offset) for offset in (0, 5))
    assert again[0] == first[0][5:] == shuffled(SEED, "hand", 0, 6, 0, ("cut",))[5:]
    others = (
        ShuffledPacks(bytes(32), "hand", ("cut",), (Pack(decks=6),)),
        ShuffledPacks(SEED, "shoe", ("cut",), (Pack(decks=6),)),
        ShuffledPacks(SEED, "hand", ("tuc",), (Pack(decks=6),)),
    )
    assert len({first[0], *(packs[0] for packs in others)}) == 4


def test_packs_never_print_their_seed():
    packs = ShuffledPacks(SEED, "hand", ("cut",), (Pack(),))
    assert len(packs[0]) == 52
    for text in (repr(packs), str(packs)):
        assert repr(SEED) not in text
        assert SEED.hex() not in text
        assert "seed" not in text
        assert "Card" not in text
