"""The sounds of the tables: made by a script, always the same, small, and where the page looks for them."""

import re
import runpy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
MOST = 28 * 1024


def maker() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / ".packaging" / "make_sounds.py"))


def test_the_sounds_are_those_that_the_script_makes_and_small() -> None:
    kept = (ROOT / "static" / "sound" / "table.wav").read_bytes()
    assert kept == maker()["wav"](), "run .packaging/make_sounds.py"
    assert len(kept) <= MOST


def test_each_of_them_can_be_heard_and_none_is_cut_off() -> None:
    made = maker()
    samples, rate = made["samples"](), made["RATE"]
    for name, (begin, length) in made["places"]().items():
        own = [abs(byte - 128) for byte in samples[round(begin * rate) : round((begin + length) * rate)]]
        assert 20 < max(own) < 127, name
        assert max(own[-8:]) <= 8, f"{name} ends with a click"


def test_the_page_knows_where_each_of_them_lies() -> None:
    script = (ROOT / "static" / "js" / "sound.js").read_text("utf-8")
    found = re.findall(r"(\w+): \[([\d.]+), ([\d.]+)\]", script)
    assert {name: (float(begin), float(length)) for name, begin, length in found} == maker()["places"]()
