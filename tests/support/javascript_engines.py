"""Engines that run a script of the pages in tests: Node, or else Chromium."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

SCRIPT = Path(__file__).parents[2] / "static" / "js" / "fair.js"

# Node has no window: the script gets a world of its own, with WebCrypto or without it as on plain http.
IN_NODE = """
const { readFileSync } = require("node:fs");
const { createContext, runInContext } = require("node:vm");
const { script, secure, work, argument } = JSON.parse(readFileSync(0, "utf8"));
const world = createContext({ TextEncoder, crypto: secure ? require("node:crypto").webcrypto : {} });
runInContext(script, world);
runInContext(`(${work})`, world)(argument).then((found) => process.stdout.write(JSON.stringify(found)));
"""


class Node:
    """Runs JavaScript in Node. ``run`` returns what the asynchronous function ``work`` returns for ``argument``."""

    def __init__(self, path: str) -> None:
        self.path = path

    def run(self, work: str, argument: Any, secure: bool) -> Any:
        task = {"script": SCRIPT.read_text("utf-8"), "secure": secure, "work": work, "argument": argument}
        done = subprocess.run(
            [self.path, "-e", IN_NODE], input=json.dumps(task), capture_output=True, encoding="utf-8", timeout=120
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


class Chromium:
    """Runs JavaScript in a page. If not ``secure``, the page is plain http, where browsers have no WebCrypto."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def run(self, work: str, argument: Any, secure: bool) -> Any:
        with self.browser.new_context() as context:
            page = context.new_page()
            page.route("**/*", lambda route: route.fulfill(content_type="text/html", body="<!doctype html>"))
            page.goto("https://fair.test/" if secure else "http://fair.test/")
            page.add_script_tag(content=SCRIPT.read_text("utf-8"))
            return page.evaluate(work, argument)


def node() -> Node | None:
    path = shutil.which("node") or shutil.which("nodejs")
    return Node(path) if path else None
