"""Answers about a finished hand or round, the same for everybody who has the link, and about its review."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import starmap
from typing import Annotated, Any, Literal

from webapp.engine.action import Action
from webapp.engine.cards import Card
from webapp.engine.label import Label
from webapp.services.records.finished import Finished, FinishedSeat, Proof
from webapp.web.api.game_types import AnyRules
from webapp.web.api.serialize import ABSENT, Absent, answer_from


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewOptionAnswer:
    """A legal action and its value."""

    action: Annotated[str, "The action: `hold-1-3`."]
    value: Annotated[float, "Mean gain in chips, assuming optimal play afterwards; in points if nothing is staked."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewDecisionAnswer:
    """A decision of a finished hand."""

    step: Annotated[int, "Number of actions before it, as in `step` of `/odds/<game>?hand=` and of the page."]
    place: Annotated[int, "Who decided: the place in stakes and payouts; 0 for a hand."]
    seat: int = field(metadata={"deprecated": "the `place`; a seat of a table has another number."})
    action: Annotated[str, "The chosen action."]
    value: Annotated[float, "Its value."]
    best: Annotated[str, "The best action; the chosen one if none was better."]
    best_value: Annotated[float, "Its value."]
    cost: Annotated[float, "The difference; never negative."]
    grade: Annotated[
        str | None,
        "`best`, `fine`, `slip`, `mistake` or `blunder`; null for a fair bet, where no action is better than another.",
    ]
    options: Annotated[tuple[ReviewOptionAnswer, ...], "All legal actions, best first."]
    lines: Annotated[int | Absent, "Only where several hands were drawn from it: how many."] = ABSENT
    variance: Annotated[
        float | Absent, "The variance of what they bring together, in square chips: that of one hand times `lines`."
    ] = ABSENT

    @classmethod
    def of(cls, decision: Mapping[str, Any]) -> "ReviewDecisionAnswer":
        """Return the answer about a decision of a stored review."""
        return cls(
            step=decision["step"],
            place=decision["seat"],
            seat=decision["seat"],
            action=decision["action"],
            value=decision["value"],
            best=decision["best"],
            best_value=decision["best_value"],
            cost=decision["cost"],
            grade=decision["grade"],
            options=tuple(
                ReviewOptionAnswer(action=option["action"], value=option["value"]) for option in decision["options"]
            ),
            lines=decision.get("lines", ABSENT),
            variance=decision.get("variance", ABSENT),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewSeatAnswer:
    """Ledger of a seat of a round: `start` + `luck` - `cost` = `payout`."""

    place: Annotated[int, "Place in stakes and payouts."]
    seat: int = field(metadata={"deprecated": "the `place`; a seat of a table has another number."})
    start: Annotated[float, "Value of the place before the deal."]
    luck: Annotated[float, "Contribution of the cards and of others' decisions."]
    cost: Annotated[float, "Cost of its decisions."]
    payout: Annotated[float, "Chips won or lost."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewAnswer:
    """The review of a hand: values of all decisions, and its ledger: `start` + `luck` - `cost` = `payout`."""

    decisions: Annotated[tuple[ReviewDecisionAnswer, ...], "The decisions in order, without forced actions."]
    start: Annotated[float, "Value of the hand before the deal, in chips or points; for a round, of all seats."]
    luck: Annotated[float, "Contribution of the cards."]
    cost: Annotated[float, "Cost of the decisions."]
    payout: Annotated[float, "Payout minus everything staked; the score if nothing is staked."]
    exact: Annotated[bool, "Whether all values are exact."]
    method: Annotated[str, "Names of the methods of computation."]
    seats: Annotated[tuple[ReviewSeatAnswer, ...] | Absent, "Only for rounds: the ledger of each seat."] = ABSENT

    @classmethod
    def of(cls, review: Mapping[str, Any]) -> "ReviewAnswer":
        """Return the answer about a stored review."""
        seats = tuple(
            ReviewSeatAnswer(
                place=seat["seat"],
                seat=seat["seat"],
                start=seat["start"],
                luck=seat["luck"],
                cost=seat["cost"],
                payout=seat["payout"],
            )
            for seat in review["seats"]
        )
        return cls(
            decisions=tuple(ReviewDecisionAnswer.of(decision) for decision in review["decisions"]),
            start=review["start"],
            luck=review["luck"],
            cost=review["cost"],
            payout=review["payout"],
            exact=review["exact"],
            method=review["method"],
            seats=seats if len(seats) > 1 else ABSENT,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewPendingAnswer:
    """The review is being computed: repeat the request in a second."""

    hand: Annotated[str, "Key of the hand or round."]
    pending: Annotated[bool, "True."]
    message: Annotated[str, "A sentence that says so."]


@dataclass(frozen=True, slots=True)
class PackAnswer:
    """Content of a pack before it is shuffled."""

    decks: Annotated[int, "Decks of 52 cards."]
    jokers: Annotated[int, "Jokers."]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofAnswer:
    """Everything needed to deal the cards again."""

    scheme: Annotated[str, "Name of the scheme: `tf1`."]
    id: Annotated[str, "Key of the hand, of its shoe, or of the round."]
    commitment: Annotated[str, "SHA-256 of the seed and the id, in hex, which was shown before the cut."]
    seed: Annotated[str, "The seed, in hex."]
    cuts: Annotated[tuple[str, ...], "Cuts, seat by seat; `-` for a seat that gave none."]
    packs: Annotated[tuple[PackAnswer, ...], "Content of each pack."]
    offset: Annotated[int, "Number of cards of the shoe dealt before this hand."]

    @classmethod
    def of(cls, proof: Proof) -> "ProofAnswer":
        """Return the answer that describes a proof."""
        return answer_from(cls, proof, packs=tuple(PackAnswer(pack.decks, pack.jokers) for pack in proof.packs))


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishedSeatAnswer:
    """A seat of a finished round, in the order of stakes, payouts and cuts."""

    seat: Annotated[int, "Number of the seat at its table, from 0."]
    place: Annotated[int, "Place among the seats that played, from 0, as after the `@` of a move."]
    name: Annotated[str, "Name of the player; empty if there is none."]
    bot: Annotated[bool, "Played by the house bot."]
    banker: Annotated[bool, "Whether it was the banker's."]
    auto_bet: Annotated[bool, "The bet was placed automatically."]
    payout: Annotated[int, "Chips paid, the stake included."]
    net: Annotated[int, "Chips won or lost."]

    @classmethod
    def of(cls, place: int, seat: FinishedSeat) -> "FinishedSeatAnswer":
        """Return the answer that describes a seat of a round."""
        return answer_from(cls, seat, seat=seat.number, place=place)


@dataclass(frozen=True, kw_only=True, slots=True)
class BankDrawAnswer:
    """The draw of a table's first banker: the highest card, of equal ranks by suit, `c` `d` `h` `s`."""

    seats: Annotated[tuple[int, ...], "Numbers of the seats that drew."]
    cuts: Annotated[tuple[str, ...], "Their words; `-` for a seat that gave none."]
    cards: Annotated[tuple[Card, ...], "Their cards: the first of pack 1 of the round, with these words as cuts."]
    seat: Annotated[int, "Number of the seat with the highest card."]


@dataclass(frozen=True, kw_only=True, slots=True)
class FinishedAnswer:
    """A finished hand, or a finished round of a shared table."""

    hand: Annotated[str, "Key of the hand or round."]
    game: Annotated[str, "Code of the game."]
    table: Annotated[str, "Name of the table, or own rules in one word."]
    rules: Annotated[AnyRules, "The rules of the table, field by field."]
    seq: Annotated[
        int | None, "Number of the hand among the player's, or of the round at its table; null for hands without chips."
    ]
    status: Annotated[Literal["done", "forfeited", "void"], "How it ended."]
    player: Annotated[str, "Name of the player, or names of those who have one; may be empty."]
    stakes: Annotated[tuple[int, ...], "Bets, one for each box or seat, or each hand from one hold."]
    moves: Annotated[tuple[Action, ...], "Actions in order; in a round each with `@` and the place of its seat."]
    cards: Annotated[tuple[tuple[Card, ...], ...], "The dealt cards of each pack, in order."]
    payouts: Annotated[tuple[int, ...], "Chips or score for each of them, stakes included."]
    staked: Annotated[int, "Total chips staked, including those added during play."]
    unpaid: Annotated[int, "Chips of the payouts that were not paid, as the purse had no room for them."]
    net: Annotated[int | None, "Chips won or lost by a hand; null if nothing is staked, and for rounds."]
    labels: Annotated[tuple[Label, ...], "Its outcome; in a round, `seat` is the number of a seat."]
    helped: Annotated[bool, "A hint was shown before a decision; the hand is excluded from statistics of decisions."]
    review: Annotated[
        ReviewAnswer | None, "Values of all decisions; null while they are being computed, and if there are none."
    ]
    practice: Annotated[bool, "A practice hand: the cards of a finished hand, played without chips."]
    of_: Annotated[str | None, "Only for practice hands: key of the original hand."]
    daily: Annotated[str | None, "Only for daily deals: the day in UTC, `2026-11-22`."]
    round: Annotated[int | None, "Only for daily deals: number of the round, from 1."]
    proof: Annotated[ProofAnswer | None, "Null until the shoe is finished or the day of a daily deal is over."]
    notation: Annotated[str, "The hand in one line of notation."]
    finished_at: Annotated[str, "ISO 8601, in UTC."]
    proof_opens: Annotated[
        Literal["when-the-shoe-is-finished", "when-the-day-is-over"] | Absent, "Only while `proof` is null: until when."
    ] = ABSENT
    commitment: Annotated[str | Absent, "Only while `proof` is null: the commitment."] = ABSENT
    seats: Annotated[tuple[FinishedSeatAnswer, ...] | Absent, "Only for rounds: in the order of the stakes."] = ABSENT
    draw: Annotated[BankDrawAnswer | Absent, "Only for the first round of a table: the draw for the bank."] = ABSENT
    autos: Annotated[
        tuple[str | None, ...] | Absent, "Only for rounds: for each move the policy that made it, or null."
    ] = ABSENT
    reasons: Annotated[
        tuple[str | None, ...] | Absent,
        "Only for rounds: for each move why a policy made it, `late`, `away`, `left`, `bot` or `forced`; or null.",
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
            labels=tuple(label.at_table(finished.numbers) for label in finished.labels),
            review=ReviewAnswer.of(review) if review else None,
            proof=ProofAnswer.of(proof) if proof else None,
            finished_at=finished.finished_at.isoformat(),
            of_=finished.of,
            round=finished.number,
            proof_opens=ABSENT if proof else "when-the-day-is-over" if finished.daily else "when-the-shoe-is-finished",
            commitment=ABSENT if proof else finished.commitment,
            seats=tuple(starmap(FinishedSeatAnswer.of, enumerate(finished.seats))) if is_round else ABSENT,
            draw=answer_from(BankDrawAnswer, finished.draw) if finished.draw else ABSENT,
            autos=tuple(auto and auto.policy for auto in finished.autos) if is_round else ABSENT,
            reasons=tuple(auto and auto.reason for auto in finished.autos) if is_round else ABSENT,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class OEmbedAnswer:
    """How to show a finished hand on a page of another site, by the oEmbed standard."""

    type: Annotated[Literal["rich"], "What it is: HTML."]
    version: Annotated[Literal["1.0"], "Version of the standard."]
    title: Annotated[str, "Title of the hand, as in previews of its link."]
    author_name: Annotated[str | Absent, "Name of the player, or names of those who have one."] = ABSENT
    provider_name: Annotated[str, "Name of the site."]
    provider_url: Annotated[str, "Address of the site."]
    cache_age: Annotated[int, "Seconds for which this answer may be kept."]
    html: Annotated[str, "The HTML to show: a frame."]
    width: Annotated[int, "Its width in pixels, at most `maxwidth`."]
    height: Annotated[int, "Its height in pixels, at most `maxheight`."]
    thumbnail_url: Annotated[str | Absent, "Address of the hand's picture, if there is room for it."] = ABSENT
    thumbnail_width: Annotated[int | Absent, "Its width in pixels."] = ABSENT
    thumbnail_height: Annotated[int | Absent, "Its height in pixels."] = ABSENT
