"""Settings: safe defaults, a key file that only its owner can read, and clear messages about invalid values."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import make_url
from werkzeug.sansio.utils import host_is_trusted

from tests.support.command_line import CommandResult
from tests.support.server import Server
from webapp.app import create_app
from webapp.config import NAMES, Config, SettingsError

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


@pytest.mark.parametrize(
    "url, near",
    [
        ("", True),
        ("postgresql:///tefuda", True),
        ("postgresql://tefuda@/tefuda?host=/run/postgresql", True),
        ("postgresql://tefuda:word@localhost:5433/tefuda", True),
        ("postgresql://127.0.0.1/tefuda", True),
        ("postgresql://[::1]/tefuda", True),
        ("postgresql://db/tefuda", False),
        ("postgresql://tefuda@/tefuda?host=10.0.0.7", False),
        ("postgresql://tefuda@/tefuda?host=/run/postgresql,db", False),
        ("postgresql://tefuda@/tefuda?host=localhost&host=db", False),
        ("postgresql://tefuda@/tefuda?hostaddr=10.0.0.7", False),
    ],
)
def test_a_database_on_this_machine_is_near(tmp_path: Path, url: str, near: bool) -> None:
    assert config(tmp_path, TEFUDA_DATABASE_URL=url).has_near_database is near


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
    """Also one in the key file. Old keys are still accepted for reading, so that a short one can be replaced."""
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
        *(
            (
                {
                    "TEFUDA_PUBLIC_URL": "https://cards.example",
                    "TEFUDA_HOST": "::",
                    "TEFUDA_TRUSTED_PROXIES": f"10.0.0.2,{network}",
                },
                believed,
            )
            for network, believed in (
                *(("0.0.0.0/0", True), ("::/0", True), ("128.0.0.0/1", True), ("2000::/3", True)),
                *(("10.0.0.0/8", False), ("172.16.0.0/12", False), ("fd00::/8", False), ("2400:cb00::/32", False)),
            )
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
    """Another kind of file is in the place of database or cache, since root may write everywhere."""
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


@pytest.mark.parametrize(("word", "on"), [("off", False), ("OFF", False), ("0", False), ("on", True), ("1", True)])
def test_rate_limits_are_on_or_off(tmp_path: Path, word: str, on: bool) -> None:
    assert config(tmp_path, TEFUDA_RATE_LIMITS=word).rate_limits is on


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("TEFUDA_PORT", port) for port in ("x", "0", "-1", "65536", "80.5", "８０", "1e3")),
        *(
            ("TEFUDA_PUBLIC_URL", url)
            for url in ("cards.example", "ftp://cards.example", "https://", "//cards", "https:/x")
        ),
        *(
            ("TEFUDA_PUBLIC_URL", f"https://{place}")
            for place in ("x/cards", "x?y", "x#y", "x y", "a@x", "x:port", "x:99999", "x\n", "[x", "*.x", "x,y")
        ),
        *(("TEFUDA_TRUSTED_PROXIES", networks) for networks in ("proxy.example", "10.0.0.0/33", "10.0.0.1 10.0.0.2")),
        *(
            ("TEFUDA_TRUSTED_HOSTS", hosts)
            for hosts in (
                "https://x",
                "x/y",
                "*.x",
                "x y",
                "good.example,https://x",
                "a..b",
                "\udcff\udcfe",
                ".",
                "[::1]",
            )
        ),
        *(("TEFUDA_HOST", host) for host in ("http://x", "x y", "127.0.0.1/8", "a,b", "\udcff")),
        *(("TEFUDA_RATE_LIMITS", word) for word in ("maybe", " off", "2")),
        *(
            ("TEFUDA_DATABASE_URL", url)
            for url in (
                *(
                    "sqlite:",
                    "sqlite://",
                    "sqlite:///",
                    "sqlite:///:memory:",
                    "sqlite:///file:x?uri=true",
                    "sqlite://x/y",
                ),
                *(
                    "sqlite+aiosqlite:////x",
                    "postgresql+asyncpg://x/y",
                    "postgresql+psycopg2://x/y",
                ),
                *(
                    "postgresql:x",
                    "postgresql://u:secret@h:port/y",
                    "postgresql://u:secret@/x?host=h&port=y",
                    "mysql://x",
                ),
                *("\udcff", "postgresql://\udcff/x"),
            )
        ),
        *(("TEFUDA_GAMES", packages) for packages in ("..", ".x", "a b", "a-b", "a/b")),
        ("TEFUDA_LOG_ADDRESSES", "some"),
        ("TEFUDA_SECRET_KEY", "\udcff" * 40),
        ("TEFUDA_SECRET_KEY_FALLBACKS", "\udcff"),
        ("TEFUDA_INSTANCE", "\udcff"),
        ("TEFUDA_METRICS_TOKEN", "short"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    """The message contains neither a value that could be secret nor characters that a terminal cannot show."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=name) as refused:
        Config.from_environ({"TEFUDA_INSTANCE": str(tmp_path / "room"), name: value})
    (trouble,) = refused.value.troubles
    assert trouble.startswith((f"{name} ", f"{name}: "))
    assert trouble.isprintable()
    assert "secret@" not in trouble
    assert [each.name for each in tmp_path.iterdir()] in ([], ["room"]), "and no folder of another name is made"


def test_all_settings_that_make_no_sense_are_named_at_once(
    tmp_path: Path, tefuda: Callable[..., CommandResult]
) -> None:
    wrong = {
        "TEFUDA_PORT": "x",
        "TEFUDA_PUBLIC_URL": "x",
        "TEFUDA_SECRET_KEY": "short",
        "TEFUDA_LAB_WORKERS": "-1",
        "TEFUDA_KEEP_DAYS": "1.5",
        "TEFUDA_RATE_LIMITS": "maybe",
        "TEFUDA_DATABASE_URL": "nonsense",
    }
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError) as refused:
        Config.from_environ({**wrong, "TEFUDA_INSTANCE": str(tmp_path / "file" / "room")})
    named = {trouble.partition(" ")[0].rstrip(":") for trouble in refused.value.troubles}
    assert named == {*wrong, "the"}, "the last one is the instance folder"
    said = tefuda("audit", **wrong)
    assert said.status == 2
    assert all(name in said.errors for name in wrong)


def test_serve_names_settings_of_earlier_versions(serving: Callable[..., Server]) -> None:
    """Nothing else depends on them: the site opens."""
    server = serving(TEFUDA_STREAMS="100", TEFUDA_KEEP_TABLES="7")
    log = server.log.read_text("utf-8")
    assert "Warning: TEFUDA_STREAMS is no setting any more" in log
    assert "Warning: TEFUDA_KEEP_TABLES is no setting any more: TEFUDA_KEEP_DAYS" in log


def test_no_secret_is_shown_where_the_settings_are(tmp_path: Path) -> None:
    secrets = {
        "TEFUDA_SECRET_KEY": "mine" * 8,
        "TEFUDA_SECRET_KEY_FALLBACKS": "older",
        "TEFUDA_METRICS_TOKEN": "token" * 4,
        "TEFUDA_DATABASE_URL": "postgresql://u:password@h/d",
    }
    shown = repr(config(tmp_path, **secrets))
    assert "port=8000" in shown
    assert [each for each in ("mine", "older", "token" * 2, "password") if each in shown] == []


def test_a_setting_that_is_empty_is_as_if_it_were_not_given(tmp_path: Path) -> None:
    names = NAMES - {"TEFUDA_INSTANCE"}
    assert config(tmp_path, **dict.fromkeys(names, "")) == config(tmp_path)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("https://cards.example/", "https://cards.example"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://Cards.example:444", "https://Cards.example:444"),
        ("https://カード.example", "https://カード.example"),
    ],
)
def test_a_public_url_is_scheme_host_and_port(tmp_path: Path, text: str, found: str) -> None:
    assert config(tmp_path, TEFUDA_PUBLIC_URL=text).public_url == found


def test_hosts_that_are_trusted_are_those_that_browsers_name(tmp_path: Path) -> None:
    found = config(tmp_path, TEFUDA_TRUSTED_HOSTS="Cards.Example, .cards.example,カード.example").trusted_hosts
    for host in ("cards.example", "a.cards.example", "カード.example".encode("idna").decode()):
        assert host_is_trusted(host, found)
    assert not host_is_trusted("other.example", found)


@pytest.mark.parametrize("password", ["plain", "a/b", "a b", "a+b", "a%2Fb", "p@ss:w?r#d&'\\", "パス"])
def test_the_driver_and_libpq_read_the_same_address(tmp_path: Path, password: str) -> None:
    """The connection pool uses the one, the listener for other processes the other."""
    given = f"postgresql://me:{quote(password, '/ ')}@h:1/card%20s?sslmode=disable&options=-c%20a%3Db%2Bc"
    url = config(tmp_path, TEFUDA_DATABASE_URL=given).database_url
    assert make_url(url).password == password
    assert config(tmp_path, TEFUDA_DATABASE_URL=url).database_url == url, "the lab is started with it"
    by_libpq = conninfo_to_dict(url.replace("postgresql+psycopg://", "postgresql://", 1))
    _, by_the_driver = make_url(url).get_dialect()().create_connect_args(make_url(url))
    by_the_driver.pop("context", None)
    assert by_libpq == {name: str(value) for name, value in by_the_driver.items()}
    assert (by_libpq["password"], by_libpq["options"]) == (password, "-c a=b+c")


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


def test_an_sqlite_file_without_its_folder_lies_where_flask_has_always_looked_for_it(tmp_path: Path) -> None:
    instance = Path(create_app({"TEFUDA_INSTANCE": str(tmp_path)}).instance_path)
    settings = {"TEFUDA_INSTANCE": str(tmp_path), "TEFUDA_DATABASE_URL": "sqlite:///some/room.sqlite3?timeout=3"}
    assert Config.from_environ(settings).database_url == f"sqlite:///{instance}/some/room.sqlite3?timeout=3"
