"""Answer about a finished hand or round: the same for everybody who has the link."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from webapp.engine.action import Action
from webapp.engine.cards import Card
from webapp.engine.label import Label
from webapp.services.records.finished import Finished, FinishedSeat, Proof
from webapp.web.api.answers.review import ReviewAnswer
from webapp.web.api.game_types import AnyRules
from webapp.web.api.serialize import ABSENT, Absent, answer_from


@dataclass(frozen=True, slots=True)
class PackAnswer:
    """Contents of a pack before it is shuffled."""

    decks: Annotated[int, "Decks of 52 cards."]
    jokers: Annotated[int, "Jokers."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofAnswer:
    """All that is needed to deal the cards again."""

    scheme: Annotated[str, "Name of the way cards are shuffled: `tf1`."]
    id: Annotated[str, "Key of the hand, of its shoe, or of the round."]
    commitment: Annotated[str, "SHA-256 of the seed and the id, in hex, which was shown before the cut."]
    seed: Annotated[str, "The seed, in hex."]
    cuts: Annotated[tuple[str, ...], "Cuts, seat by seat; `-` for a seat that gave none."]
    packs: Annotated[tuple[PackAnswer, ...], "What each pack was made of."]
    offset: Annotated[int, "Cards of the shoe that were dealt before this hand."]

    @classmethod
    def of(cls, proof: Proof) -> "ProofAnswer":
        """Return the answer that describes a proof."""
        return answer_from(cls, proof, packs=tuple(PackAnswer(pack.decks, pack.jokers) for pack in proof.packs))


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishedSeatAnswer:
    """A seat of a finished round, in the order of stakes, payouts and cuts."""

    seat: Annotated[int, "Number of the seat at its table, from 0."]
    name: Annotated[str, "Name of the player; empty if there is none."]
    bot: Annotated[bool, "Played by the bot of the house."]
    banker: Annotated[bool, "Was the banker."]
    auto_bet: Annotated[bool, "The bet was placed for a player who did not."]
    payout: Annotated[int, "Chips paid, the stake included."]
    net: Annotated[int, "Chips won or lost."]

    @classmethod
    def of(cls, seat: FinishedSeat) -> "FinishedSeatAnswer":
        """Return the answer that describes a seat of a round."""
        return answer_from(cls, seat, seat=seat.number, banker=seat.banker)


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishedAnswer:
    """A hand, or a round of a shared table, with nothing left to hide."""

    hand: Annotated[str, "Key of the hand or round."]
    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or its own rules in one word."]
    rules: Annotated[AnyRules, "The rules of the table, written out."]
    seq: Annotated[
        int | None, "Number of the hand among the player's, or of the round at its table; null for one without chips."
    ]
    status: Annotated[Literal["done", "forfeited", "void"], "How it ended."]
    player: Annotated[str, "Name of the player, or of those who have one; empty if nobody has."]
    stakes: Annotated[tuple[int, ...], "Bets, one a box or seat."]
    moves: Annotated[tuple[Action, ...], "Actions in their order; of several players each with `@` and its place."]
    cards: Annotated[tuple[tuple[Card, ...], ...], "Pack by pack, the cards that were dealt, in their order."]
    payouts: Annotated[tuple[int, ...], "Chips or score, one a box or seat, stakes included."]
    staked: Annotated[int, "Chips put in, in all: the stakes, and what was added to them."]
    net: Annotated[int | None, "Change in chips of a hand; null where nothing is staked, and of a round."]
    labels: Annotated[tuple[Label, ...], "How it came out."]
    helped: Annotated[bool, "A hint was shown before a decision: the hand does not count in figures of decisions."]
    review: Annotated[
        ReviewAnswer | None, "What every decision was worth; null while it is worked out, and where there is none."
    ]
    practice: Annotated[bool, "Played again from the cards of a finished hand, without chips."]
    of_: Annotated[str | None, "Of a practice hand: key of the hand whose cards these are."]
    daily: Annotated[str | None, "Of a daily deal: its day in UTC, `2026-11-22`."]
    round: Annotated[int | None, "Of a daily deal: number of the round, from 1."]
    proof: Annotated[ProofAnswer | None, "Null while the shoe, or the day of a daily deal, is in use."]
    notation: Annotated[str, "The hand in one line."]
    finished_at: Annotated[str, "ISO 8601, in UTC."]
    proof_opens: Annotated[
        Literal["when-the-shoe-is-finished", "when-the-day-is-over"] | Absent, "Only while `proof` is null."
    ] = ABSENT
    commitment: Annotated[str | Absent, "Only while `proof` is null: what it will open."] = ABSENT
    seats: Annotated[tuple[FinishedSeatAnswer, ...] | Absent, "Only of a round, in the order of the stakes."] = ABSENT
    autos: Annotated[
        tuple[str | None, ...] | Absent, "Only of a round, for each move: the policy that made it, or null."
    ] = ABSENT
    reasons: Annotated[
        tuple[str | None, ...] | Absent,
        "Only of a round, for each move: why a policy made it, `late`, `away`, `left`, `bot` or `forced`; or null.",
    ] = ABSENT

    @classmethod
    def of(cls, finished: Finished, review: Mapping[str, Any] | None = None) -> "FinishedAnswer":
        """Return the answer that describes a finished hand, with its review if that is there."""
        proof, is_round = finished.proof, bool(finished.seats)
        return answer_from(
            cls,
            finished,
            hand=finished.key,
            game=finished.game.spec.code,
            stakes=finished.setup.stakes,
            review=ReviewAnswer.of(review) if review else None,
            proof=ProofAnswer.of(proof) if proof else None,
            finished_at=finished.finished_at.isoformat(),
            of_=finished.of,
            round=finished.number,
            proof_opens=ABSENT if proof else "when-the-day-is-over" if finished.daily else "when-the-shoe-is-finished",
            commitment=ABSENT if proof else finished.commitment,
            seats=tuple(FinishedSeatAnswer.of(seat) for seat in finished.seats) if is_round else ABSENT,
            autos=tuple(auto and auto.policy for auto in finished.autos) if is_round else ABSENT,
            reasons=tuple(auto and auto.reason for auto in finished.autos) if is_round else ABSENT,
        )
