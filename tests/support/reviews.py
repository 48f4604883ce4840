"""Reviews of finished hands and rounds, waited for."""

from tests.support.clock import run_timer
from tests.support.player import InProcess, Json, Player


def reviewed(player: Player, key: str) -> Json:
    """Have a hand or a round reviewed, and the review stored; return it."""
    assert isinstance(player.line, InProcess)
    for _ in range(200):
        answer = player.get(f"/h/{key}/review")
        if answer.status == 200:
            run_timer(player.line.client.application, "reviews that were worked out")
            found: Json = answer.json
            return found
        assert answer.status == 202, answer.text
    raise AssertionError("no review")
