"""What the README tells programs to do works as it stands there."""

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import Server

README = Path(__file__).parents[2] / "README.md"


def test_the_bot_plays_a_hand(server: Server) -> None:
    (bot,) = re.findall(r"^```python\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    here, replaced = re.subn(r'^HOUSE = ".*"$', f'HOUSE = "{server.url}"', bot, flags=re.MULTILINE)
    assert replaced == 1
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", here], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        first, second, last = done.stdout.splitlines()
        assert re.fullmatch(r"([2-9TJQKA][cdhs] ){5}- \S.*", first)
        assert re.fullmatch(r"([2-9TJQKA][cdhs] ){5}- \S.*", second)
        assert re.fullmatch(rf"score \d+ {server.url}/h/[0-9A-Za-z]{{10}}", last)
