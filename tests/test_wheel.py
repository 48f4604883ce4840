"""The wheel is complete: installed in another environment, the site starts."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from http.client import HTTPConnection
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.support.server import free_port, wait_until_healthy
from webapp.web.templating.static_files import digest_of, read

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("tefuda-*.whl"))


def files_under(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pot"
    }


def test_the_wheel_holds_pages_styles_words_and_migrations(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    expected = {f"webapp/{name}" for name in files_under(ROOT / "webapp")}
    expected |= {f"webapp/{top}/{name}" for top in ("templates", "static") for name in files_under(ROOT / top)}
    assert expected <= inside
    assert {name.partition("/")[0] for name in inside if ".dist-info/" not in name} == {"webapp"}


def test_an_installed_wheel_serves_the_room(wheel: Path, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    offline = ["--no-deps", "--no-index", "--ignore-installed", "--disable-pip-version-check"]
    subprocess.run([*install, *offline, str(wheel)], check=True, capture_output=True, timeout=120)
    # What it depends on is borrowed from here. A folder named in a .pth does not bring its own .pth files along,
    # so the checkout itself stays out of reach.
    lenders = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    borrowed = Path(sysconfig.get_path("purelib", vars={"base": str(home), "platbase": str(home)})) / "borrowed.pth"
    borrowed.write_text("\n".join(lenders) + "\n", encoding="utf-8")

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TEFUDA_"))}
    environment["TEFUDA_INSTANCE"] = str(tmp_path / "instance")
    ask = [str(python), "-c", "import webapp; print(webapp.__file__)"]
    where = subprocess.run(ask, cwd=elsewhere, env=environment, capture_output=True, text=True, check=True)
    assert Path(where.stdout.strip()).is_relative_to(home)
    log = tmp_path / "log"
    with log.open("wb") as out:
        command = [str(home / "bin" / "tefuda"), "serve", "--port", str(port)]
        process = subprocess.Popen(command, cwd=elsewhere, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        wait_until_healthy(f"http://127.0.0.1:{port}", process, log)
        with urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            assert answer.status == 200
            assert f"/static/{digest_of(read(ROOT / 'static'))}/js/app.js" in answer.read().decode()
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/static/css/base.css", headers={"Accept-Encoding": "gzip, br"})
        assert connection.getresponse().headers["Content-Encoding"] == "br"
        connection.close()
    finally:
        process.terminate()
        process.wait(timeout=20)
