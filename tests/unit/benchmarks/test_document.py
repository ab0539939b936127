import pytest

from benchmarks.__main__ import NAMES, shown
from benchmarks.document import figure, marks, table, with_table
from benchmarks.environments import ROOT
from benchmarks.machine import Machine
from benchmarks.rows import Goal, cost

MET = cost("turns: CPU a turn", "ms", 2.5, 50.0, "peer 1.0", Goal(ratio_at_least=5))
MISSED = cost("turns: p99", "ms", 20.0, 60.0, "peer 1.0", Goal(ratio_at_least=5))
AIMLESS = cost("turns: rows", "µs", 12345.0, 6172.5, "peer 1.0")


def test_a_table_has_a_line_for_each_row_and_says_where_it_was_measured() -> None:
    assert table([MET, MISSED, AIMLESS], "yesterday").splitlines() == [
        "Measured yesterday.",
        "",
        "| what | ours | peer | against | ours is better by | goal | |",
        "|---|---:|---:|---|---:|---|---|",
        "| CPU a turn | 2.5 ms | 50 ms | peer 1.0 | 20× | ≥ 5× | met |",
        "| p99 | 20 ms | 60 ms | peer 1.0 | 3× | ≥ 5× | **missed** |",
        "| rows | 12,345 µs | 6,172 µs | peer 1.0 | 0.5× |  |  |",
    ]


def test_a_row_is_shown_with_what_became_of_its_goal() -> None:
    assert shown(MET) == "turns: CPU a turn: 2.5 ms, 50 ms with peer 1.0: 20×, goal ≥ 5× met"
    assert shown(MISSED).endswith("3×, goal ≥ 5× MISSED")
    assert shown(AIMLESS).endswith("0.5×")


@pytest.mark.parametrize(("value", "text"), [(0.5, "0.5"), (20.0, "20"), (999.0, "999"), (1234567.0, "1,234,567")])
def test_figures_have_no_exponent(value: float, text: str) -> None:
    assert figure(value) == text


def test_only_the_table_of_the_benchmark_is_replaced() -> None:
    before = "a\n{}\nold\n{}\nb\n{}\nkept\n{}\n".format(*marks("turns"), *marks("codec"))
    after = with_table(before, "turns", "new")
    assert after == "a\n{}\nnew\n{}\nb\n{}\nkept\n{}\n".format(*marks("turns"), *marks("codec"))
    assert with_table(after, "turns", "new") == after


def test_a_document_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the document lacks <!-- turns:begin \(make bench\) -->"):
        with_table("nothing", "turns", "new")


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_has_a_place_in_the_document(name: str) -> None:
    document = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert "new" in with_table(document, name, "new")


@pytest.mark.parametrize(("commit", "words"), [("abc1234+", "openplaybook 0.1.0 at abc1234+,"), ("", "0.1.0, Python")])
def test_a_machine_is_described_without_naming_it(commit: str, words: str) -> None:
    machine = Machine("0.1.0", commit, "2026-11-21", "Linux x86_64", "3.11.7", 2, 0.25)
    assert words in machine.words()
    assert machine.words().endswith("Python 3.11.7, Linux x86_64, 2 cores, load before the run 0.2")
