"""Words of Table 21."""

from typing import Final

from webapp.engine.twenty_one.words import MOVES, OUTCOMES
from webapp.engine.words import N_, NP_, Argument, Form, GameWords, Message

_NET: Final = {"chips": Argument("net", Form.UNSIGNED)}

WORDS: Final = GameWords(
    title=N_("Table 21"),
    claim=N_("Two to five people at one table, one of them the bank"),
    variants={"house": N_("House rules")},
    moves=MOVES,
    outcomes=OUTCOMES,
    messages={
        "SEAT_DRAWS_FOR_BANK": N_("For the bank %(who)s draws the %(card)s"),
        "BANK_SHOWS": N_("%(who)s is the bank and shows the %(card)s"),
        "BANK_TURNS": N_("%(who)s turns the %(card)s: %(total)s"),
        "BANK_BLACKJACK": N_("%(who)s has blackjack"),
        "BLACKJACK": N_("Blackjack"),
        "BANK_DREW": N_("%(who)s draws the %(card)s: %(total)s"),
        "BANK_STANDS": N_("%(who)s stands on %(total)s"),
        "SEAT_BET": N_("%(who)s bets %(chips)s"),
        "SEAT_HAS": N_("%(who)s has %(total)s"),
        "SEAT_DREW": N_("%(who)s draws the %(card)s: %(total)s"),
        "SEAT_STANDS": N_("%(who)s stands on %(total)s"),
        "SEAT_DOUBLED": N_("%(who)s doubles and draws the %(card)s: %(total)s"),
        "SEAT_SPLIT": N_("%(who)s splits and draws: %(cards)s"),
        "BANK_WON": Message(N_("%(who)s wins %(chips)s as the bank"), _NET),
        "BANK_EVEN": N_("%(who)s breaks even as the bank"),
        "BANK_LOST": Message(N_("%(who)s loses %(chips)s as the bank"), _NET),
        "SEAT_WON": Message(N_("%(who)s wins %(chips)s"), _NET),
        "SEAT_EVEN": N_("%(who)s breaks even"),
        "SEAT_LOST": Message(N_("%(who)s loses %(chips)s"), _NET),
    },
    messages_to_seat={
        "BANK_SHOWS": N_("You are the bank and show the %(card)s"),
        "BANK_TURNS": N_("You turn the %(card)s: %(total)s"),
        "BANK_BLACKJACK": N_("You have blackjack"),
        "BANK_DREW": N_("You draw the %(card)s: %(total)s"),
        "BANK_STANDS": N_("You stand on %(total)s"),
        "SEAT_HAS": N_("You have %(total)s"),
        "SEAT_DREW": N_("You draw the %(card)s: %(total)s"),
        "SEAT_STANDS": N_("You stand on %(total)s"),
        "SEAT_DOUBLED": N_("You double and draw the %(card)s: %(total)s"),
        "SEAT_SPLIT": N_("You split and draw: %(cards)s"),
        "SEAT_DRAWS_FOR_BANK": N_("For the bank you draw the %(card)s"),
        "SEAT_BET": N_("You bet %(chips)s"),
        "BANK_WON": Message(N_("As the bank you win %(chips)s"), _NET),
        "BANK_EVEN": N_("As the bank you break even"),
        "BANK_LOST": Message(N_("As the bank you lose %(chips)s"), _NET),
        "SEAT_WON": Message(N_("You win %(chips)s"), _NET),
        "SEAT_EVEN": N_("You break even"),
        "SEAT_LOST": Message(N_("You lose %(chips)s"), _NET),
    },
    rules={
        "min_bet": N_("Lowest bet"),
        "max_bet": N_("Highest bet"),
        "bet_clock": N_("Seconds to bet"),
        "turn_clock": N_("Seconds for each action"),
        "bank_rounds": N_("Rounds as the bank, in a row"),
        "absent_after": N_("Seconds of silence before a seat is away"),
        "on_absent": N_("When somebody stays away"),
    },
    choices={
        ("on_absent", "free"): NP_("rule", "the seat is free again"),
        ("on_absent", "close"): NP_("rule", "the table closes"),
    },
)
