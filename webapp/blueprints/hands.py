"""Finished hands as page, JSON, text and picture, for everybody with the link."""

from contextlib import suppress
from typing import Final

from flask import Blueprint, Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from webapp.engine.odds.value import NoOdds
from webapp.services.core.errors import Refusal
from webapp.services.deals import crowd, practice, puzzles
from webapp.services.fairness.verification import checks_once
from webapp.services.odds.desk import Pending
from webapp.services.records import lookup
from webapp.services.records.finished import Finished, ReplayStep, naming_step
from webapp.services.review import reviews
from webapp.services.review.recalls import steps_for
from webapp.web.api import fields
from webapp.web.api.forms import HandQuery, read
from webapp.web.api.hand_answers import FinishedAnswer, ReviewAnswer, ReviewPendingAnswer
from webapp.web.api.openapi_operations import Operation, describe
from webapp.web.api.puzzle_answers import PuzzleAnswer
from webapp.web.api.serialize import json_response, pending_response, to_json
from webapp.web.api.solo_answers import BoardAnswer
from webapp.web.hand_page import comparison, embed, link_preview, review_page, transcript
from webapp.web.hand_page.picture_store import pictures
from webapp.web.hand_page.transcript import dealing_commands
from webapp.web.i18n.display_names import names_of
from webapp.web.i18n.translations import in_language, use_language
from webapp.web.odds_page import puzzle_page
from webapp.web.request import visitor
from webapp.web.request.language import language_of_picture, language_of_preview
from webapp.web.request.limits import limited
from webapp.web.request.preferences import preferences
from webapp.web.request.proxies import site_root
from webapp.web.templating.render import render, wants_fragment, wants_json

bp = Blueprint("hands", __name__, url_prefix="/h")

JSON_KEPT: Final = 300
"""Seconds for which proxies may keep a finished hand as JSON; then a name that was taken away is gone there too."""
UNREVIEWED_KEPT: Final = 60
"""The same for one whose review is still worked out, as JSON and as a picture."""
PICTURE_KEPT: Final = 24 * 3600
"""Seconds for which they may keep its picture, which may show names."""
_PATH: Final = {"key": "Key of the hand."}


@bp.get("/<key>")
@limited("600/minute")
@describe(Operation(answers={200: (FinishedAnswer, PuzzleAnswer)}, query=HandQuery, path=_PATH))
def show(key: str) -> ResponseReturnValue:
    """Return a finished hand."""
    hand, query = visitor.finished_hand(key), read(HandQuery, request.args)
    if query.ask:
        return _puzzle(hand, query.ask)
    if wants_json():
        return json_response(FinishedAnswer.of(hand, reviews.review_or_none(hand)))
    facts, steps = to_json(FinishedAnswer.of(hand)), hand.steps
    opened = naming_step(steps)
    step = steps[fields.index(query.step, len(steps), opened)]
    document = reviews.stored_review(hand.key)
    compared, compared_rows = _compared(hand, document)
    own = _own_of(hand, compared)
    is_guest = not hand.seats and hand.key not in own
    return render(
        "hands/show.html",
        finished=hand,
        names=names_of(hand),
        steps=steps,
        step=step,
        opened=opened,
        laid=comparison.laid(steps, step.index),
        review=_review(hand, document, step) if reviews.has_review(hand) else None,
        preview=_preview(hand, document),
        may_embed=embed.may_embed(hand),
        proof_facts=facts["proof"] and facts["proof"] | {"hand": facts["hand"], "cards": facts["cards"]},
        commands=dealing_commands(hand.proof, hand.draw) if hand.proof else (),
        check=checks_once(facts),
        compared=compared,
        compared_rows=compared_rows,
        own_hands=own,
        may_repeat=_may_repeat(hand),
        is_guest=is_guest,
        is_invited=is_guest and _is_invited(hand),
    )


@bp.get("/<key>.json")
@limited("600/minute")
@describe(Operation(answers={200: FinishedAnswer}, path=_PATH))
def as_json(key: str) -> ResponseReturnValue:
    """Return a finished hand as JSON. Proxies may cache it: only a review is added, and a name may be removed."""
    hand = visitor.finished_hand(key)
    review = reviews.review_or_none(hand)
    response = json_response(FinishedAnswer.of(hand, review))
    if hand.proof is not None and not lookup.is_practice_key(key):
        response.headers["Cache-Control"] = f"public, max-age={UNREVIEWED_KEPT if review is None else JSON_KEPT}"
        response.headers["Vary"] = "Accept-Language, Cookie"  # its sentences are in the language of the request
    return response


@bp.get("/<key>.txt")
@limited("600/minute")
@describe(Operation(answers={200: "text/plain"}, path=_PATH))
def as_text(key: str) -> ResponseReturnValue:
    """Return a finished hand as text: its notation, then move by move."""
    hand = visitor.finished_hand(key)
    return Response(transcript.write(hand, reviews.review_or_none(hand)), mimetype="text/plain")


@bp.get("/<key>/review")
@limited("240/minute")
@describe(Operation(answers={200: ReviewAnswer, 202: ReviewPendingAnswer, 303: None}, query=HandQuery, path=_PATH))
def review(key: str) -> ResponseReturnValue:
    """Return the review of a finished hand: as JSON, as a part of its page, or by a redirect to the page."""
    hand = visitor.finished_hand(key)
    if wants_json():
        return _review_as_json(hand)
    document, state = None, "waits"
    try:
        if hand.of:  # it stands beside that hand, with what the decisions of both were worth
            with suppress(NoOdds, Refusal):  # that one's alone
                reviews.work_out(lookup.finished_hand(hand.of))
        document = reviews.work_out(hand)
    except (Pending, Refusal) as error:
        state = "none" if isinstance(error, Refusal) and error.code == "odds-not-here" else "waits"
    except NoOdds:
        state = "none"
    asked = read(HandQuery, request.args).step
    if not wants_fragment():
        return redirect(url_for("hands.show", key=key, step=asked, _anchor="review"), 303)
    steps = hand.steps
    step = steps[fields.index(asked, len(steps), naming_step(steps))]
    compared, compared_rows = _compared(hand, document) if hand.of and document else (None, ())
    return render(
        "hands/review.html",
        202 if document is None and state == "waits" else 200,
        finished=hand,
        names=names_of(hand),
        steps=steps,
        step=step,
        review=_review(hand, document, step),
        state=state,
        compared=compared,
        compared_rows=compared_rows,
        own_hands=_own_of(hand, compared) if compared else (),
    )


def _may_repeat(hand: Finished) -> bool:
    return bool(hand.proof) and not hand.seats


def _is_invited(hand: Finished) -> bool:
    """Return True if the visitor can play these cards and has not had them: they are offered first."""
    return _may_repeat(hand) and not practice.has_had(visitor.player(), hand)


def _compared(
    hand: Finished, document: reviews.Document | None
) -> tuple[crowd.SideBySide, tuple[comparison.ComparedRow, ...]]:
    compared = crowd.side_by_side(hand)
    other = compared.original
    told = (document, reviews.stored_review(other.key)) if other and reviews.has_review(hand) else None
    return compared, comparison.compared_rows(hand, compared, told)


def _own_of(hand: Finished, compared: crowd.SideBySide) -> frozenset[str]:
    """Return the keys of those of a hand and the one beside it that the visitor played."""
    shown = (hand, compared.original) if compared.original else (hand,)
    return frozenset() if hand.seats else practice.own_of(visitor.player(), shown)


def _review(hand: Finished, document: reviews.Document | None, step: ReplayStep) -> review_page.ReviewPage:
    asked = steps_for(hand, visitor.player()) if document else frozenset[int]()
    return review_page.of(hand, document, step, asked)


def _review_as_json(hand: Finished) -> Response:
    try:
        return json_response(ReviewAnswer.of(reviews.work_out(hand)))
    except Pending:
        return pending_response(ReviewPendingAnswer, hand=hand.key)


@bp.get("/<key>.png")
@limited("60/minute")
@describe(Operation(answers={200: "image/png"}, path=_PATH))
def as_picture(key: str) -> ResponseReturnValue:
    """Return the picture of a finished hand that chats show beside its link."""
    hand = visitor.finished_hand(key)
    whose = "private" if lookup.is_practice_key(key) else "public"
    review = reviews.stored_review(hand.key)
    kept = UNREVIEWED_KEPT if review is None and reviews.has_review(hand) else PICTURE_KEPT
    picture = pictures().picture(hand.key, link_preview.subject_of(hand, review, language_of_picture()))
    return Response(picture, mimetype="image/png", headers={"Cache-Control": f"{whose}, max-age={kept}"})


@bp.post("/<key>/again")
@limited("300/hour")
@limited("30/minute")
@describe(Operation(answers={201: BoardAnswer, 200: BoardAnswer}, path=_PATH))
def again(key: str) -> ResponseReturnValue:
    """Start a practice hand with the cards of a finished one (201), or return the open one (200)."""
    chosen = None if wants_json() else preferences().of_games
    begun = visitor.as_player(
        lambda player: practice.play_again(player, key, chosen), lambda: practice.require_deal(key)
    )
    if wants_json():
        return json_response(BoardAnswer.of(begun.board), 201 if begun.is_new else 200)
    return redirect(url_for("play.table", code=begun.board.code, hand=begun.board.hand), 303)


@bp.get("/<key>/<int:step>.png")
@limited("60/minute")
@describe(Operation(answers={200: "image/png"}, path=_PATH | {"step": "Number of a step, from 0."}))
def puzzle_picture(key: str, step: int) -> ResponseReturnValue:
    """Return the picture of a decision, which shows nothing that came after it."""
    puzzle = puzzles.puzzle_for_all(visitor.finished_hand(key), step)
    picture = pictures().picture(f"{key}-ask-{step}", link_preview.subject_of_puzzle(puzzle, language_of_picture()))
    whose = "private" if lookup.is_practice_key(key) else "public"
    return Response(picture, mimetype="image/png", headers={"Cache-Control": f"{whose}, max-age=31536000, immutable"})


def _puzzle(hand: Finished, ask: str) -> ResponseReturnValue:
    """Return the page that asks for a decision of a hand. Its template gets no later steps."""
    number = fields.index(ask, len(hand.moves) + 1, -1)  # one that is too high is that of no move
    puzzle = puzzles.puzzle_for_all(hand, number)
    found = puzzle_page.asked(puzzle)
    if wants_json():
        return json_response(PuzzleAnswer.of_puzzle(puzzle, str(number), found.verdict, found.pending))
    root = site_root()
    with use_language(language_of_preview()):
        url = root + in_language(url_for("hands.show", key=hand.key, ask=number))
        image = root + in_language(url_for("hands.puzzle_picture", key=hand.key, step=number))
    return render(
        "hands/puzzle.html",
        code=hand.game.spec.code,
        asked=found,
        puzzle=puzzle,
        key=hand.key,
        player=hand.player,
        number=number,
        done=hand.moves[number] if found.verdict else None,
        preview={"url": url, "image": image},
    )


def _preview(hand: Finished, review: reviews.Document | None) -> dict[str, object]:
    """Return the texts of the page, and what is ``told`` of its link elsewhere. Addresses are absolute."""
    root = site_root()
    text = link_preview.link_text(hand, review)
    with use_language(language_of_preview()):
        told = link_preview.link_text(hand, review)
        url = root + in_language(url_for("hands.show", key=hand.key))
        image = root + in_language(url_for("hands.as_picture", key=hand.key))
    return {
        "title": text.title,
        "description": text.description,
        "told": told,
        "url": url,
        "image": image,
        "frame": embed.frame(hand.key, text.title, embed.size_of(hand)),
        "oembed": root + url_for("embed.oembed", url=url),
    }
