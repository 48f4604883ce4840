"""Words of blackjack."""

from typing import Final

from webapp.engine.twenty_one.words import MOVES, OUTCOMES
from webapp.engine.words import N_, NP_, Argument, Form, GameWords, Message

_NET: Final = {"chips": Argument("net", Form.UNSIGNED)}
_BOTH: Final = {"hit": Argument("hit", Form.SIGNED), "stand": Argument("stand", Form.SIGNED)}

WORDS: Final = GameWords(
    title=NP_("game", "Blackjack"),
    claim=N_("Closer to 21 than the dealer"),
    variants={
        "vegas": N_("Las Vegas, six decks"),
        "downtown": N_("Downtown, two decks"),
        "european": N_("European, no hole card"),
        "single": N_("Single deck, 6:5"),
        "classic": N_("Classic, for beginners"),
    },
    moves={
        **MOVES,
        "surrender": NP_("move", "surrender"),
        "insure": NP_("move", "insured"),
        "decline": NP_("move", "no insurance"),
    },
    outcomes={**OUTCOMES, "SURRENDER": N_("Surrendered")},
    messages={
        "DREW": N_("Drawn: %(cards)s"),
        "DEALER_SHOWS": N_("The dealer shows the %(card)s"),
        "DEALER_HAS": N_("The dealer has %(total)s"),
        "YOU_HAVE": N_("You have %(total)s"),
        "BLACKJACK": N_("Blackjack"),
        "WIN": N_("You win"),
        "DEALER_BUST": N_("The dealer is bust, you win"),
        "PUSH": N_("A push: nobody wins"),
        "LOSE": N_("The dealer wins"),
        "BUST": N_("Bust, the dealer wins"),
        "SURRENDER": N_("Surrendered, half the bet is back"),
        "DEALER_BLACKJACK": N_("The dealer has blackjack"),
        "NO_DEALER_BLACKJACK": N_("The dealer has no blackjack"),
        "SHOE_EMPTY": N_("No more cards for this round: all hands stand"),
        "INSURANCE_WON": Message(N_("The insurance pays %(chips)s"), _NET),
        "INSURANCE_LOST": N_("The insurance is lost"),
        "ROUND_WON": Message(N_("You win %(chips)s"), _NET),
        "ROUND_EVEN": N_("You break even"),
        "ROUND_LOST": Message(N_("You lose %(chips)s"), _NET),
        "HAND_COUNTS": N_("Hand: %(total)s"),
        "HAND_BLACKJACK": N_("Hand: blackjack"),
        "DEALER_COUNTS": N_("Dealer: %(total)s"),
        "WHY_RISK": N_(
            "Standing on %(total)s wins %(win)s of 100 hands and loses %(lose)s. "
            "%(bust)s of the %(unseen)s unseen cards would bust it"
        ),
        "WHY_NO_RISK": N_("Standing on %(total)s wins %(win)s of 100 hands and loses %(lose)s. No card can bust it"),
        "WHY_HIT_RISK": Message(
            N_(
                "In 100 hands hitting brings %(hit)s on average, and standing on %(total)s "
                "brings %(stand)s. %(bust)s of the %(unseen)s unseen cards would bust it"
            ),
            _BOTH,
        ),
        "WHY_HIT": Message(
            N_(
                "In 100 hands hitting brings %(hit)s on average, and standing on %(total)s "
                "brings %(stand)s. No card can bust it"
            ),
            _BOTH,
        ),
        "WHY_DOUBLE": N_(
            "%(strong)s of the %(unseen)s unseen cards make it 18 to 21. The dealer goes bust in %(bust)s of 100 hands"
        ),
        "WHY_SPLIT": N_(
            "Together they are %(total)s: standing wins %(win)s of 100 hands and loses %(lose)s. "
            "Split, each hand begins with %(each)s"
        ),
        "WHY_SURRENDER": N_(
            "Even the best way to play on loses %(lost)s %% of the bet on average. Surrender loses half of it"
        ),
        "WHY_TENS": N_(
            "%(tens)s of the %(unseen)s unseen cards are tens. Insurance pays 2 to 1: it is worth its price if more "
            "than a third of them are"
        ),
        "DEALER_COUNTS_BLACKJACK": N_("Dealer: blackjack"),
    },
    messages_to_others={
        "YOU_HAVE": N_("The player has %(total)s"),
        "WIN": N_("The player wins"),
        "DEALER_BUST": N_("The dealer is bust, the player wins"),
        "PUSH": N_("Push"),
        "ROUND_WON": N_("Round won"),
        "ROUND_EVEN": N_("Round even"),
        "ROUND_LOST": N_("Round lost"),
    },
    rules={
        "decks": N_("Decks"),
        "penetration": N_("Shuffled"),
        "shuffle": N_("Shuffler"),
        "soft_17": N_("Dealer’s soft 17"),
        "hole_card": N_("Hole card"),
        "lose": N_("Without a peek, a dealer’s blackjack takes"),
        "blackjack_pays": N_("Blackjack pays"),
        "double_on": N_("Double on"),
        "double_after_split": N_("Double after a split"),
        "split_by": N_("Split"),
        "max_hands": N_("Hands on a box, at most"),
        "resplit_aces": N_("Split aces again"),
        "hit_split_aces": N_("Hit split aces"),
        "surrender": N_("Surrender"),
        "insurance": N_("Insurance"),
        "auto_stand_21": N_("21 stands by itself"),
        "deal": N_("Your first cards"),
    },
    choices={
        ("shuffle", "cut_card"): NP_("rule", "none, a cut card"),
        ("shuffle", "continuous"): NP_("rule", "a machine, after each round"),
        ("soft_17", "stand"): NP_("rule", "stands"),
        ("soft_17", "hit"): NP_("rule", "draws"),
        ("hole_card", "peek"): NP_("rule", "dealer checks first"),
        ("hole_card", "no_peek"): NP_("rule", "drawn last (European)"),
        ("lose", "original"): NP_("rule", "the first bet only"),
        ("lose", "all"): NP_("rule", "all bets"),
        ("double_on", "any"): NP_("rule", "any two cards"),
        ("double_on", "none"): NP_("rule", "never"),
        ("split_by", "value"): NP_("rule", "cards of equal value"),
        ("split_by", "rank"): NP_("rule", "cards of equal rank"),
        ("split_by", "none"): NP_("rule", "never"),
        ("surrender", "none"): NP_("rule", "no"),
        ("surrender", "late"): NP_("rule", "as the first move"),
        ("deal", "face_up"): NP_("rule", "face up"),
        ("deal", "pitch"): NP_("rule", "face down, you turn them"),
    },
    shares={"penetration": N_("after %(percent)s %% of the cards")},
)
