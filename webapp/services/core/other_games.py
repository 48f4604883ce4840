"""Games that are not the site's own: packages that the setting ``TEFUDA_GAMES`` names.

Such a package has a ``GAME``, and beside it a folder ``templates`` with what ``templates/games/<code>/`` has for the
site's own games.
"""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from webapp.engine.games import GAMES, register


def load_games(packages: Iterable[str]) -> tuple[Path, ...]:
    """Register the games of these packages and return their template folders.

    Raises:
        ValueError: a package has no game, or one that cannot stand beside the others.
    """
    return tuple(_load(name) for name in packages)


def _load(name: str) -> Path:
    try:
        package = import_module(name)
        game, file = package.GAME, Path(package.__file__ or "")
    except (ImportError, AttributeError) as error:
        raise ValueError(f"TEFUDA_GAMES names {name!r}, which has no game: {error}") from error
    if GAMES.get(game.spec.code) is not game:
        register(game)
    return file.parent / "templates"
