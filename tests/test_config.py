"""Settings: safe defaults, a key that is made once and read by its owner alone, and clear words about nonsense."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command_line import CommandResult
from webapp.config import Config

ROOT = Path(__file__).parents[1]


def config(tmp_path: Path, **environ: str) -> Config:
    return Config.from_environ({"TEFUDA_INSTANCE": str(tmp_path / "room"), **environ})


def test_the_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    first = config(tmp_path)
    path = tmp_path / "room" / "secret_key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(first.secret_keys[0]) >= 43
    assert config(tmp_path).secret_keys == first.secret_keys == (path.read_text(),)
    assert [each.name for each in path.parent.iterdir()] == ["secret_key"], "nothing else is left lying there"
    assert config(tmp_path / "b").secret_keys != first.secret_keys


def test_of_many_first_processes_one_makes_the_key(tmp_path: Path) -> None:
    script = "import os; from webapp.config import Config; print(Config.from_environ(os.environ).secret_keys[0])"
    environ = {**os.environ, "TEFUDA_INSTANCE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen([sys.executable, "-c", script], env=environ, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    keys = {process.communicate()[0] for process in started}
    assert {process.returncode for process in started} == {0}
    assert len(keys) == 1


def test_a_given_key_makes_no_file_and_older_ones_stay_readable(tmp_path: Path) -> None:
    found = config(tmp_path, TEFUDA_SECRET_KEY="n" * 32, TEFUDA_SECRET_KEY_FALLBACKS=" old , older,, ")
    assert found.secret_keys == ("n" * 32, "old", "older")
    assert not (tmp_path / "room" / "secret_key").exists()


def test_an_empty_key_file_is_not_taken_for_a_key(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "secret_key").touch()
    with pytest.raises(ValueError, match="secret_key"):
        config(tmp_path)


@pytest.mark.parametrize("key", ["k", "k" * 31])
def test_a_key_that_can_be_tried_out_is_refused_with_a_way_on(tmp_path: Path, key: str) -> None:
    """Also one in the key file; old ones are still read, so that a short one can be replaced."""
    with pytest.raises(ValueError, match=r"TEFUDA_SECRET_KEY has .* 32.*TEFUDA_SECRET_KEY_FALLBACKS"):
        config(tmp_path, TEFUDA_SECRET_KEY=key)
    (tmp_path / "room" / "secret_key").write_text(key)
    with pytest.raises(ValueError, match=r"secret_key has .* 32"):
        config(tmp_path)
    assert config(tmp_path, TEFUDA_SECRET_KEY="n" * 32, TEFUDA_SECRET_KEY_FALLBACKS=key).secret_keys == ("n" * 32, key)


def test_an_address_of_ipv6_stands_in_brackets(tmp_path: Path) -> None:
    assert config(tmp_path, TEFUDA_HOST="::").origin == "[::]:8000"
    assert config(tmp_path, TEFUDA_HOST="10.0.0.3", TEFUDA_PORT="80").origin == "10.0.0.3:80"


@pytest.mark.parametrize(
    ("environ", "believes_anybody"),
    [
        ({"TEFUDA_HOST": "10.0.0.3"}, False),
        ({"TEFUDA_PUBLIC_URL": "https://cards.example"}, False),
        ({"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_HOST": "localhost"}, False),
        ({"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_HOST": "::1"}, False),
        ({"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_HOST": "::"}, True),
        ({"TEFUDA_PUBLIC_URL": "https://cards.example", "TEFUDA_HOST": "10.0.0.3"}, True),
        (
            {
                "TEFUDA_PUBLIC_URL": "https://cards.example",
                "TEFUDA_HOST": "10.0.0.3",
                "TEFUDA_TRUSTED_PROXIES": "10.0.0.2",
            },
            False,
        ),
    ],
)
def test_a_reachable_port_with_a_public_url_wants_its_proxies_named(
    tmp_path: Path, environ: dict[str, str], believes_anybody: bool
) -> None:
    assert config(tmp_path, **environ).believes_anybody == believes_anybody


@pytest.mark.parametrize("words", [("serve",), ("audit",), ("db", "upgrade")])
def test_an_instance_folder_that_cannot_be_used_is_a_wrong_use(
    tefuda: Callable[..., CommandResult], tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "file").touch()
    said = tefuda(*words, TEFUDA_INSTANCE=str(tmp_path / "file" / "room"))
    assert said.status == 2
    assert "the instance folder (TEFUDA_INSTANCE) cannot be used" in said.errors


@pytest.mark.parametrize(
    ("name", "saying"),
    [("tefuda.sqlite3", "tefuda.sqlite3 is a folder, and no database"), ("cache", "the instance folder")],
)
def test_serve_says_in_a_line_that_it_cannot_write(tmp_path: Path, name: str, saying: str) -> None:
    """Something else lies where the database or the cache belongs: who runs the tests may be allowed everything."""
    room = tmp_path / "room"
    room.mkdir()
    (room / name).touch() if name == "cache" else (room / name).mkdir()
    environ = {**os.environ, "TEFUDA_INSTANCE": str(room), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "from webapp.cli import main; main()", "serve", "--port", "9"]
    ended = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2, ended.stderr
    assert "Traceback" not in ended.stderr
    assert saying in ended.stderr


def test_defaults_are_safe(tmp_path: Path) -> None:
    found = config(tmp_path)
    assert (found.host, found.port, found.rate_limits, found.https) == ("127.0.0.1", 8000, True, False)
    assert found.database_url == f"sqlite:///{tmp_path / 'room' / 'tefuda.sqlite3'}"
    assert config(tmp_path, TEFUDA_DATABASE_URL="postgresql://x/y").database_url == "postgresql+psycopg://x/y"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("TEFUDA_PORT", port) for port in ("x", "0", "-1", "65536", "80.5", "８０", " 80", "1e3")),
        *(
            ("TEFUDA_PUBLIC_URL", url)
            for url in ("cards.example", "ftp://cards.example", "https://", "//cards", "https:/x")
        ),
        ("TEFUDA_TRUSTED_PROXIES", "proxy.example"),
        ("TEFUDA_LOG_ADDRESSES", "some"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        config(tmp_path, **{name: value})


@pytest.mark.parametrize(
    ("words", "environ", "saying"),
    [
        (("serve",), {"TEFUDA_PORT": "x"}, "TEFUDA_PORT"),
        (("serve",), {"TEFUDA_PUBLIC_URL": "nonsense"}, "TEFUDA_PUBLIC_URL"),
        (("audit",), {"TEFUDA_PORT": "x"}, "TEFUDA_PORT"),
        (("db", "upgrade"), {"TEFUDA_PUBLIC_URL": "nonsense"}, "TEFUDA_PUBLIC_URL"),
        (("db", "void"), {"TEFUDA_DATABASE_URL": "mysql://x"}, "TEFUDA_DATABASE_URL"),
        (("audit",), {"TEFUDA_DATABASE_URL": "nonsense"}, "TEFUDA_DATABASE_URL"),
    ],
)
def test_a_wrong_setting_is_a_wrong_use(
    tefuda: Callable[..., CommandResult], words: tuple[str, ...], environ: dict[str, str], saying: str
) -> None:
    said = tefuda(*words, **environ)
    assert said.status == 2
    assert saying in said.errors


def test_an_audit_without_a_database_is_a_wrong_use(tefuda: Callable[..., CommandResult], tmp_path: Path) -> None:
    said = tefuda("audit", TEFUDA_DATABASE_URL=f"sqlite:///{tmp_path / 'nothing.sqlite3'}")
    assert said.status == 2
    assert "tefuda db upgrade" in said.errors


def test_an_option_that_makes_no_sense_is_a_wrong_use(tefuda: Callable[..., CommandResult]) -> None:
    for words in (("serve", "--port", "x"), ("nonsense",), ("db",), ("db", "nonsense"), ("audit", "--nonsense")):
        assert tefuda(*words).status == 2
    assert tefuda("--help").status == 0


def test_the_server_makes_its_key_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        config(tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "room" / "secret_key").stat().st_mode) == 0o600
