from dataclasses import asdict

import pytest

from benchmarks.rows import Goal, Row, cost, digits, parse, rate, report
from openplaybook.jsonvalues import dumps


def test_the_ratio_of_a_cost_is_how_many_times_less_ours_is() -> None:
    row = cost("turns: CPU", "ms", 2.0, 10.0, "peer 1.0")
    assert row == Row("turns: CPU", "ms", 2.0, 10.0, "peer 1.0", 5.0, "", None)


def test_the_ratio_of_a_rate_is_how_many_times_more_ours_is() -> None:
    assert rate("turns: turns", "/s", 300.0, 20.0, "peer 1.0").ratio == 15.0


@pytest.mark.parametrize(("peer", "is_met"), [(10.0, True), (9.9, False)])
def test_a_goal_of_a_ratio_is_met_from_that_ratio_on(peer: float, is_met: bool) -> None:
    row = cost("turns: CPU", "ms", 2.0, peer, "peer 1.0", Goal(ratio_at_least=5))
    assert (row.goal, row.is_met) == ("≥ 5×", is_met)


@pytest.mark.parametrize(("ours", "is_met"), [(1.5, True), (1.51, False)])
def test_a_goal_of_our_own_figure_does_not_look_at_the_peer(ours: float, is_met: bool) -> None:
    row = cost("startup: ready", "s", ours, 0.1, "peer 1.0", Goal(ours_at_most=1.5))
    assert (row.goal, row.is_met) == ("≤ 1.5 s", is_met)


@pytest.mark.parametrize(("ours", "is_met"), [(40.0, True), (39.9, False)])
def test_a_goal_of_a_rate_is_met_from_that_rate_on(ours: float, is_met: bool) -> None:
    row = rate("code: executions", "/s", ours, 100.0, "peer 1.0", Goal(ours_at_least=40))
    assert (row.goal, row.is_met) == ("≥ 40 /s", is_met)


@pytest.mark.parametrize(("ours", "is_met"), [(15.0, True), (15.1, False)])
def test_a_goal_of_a_multiple_bounds_what_ours_costs_more_than_the_peer(ours: float, is_met: bool) -> None:
    row = cost("openapi_call: CPU", "µs", ours, 10.0, "aiohttp by hand", Goal(times_at_most=1.5))
    assert (row.goal, row.is_met) == ("≤ 1.5× the peer's", is_met)


def test_whether_a_goal_is_met_is_judged_before_figures_are_rounded() -> None:
    row = cost("turns: CPU", "ms", 2.0, 9.9999, "peer 1.0", Goal(ratio_at_least=5))
    assert (row.ratio, row.is_met) == (5.0, False)


@pytest.mark.parametrize(("value", "rounded"), [(0.123456, 0.123), (12.345, 12.3), (1234.5, 1234.0), (0.0, 0.0)])
def test_three_digits_are_kept(value: float, rounded: float) -> None:
    assert digits(value) == rounded


def test_what_is_printed_is_read_back_as_the_same_row(capsys: pytest.CaptureFixture[str]) -> None:
    row = cost("turns: CPU", "ms", 2.0, 10.0, "peer 1.0", Goal(ratio_at_least=5))
    report(row)
    assert parse(capsys.readouterr().out) == row


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", r"a row is a JSON object, not '\[1\]'"),
        ('{"name": "x"}', "not a row: .*missing"),
        (dumps({**asdict(cost("n", "s", 1, 1, "p")), "more": 1}).decode(), "not a row: .*more"),
        ("hello", "expected a JSON value: line 1 column 1"),
    ],
)
def test_a_line_that_is_no_row_is_refused(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse(line)
