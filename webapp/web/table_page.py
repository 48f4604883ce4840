"""The page of a shared table and its JSON, as one visitor may see them."""

from collections.abc import Callable, Mapping

from flask import Response, render_template, request, url_for

from webapp.services.players import player_name
from webapp.services.tables.facts import Snapshot
from webapp.services.tables.steps import steps_for
from webapp.services.tables.table_view import TableView, view_for
from webapp.services.tables.versions import hub
from webapp.web.api.table_answers import TableAnswer
from webapp.web.hand_page.link_preview import invitation_text
from webapp.web.i18n.translations import in_language, use_language
from webapp.web.request.language import language_of_preview, language_of_request
from webapp.web.request.preferences import preferences
from webapp.web.request.proxies import site_root
from webapp.web.templating.parts import Room, collect
from webapp.web.templating.render import answer, render, wants_fragment
from webapp.web.templating.watcher_cache import watcher_fragments


def table_answer(table: Snapshot, player: str | None) -> TableAnswer:
    """Return the JSON of a table."""
    return TableAnswer.of(view_for(table, player), hub().watching(table.code), hub().reactions.recent(table.code))


def with_reactions(code: str, response: Response) -> Response:
    """Add the reactions of the last seconds as a header: a page without a stream learns of them by asking."""
    shown = hub().reactions.recent(code)
    if shown:
        response.headers["X-Reactions"] = ",".join(
            f"{reaction.seat} {reaction.kind} {reaction.word}" for reaction in shown
        )
    return response


def table_page(
    table: Snapshot,
    player: str | None,
    status: int = 200,
    refused: str = "",
    keep: Callable[[Room], None] | None = None,
) -> Response:
    """Return the page of a table, or as a fragment all of its parts, each to be swapped. ``keep`` is given these.

    A fragment says nothing that changes by itself, so that all watchers have the same one: the time and the number of
    people who look on come with it as headers.
    """
    seen = view_for(table, player)
    is_fragment = wants_fragment()

    if not is_fragment:
        return render("tables/show.html", status, **_context(table, seen, player, site_root(), False, refused))

    def parts() -> str:
        room = _collected(table, _context(table, seen, player, site_root(), True, refused))
        if keep:
            keep(room)
        return room.swaps({})

    if refused or player is not None or "seat" in request.args:
        response = answer(parts(), status)
    else:
        key = (site_root(), seen.code, seen.version, language_of_request(), preferences())
        response = answer(watcher_fragments().get(key, parts))
    watching = hub().watching(table.code)
    response.headers["X-Now"], response.headers["X-Watching"] = str(seen.now), str(watching)
    return with_reactions(seen.code, response)


def room_of(table: Snapshot, player: str | None, root: str) -> Room:
    """Return the parts of a fragment as one viewer sees it; None for watchers, who all see the same."""
    seen = view_for(table, player)
    return _collected(table, {**_context(table, seen, player, root, is_fragment=True), "said_at": seen.now})


def _collected(table: Snapshot, context: Mapping[str, object]) -> Room:
    address = url_for("tables.act", code=table.code, version=table.version)
    with use_language(language_of_request()):
        return collect(lambda: render_template("tables/_show.html", **context), address)


def _context(
    table: Snapshot, seen: TableView, player: str | None, root: str, is_fragment: bool, refused: str = ""
) -> dict[str, object]:
    link = root + url_for("tables.show", code=table.code)
    private = root + url_for("tables.show", code=table.code, seat=seen.link) if seen.link else ""
    shown = () if is_fragment else hub().reactions.recent(seen.code)
    head = {} if is_fragment else {"invitation": invitation_text(seen), "preview": _preview(table, seen, link, root)}
    return {
        **head,
        "table": seen,
        "view": seen.view,
        "rules": seen.rules,
        "code": seen.game,
        "now": None if is_fragment else seen.now,
        "said_at": None if is_fragment else seen.now,
        "watching": None if is_fragment else hub().watching(table.code),
        "link": link,
        "private": private,
        "offered": _offered(table) if seen.you is None else "",
        "my_name": player_name(player) if seen.own_seat is None else "",  # who sits is not asked for it
        "refused": refused,
        "steps": steps_for(table, player) if is_fragment else (),
        "reactions": {reaction.seat: reaction.kind for reaction in shown},
    }


def _preview(table: Snapshot, seen: TableView, link: str, root: str) -> Mapping[str, object]:
    """Return what is told of the table's link elsewhere."""
    with use_language(language_of_preview()):
        return {
            "told": invitation_text(seen),
            "url": in_language(link),
            "image": root + in_language(url_for("tables.as_picture", code=table.code)),
        }


def _offered(table: Snapshot) -> str:
    """Return the word of a private link that this request has, if it still leads to a seat; else nothing."""
    tried = request.form.get("arg", "") if request.form.get("verb", "").lower() == "take" else ""
    word = request.args.get("seat", "") or tried
    return word if any(word == seat.link for seat in table.seats if not seat.bot) else ""
