"""Tables as files: shared, complete, and built once."""

import os
from pathlib import Path

import numpy as np
import pytest

from webapp.services.odds import store
from webapp.services.odds.store import FolderStore, NotBuilt, build_none, is_quick


def numbers() -> dict[str, np.ndarray]:
    return {"one": np.arange(3), "two": np.ones((2, 2))}


def never() -> dict[str, np.ndarray]:
    raise AssertionError("built twice")


def test_tables_come_back_as_files_that_are_mapped_and_cannot_be_written_to(tmp_path: Path) -> None:
    FolderStore(tmp_path).tables("a", numbers)
    kept = FolderStore(tmp_path).tables("a", never)
    assert (kept["one"].tolist(), kept["two"].shape) == ([0, 1, 2], (2, 2))
    assert isinstance(kept["one"], np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        kept["one"][0] = 1


def test_whoever_comes_second_leaves_the_first_ones_tables_in_place(tmp_path: Path) -> None:
    def overtaken() -> dict[str, np.ndarray]:
        FolderStore(tmp_path).tables("a", lambda: {"one": np.array([7])})
        return numbers()

    assert FolderStore(tmp_path).tables("a", overtaken)["one"].tolist() == [7]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_tables_that_cannot_be_built_leave_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        FolderStore(tmp_path).tables("a", never)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_may_not_build_says_what_is_missing_and_opens_what_others_have_built(tmp_path: Path) -> None:
    reading = FolderStore(tmp_path, build_none)
    with pytest.raises(NotBuilt, match="a"):
        reading.tables("a", never)
    FolderStore(tmp_path).tables("a", numbers)
    assert reading.tables("a", never)["one"].tolist() == [0, 1, 2]


def test_the_quick_lane_leaves_what_takes_a_minute_to_the_other(tmp_path: Path) -> None:
    quick = FolderStore(tmp_path, is_quick)
    quick.tables("draw-1-0.lines", numbers)
    with pytest.raises(NotBuilt):
        quick.tables("draw-1-0.several-3-0", never)
    with pytest.raises(NotBuilt):
        quick.tables("index-1-blackjack-1-6", never)


def test_of_small_tables_the_oldest_go_and_large_ones_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anybody may request the edge of own rules, of which there are millions."""
    monkeypatch.setattr(store, "MOST_KEPT", 3)
    kept = FolderStore(tmp_path)
    kept.tables("large", lambda: {"one": np.zeros(store.SMALL)})
    for age, name in enumerate(("a", "b", "c", "d")):
        kept.tables(name, numbers)
        os.utime(tmp_path / name, (age, age))
    os.utime(tmp_path / "large", (0, 0))
    kept.tables("e", numbers)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "d", "e", "large"]


def test_only_so_many_tables_are_open_at_a_time(tmp_path: Path) -> None:
    kept = FolderStore(tmp_path)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(store.MOST_OPEN + 20):
        kept.tables(f"t{number}", numbers)
    assert len(list(Path("/proc/self/fd").iterdir())) - before < 3 * store.MOST_OPEN
    assert kept.tables("t0", never)["one"].tolist() == [0, 1, 2]
