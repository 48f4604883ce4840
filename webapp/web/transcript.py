"""A finished hand as text: the line of notation, then the hand to read."""

from flask_babel import gettext as _

from webapp.engine.cards import format_cards
from webapp.services.finished import Finished
from webapp.web.labels import say_at
from webapp.web.naming import names_of
from webapp.web.vocabulary import game_name, number, table_name


def write(hand: Finished) -> str:
    """Ends with a line end. The first line is what ``tefuda hand verify`` reads."""
    names = names_of(hand)
    lines = [
        hand.notation,
        "",
        f"{game_name(hand.game.spec.code)}, {table_name(hand.table)}",
        *(f"{step.index}. {say_at(label, names)}" for step in hand.steps for label in step.view.said),
        *(say_at(label, names) for label in hand.labels),
        *(() if hand.seats else (_("Payout: %(chips)s", chips=number(hand.score)),)),
        "",
        *_proof(hand),
        *(f"pack {pack} {format_cards(row)}" for pack, row in enumerate(hand.cards)),
    ]
    return "\n".join(lines) + "\n"


def _proof(hand: Finished) -> tuple[str, ...]:
    proof = hand.proof
    if proof is None:
        return (f"commitment {hand.commitment}", _("The proof opens when the shoe is finished."))
    return (
        f"{proof.scheme} id {proof.id}, offset {proof.offset}",
        f"commitment {proof.commitment}",
        f"seed {proof.seed}",
        f"cuts {' '.join(proof.cuts)}",
    )
