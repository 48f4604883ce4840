"""A finished hand as text: notation, sentences, and the script that deals its pack again.

The script needs nothing of this package: the page /fair prints it, the tests run it. Saved as ``tf1.py`` it deals any
pack again, given the commitment and the facts of the pack; the hand's page has the whole command.
"""

from collections.abc import Iterator, Mapping
from math import sqrt
from typing import Any, Final

from webapp.engine.bank_draw import PACK, BankDraw
from webapp.engine.cards import format_cards
from webapp.engine.game import Pack
from webapp.engine.odds.value import Grade
from webapp.services.records.finished import Finished, Proof, ReplayStep
from webapp.web.i18n.display_names import auto_name, names_of
from webapp.web.i18n.messages import say_of
from webapp.web.i18n.review_words import cost, grade_name, ledger_sentence, spread_sentence
from webapp.web.i18n.translations import gettext as _
from webapp.web.i18n.translations import pgettext
from webapp.web.i18n.unit_words import unit_of_hand
from webapp.web.i18n.vocabulary import cards_name, game_name, number, signed, table_name

SCRIPT: Final = """\
# python3 tf1.py COMMITMENT SEED ID PACK DECKS JOKERS OFFSET CUT...
import hashlib, hmac, itertools, sys

def commitment(seed, id):
    return hashlib.sha256(b"tf1:commit:" + id.encode() + b":" + seed).hexdigest()

def shuffled(seed, id, pack, decks, jokers, cuts):
    message = "|".join(["tf1", id, str(pack), str(decks), str(jokers), *cuts])
    blocks = (hmac.digest(seed, f"{message}|{i}".encode(), "sha256") for i in itertools.count())
    words = (block[i] * 256 + block[i + 1] for block in blocks for i in range(0, 32, 2))
    cards = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"] * decks + ["Jk"] * jokers
    for last in range(len(cards) - 1, 0, -1):
        m = last + 1
        j = next(word for word in words if word < 65536 - 65536 % m) % m
        cards[last], cards[j] = cards[j], cards[last]
    return cards

if __name__ == "__main__":
    promised, seed, id, pack, decks, jokers, offset, *cuts = sys.argv[1:]
    seed = bytes.fromhex(seed)
    print("The commitment is", "kept." if commitment(seed, id) == promised else "NOT KEPT.")
    print(*shuffled(seed, id, int(pack), int(decks), int(jokers), cuts)[int(offset):])
"""


def dealing_commands(proof: Proof, draw: BankDraw | None = None) -> tuple[str, ...]:
    """Return the commands that deal each pack of a hand: the printed cards begin with those of the hand.

    The last one deals the cards that were drawn for the bank, if there was a draw.
    """
    packs = [
        _command(proof, number, pack, 0 if number else proof.offset, proof.cuts)
        for number, pack in enumerate(proof.packs)
    ]
    return (*packs, _command(proof, PACK, Pack(), 0, draw.cuts)) if draw else tuple(packs)


def _command(proof: Proof, number: int, pack: Pack, offset: int, cuts: tuple[str, ...]) -> str:
    facts = (proof.commitment, proof.seed, proof.id, number, pack.decks, pack.jokers, offset, *cuts)
    return " ".join(("python3 tf1.py", *map(str, facts)))


def write(hand: Finished, review: Mapping[str, Any] | None = None) -> str:
    """Return the text of a hand, with its review if that is there. ``tefuda hand verify`` reads its first line."""
    names = names_of(hand)
    lines = [
        hand.notation,
        "",
        pgettext("between cards", ", ").join((game_name(hand.game.spec.code), table_name(hand.table))),
        *((_("Practice, without chips"),) if hand.practice else ()),
        *_draw(hand, names),
        *(line for step in hand.steps for line in _step(hand, step, names)),
        *_lines(hand, names),
        *(say_of(label, names) for label in hand.labels),
        *(_payment(hand) if hand.rules.pays and not hand.seats else ()),
        *((_("played with help"),) if hand.helped else ()),
        *(_review(review, names, unit_of_hand(hand)) if review else ()),
        "",
        *_proof(hand),
        *(f"pack {pack} {format_cards(row)}" for pack, row in enumerate(hand.cards)),
    ]
    return "\n".join(lines) + "\n"


def _draw(hand: Finished, names: Mapping[int, str]) -> Iterator[str]:
    """Yield who has drawn which card for the bank, before the first round of a table."""
    at_table = {number: names[place] for place, number in enumerate(hand.numbers)}
    for label in hand.draw.labels if hand.draw else ():
        yield say_of(label, at_table)


def _payment(hand: Finished) -> Iterator[str]:
    """Yield what was paid, or went back; and what was won or lost in all, where there was a bet."""
    if hand.returned:
        yield _("Went back: %(chips)s", chips=number(hand.returned))
    else:
        yield _("Payout: %(chips)s", chips=number(hand.score))
    if hand.unpaid:
        yield _("The purse is full: %(chips)s not paid.", chips=number(hand.unpaid))
    if hand.net is not None:
        yield _("%(said)s: %(net)s", said=_("Won or lost"), net=signed(hand.net))


def _step(hand: Finished, step: ReplayStep, names: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines of a step: the action, what followed, and who did it if the player did not."""
    auto = hand.autos[step.index - 1] if step.index and hand.autos else None
    for place, label in enumerate(step.view.said):
        by = f" · {auto_name(auto)}" if auto and not place else ""
        yield f"{step.index}. {say_of(label, names)}{by}"


def _lines(hand: Finished, names: Mapping[int, str]) -> Iterator[str]:
    """Yield each of several hands that were drawn from one hold: its cards, what they come to, and what it brought."""
    bets, count = hand.rules.bets, len(hand.setup.stakes)
    if hand.status != "done" or count < 2 or bets is None or count not in bets.lines:
        return
    for place, group in enumerate(hand.recap.groups, 1):
        facts = (cards_name(group.cards), say_of(group.label, names) if group.label else "", signed(group.net or 0))
        yield _("%(said)s: %(net)s", said=_("Hand %(n)s of %(all)s", n=place, all=count), net=" · ".join(facts))


def _review(review: Mapping[str, Any], names: Mapping[int, str], unit: str) -> Iterator[str]:
    """Yield a line for each decision, and what it all comes to."""
    is_round = len(review["seats"]) > 1
    yield ""
    for decision in review["decisions"]:
        who = f"{names[decision['seat']]} · " if is_round else ""
        word = grade_name(Grade(decision["grade"])) if decision["grade"] else pgettext("decision", "Fair bet")
        best = "" if not decision["cost"] else f" · {_('Best: %(option)s', option=decision['best'])}"
        yield f"{decision['step'] + 1}. {who}{word} {cost(decision['cost'])} · {decision['action']}{best}"
        if "variance" in decision:
            lines, variance = decision["lines"], decision["variance"]
            yield spread_sentence(lines, sqrt(variance / lines), sqrt(variance), unit)
    for seat in review["seats"]:
        own = sum(decision["seat"] == seat["seat"] for decision in review["decisions"])
        said = ledger_sentence(own, seat["cost"], seat["luck"], unit)
        yield f"{names[seat['seat']]}: {said}" if is_round else said
    yield f"start {review['start']} + luck {review['luck']} - cost {review['cost']} = payout {review['payout']}"


def _proof(hand: Finished) -> tuple[str, ...]:
    proof = hand.proof
    if proof is None:
        return (f"commitment {hand.commitment}", _("The proof opens when the shoe is finished."))
    return (
        f"{proof.scheme} id {proof.id}, offset {proof.offset}",
        f"commitment {proof.commitment}",
        f"seed {proof.seed}",
        f"cuts {' '.join(proof.cuts)}",
        *dealing_commands(proof, hand.draw),
    )
