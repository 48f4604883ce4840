"""A hand in play: deal, act, mark.

The cookie has the sealed seed; the row has the moves, and a copy of the seed. Every action is one short transaction; a
copy of one changes nothing and is answered with the board as it is, so any request may be sent again.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy.orm.exc import StaleDataError

from webapp.engine.action import Action
from webapp.engine.bets import stakes_from
from webapp.engine.game import AnyGame, Result, affordable
from webapp.engine.shuffling import SILENT
from webapp.extensions import db
from webapp.models import DAILY, PLAY, Hand, Shoe
from webapp.services import purses
from webapp.services.core.clock import now_ms
from webapp.services.core.database import writing
from webapp.services.core.errors import Refusal
from webapp.services.core.randomness import new_key
from webapp.services.fairness.sealing import SealedSeeds, hand_seed, is_unreadable, seed_owner, unseal_seed
from webapp.services.records.hand_state import remember_state
from webapp.services.records.lookup import PRACTICE_PREFIX
from webapp.services.records.stored_hand import hand_game, join_numbers, net_of
from webapp.services.solo import move_requests
from webapp.services.solo.board import Board, board_of
from webapp.services.solo.move_requests import Chosen
from webapp.services.solo.prepared import NextHand, is_prepared, number_for, prepare
from webapp.services.solo.reading import board, board_for_hand, owned_hand, shown_hand, state_of
from webapp.services.solo.rows import Owner, draw_from_shoe, update_if_unchanged
from webapp.services.solo.shoes import close_shoe, is_spent
from webapp.services.solo.standing import standing_of
from webapp.services.solo.undealt import first_state, hand_to_deal, leave_void, may_be_cut, require_stakes


def deal(
    player: Owner,
    code: str,
    key: str,
    cut: str | None,
    fields: Sequence[int | None],
    sealed_seeds: SealedSeeds,
    chosen: Chosen | None = None,
) -> Board:
    """Fix cut and stakes together, charge the stakes and deal.

    cut: a word, or None for a silent seat. fields: chips for each place, as in ``stakes_from``.

    Raises:
        Refusal: ``box-lost``: no key opens the deck. Its hand is void now.
    """
    with writing():
        dealt = _dealt(player, code, key, cut, fields, sealed_seeds, chosen)
    if dealt is None:
        raise Refusal("box-lost", key)
    return dealt


def _dealt(
    player: Owner,
    code: str,
    key: str,
    cut: str | None,
    fields: Sequence[int | None],
    sealed_seeds: SealedSeeds,
    chosen: Chosen | None,
) -> Board | None:
    now = now_ms()
    hand = hand_to_deal(player, code, key, sealed_seeds, now)
    game = hand_game(hand)
    stakes = stakes_from(fields, game.rules(hand.variant).bets)
    if may_be_cut(hand, sealed_seeds):
        leave_void(hand, cut, stakes, sealed_seeds, now)
    if hand.status != "ready":
        if hand.status == "void" and hand.step == 0 and is_unreadable(seed_owner(hand)):
            return None
        same = hand.stakes == join_numbers(stakes) and (hand.offset or hand.cut == (cut or SILENT))
        is_copy = same and hand.step == 0 and hand.status != "void"
        return board(hand, sealed_seeds, "repeated" if is_copy else "moved-on")
    try:
        sealed_seed, seed = _opened(hand, sealed_seeds)
    except Refusal:
        if seed_owner(hand).sealed_seed is None:
            raise
        leave_void(hand, cut, stakes, sealed_seeds, now)
        return None
    require_stakes(hand, stakes)
    _open_deck(hand, game, cut, stakes, sealed_seed, now)
    state = first_state(hand, seed)
    purses.stake(hand, sum(game.committed(state)), now)
    state, made = _without_choice(hand, game, state, 0)
    if made:
        update_if_unchanged(hand, moves=move_requests.moves_with(hand, *made), step=len(made))
        remember_state(hand, seed, state)
    return _board_after_deal(hand, seed, state, chosen, now)


def deal_same(hand: Hand, chosen: Chosen | None = None) -> Board:
    """Store a hand that has the cards, the cut and the stakes of another hand or of a daily deal, and deal it."""
    hand.key, hand.status = PRACTICE_PREFIX + new_key(), "live"
    hand.created_at = hand.moved_at = now = now_ms()
    db.session.add(hand)
    db.session.flush()
    seed = hand_seed(hand, {})
    return _board_after_deal(hand, seed, first_state(hand, seed), chosen, now)


def _board_after_deal(hand: Hand, seed: bytes, state: Any, chosen: Chosen | None, now: int) -> Board:
    """Return the board of a hand that was just dealt. It may be over with the deal; else cards that pay are marked."""
    result = hand_game(hand).result(state)
    if result is not None:
        update_if_unchanged(hand, **_ended(hand, state, result, seed, now))
    elif paying := _paying(hand, state, chosen):
        update_if_unchanged(hand, marks=join_numbers(paying))
    prepared = _settle(hand, state, result, now) if result is not None else None
    return board_of(hand, state, prepared=prepared, goes_on=result is None)


def _open_deck(hand: Hand, game: AnyGame, cut: str | None, stakes: Sequence[int], sealed_seed: str, now: int) -> None:
    """Cut the deck of a hand that is ready, which makes it live."""
    owner = hand.shoe or hand
    changes: dict[str, object] = {}
    if is_prepared(hand):
        changes["seq"] = number_for(hand, game, now)
    cut = owner.cut or cut or SILENT  # a shoe is cut once
    sealed = {"sealed_seed": sealed_seed}
    if isinstance(owner, Shoe):
        draw_from_shoe(owner, cut=cut, moved_at=now, **sealed)
    else:
        changes |= sealed
    update_if_unchanged(hand, status="live", cut=cut, stakes=join_numbers(stakes), moved_at=now, **changes)


def _opened(hand: Hand, sealed_seeds: SealedSeeds) -> tuple[str, bytes]:
    """Return the sealed seed that a hand is dealt with, that of the cookie or else that of the row, and the seed.

    Raises:
        Refusal: ``box-lost``: no key opens either, or nobody has it any more.
    """
    owner = seed_owner(hand)
    for sealed_seed in (sealed_seeds.get(owner.key), owner.sealed_seed):
        with suppress(Refusal):
            return str(sealed_seed), unseal_seed(sealed_seed, owner)
    raise Refusal("box-lost", hand.key)


def act(
    player: Owner,
    code: str,
    key: str,
    step: int,
    action: Action,
    sealed_seeds: SealedSeeds,
    chosen: Chosen | None = None,
) -> Board:
    """Play one action as move number ``step``. At most one request ever gets to be that move."""
    try:
        with writing():
            hand = owned_hand(player, code, key, lock=True)
            seed, state = state_of(hand, sealed_seeds)
            if not move_requests.is_next(hand, step):
                return shown_hand(hand, state, move_requests.late_note(hand, step, action))
            game, now = hand_game(hand), now_ms()
            after = move_requests.apply(game, state, action)
            cost = sum(game.committed(after)) - sum(game.committed(state))
            after, made = _without_choice(hand, game, after, cost)
            result = game.result(after)
            ended: dict[str, object] = {} if result is None else _ended(hand, after, result, seed, now)
            # what was marked stays so while the same can be asked again, or the next answer would lose it
            marking = game.marks(after)
            again = action.args if marking is not None and action.verb == marking.verb else ()
            marks = join_numbers(_paying(hand, after, chosen) or again)
            if hand.sealed_since is not None:
                ended["sealed_since"] = None  # the key that was missing is back
            moves = move_requests.moves_with(hand, action, *made)
            update_if_unchanged(hand, moves=moves, step=step + 1 + len(made), marks=marks, moved_at=now, **ended)
            remember_state(hand, seed, after)
            if hand.kind == PLAY:
                purses.charge(hand, f"raise-{step}", cost, now)
            prepared = _settle(hand, after, result, now) if result is not None else None
            return board_of(hand, after, prepared=prepared, goes_on=result is None)
    except StaleDataError:
        # another request's update came between our reading and our writing: answer as any copy that came second
        return board_for_hand(player, code, key, sealed_seeds, "moved-on")


def mark(
    player: Owner, code: str, key: str, step: int, position: int, held: bool | None, sealed_seeds: SealedSeeds
) -> Board:
    """Turn the mark of a position over, or set it to ``held``, which may be repeated. Not a move."""
    with writing():
        hand = owned_hand(player, code, key, lock=True)
        _, state = state_of(hand, sealed_seeds)
        if not move_requests.is_next(hand, step):
            return shown_hand(hand, state, "moved-on")
        update_if_unchanged(hand, marks=move_requests.marks_with(hand, hand_game(hand), state, position, held))
        return board_of(hand, state, goes_on=True)


def _without_choice(hand: Hand, game: AnyGame, state: Any, cost: int) -> tuple[Any, tuple[Action, ...]]:
    """Play what costs nothing where the purse can pay for nothing else, as declining an insurance; return what was.

    ``cost``: chips that are still to be taken from the purse.
    """
    made: list[Action] = []
    while hand.kind == PLAY and len(game.legal_actions(state)) > len(free := affordable(game, state, 0)) == 1:
        if affordable(game, state, purses.balance(hand.player_id, hand.game) - cost) != free:
            break
        state = game.apply(state, *free)
        made += free
    return state, tuple(made)


def _paying(hand: Hand, state: Any, chosen: Chosen | None) -> tuple[int, ...]:
    """Return the positions that are marked for a player with these preferences, because their cards pay.

    At a daily deal, where all have the same help, there are none.
    """
    game = hand_game(hand)
    marking = game.marks(state)
    if chosen is None or marking is None or hand.kind == DAILY:
        return ()
    number = hand.seq or 1 + standing_of(hand.player_id, hand.game, game.rules(hand.variant).bets).hands
    return marking.paying if game.spec.marks_what_pays(chosen, number) else ()


def _ended(hand: Hand, state: Any, result: Result, seed: bytes, now: int) -> dict[str, object]:
    """Return the columns of a hand that is over. A seed that is not its own is not revealed by its end."""
    columns = {
        "status": "done",
        "finished_at": now,
        "payouts": join_numbers(result.payouts),
        "outcome": result.labels[0].code,
    }
    if hand.kind != PLAY:
        return {**columns, "net": net_of(hand_game(hand), hand.variant, state)}
    return columns if hand.shoe_key else {**columns, "revealed_seed": seed.hex(), "sealed_seed": None}


def _settle(hand: Hand, state: Any, result: Result, now: int) -> NextHand | None:
    """Take the cards out of the shoe, pay, and return the next hand. None of it is done without chips.

    If the purse has no room for all that the hand pays, the row says what it has brought.
    """
    if hand.kind != PLAY:
        return None
    owner, game = seed_owner(hand), hand_game(hand)
    if isinstance(owner, Shoe):
        draw_from_shoe(owner, dealt=hand.offset + game.dealt(state)[0], moved_at=now)
        if is_spent(owner, game):
            close_shoe(owner, now)
            db.session.flush()
    due = sum(result.payouts)
    paid = purses.pay(hand, due, now)
    if paid != due:
        hand.net = net_of(game, hand.variant, state) - (due - paid)
        db.session.flush()
    staked = sum(game.committed(state))
    purses.count_outcome(hand.player_id, hand.game, hand.variant, result.labels[0].code, staked, paid)
    return prepare(hand, game, now)
