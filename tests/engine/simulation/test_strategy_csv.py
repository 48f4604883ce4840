"""Strategy charts as CSV: written charts are read back, errors name their place; strategies by name."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.engine.errors import SetupError
from webapp.engine.games.blackjack.rules import PRESETS
from webapp.engine.simulation.strategy_by_name import strategy_by_name
from webapp.engine.simulation.strategy_chart import HANDS, HARD, NO_SPLIT, PAIRS, SOFT, UPCARDS, WORDS, Strategy
from webapp.engine.simulation.strategy_csv import HEADING, MOST_BYTES, StrategyCsvError, decode, dumps, loads

pytestmark = pytest.mark.slow

CHART = dumps(strategy_by_name("basic", PRESETS["vegas"]))
LINES = CHART.splitlines()


def changed(line: int, text: str | None) -> str:
    """Return the chart with one line replaced, or left out if None. Lines count from 1."""
    lines = LINES.copy()
    lines[line - 1 : line] = [] if text is None else [text]
    return "\n".join(lines)


def words(of: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.tuples(*[st.sampled_from(of)] * len(UPCARDS))


TOTALS = words(tuple(word for word in WORDS if word not in ("P", "Rp")))
SPLITS = words(("P", "Rp", NO_SPLIT))


@given(st.fixed_dictionaries({hand: SPLITS if hand in PAIRS else TOTALS for hand in HANDS}), st.booleans())
def test_what_is_written_is_read_again(rows: dict[str, tuple[str, ...]], insure: bool) -> None:
    strategy = Strategy.of("chart", rows, insure)
    assert loads(dumps(strategy)) == strategy


def test_order_spaces_empty_lines_and_what_goes_without_saying_do_not_matter() -> None:
    heading, *rest = LINES
    short = [
        line for line in rest if line.split(",")[0] not in ("4", "5", "18", "19", "20", "21", "55", "TT", "insurance")
    ]
    text = "\r\n".join((" , ".join(heading.split(",")), "", *reversed(short), ",,,", ""))
    assert loads("\ufeff" + text).rows == loads(CHART).rows


@pytest.mark.parametrize(
    "text, fault, line, column",
    [
        ("", "heading", 1, 0),
        ("hand,2,3\n", "heading", 1, 0),
        ("\0", "heading", 1, 0),
        (changed(1, "hand;2;3;4;5;6;7;8;9;T;A"), "no-hand", 2, 1),
        ("\n\n" + changed(1, "hand,2,3,4,5,6,7,8,9,T,K"), "heading", 3, 0),
        ("sep=;\n" + changed(1, "hand,2"), "heading", 2, 0),
        ("\n" + changed(5, LINES[4].replace("H", "X", 1)), "word", 6, 2),
        (changed(5, LINES[4].replace("H", "X", 1)), "word", 5, 2),
        (changed(5, LINES[4][:-1]), "word", 5, 11),
        (changed(5, LINES[4] + ",H"), "too-many", 5, 12),
        (changed(5, "7,H,H,H"), "word", 5, 5),
        (changed(5, "7,P,H,H,H,H,H,H,H,H,H"), "word", 5, 2),
        (changed(34, "88,H" + ",P" * 9), "word", 34, 2),
        (changed(5, "77.5" + ",H" * 10), "no-hand", 5, 1),
        (changed(6, LINES[4]), "twice", 6, 1),
        (changed(10, None), "hole", 37, 0),
        (changed(len(LINES), "insurance,maybe"), "word", 38, 2),
        (CHART + "hit,everything\n", "no-hand", 39, 1),
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str) else "",
)  # fmt: skip
def test_what_is_wrong_is_said_with_line_and_column(text: str, fault: str, line: int, column: int) -> None:
    with pytest.raises(StrategyCsvError) as caught:
        loads(text)
    assert (caught.value.fault, caught.value.line, caught.value.column) == (fault, line, column)
    assert not column or f"line {line}, column {column}" in str(caught.value)


def test_what_is_missing_is_named() -> None:
    without = "\n".join(line for line in LINES if not line.startswith(("12,", "A5,")))
    with pytest.raises(StrategyCsvError, match="12, A5"):
        loads(without)


@pytest.mark.parametrize(
    "raw, fault, line, column",
    [
        (CHART.encode("utf-16-le"), "heading", 1, 0),
        (CHART.encode("utf-16")[:-1], "not-utf-8", 38, 26),
        (CHART.encode() + "\nä".encode("latin-1"), "not-utf-8", 39, 1),
        (b"hand,2\xff", "not-utf-8", 1, 7),
        (b"x" * (MOST_BYTES + 1), "too-long", 0, 0),
    ],
)
def test_what_is_no_text_is_said_so(raw: bytes, fault: str, line: int, column: int) -> None:
    if fault == "not-utf-8" and line == 39:
        raw = raw.replace(b"\n\n", b"\n")
    with pytest.raises(StrategyCsvError) as caught:
        loads(decode(raw))
    assert (caught.value.fault, caught.value.line, caught.value.column) == (fault, line, column)


def saved(separator: str, *, quoted: bool, upper: bool, columns: int, before: str) -> str:
    """Return the chart as a spreadsheet saves it."""
    rows = [[*line.split(","), *[""] * columns] for line in LINES]
    cells = [[f'"{cell}"' if quoted and cell else cell for cell in row] for row in rows]
    text = before + "\r\n".join(map(separator.join, cells)) + "\r\n"
    return text.upper() if upper else text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("before", ["", "sep={0}\n", "\n", "{0}{0}\n", "{0}\n\nSEP={0}\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_chart_is_read_as_spreadsheets_save_it(separator: str, before: str, encoding: str) -> None:
    for quoted, upper, columns in product((False, True), (False, True), (0, 1, 3)):
        text = saved(separator, quoted=quoted, upper=upper, columns=columns, before=before.format(separator))
        assert loads(decode(text.encode(encoding))) == loads(CHART), (quoted, upper, columns)


def test_a_byte_order_mark_is_no_fault() -> None:
    assert loads(decode(CHART.encode("utf-8-sig"))) == loads(CHART)


@pytest.mark.parametrize(
    "name", ["", "Basic", "stand", "stand-", "stand-3", "stand-22", "stand-017", "stand-1e1", "stand-１７", "x" * 500]
)
def test_there_are_no_other_strategies(name: str) -> None:
    with pytest.raises(SetupError, match="no such strategy"):
        strategy_by_name(name, PRESETS["vegas"])


def test_strategies_stand_where_they_say() -> None:
    mimic, bold = (strategy_by_name("mimic", PRESETS[preset]) for preset in ("vegas", "downtown"))
    assert (mimic.word("16", "T"), mimic.word("17", "T"), mimic.word("A6", "T"), mimic.word("A5", "T")) == tuple("HSSH")
    assert (bold.word("17", "T"), bold.word("A6", "T"), bold.word("A7", "T")) == tuple("SHS")
    never = strategy_by_name("never-bust", PRESETS["vegas"])
    assert (never.word("11", "2"), never.word("12", "T"), never.word("A6", "2"), never.word("A7", "T")) == tuple("HSHS")
    assert {strategy_by_name("stand-14", PRESETS["vegas"]).word(hand, "5") for hand in HARD[:10]} == {"H"}
    assert set(SOFT) <= set(HANDS) and HEADING[0] == "hand"
