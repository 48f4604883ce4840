"""Objects that each app has once, available in its app context only."""

import gc
import weakref
from pathlib import Path

import pytest
from flask import Flask

from tests.support.app import close, make_app
from webapp.services.core import context
from webapp.services.core.cache import Cache
from webapp.services.fairness.sealing import SealedSeedError, sealer
from webapp.web.templating.watcher_cache import watcher_fragments


def test_an_app_keeps_its_sealer_and_another_app_has_another(app: Flask, tmp_path: Path) -> None:
    other = make_app(
        f"sqlite:///{tmp_path / 'other.sqlite3'}", tmp_path, TEFUDA_SECRET_KEY="another key of 32 characters or more"
    )
    with app.app_context():
        ours, fragments = sealer(), watcher_fragments()
        sealed = ours.seal("hand", "player", bytes(32))
        with other.app_context():
            assert sealer() is not ours
            assert watcher_fragments() is not fragments
            with pytest.raises(SealedSeedError):
                sealer().unseal(sealed, "hand", "player")
        assert sealer() is ours, "the outer context is current again"
    with app.app_context():
        assert sealer() is ours
    close(other)


def test_an_app_that_nobody_has_any_more_is_not_kept(tmp_path: Path) -> None:
    app = make_app(f"sqlite:///{tmp_path / 'gone.sqlite3'}", tmp_path)
    assert app.test_client().get("/about").status_code == 200
    close(app)
    left = weakref.ref(app)
    del app
    gc.collect()
    assert left() is None


def test_without_an_app_there_are_no_services() -> None:
    with pytest.raises(RuntimeError, match="no app"):
        context.current()


def test_a_full_cache_forgets_what_was_not_asked_for_the_longest() -> None:
    made = list[int]()

    def square(number: int) -> int:
        made.append(number)
        return number * number

    cache = Cache[int, int](2)
    answers = [cache.get(number, lambda number=number: square(number)) for number in (1, 2, 1, 3, 1, 2)]
    assert answers == [1, 4, 1, 9, 1, 4]
    assert made == [1, 2, 3, 2]


def test_a_cache_does_not_remember_an_error() -> None:
    cache = Cache[str, int](2)
    with pytest.raises(ValueError, match="invalid literal"):
        cache.get("key", lambda: int("none"))
    assert cache.get("key", lambda: 1) == 1
