"""What is counted, as Prometheus reads it."""

import asyncio

import pytest
from prometheus_client.parser import text_string_to_metric_families

from openplaybook.telemetry.metrics import OTHER, Metrics


def samples(metrics: Metrics, name: str) -> dict[tuple[str, ...], float]:
    """Values of a sample by its label values, those in the order of the labels' names."""
    families = text_string_to_metric_families(metrics.render()[0].decode())
    found = (sample for family in families for sample in family.samples if sample.name == f"openplaybook_{name}")
    return {tuple(sample.labels.values()): sample.value for sample in found}


def test_a_turn_counts_by_its_end() -> None:
    metrics = Metrics()
    metrics.turn_ended("DONE", 0.5)
    metrics.turn_ended("DONE", 1.5)
    metrics.turn_ended("SESSION_BUSY", 2.0)
    assert samples(metrics, "turns_total") == {("DONE",): 2, ("SESSION_BUSY",): 1}
    assert samples(metrics, "turn_seconds_sum") == {(): 4.0}
    assert samples(metrics, "turn_seconds_bucket")[("0.5",)] == 1
    assert samples(metrics, "turn_seconds_bucket")[("+Inf",)] == 3


def test_a_model_call_counts_by_model_and_outcome_and_its_tokens_by_kind() -> None:
    metrics = Metrics()
    metrics.model_called("m", "OK", 0.25, input_tokens=10, output_tokens=2)
    metrics.model_called("m", "OK", 0.25, input_tokens=5, output_tokens=1)
    metrics.model_called("m", "MODEL_TIMEOUT", 60.0)
    assert samples(metrics, "model_calls_total") == {("m", "OK"): 2, ("m", "MODEL_TIMEOUT"): 1}
    assert samples(metrics, "model_seconds_sum") == {("m",): 60.5}
    assert samples(metrics, "model_tokens_total") == {("input",): 15, ("output",): 3}


def test_a_model_call_counts_whose_server_says_that_it_took_less_than_no_tokens() -> None:
    metrics = Metrics()
    metrics.model_called("m", "OK", 0.25, input_tokens=-1, output_tokens=2)
    assert samples(metrics, "model_calls_total") == {("m", "OK"): 1}
    assert samples(metrics, "model_tokens_total") == {("input",): 0, ("output",): 2}


def test_a_tool_call_counts_by_kind_and_outcome() -> None:
    metrics = Metrics()
    metrics.tool_called("openapi", "OK", 0.125)
    metrics.tool_called("openapi", "TIMEOUT", 8.0)
    assert samples(metrics, "tool_calls_total") == {("openapi", "OK"): 1, ("openapi", "TIMEOUT"): 1}
    assert samples(metrics, "tool_seconds_count") == {("openapi",): 2}


def test_a_request_counts_by_method_and_code() -> None:
    metrics = Metrics()
    metrics.rpc_ended("Sessions.DetectIntent", "OK", 0.002)
    metrics.rpc_ended("Sessions.DetectIntent", "ABORTED", 3.0)
    assert samples(metrics, "rpc_total") == {
        ("OK", "Sessions.DetectIntent"): 1,
        ("ABORTED", "Sessions.DetectIntent"): 1,
    }
    assert samples(metrics, "rpc_seconds_sum") == {("Sessions.DetectIntent",): 3.002}


def test_two_servers_in_one_process_count_apart() -> None:
    one, two = Metrics(), Metrics()
    one.turn_ended("DONE", 1.0)
    assert samples(two, "turns_total") == {}


def test_it_is_rendered_with_its_content_type_and_the_process_own_figures() -> None:
    body, content_type = Metrics().render()
    assert content_type.startswith("text/plain; version=")
    assert b"process_cpu_seconds_total" in body


def test_what_has_labels_shows_when_it_is_counted_and_no_line_says_when_a_series_began() -> None:
    metrics = Metrics()
    metrics.turn_ended("DONE", 0.5)
    names = {line.partition("{")[0].partition(" ")[0] for line in metrics.render()[0].decode().splitlines()}
    assert "openplaybook_turns_total" in names
    assert "openplaybook_tool_calls_total" not in names
    assert [name for name in names if name.endswith("_created")] == []


def test_turns_under_way_are_a_gauge() -> None:
    metrics = Metrics()
    metrics.turn_began()
    metrics.turn_began()
    metrics.turn_ended("DONE", 1.0)
    assert samples(metrics, "turns_running") == {(): 1}


def test_a_number_is_read_when_somebody_looks() -> None:
    metrics, numbers = Metrics(), [3]
    metrics.add_gauge("openplaybook_sessions_kept", "about", lambda: numbers[0])
    assert samples(metrics, "sessions_kept") == {(): 3}
    numbers[0] = 4
    assert samples(metrics, "sessions_kept") == {(): 4}


def test_commits_are_timed_and_what_waits_for_one_is_shown() -> None:
    metrics = Metrics()
    metrics.commits.committed(0.0005, 2)
    metrics.commits.committed(0.5, 1)
    metrics.commits.watch_queue(lambda: 7)
    assert samples(metrics, "commit_writes_total") == {(): 3}
    assert samples(metrics, "commit_seconds_sum") == {(): 0.5005}
    assert samples(metrics, "commit_seconds_bucket")[("0.0005",)] == 1
    assert samples(metrics, "commit_queue") == {(): 7}


def test_names_that_come_from_anywhere_never_add_series_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openplaybook.telemetry.metrics.MAX_SERIES", 100)
    metrics = Metrics()
    names = [f"x.Service.Method{number}" for number in range(150)]
    for name in names * 2:
        metrics.rpc_ended(name, "OK", 0.001)
    counted, timed = samples(metrics, "rpc_total"), samples(metrics, "rpc_seconds_count")
    assert (len(counted), counted[OTHER, OTHER], sum(counted.values())) == (101, 100, 300)
    assert (len(timed), timed[(OTHER,)], sum(timed.values())) == (101, 100, 300)


async def test_who_asks_at_the_same_moment_gets_one_text_and_who_asks_later_a_newer_one() -> None:
    metrics, made = Metrics(), list[int]()

    def made_now() -> float:
        made.append(1)
        return float(len(made))

    metrics.add_gauge("asked", "Times", made_now)
    made.clear()
    texts = await asyncio.gather(*(metrics.rendered() for _ in range(200)))
    assert made == [1]
    assert {text for text, _ in texts} == {texts[0][0]}
    assert b"asked 1.0" in texts[0][0]
    later, _ = await metrics.rendered()
    assert b"asked 2.0" in later
