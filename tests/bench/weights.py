"""Sizes of responses in bytes, as compressed: a first visit with everything it needs, and the response to an action.

A first visit is measured with brotli, as browsers ask over https, and with gzip, which phones in a network without
https get. Responses to actions are measured with gzip.
"""

import gzip
import re
from collections.abc import Iterator
from random import Random
from typing import Final
from urllib.parse import urljoin

import brotli
from backports import zstd
from flask.testing import FlaskClient

from tests.bench.table import Row, show
from tests.support.player import SAME_ORIGIN, Player
from webapp.engine.games import SOLO

FIRST_VISIT: Final = {"br": 66_500, "gzip": 75_000}
"""At most, by coding."""
PARTIAL: Final = 6_000
MOST_MOVES: Final = 12

_ASKED: Final = {**SAME_ORIGIN, "Accept": "text/html", "Accept-Encoding": "gzip, deflate"}
_ACCEPTED: Final = {"br": "gzip, deflate, br, zstd", "gzip": "gzip, deflate"}
_UNPACK: Final = {"zstd": zstd.decompress, "br": brotli.decompress, "gzip": gzip.decompress, None: bytes}
_LINKED: Final = re.compile(r"""(?<!rel="apple-touch-icon" )(?:(?:href|src)=["']|url\(["']?)(/static/[^"'#)]+)""")
"""That icon is fetched for the home screen of a phone, not by a visit."""
_IMPORTED: Final = re.compile(r"""(?:from|import) ?["'](\.{1,2}/[^"']+)["']""")
_REFERENCES: Final = {"text/html": _LINKED, "text/css": _LINKED, "text/javascript": _IMPORTED}


def first_visit(client: FlaskClient, page: str, coding: str = "br") -> dict[str, int]:
    """Return the sizes of everything that a browser without a cache loads for a page, by address.

    That is the page, what it links to, what that links to, and all imported modules; not those imported later on
    demand.
    """
    asked = {**_ASKED, "Accept-Encoding": _ACCEPTED[coding]}
    weights: dict[str, int] = {}
    wanted = [page]
    while wanted:
        address = wanted.pop()
        if address in weights:
            continue
        with client.get(address, headers=asked) as answer:
            assert answer.status_code == 200, address
            weights[address] = len(answer.data)
            pattern = _REFERENCES.get(answer.mimetype)
            if pattern is not None:
                text = _UNPACK[answer.headers.get("Content-Encoding")](answer.data).decode()
                wanted += [urljoin(address, found) for found in pattern.findall(text)]
    return weights


def partial(client: FlaskClient, address: str) -> int:
    """Return the size of the response to an action, which equals that of a GET for the fragment."""
    answer = client.get(address, headers={**_ASKED, "HX-Request": "true"})
    assert answer.status_code == 200, address
    return len(answer.data)


def sit_and_deal(client: FlaskClient, code: str) -> Player:
    """Sit down and deal, with a cut of maximal length."""
    player = Player(client)
    player.sit(code)
    bets = SOLO[code].rules(SOLO[code].spec.default).bets
    player.deal("cut-" * 16, [bets.least] if bets else [])
    return player


def after_each_move(client: FlaskClient, code: str, random: Random) -> Iterator[tuple[str, int]]:
    """Play a random hand; yield the name of each move and the size of its response."""
    Player(client).sit(code)
    yield "sit", partial(client, f"/play/{code}")
    player, move = sit_and_deal(client, code), "deal"
    for _ in range(MOST_MOVES):
        yield move, partial(client, f"/play/{code}?hand={player.hand}")
        if player.over:
            return
        move = random.choice(player.actions)
        player.do(move)


def measure(client: FlaskClient) -> list[Row]:
    for code in SOLO:
        sit_and_deal(client, code)
    rows: list[Row] = [
        {"first visit": f"{page}, {coding}", "files": len(weights), "bytes": sum(weights.values()), "at most": most}
        for coding, most in FIRST_VISIT.items()
        for page in ("/", *(f"/play/{code}" for code in SOLO))
        for weights in [first_visit(client, page, coding)]
    ]
    show("What travels on a first visit, everything included", rows)
    for code in SOLO:
        heaviest: dict[str, int] = {}
        for seed in range(12):
            for move, size in after_each_move(client, code, Random(seed)):
                verb = move.partition("-")[0]
                heaviest[verb] = max(size, heaviest.get(verb, 0))
        partials: list[Row] = [
            {"partial": f"{code}, after {verb}", "bytes": size, "at most": PARTIAL} for verb, size in heaviest.items()
        ]
        show("What travels after an action, gzipped, at its heaviest", partials)
        rows += partials
    return rows
