"""Pairs of states of a table, one for each kind of motion, for the tests of motion."""

from tests.e2e.recording import Case

DRAW = "[data-draw]:not([data-away]), [data-hold-sure]:not([hidden])"
NEXT = "#step-arrowright"
HAND = "Ah 9c 9d 4s 2h"
ROUND = "8h Kd 8s 3c 2d"
"""The open card, and four of which the first wins, the second is equal, and the third loses."""


def quest(cards: str, *moves: str, press: str) -> Case:
    return Case("poker", "quest", (cards, *(ROUND,) * 10), ("deal", *moves), press)


def blackjack(cards: str, *moves: str, press: str, table: str = "vegas", boxes: int = 1) -> Case:
    stakes = (100,) * boxes if table != "classic" else ()
    return Case("blackjack", table, (cards,), ("deal", *moves), press, stakes)


def button(verb: str) -> str:
    return f"button[name=verb][value={verb}]"


def pick(number: int) -> str:
    return f".picks > :nth-child({number})"


DEAL = "#deal button"
ARCADE = "Ah 9c 9d 4s 2h Kd 8c 9h 3s Jd 5c 6d"
ACES = "Ah As 9d 4s 2h Kd 8c Kh 3s Jd 5c 6d"


def joker(cards: str, *moves: str, press: str, table: str = "arcade") -> Case:
    return Case("joker", table, (cards, *(ROUND,) * 10), ("deal", *moves), press, (10,))


def video(cards: str, *moves: str, press: str, table: str = "jacks-9-6") -> Case:
    return Case("video", table, (cards,), ("deal", *moves), press, (10,))


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
    "double-up: the last win there is": quest(HAND, "hold 1 2 3 4 5", *("double", "pick 1") * 10, press=pick(1)),
    "double-up: equal wins": Case(
        "poker", "quest-ties-win", (HAND, *(ROUND,) * 10), ("deal", "hold 1 2 3 4 5", "double", "pick 2"), pick(2)
    ),
    "double-up: collected": quest(HAND, "hold 1 2 3 4 5", "collect", press=button("collect")),
    "poker: a full house": quest("9c 9d 9h 4s 2c 4d", "hold 1 2 3 4", press=DRAW),
    "joker: five of a kind": joker("9c 9d 9h 9s 2c Jk", "hold 1 2 3 4", press=DRAW, table="kings-or-better"),
    "joker: the third exchange": joker(ARCADE, "hold 2 3", "hold 2 3", "hold 2 3", press=DRAW),
    "joker: stopped": joker(ACES, "stop", press=button("stop")),
    "joker: a double-up lost": joker(ACES, "stop", "double", "pick 3", press=pick(3), table="arcade-double"),
    "joker: a deal that pays": joker(ACES, press=DEAL),
    "joker: the first exchange": joker(ARCADE, "hold 2 3", press=DRAW),
    "joker: the second exchange": joker(ARCADE, "hold 2 3", "hold 2 3", press=DRAW),
    "joker: an exchange that pays": joker(ACES, "hold 1 2 3", press=DRAW),
    "joker: an exchange that pays with more": joker(ACES, "hold 1 2", press=DRAW),
    "joker: an exchange that pays with others": joker("Ah 9c 7d 4s 2h Kd 8c Kh 3s", "mark 1", "hold 1", press=DRAW),
    "video: a deal": video("Ah 9c 8d 4s 2h", press=DEAL),
    "video: a draw for nothing": video("Ah 9c 8d 4s 2h Kd Qc 7s 6h 3d", "hold", press=DRAW),
    "video: deuces": video("2c 2d 9h 5h 7s Kd 9c 3s", "hold 1 2 3", press=DRAW, table="deuces-full"),
    "video: five hands": Case(
        "video",
        "jacks-9-6",
        ("Ah 9c 9d 4s 2h Kd Qc 9h", "Ah 2c 9s 3d", "Kc Ks Kh", "7s 7c 4s 7d", "2c 3c 5c"),
        ("deal", "hold 2 3"),
        DRAW,
        (10,) * 5,
    ),
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
    "blackjack: won": blackjack("Th 8d 9s Tc", "stand", press=button("stand")),
    "blackjack: equal": blackjack("Th 9d 9s Tc", "stand", press=button("stand")),
    "blackjack: a double": blackjack("6h 6d 5s Tc Th 9d", "double", press=button("double")),
    "blackjack: a split of aces": blackjack("Ah 6d As Tc 3h 5d", "split", press=button("split")),
    "blackjack: three boxes": blackjack("Th 9c 4d 6d 6s 9s 7h Kc", press=DEAL, boxes=3),
    "blackjack: insurance is offered": blackjack("Th Ad 9s Kc", press=DEAL),
    "blackjack: insurance that pays": blackjack("Th Ad 9s Kc", "insure", press=button("insure")),
    "blackjack: insurance for nothing": blackjack("Th Ad 9s 5c", "insure", press=button("insure")),
    "blackjack: a natural against an ace": blackjack("Ah Ad Ks 9c", "decline", press="#decline button"),
    "blackjack: a surrender": blackjack(
        "Th 9d 6s Kc", "surrender", press=button("surrender"), table="vegas,surrender=late"
    ),
    "blackjack: no hole card": blackjack("Th Ad 9s Kc", "decline", "stand", press=button("stand"), table="european"),
    "blackjack: pitched": blackjack("Th 9d 6s Kc", press=DEAL, table="vegas,deal=pitch"),
    "blackjack: the run is over": Case(
        "blackjack", "vegas", ("Th 9d 6s Kc Qd",), ("deal", "hit"), button("hit"), (1000,)
    ),
    "blackjack: a hit with cards face down": blackjack(
        "Th 9d 2s Kc 3d", "hit", press=button("hit"), table="vegas,deal=pitch"
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
    "replay: a double": Case("blackjack", "vegas", ("6h 6d 5s Tc Th 9d",), ("deal", "double"), NEXT, (100,), step=0),
    "replay: a split": Case(
        "blackjack", "vegas", ("8h 6d 8s Tc 3h 5d 9h 9c",), ("deal", "split", "stand", "stand"), NEXT, (100,), step=0
    ),
    "replay: the second exchange": Case(
        "joker", "arcade", (ARCADE,), ("deal", "hold 2 3", "hold 2 3", "hold 2 3"), NEXT, (10,), step=1
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

EIGHTS = "8h 6d 8s Tc 8d 8c"
BOXES = "8h 9c 4d 6d 8s 9s 7h Kc 8d 8c"

SPLITS = {
    "two": blackjack("8h 6d 8s Tc 3h", "split", press=button("split")),
    "three": blackjack(EIGHTS, *("split",) * 2, press=button("split")),
    "four": blackjack(EIGHTS, *("split",) * 3, press=button("split")),
    "the turn of the second of three": blackjack(EIGHTS, *("split",) * 2, "stand", press=button("stand")),
    "the turn of the second of four": blackjack(EIGHTS, *("split",) * 3, "stand", press=button("stand")),
    "four beside other boxes": blackjack(BOXES, *("split",) * 3, press=button("split"), boxes=3),
    "the turn of the second beside other boxes": blackjack(
        BOXES, *("split",) * 3, "stand", press=button("stand"), boxes=3
    ),
}
"""Hands of one pair of eights: whose turn it is tells nothing of the result, but must move nothing."""
