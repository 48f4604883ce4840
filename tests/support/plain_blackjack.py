"""A second implementation of blackjack, written straight from the rules to be compared with the engine.

It shares no code with the engine. Cards are strings ("Ah"), rules are a dict, and the player is a function that
receives the legal actions and returns one. When the shoe runs out, all undecided hands stand.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Ask = Callable[[set[str]], str]


class RoundResult(NamedTuple):
    payouts: tuple[int, ...]
    staked: tuple[int, ...]
    dealt: int
    dealer: tuple[str, ...]


class ShoeEmpty(Exception):
    pass


def points(card: str) -> int:
    return {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def count(cards: Sequence[str]) -> int:
    """Return the total: aces count 11, and one after another is changed to 1 while the total is over 21."""
    whole = sum(map(points, cards))
    for card in cards:
        if card[0] == "A" and whole > 21:
            whole -= 10
    return whole


def counts_an_ace_as_eleven(cards: Sequence[str]) -> bool:
    return count(cards) != sum(1 if card[0] == "A" else points(card) for card in cards)


def play(rules: dict[str, Any], bets: Sequence[int], shoe: Sequence[str], limit: int, ask: Ask) -> RoundResult:
    """Play a round. ``limit`` is the number of cards the round may take before the shoe counts as empty."""
    pile = list(shoe[:limit])
    whole = len(pile)

    def card() -> str:
        if not pile:
            raise ShoeEmpty
        return pile.pop(0)

    firsts = [card() for _ in bets]
    up = card()
    boxes = [
        {"bet": bet, "insurance": 0, "hands": [{"cards": [first, card()], "bet": bet, "split": False, "fate": ""}]}
        for bet, first in zip(bets, firsts, strict=True)
    ]
    dealer = [up] + ([card()] if rules["hole_card"] == "peek" else [])

    def blackjack(cards: list[str]) -> bool:
        return bool(rules["naturals"]) and len(cards) == 2 and count(cards) == 21

    # insurance, box by box: with an ace up, for half the bet
    for box in boxes:
        asked = rules["insurance"] and up[0] == "A" and box["bet"] // 2 >= 1 and rules["naturals"]
        if asked and ask({"insure", "decline"}) == "insure":
            box["insurance"] = box["bet"] // 2

    # the peek ends the round before anyone acts
    if not (rules["hole_card"] == "peek" and blackjack(dealer)):
        try:
            for box in boxes:
                play_box(rules, box, card, pile, ask, blackjack)
        except ShoeEmpty:
            pass

    hands = [hand for box in boxes for hand in box["hands"]]
    for hand in hands:
        hand["natural"] = not hand["split"] and blackjack(hand["cards"])
        hand["bust"] = count(hand["cards"]) > 21
    playing = [h for h in hands if not h["bust"] and not h["natural"] and h["fate"] != "surrender"]

    # the dealer
    try:
        if len(dealer) == 1:
            natural_waits = any(hand["natural"] for hand in hands) and points(up) >= 10
            if playing or natural_waits or any(box["insurance"] for box in boxes):
                dealer.append(card())
        while playing and must_draw(rules, dealer):
            dealer.append(card())
    except ShoeEmpty:
        pass

    payouts, staked = [], []
    for box in boxes:
        bet_now = sum(hand["bet"] for hand in box["hands"])
        staked.append(bet_now + box["insurance"])
        won = 0
        lost_to_blackjack = []
        for hand in box["hands"]:
            bet = hand["bet"]
            if hand["bust"]:
                won += 0
            elif hand["fate"] == "surrender":
                won += bet // 2
            elif blackjack(dealer) and hand["natural"]:
                won += bet
            elif blackjack(dealer):
                lost_to_blackjack.append(bet)
            elif hand["natural"]:
                more, each = {"3:2": (3, 2), "6:5": (6, 5), "1:1": (1, 1)}[rules["blackjack_pays"]]
                won += bet + int(bet * more / each)
            elif count(dealer) > 21 or count(hand["cards"]) > count(dealer):
                won += bet + bet
            elif count(hand["cards"]) == count(dealer):
                won += bet
        if lost_to_blackjack and rules["hole_card"] == "no_peek" and rules["lose"] == "original":
            busted = sum(hand["bet"] for hand in box["hands"] if hand["bust"])
            won += sum(lost_to_blackjack) - max(box["bet"] - busted, 0)
        if box["insurance"] and blackjack(dealer):
            won += box["insurance"] + 2 * box["insurance"]
        payouts.append(won)
    return RoundResult(tuple(payouts), tuple(staked), whole - len(pile), tuple(dealer))


def must_draw(rules: dict[str, Any], dealer: list[str]) -> bool:
    if count(dealer) == 17 and counts_an_ace_as_eleven(dealer):
        return bool(rules["soft_17"] == "hit")
    return count(dealer) <= 16


def play_box(rules: dict[str, Any], box: Any, card: Any, pile: list[str], ask: Ask, blackjack: Any) -> None:
    """Play the hands of a box in order; the second hand of a split follows the first."""
    hands = box["hands"]
    at = 0
    while at < len(hands):
        play_hand(rules, hands, at, card, pile, ask, blackjack)
        at += 1


def play_hand(rules: dict[str, Any], hands: Any, at: int, card: Any, pile: list[str], ask: Ask, blackjack: Any) -> None:
    hand = hands[at]
    if len(hand["cards"]) == 1:
        hand["cards"].append(card())
    while True:
        cards = hand["cards"]
        split_ace = hand["split"] and cards[0][0] == "A"
        if not hand["split"] and blackjack(cards):
            return
        if count(cards) > 21 or (count(cards) == 21 and rules["auto_stand_21"]):
            return
        one_card_only = split_ace and not rules["hit_split_aces"]
        two = len(cards) == 2
        may = {"stand"}
        if not one_card_only:
            may.add("hit")
        doubled = {"any": range(22), "9-11": (9, 10, 11), "10-11": (10, 11), "none": ()}[rules["double_on"]]
        may_double = two and not one_card_only and (rules["double_after_split"] or not hand["split"])
        if may_double and count(cards) in doubled:
            may.add("double")
        alike = {"none": False}
        if two:
            alike["value"] = points(cards[0]) == points(cards[1])
            alike["rank"] = cards[0][0] == cards[1][0]
        same = alike.get(rules["split_by"], False)
        may_split = same and len(hands) < rules["max_hands"] and (rules["resplit_aces"] or not split_ace)
        if one_card_only and not may_split:
            return
        if may_split and len(pile) >= 2:
            may.add("split")
        if two and not hand["split"] and rules["surrender"] == "late":
            may.add("surrender")
        if not pile:
            raise ShoeEmpty
        said = ask(may)
        if said == "stand":
            return
        if said == "surrender":
            hand["fate"] = "surrender"
            return
        if said == "hit":
            cards.append(card())
        elif said == "double":
            hand["bet"] *= 2
            cards.append(card())
            return
        elif said == "split":
            other = {"cards": [cards.pop()], "bet": hand["bet"], "split": True, "fate": ""}
            hand["split"] = True
            hands.insert(at + 1, other)
            cards.append(card())
            if other["cards"][0][0] == "A":
                other["cards"].append(card())
