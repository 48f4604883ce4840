"""Two states of a table each, one of every kind of motion: what the tests of motion record."""

from tests.e2e.recording import Case

DRAW = "[data-draw]"
NEXT = "#step-arrowright"
HAND = "Ah 9c 9d 4s 2h"
ROUND = "8h Kd 8s 3c 2d"
"""The open card, and four of which the first wins, the second is equal, and the third loses."""


def quest(cards: str, *moves: str, press: str) -> Case:
    return Case("poker", "quest", (cards, *(ROUND,) * 10), ("deal", *moves), press)


def blackjack(cards: str, *moves: str, press: str, table: str = "vegas") -> Case:
    stakes = (100,) if table != "classic" else ()
    return Case("blackjack", table, (cards,), ("deal", *moves), press, stakes)


def button(verb: str) -> str:
    return f"button[name=verb][value={verb}]"


def pick(number: int) -> str:
    return f".picks > :nth-child({number})"


DEAL = "#deal button"
ARCADE = "Ah 9c 9d 4s 2h Kd 8c 9h 3s Jd 5c 6d"
ACES = "Ah As 9d 4s 2h Kd 8c Kh 3s Jd 5c 6d"


def joker(cards: str, *moves: str, press: str) -> Case:
    return Case("joker", "arcade", (cards,), ("deal", *moves), press, (10,))


CASES = {
    "poker: a deal": quest(HAND, press=DEAL),
    "poker: a deal that pays": quest("9c 9d Ah 4s 2h", press=DEAL),
    "poker: a deal that pays with all five": quest("9c 9d 9h 4s 4h", press=DEAL),
    "poker: a draw that pays": quest(f"{HAND} 3d Ks 9h", "hold 2 3", press=DRAW),
    "poker: a draw for nothing": quest("Ah 9c 8d 4s 2h Kd Qc 7s 6h 3d", "hold", press=DRAW),
    "poker: a card that decides": quest("Ah Kh Qh Jh 2c Th", "hold 1 2 3 4", press=DRAW),
    "poker: all five kept": quest(HAND, "hold 1 2 3 4 5", press=DRAW),
    "double-up: its cards": quest(HAND, "hold 1 2 3 4 5", "double", press=button("double")),
    "double-up: won": quest(HAND, "hold 1 2 3 4 5", "double", "pick 1", press=pick(1)),
    "double-up: equal": quest(HAND, "hold 1 2 3 4 5", "double", "pick 2", press=pick(2)),
    "double-up: lost": quest(HAND, "hold 1 2 3 4 5", "double", "pick 3", press=pick(3)),
    "joker: a deal that pays": joker(ACES, press=DEAL),
    "joker: the first exchange": joker(ARCADE, "hold 2 3", press=DRAW),
    "joker: the second exchange": joker(ARCADE, "hold 2 3", "hold 2 3", press=DRAW),
    "joker: an exchange that pays": joker(ACES, "hold 1 2 3", press=DRAW),
    "joker: an exchange that pays with more": joker(ACES, "hold 1 2", press=DRAW),
    "joker: an exchange that pays with others": joker("Ah 9c 7d 4s 2h Kd 8c Kh 3s", "mark 1", "hold 1", press=DRAW),
    "blackjack: a deal": blackjack("Th 9d 6s Kc", press=DEAL),
    "blackjack: a natural": blackjack("Ah 9d Ks Kc", press=DEAL),
    "blackjack: the dealer's natural": blackjack("Th Td 6s Ac", press=DEAL),
    "blackjack: a hit": blackjack("Th 9d 2s Kc 3d", "hit", press=button("hit")),
    "blackjack: a hit to 21": blackjack("Th 9d 6s Kc 5h", "hit", press=button("hit")),
    "blackjack: bust": blackjack("Th 9d 6s Kc Qd", "hit", press=button("hit")),
    "blackjack: the dealer draws": blackjack("Th 6d 9s 2c 3h 4d 5s", "stand", press=button("stand")),
    "blackjack: a split": blackjack("8h 6d 8s Tc 3h", "split", press=button("split")),
    "blackjack: a hand of two is bust": blackjack(
        "8h 6d 8s Tc 3h 5d Kh 7c", "split", "hit", "hit", press=button("hit")
    ),
    "classic: a hit": blackjack("Th 9d 2s Kc 3d", "hit", press=button("hit"), table="classic"),
    "classic: the dealer draws": blackjack("Th 6d 9s Kc Qd", "stand", press=button("stand"), table="classic"),
    "replay: the draw": Case(
        "poker", "quest", (f"{HAND} 9h 3d Ks", ROUND), ("deal", "hold 2 3", "collect"), NEXT, step=0
    ),
    "replay: a round won": Case(
        "poker",
        "quest",
        (HAND, *(ROUND,) * 10),
        ("deal", "hold 1 2 3 4 5", "double", "pick 1", "collect"),
        NEXT,
        step=2,
    ),
    "replay: an equal round": Case(
        "poker",
        "quest",
        (HAND, *(ROUND,) * 10),
        ("deal", "hold 1 2 3 4 5", "double", "pick 2", "pick 1", "collect"),
        NEXT,
        step=2,
    ),
    "replay: the dealer draws": Case(
        "blackjack", "vegas", ("Th 6d 9s 2c 3h 4d 5s",), ("deal", "stand"), NEXT, (100,), step=0
    ),
}
