"""One version of the site is replaced by another, process after process, behind the proxies of ``docs/deploy``.

Static files must not cross: nobody gets, and no cache keeps, one version's file under the other one's address.
"""

import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.support import caddy, nginx
from tests.support.project_files import ROOT
from tests.support.server import TEFUDA, Server, free_port
from webapp.web.templating.static_files import digest_of, minified, read

PLACE = re.compile(r"/static/([0-9a-f]{16})/([^\"'?#)]+)")
IMPORTED = re.compile(rb"""(?:from |import |import\()"(\./[\w.]+)\"""")
IN_A_STYLE = re.compile(rb"""url\("?(\.[^")]+)""")
CACHED = """async () => {
  const kept = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      kept.push([name, new URL(request.url).pathname, await answer.text()]);
    }
  }
  return kept;
}"""

SETTLED = """() => performance.now() > 1800 && navigator.serviceWorker.getRegistration()
  .then((found) => found?.active?.state === "activated" && !found.installing && !found.waiting)"""
"""Chromium looks for a new service worker a second after a page was opened. It keeps an old one that a debugger, and so
Playwright, looks at for another second, and then forgets what that was asked meanwhile: a page opened just then hangs.
"""

pytestmark = pytest.mark.slow
EITHER_FIRST = pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.soak)])
"""Which of the two processes is replaced first."""


@dataclass
class Upgrade:
    """Two processes of the old version, which can be replaced by the new one. ``url`` is that of the proxy."""

    folder: Path
    url: str
    versions: list[Path]
    """Folders of the code: the old one and the new one."""
    start: Callable[[int, Path], Server]
    processes: list[Server]
    digests: dict[str, Path] = field(init=False)
    """Versions by the digest in the addresses of their files."""

    def __post_init__(self) -> None:
        self.digests = {digest_of(read(version / "static")): version for version in self.versions}

    def replace(self, number: int) -> None:
        """Stop a process of the old version; start the new one in its place."""
        assert self.processes[number].stop() == 0
        self.processes[number] = self.start(number, self.versions[1])

    def first_page(self, address: str = "127.0.0.1") -> tuple[Path, str]:
        """Load a page from this local address; return whose version it is, and the page."""
        status, _, page = ask(self.url, "/", address)
        assert status == 200
        (digest,) = {digest for digest, _ in PLACE.findall(page.decode())}
        return self.digests[digest], page.decode()

    def visit(self, address: str = "127.0.0.1") -> Path:
        """Load a page, with everything it links to and all that its scripts import; return whose version it is."""
        version, page = self.first_page(address)
        wanted = [f"/static/{digest}/{name}" for digest, name in PLACE.findall(page)]
        assert len(wanted) > 10
        seen: set[str] = set()
        while wanted:
            path = wanted.pop()
            if path not in seen:
                seen.add(path)
                wanted += [urljoin(path, found.decode()) for found in self.require_own(path, address)]
        assert {self.digests[digest] for path in seen for digest, _ in PLACE.findall(path)} == {version}
        return version

    def require_own(self, path: str, address: str = "127.0.0.1") -> list[bytes]:
        """Require that a file is the one of the version in its address; return the addresses in it."""
        status, headers, body = ask(self.url, path, address)
        assert (status, headers.get("cache-control")) == (200, "max-age=31536000, public, immutable"), path
        assert body == self.file_at(path), path
        return IMPORTED.findall(body) + IN_A_STYLE.findall(body)

    def file_at(self, path: str) -> bytes:
        ((digest, name),) = PLACE.findall(path)
        return (self.digests[digest] / "static" / name).read_bytes()

    def require_own_in_nginx(self) -> int:
        """Require that nginx keeps only files of the version in their address; return how many it keeps."""
        kept = [path.read_bytes() for path in (self.folder / "cache").rglob("*") if path.is_file()]
        for each in kept:
            found = re.search(rb"\nKEY: http127\.0\.0\.1(/static/\S+)\n", each)
            assert found
            assert each.partition(b"\r\n\r\n")[2] == self.file_at(found[1].decode())
        return len(kept)


def ask(url: str, path: str, address: str = "127.0.0.1") -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(urlsplit(url).netloc, timeout=60, source_address=(address, 0))
    try:
        connection.request("GET", path, headers={"Accept": "*/*"})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


@pytest.fixture(scope="module")
def new_version(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the site with a script that needs what only the new version of another one has."""
    folder = tmp_path_factory.mktemp("new-version")
    for name in ("webapp", "templates", "static"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    scripts = folder / "static" / "js"
    with (scripts / "common.js").open("a") as file:
        file.write('\nexport const version = "new";\n')
    entry = scripts / "app.js"
    entry.write_text(
        'import { version } from "./common.js";\ndocument.documentElement.dataset.version = version;\n'
        + entry.read_text("utf-8")
    )
    return folder


@pytest.fixture
def without_proxy(tmp_path: Path, new_version: Path, serving: Callable[..., Server]) -> Upgrade:
    def start(number: int, version: Path) -> Server:
        instance = tmp_path / f"instance-{number}"
        (instance / "cache" / "static").mkdir(parents=True, exist_ok=True)
        return serving(instance, ports[number], program=TEFUDA, PYTHONPATH=str(version))

    ports = [free_port(), free_port()]
    processes = [start(number, ROOT) for number in range(2)]
    return Upgrade(tmp_path, "", [ROOT, new_version], start, processes)


def addresses(site: Upgrade) -> list[str]:
    return [urlsplit(process.url).netloc for process in site.processes]


@pytest.fixture
def upgrade(without_proxy: Upgrade) -> Iterator[Upgrade]:
    """The site behind nginx."""
    site, port = without_proxy, free_port()
    behind = [int(address.rpartition(":")[2]) for address in addresses(site)]
    with nginx.running(site.folder, port, behind):
        yield replace(site, url=f"http://127.0.0.1:{port}")


@pytest.fixture
def behind_caddy(without_proxy: Upgrade) -> Iterator[Upgrade]:
    site, port = without_proxy, free_port()
    with caddy.running(site.folder, port, addresses(site)):
        yield replace(site, url=f"http://127.0.0.1:{port}")


def until_both_were_seen(upgrade: Upgrade) -> None:
    seen: set[Path] = set()
    for _ in range(40):
        seen.add(upgrade.visit())
        if len(seen) == 2:
            return
    raise AssertionError("all pages come from one process")


@EITHER_FIRST
def test_no_file_crosses_from_one_version_to_the_other(upgrade: Upgrade, first: int) -> None:
    old, new = upgrade.versions
    assert upgrade.visit() == old
    before, ahead = upgrade.digests
    for _ in range(4):  # somebody knows the next version, and asks for it in advance
        status, headers, _ = ask(upgrade.url, f"/static/{ahead}/js/app.js")
        assert (status, headers["cache-control"]) == (404, "no-store")
    upgrade.replace(first)
    until_both_were_seen(upgrade)
    for digest in upgrade.digests:
        for _ in range(8):
            for name in ("js/app.js", "js/common.js", "js/glory.js", "css/odds.css"):
                upgrade.require_own(f"/static/{digest}/{name}")
    upgrade.replace(1 - first)
    for _ in range(4):
        assert upgrade.visit() == new
    upgrade.require_own(f"/static/{before}/js/app.js")  # nginx still has it, for pages that are open
    status, headers, _ = ask(upgrade.url, f"/static/{before}/js/never_asked_for.js")
    assert (status, headers["cache-control"]) == (404, "no-store")
    assert upgrade.require_own_in_nginx() > 20


@EITHER_FIRST
def test_behind_caddy_a_page_and_its_files_come_from_one_process(behind_caddy: Upgrade, first: int) -> None:
    site, visitors = behind_caddy, [f"127.0.0.{number}" for number in range(10, 22)]
    old, new = site.versions
    assert {site.visit(visitor) for visitor in visitors} == {old}
    site.replace(first)
    deadline = time.monotonic() + 30
    while {site.first_page(visitor)[0] for visitor in visitors} != {old, new}:  # until Caddy has noticed
        assert time.monotonic() < deadline
        time.sleep(0.1)
    for _ in range(2):
        assert {site.visit(visitor) for visitor in visitors} == {old, new}
    site.replace(1 - first)
    assert {site.visit(visitor) for visitor in visitors} == {new}


def test_made_up_addresses_are_not_kept_by_nginx(upgrade: Upgrade) -> None:
    upgrade.visit()
    digest = next(iter(upgrade.digests))
    kept = upgrade.require_own_in_nginx()
    for number in range(10):
        assert ask(upgrade.url, f"/static/{number:016x}/js/app.js")[0] == 404
        for path in (f"/static/js/app.js?v={number}", f"/static/img/icon-192.png?{number}", "/static/js/app.js"):
            status, headers, _ = ask(upgrade.url, path)
            assert (status, headers["cache-control"], headers["x-cache"]) == (200, "no-cache", "MISS"), path
        assert ask(upgrade.url, f"/static/{digest}/js/app.js?v={number}")[0] == 200
        assert ask(upgrade.url, f"/static/{digest}/js/%61pp.js?{number}")[0] == 200
    assert upgrade.require_own_in_nginx() == kept


@pytest.mark.e2e
@EITHER_FIRST
def test_a_browser_runs_one_version_or_the_other(upgrade: Upgrade, chromium: Browser, first: int) -> None:
    """Also one that keeps files itself, and that has the service worker of the old version."""
    complaints: list[str] = []

    def opened() -> Page:
        page = chromium.new_context(base_url=upgrade.url, service_workers="allow").new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        return page

    def runs(page: Page) -> str | None:
        """Load a page; return what its scripts say of their version, having compared that with its addresses."""
        page.goto("/")
        page.wait_for_load_state("networkidle")
        page.wait_for_function(SETTLED)
        (digest,) = {digest for digest, _ in PLACE.findall(page.content())}
        loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
        assert {found for name in loaded for found, _ in PLACE.findall(name)} == {digest}
        said = page.evaluate("document.documentElement.dataset.version")
        assert (said == "new") == (upgrade.digests[digest] == upgrade.versions[1])
        return said

    def require_own(page: Page) -> set[str]:
        """Require that the service worker keeps one version's files in one cache; return the names of the caches."""
        kept = page.evaluate(CACHED)
        for name, path, text in kept:
            within = {digest for digest, _ in PLACE.findall(text if path == "/offline" else path)}
            assert within == {digest for digest in upgrade.digests if digest in name}, (name, path)
            if path != "/offline":
                assert text.encode() == minified(path, upgrade.file_at(path)), path
        return {name for name, _, _ in kept}

    faithful = opened()
    runs(faithful)
    assert len(require_own(faithful)) == 1
    upgrade.replace(first)
    seen = set()
    for _ in range(20):
        seen.add(runs(faithful))
        require_own(faithful)
        fresh = opened()
        seen.add(runs(fresh))
        require_own(fresh)
        fresh.context.close()
        if seen == {None, "new"}:
            break
    assert seen == {None, "new"}
    upgrade.replace(1 - first)
    _, after = upgrade.digests
    deadline = time.monotonic() + 60
    while require_own(faithful) != {f"tefuda-/static/{after}/"}:
        assert time.monotonic() < deadline
        assert runs(faithful) == "new"
        time.sleep(1)
    faithful.context.close()
    assert complaints == []
