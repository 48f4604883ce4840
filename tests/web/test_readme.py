"""What the README tells programs to do works as it stands there."""

import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import Server
from webapp.engine.families.bank_rules import CHOICES, PRESETS

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


def test_the_grammar_of_own_rules_is_the_one_that_is_read() -> None:
    """Names, order and values; of a long row of numbers the first and the last."""
    text = README.read_text("utf-8")
    presets, lines = re.findall(r"^preset = (.+)\n\nrule, in this order +value\n((?:\S.*\n)+)```$", text, re.MULTILINE)[
        0
    ]
    assert tuple(presets.split(" | ")) == tuple(PRESETS)
    written = {name: values.split(" | ") for name, values in (line.split(maxsplit=1) for line in lines.splitlines())}
    assert list(written) == list(CHOICES)
    for name, values in written.items():
        choices = [str(choice).lower() for choice in CHOICES[name]]
        assert values == choices or values == [*choices[:2], "...", choices[-1]]


def test_every_table_has_a_head() -> None:
    """Rows that a blank line cuts off from their head are shown as a paragraph full of bars."""
    blocks = re.findall(r"(?:^\|.*\|\n)+", README.read_text("utf-8"), re.MULTILINE)
    assert len(blocks) >= 4
    for block in blocks:
        head, rule, *rows = block.splitlines()
        assert re.fullmatch(r"\|(---\|)+", rule), block
        assert {row.count("|") for row in (head, *rows)} == {rule.count("|")}, block
