"""A site that could name another pack, or another first card, could choose among thousands of decks after the cut.

Laws over every game at every table: the verifier derives from the rules what must be dealt, and trusts no other
statement.
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.contracts.playing import OWN_TABLES, TABLE_NAMES, TABLES
from tests.support.forged_hands import forging_sites, honest_sites
from tests.support.player import Json
from webapp.engine.errors import SetupError
from webapp.engine.game import replay
from webapp.engine.games import COMPANY
from webapp.engine.notation import dumps, loads
from webapp.engine.shuffling import commitment
from webapp.services.fairness.verification import checks
from webapp.web.api.serialize import to_json

every_table = pytest.mark.parametrize(
    "table",
    [*TABLES, *OWN_TABLES],
    ids=[*TABLE_NAMES, *(f"{game.spec.code}/{variant}" for game, variant in OWN_TABLES)],
)
often = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
draws = st.data()


def wrong(hand: Json) -> list[str]:
    """Return the kinds of findings."""
    try:
        return [check.kind for check in checks(hand) if not check.ok]
    except ValueError as error:
        return [str(error)]


@every_table
@often
@given(data=draws)
def test_an_honest_hand_is_found_right(table: Any, data: st.DataObject) -> None:
    assert wrong(data.draw(honest_sites(*table)).tells()) == []


@every_table
@often
@given(data=draws)
def test_a_hand_dealt_from_anything_but_what_the_rules_say_is_found_wrong(table: Any, data: st.DataObject) -> None:
    what, site = data.draw(forging_sites(*table))
    try:
        hand = site.tells()
    except SetupError:
        assume(False)  # too few cards to play with
    assert wrong(hand), what


@every_table
@often
@given(data=draws)
def test_only_a_shoe_in_use_keeps_its_proof_back(table: Any, data: st.DataObject) -> None:
    site = data.draw(honest_sites(*table))
    hand = site.tells(proof=None, proof_opens="when-the-shoe-is-finished", commitment=commitment(site.seed, site.id))
    assert bool(wrong(hand)) == (site.game.cut_card(site.variant) is None)


@every_table
@often
@given(data=draws, lie=st.sampled_from(["forfeited", "void", "live"]))
def test_a_hand_that_was_played_out_is_not_told_as_another(table: Any, data: st.DataObject, lie: str) -> None:
    assert wrong(data.draw(honest_sites(*table)).tells(status=lie)) == ["payout"]


@every_table
@often
@given(data=draws)
def test_a_hand_that_was_played_out_alone_was_not_void(table: Any, data: st.DataObject) -> None:
    """At a shared table everybody may be gone by the end. In a solo game it would be a way not to pay."""
    site = data.draw(honest_sites(*table))
    hand, alone = site.tells(), site.game.spec.seats == 1
    void = dumps(loads(hand["notation"]).as_void())
    forged = site.tells(notation=void, status="void", payouts=[0] if alone else [], labels=[{"code": "VOID"}])
    assert wrong(forged) == (["payout"] if alone else [])


@every_table
@settings(often, max_examples=5)
@given(data=draws)
def test_what_is_told_of_the_rules_is_true(table: Any, data: st.DataObject) -> None:
    game, variant = table
    site = data.draw(honest_sites(game, variant))
    rules = to_json(game.rules(variant))
    assert wrong(site.tells(rules=rules)) == []
    for name, value in rules.items():
        if value is None or isinstance(value, (int, float, str)):
            assert wrong(site.tells(rules=rules | {name: "forged"})) == ["payout"], name
    assert wrong(site.tells(rules=rules | {"house_edge": 0})) == ["payout"]


@often
@given(data=draws)
def test_what_is_told_of_each_seat_is_true(data: st.DataObject) -> None:
    site = data.draw(honest_sites(COMPANY, COMPANY.spec.default))
    hand = site.tells()
    record = loads(hand["notation"])
    last = replay(COMPANY, record.setup, record.moves)
    seats = [
        {"seat": place + 1, "name": "", "payout": payout, "net": payout - chips, "banker": place == last.banker}
        for place, (payout, chips) in enumerate(zip(hand["payouts"], COMPANY.committed(last), strict=True))
    ]
    assert wrong(hand | {"seats": seats}) == []
    for name, lie in (("payout", -1), ("net", 7_000), ("banker", None)):
        assert wrong(hand | {"seats": [seats[0] | {name: lie}, *seats[1:]]}) == ["payout"], name
    assert wrong(hand | {"seats": seats[:-1]}) == ["payout"]
