import pytest

from benchmarks.openapi_load.__main__ import Load, compare
from benchmarks.rows import NO_GOAL, Goal, Row, parse

OURS = {
    "a": Load(4, 0.01, 1.0),
    "b": Load(2, 0.03, 1.0),
    "github": Load(9, 0.2, 63.0),
    "kubernetes": Load(7, 0.3, 50.0),
}
PEER = {"a": Load(4, 0.1, 2.0), "b": None, "github": Load(9, 2.0, 126.0), "kubernetes": None}


def rows(capsys: pytest.CaptureFixture[str], goal: Goal) -> dict[str, Row]:
    compare(OURS, PEER, "peer 1.0", goal)
    return {row.name.removeprefix("openapi_load: "): row for row in map(parse, capsys.readouterr().out.splitlines())}


def test_what_a_library_does_not_load_is_counted_and_left_out_of_the_medians(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = rows(capsys, NO_GOAL)
    loaded, tools = found["documents loaded, of 4"], found["tools made of them"]
    assert (loaded.ours, loaded.peer, tools.ours, tools.peer) == (4, 2, 22, 13)
    median = found["CPU of a document, median of the 2 that both load"]
    assert (median.ours, median.peer, median.ratio) == (105.0, 1050.0, 10.0)
    assert [name for name in found if "kubernetes" in name] == []


def test_github_has_goals_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    found = rows(capsys, Goal(ratio_at_least=10))
    cpu, memory = found["CPU, github"], found["memory, github"]
    assert (cpu.ours, cpu.ratio, cpu.goal, cpu.is_met) == (0.2, 10.0, "≤ 0.15 s", False)
    assert (memory.ours, memory.ratio, memory.goal, memory.is_met) == (63.0, 2.0, "≤ 90 MB", True)
