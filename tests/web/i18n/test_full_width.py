"""Full-width punctuation contains its own space: no page in such a language adds another one."""

import re
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from tests.support.languages import GAPLESS, TAGS
from tests.support.moves import TABLES, dealt_and_live, sealed
from tests.support.player import Player
from tests.support.table_players import TablePlayer, bet_all, betting, play_out
from webapp.engine.games import GAMES, SOLO

PAGE = {"Accept": "text/html"}
FRAGMENT = {**PAGE, "HX_Request": "true"}
INLINE = "a|abbr|b|bdi|code|em|i|kbd|small|span|strong"
HOLE = re.compile(rf"[。、，：；！？]\s+(?=[^\s<\"]|<(?:{INLINE})\b)")


def holes(player: Player, path: str, language: str) -> list[str]:
    """Return the text around each such place, in page and fragment."""
    found = []
    for headers in (PAGE, FRAGMENT):
        text = player.get(path, Accept_Language=language, **headers).text
        assert f'lang="{TAGS[language]}"' in text or headers is FRAGMENT
        found += [text[max(0, hole.start() - 30) : hole.end() + 30] for hole in HOLE.finditer(text)]
    return found


def test_a_hole_would_be_seen() -> None:
    assert HOLE.search("封印。 カット")
    assert HOLE.search("封印：\n  <code>")
    assert not HOLE.search('封印。 </p><p title="封印。 ">封印。<b> ')


@pytest.mark.parametrize("language", GAPLESS)
def test_pages_of_words_have_none(visitor: Player, language: str) -> None:
    paths = ["/", "/me", "/fair", "/about", "/tables", "/lab", "/lab/exercise?one_shoe=1", "/nowhere"]
    paths += [f"/rules/{code}?table={variant}" for code, game in GAMES.items() for variant in game.spec.variants]
    own = "vegas,soft_17=hit,hole_card=no_peek,lose=all,split_by=none,surrender=late,auto_stand_21=false"
    for path in (*paths, f"/rules/blackjack?table={own}"):
        assert holes(visitor, path, language) == [], path


@pytest.mark.parametrize("language", GAPLESS)
@pytest.mark.parametrize("code", SOLO)
def test_boards_and_finished_hands_have_none(site: Flask, code: str, language: str) -> None:
    chance = Random(language)
    for table in (*SOLO[code].spec.variants, TABLES[code]):
        player = Player(site.test_client())
        assert holes(player, f"/play/{code}?table={table}", language) == []
        sealed(player, code, table)
        assert holes(player, f"/play/{code}", language) == []
        dealt_and_live(player, code)
        while not player.over:
            assert holes(player, f"/play/{code}", language) == []
            player.do(chance.choice(player.actions))
        hand = player.hand
        assert holes(player, f"/play/{code}?hand={hand}", language) == []
        assert holes(player, f"/h/{hand}?step=1", language) == []
        assert holes(player, f"/h/{hand}", language) == []


@pytest.mark.parametrize("language", GAPLESS)
def test_shared_tables_have_none(app: Flask, language: str) -> None:
    watcher = TablePlayer(app.test_client())
    watcher.post("/tables")
    assert holes(watcher, f"/t/{watcher.answer.json['code']}", language) == []
    visitors = betting(app, 3)
    page = f"/t/{visitors[0].code}"
    for step in (lambda: None, lambda: bet_all(visitors), lambda: play_out(visitors)):
        step()
        for each in (*visitors, watcher):
            assert holes(each, page, language) == []
    assert holes(watcher, visitors[0].see()["last"], language) == []


def test_nothing_edits_a_page_after_it_was_rendered() -> None:
    source = (Path(__file__).parents[3] / "webapp" / "web" / "templating" / "render.py").read_text("utf-8")
    assert "import re" not in source.splitlines()
