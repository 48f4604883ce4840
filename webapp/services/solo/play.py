"""A hand in play: look, deal, act, mark.

The cookie has the sealed seed, the row has the moves. Every action is one short transaction; a copy of one changes
nothing and is answered with the board as it is, so any request may be sent again.
"""

from collections.abc import Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm.exc import StaleDataError

from webapp.engine.action import Action
from webapp.engine.bets import stakes_from
from webapp.engine.errors import IllegalAction, SetupError, StakesError
from webapp.engine.game import Result, replay
from webapp.engine.games import SOLO
from webapp.engine.shuffling import SILENT, is_word
from webapp.extensions import db
from webapp.models import OPEN, Hand, Shoe
from webapp.services import purses
from webapp.services.core.clock import now_ms
from webapp.services.core.errors import Refusal
from webapp.services.core.transaction import writing
from webapp.services.fairness.sealing import SealedSeeds, hand_seed, is_unreadable, seed_owner, unseal_seed
from webapp.services.records.stored_hand import hand_game, hand_moves, hand_setup, join_numbers, parse_numbers
from webapp.services.solo.board import Board, board_of, empty_board
from webapp.services.solo.compare_and_set import draw_from_shoe, update_if_unchanged
from webapp.services.solo.shoes import close_shoe, is_spent

# put together once: building a statement takes as long as running it
_OWNED: Final = select(Hand).where(
    Hand.key == bindparam("key"), Hand.player_id == bindparam("player"), Hand.game == bindparam("game")
)
_OWNED_LOCKED: Final = _OWNED.with_for_update()
# player, games and the literal statuses lead SQLite to the index of open hands; with less it goes through all there are
OPEN_HANDS: Final = select(Hand).where(
    Hand.player_id == bindparam("player"),
    Hand.game.in_(bindparam("games", expanding=True)),
    Hand.status.in_(bindparam("open", OPEN, expanding=True, literal_execute=True)),
)
_OPEN_LOCKED: Final = OPEN_HANDS.with_for_update()


def board_for_variant(player: str | None, code: str, table: str, boxes: SealedSeeds) -> Board:
    """Return the board of the open hand of a game, or of its empty table."""
    hand = open_hand(player, code) if player else None
    return empty_board(SOLO[code], table, player) if hand is None else board(hand, boxes)


def board_for_hand(player: str | None, code: str, key: str, boxes: SealedSeeds, note: str | None = None) -> Board:
    """Return a hand of this player, open or over. Refusal ``hand-not-found`` for anybody else's, as for none at all."""
    return board(_owned(player, code, key), boxes, note)


def open_hands(player: str | None, boxes: SealedSeeds) -> tuple[Board, ...]:
    """Return the boards of all open hands that are dealt, latest move first."""
    if player is None:
        return ()
    live = [hand for hand in _all_open(player) if hand.status == "live"]
    boards = []
    for hand in sorted(live, key=attrgetter("moved_at"), reverse=True):
        with suppress(Refusal):  # a seed that cannot be unsealed is a message of its table, not of the lobby
            boards.append(board(hand, boxes))
    return tuple(boards)


def deal(
    player: str | None, code: str, key: str, cut: str | None, fields: Sequence[int | None], boxes: SealedSeeds
) -> Board:
    """Fix cut and stakes together, charge the stakes and deal.

    cut: a word, or None for a silent seat. fields: chips for each place, as in ``stakes_from``.
    """
    with writing():
        hand = _owned(player, code, key, lock=True)
        game = hand_game(hand)
        stakes = stakes_from(fields, game.rules(hand.variant).bets)
        if hand.status != "ready":
            same = (
                hand.step == 0 and hand.stakes == join_numbers(stakes) and (hand.offset or hand.cut == (cut or SILENT))
            )
            return board(hand, boxes, "repeated" if same else "moved-on")
        deck, now = seed_owner(hand), now_ms()
        token = boxes.get(deck.key, deck.sealed_seed)
        if token is None:
            raise Refusal("box-lost", key)
        try:
            seed = unseal_seed(token, deck)
        except Refusal as error:
            if is_unreadable(deck):
                raise Refusal("box-lost", key) from error
            raise
        cut = deck.cut or cut or SILENT  # a shoe is cut once
        sealed = {"sealed_seed": str(token)}
        if isinstance(deck, Shoe):
            draw_from_shoe(deck, cut=cut, moved_at=now, **sealed)
            sealed = {}
        update_if_unchanged(hand, status="live", cut=cut, stakes=join_numbers(stakes), moved_at=now, **sealed)
        try:
            state = replay(game, hand_setup(hand, seed), ())
        except StakesError as error:
            raise Refusal(error.code, str(error)) from error
        except SetupError as error:  # no player can bring that about: a shoe that is short of cards, say
            raise RuntimeError(f"hand {key} cannot be dealt") from error
        purses.stake(hand, sum(game.committed(state)), now)
        result = game.result(state)
        if result is not None:
            update_if_unchanged(hand, **_ended(hand, result, seed, now))
            _settle(hand, state, result, now)
        return board_of(hand, state)


def act(player: str | None, code: str, key: str, step: int, action: Action, boxes: SealedSeeds) -> Board:
    """Play one action as move number ``step``. At most one request ever gets to be that move."""
    try:
        with writing():
            hand = _owned(player, code, key, lock=True)
            seed, state = _state(hand, boxes)
            if not _is_next(hand, step):
                same = step < hand.step and hand.moves.split()[step] == str(action)
                return board_of(hand, state, "repeated" if same else "moved-on")
            game, now = hand_game(hand), now_ms()
            try:
                after = game.apply(state, action)
            except IllegalAction as error:
                raise Refusal(f"illegal-{action.verb}", str(error)) from error
            cost = sum(game.committed(after)) - sum(game.committed(state))
            moves, result = " ".join((*hand.moves.split(), str(action))), game.result(after)
            ended = {} if result is None else _ended(hand, result, seed, now)
            # what was marked stays so while the same can be asked again, or the next answer would lose it
            marking = game.marks(after)
            marks = join_numbers(action.args) if marking is not None and action.verb == marking.verb else ""
            update_if_unchanged(hand, moves=moves, step=step + 1, marks=marks, moved_at=now, **ended)
            purses.charge(hand, f"raise-{step}", cost, now)
            if result is not None:
                _settle(hand, after, result, now)
            return board_of(hand, after)
    except StaleDataError:
        # another request's update came between our reading and our writing: answer as any copy that came second
        return board_for_hand(player, code, key, boxes, "moved-on")


def mark(
    player: str | None, code: str, key: str, step: int, position: int, held: bool | None, boxes: SealedSeeds
) -> Board:
    """Turn the mark of a position over, or set it to ``held``, which may be repeated. Not a move."""
    with writing():
        hand = _owned(player, code, key, lock=True)
        _, state = _state(hand, boxes)
        if not _is_next(hand, step):
            return board_of(hand, state, "moved-on")
        marking = hand_game(hand).marks(state)
        if marking is None or not 1 <= position <= marking.positions:
            raise Refusal("illegal-mark", str(position))
        marks = set(parse_numbers(hand.marks))
        wanted = position not in marks if held is None else held
        update_if_unchanged(hand, marks=join_numbers(sorted(marks | {position} if wanted else marks - {position})))
        return board_of(hand, state)


def _is_next(hand: Hand, step: int) -> bool:
    """Return whether a request for this step comes now; False if it is late. Refusal if it cannot be yet."""
    if hand.status == "ready":
        raise Refusal("not-dealt", hand.key)
    if hand.status == "live" and step > hand.step:
        raise Refusal("step-ahead", f"{step}, the hand is at {hand.step}")
    return hand.status == "live" and step == hand.step


def open_hand(player: str, code: str, lock: bool = False) -> Hand | None:
    """Return the one hand of a game that is not over, if there is one."""
    query = _OPEN_LOCKED if lock else OPEN_HANDS
    return db.session.scalars(query, {"player": player, "games": [code]}).one_or_none()


def _all_open(player: str) -> Sequence[Hand]:
    """Return all open hands of a player, at most one of each game."""
    return db.session.scalars(OPEN_HANDS, {"player": player, "games": list(SOLO)}).all()


def _owned(player: str | None, code: str, key: str, lock: bool = False) -> Hand:
    """Return a row of this player. Refusal ``hand-not-found``."""
    asked = {"key": key, "player": player, "game": code}
    query = _OWNED_LOCKED if lock else _OWNED
    hand = db.session.scalars(query, asked).one_or_none() if player and is_word(key) else None
    if hand is None:
        raise Refusal("hand-not-found")
    return hand


def board(hand: Hand, boxes: SealedSeeds, note: str | None = None) -> Board:
    """Return a hand as its player may see it. Refusal as of ``hand_seed``."""
    return board_of(hand, _state(hand, boxes)[1], note)


def _state(hand: Hand, boxes: SealedSeeds) -> tuple[bytes, Any]:
    """Return seed and state of a hand; no state before the deal, nor of one that is void because no key opened it."""
    if hand.cut is None:
        return b"", None
    try:
        seed = hand_seed(hand, boxes)
    except Refusal:
        if hand.status != "void":
            raise
        return b"", None
    return seed, replay(hand_game(hand), hand_setup(hand, seed), hand_moves(hand))


def _ended(hand: Hand, result: Result, seed: bytes, now: int) -> dict[str, object]:
    """Return the columns of a hand that is over. A shoe keeps its seed until it is closed."""
    columns = {
        "status": "done",
        "finished_at": now,
        "payouts": join_numbers(result.payouts),
        "outcome": result.labels[0].code,
    }
    return columns if hand.shoe_key else {**columns, "revealed_seed": seed.hex(), "sealed_seed": None}


def _settle(hand: Hand, state: Any, result: Result, now: int) -> None:
    """Take the cards out of the shoe, and pay."""
    deck, game = seed_owner(hand), hand_game(hand)
    if isinstance(deck, Shoe):
        draw_from_shoe(deck, dealt=hand.offset + game.dealt(state)[0], moved_at=now)
        if is_spent(deck, game):
            close_shoe(deck, now)
            db.session.flush()
    purses.pay(hand, sum(result.payouts), now)
