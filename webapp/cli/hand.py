"""``tefuda hand``: show and verify a hand from a file, an address or a line of notation. Needs no database."""

import json
import sys
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

import click

from webapp.cli.app import load_games
from webapp.engine.cards import format_cards
from webapp.engine.errors import EngineError
from webapp.engine.games import GAMES
from webapp.engine.notation import FIELDS, Record, UntrueRecord, loads
from webapp.services.fairness.verification import Check, checks

Source = str | dict[str, Any]
FINISHED = {"notation", "proof"}
"""Fields that no JSON of this site has but that of a finished hand. Where one is missing, the hand is wrong."""
SENTENCES: dict[str, Callable[[Check], str]] = {
    "commitment": lambda check: "the seed opens the commitment",
    "packs": lambda check: "packs, cuts and first card are those of the rules",
    "cards": lambda check: f"{check.right} of {check.all} cards are dealt again, the same",
    "payout": lambda check: "the moves lead to the payouts, and to all else that is stated of the hand",
}


@click.group()
def hand() -> None:
    """A finished hand."""
    load_games()


@hand.command()
@click.argument("source", metavar="FILE-OR-URL-OR-LINE")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def show(source: str, as_json: bool) -> None:
    """Print a hand, after a replay has shown that it can have happened."""
    content = _read(source)
    record = _record(content)
    shown = {
        "game": record.game,
        "table": record.setup.variant,
        "stakes": list(record.setup.stakes),
        "cards": [format_cards(row) for row in record.setup.cards],
        "moves": [str(move) for move in record.moves],
        "payouts": None if record.payouts is None else list(record.payouts),
    }
    if as_json:
        click.echo(json.dumps(shown))
        return
    for name, value in shown.items():
        click.echo(f"{name:8} {' / '.join(map(str, value)) if isinstance(value, list) else value}")


@hand.command()
@click.argument("source", metavar="FILE-OR-URL-OR-LINE")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def verify(source: str, as_json: bool) -> None:
    """Check commitment, packs, cards and payouts of a hand's JSON; a line of notation is only replayed.

    Exits 1 if the hand is wrong, 2 if the input is not a hand.

    Check yourself that the commitment is the one you saw before the cut, and that the cut is yours.
    """
    content = _read(source)
    if isinstance(content, str):
        _record(content)
        done: tuple[Check, ...] = (Check("payout", 1, 1),)
    else:
        try:
            done = checks(content)
        except ValueError as error:
            raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps({check.kind: check.ok for check in done}))
    else:
        for name, value in _facts(content):
            click.echo(f"{name:10} {_printable(value)}")
        for check in done:
            click.echo(f"{'right' if check.ok else 'WRONG'}: {SENTENCES[check.kind](check)}")
    sys.exit(0 if all(check.ok for check in done) else 1)


def _facts(hand: Source) -> Iterator[tuple[str, object]]:
    """Return what the player can compare: the hand, the commitment shown before the deal, and the cuts."""
    if isinstance(hand, str):
        return
    proof = hand["proof"]
    yield "hand", f"{hand.get('hand')}, {hand['game']}/{hand['table']}"
    if proof is None:
        yield "commitment", f"{hand.get('commitment')} (the seed is shown when the shoe is finished)"
        return
    yield "commitment", proof["commitment"]
    yield "cuts", " ".join(proof["cuts"])
    if proof["id"] != hand["hand"]:
        yield "shoe", f"{proof['id']}, {proof['offset']} cards dealt before"


def _printable(value: object) -> str:
    """Return a text without control characters, which could overwrite the findings in a terminal."""
    return "".join(sign for sign in str(value) if sign.isprintable())[:400]


def _read(source: str) -> Source:
    """Return JSON as a dict, or the first line of a text.

    Raises:
        click.UsageError: The source cannot be read as a hand: it is empty, no text, JSON of something else, or not JSON
            although it begins like it.
    """
    if source.startswith(("http://", "https://")):
        text = _fetch(source)
    elif source == "-":
        text = _decoded(sys.stdin.buffer.read(), "standard input")
    elif _is_file(source):
        text = _text_of(Path(source))
    elif _is_hand(source):
        text = source
    else:
        raise click.UsageError(f"neither a file, nor an address, nor a hand in one line: {source[:200]}")
    if not text.strip():
        raise click.UsageError(f"{source[:200]} is empty")
    if text.lstrip().startswith("{"):
        try:
            content: dict[str, Any] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise click.UsageError(f"not JSON: {error}") from error
        if not FINISHED & content.keys():
            raise click.UsageError(f"JSON, but not of a finished hand: it has none of {', '.join(sorted(FINISHED))}")
        return content
    return text.splitlines()[0]


def _is_file(source: str) -> bool:
    try:
        return Path(source).is_file()
    except (OSError, ValueError):  # too long for a name, or with characters that no name may have
        return False


def _is_hand(source: str) -> bool:
    """Return True if a text looks like a hand: a line with a game and all its fields, or JSON."""
    place, *fields = source.partition("\n")[0].split(" ")
    return (place.partition("/")[0] in GAMES and len(fields) == FIELDS - 1) or source.lstrip().startswith("{")


def _fetch(address: str) -> str:
    """Return the page of a hand as JSON."""
    try:
        bare = urlunsplit(urlsplit(address)._replace(query="", fragment=""))
        request = Request(bare, headers={"Accept": "application/json"})  # noqa: S310  # http and https only, see above
        with urlopen(request, timeout=20) as answer:  # noqa: S310
            text: str = answer.read(1_000_000).decode("utf-8-sig")
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(error, HTTPError):
            error.close()
        raise click.UsageError(f"{address} cannot be read: {error}") from error
    return text


def _text_of(path: Path) -> str:
    try:
        return _decoded(path.read_bytes(), str(path))
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error}") from error


def _decoded(content: bytes, where: str) -> str:
    """Return a text in UTF-8; some editors put a byte-order mark before it."""
    try:
        text = content.decode("utf-8-sig")
    except ValueError as error:
        raise click.UsageError(f"{where} is no text: {error}") from error
    if "\0" in text:
        raise click.UsageError(f"{where} is no text")
    return text


def _record(content: Source) -> Record:
    """Return the record of a line, or of the line in a hand's JSON.

    Raises:
        click.ClickException: It is wrong; click.UsageError for a line that cannot be read at all.
    """
    try:
        return loads(content if isinstance(content, str) else str(content.get("notation")))
    except EngineError as error:
        can_be_read = isinstance(content, dict) or isinstance(error, UntrueRecord)
        raise (click.ClickException if can_be_read else click.UsageError)(str(error)) from error
