"""After a kill of the server the daily try continues without loss, and no second one is allowed."""

from collections.abc import Callable

from tests.services.deals.test_daily import play_out, sit
from tests.services.solo.test_kills import left_behind
from tests.support.player import Player
from tests.support.server import Server, free_port


def test_a_server_that_is_killed_takes_no_try_and_gives_none(serving: Callable[..., Server]) -> None:
    port = free_port()
    server = serving(port=port)
    alice, bob = Player(server.url), Player(server.url)
    before = sit(alice, "poker")
    day = before["daily"]
    keys = [sit(bob, "blackjack", day=day)["hand"]]
    play_out(bob)
    server.kill()
    server = serving(port=port)
    again = sit(alice, "poker", day=day)
    assert (alice.status, again["hand"], again["view"]) == (200, before["hand"], before["view"])
    held = alice.act("hold", 1, 2)
    assert sit(bob, "blackjack", day=day)["round"] == 2
    keys.append(bob.hand)
    server.kill()
    server = serving(port=port)
    repeated = alice.act("hold", 1, 2, step=0)
    assert (repeated["note"], repeated["view"]) == ("repeated", held["view"]), "an answer that was lost comes again"
    play_out(alice)
    assert sit(alice, "poker", day=day)["error"] == "daily-played"
    while "error" not in (board := sit(bob, "blackjack", day=day)):  # the second round first, if it is not over
        keys += [bob.hand] if bob.hand != keys[-1] else []
        assert board["round"] == len(keys)
        play_out(bob)
    assert (board["error"], len(keys)) == ("daily-played", 5)
    found = {deal["game"]: deal for deal in bob.get(f"/d/{day}").json["games"]}["blackjack"]
    assert (found["played"], found["done"]) == (True, 5)
    assert found["result"] == sum(bob.get(f"/h/{key}.json").json["net"] for key in keys)
    server.stop()
    assert left_behind(server.instance) == []
