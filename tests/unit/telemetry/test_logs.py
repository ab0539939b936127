"""Log lines, as machines and people read them."""

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.telemetry.log_lines import log_context, log_rpc
from openplaybook.telemetry.logs import LIBRARIES, LINES, WINDOW_S, FewLines, configure_logging, log_few_lines

SECRET = "s3cr3t-of-mine"
LOGGER = logging.getLogger("openplaybook.tests")
WITH_HANDLERS = ("uvicorn", "uvicorn.error", "uvicorn.access", "grpc", "asyncio")


class Terminal(io.StringIO):
    """A stream that calls itself a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    """Puts the process-wide set-up back as it was."""
    loggers = [logging.getLogger(name) for name in (None, *LIBRARIES)]
    before = [(each.handlers[:], each.level, each.propagate) for each in loggers]
    yield
    for each, (handlers, level, propagate) in zip(loggers, before, strict=True):
        each.handlers[:], each.propagate = handlers, propagate
        each.setLevel(level)


@pytest.fixture
def lines() -> Callable[[], list[JsonObject]]:
    """What was logged since."""
    stream = io.StringIO()
    configure_logging("info", stream=stream)
    return lambda: [loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_is_one_json_object_with_its_details(lines: Callable[[], list[JsonObject]]) -> None:
    LOGGER.info("turn %s\nended", 7, extra={"seconds": 0.5, "path": Path("/x"), "é": "ü"})
    (line,) = lines()
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "turn 7\nended",
        "level": "info",
        "logger": "openplaybook.tests",
        "seconds": 0.5,
        "path": "/x",
        "é": "ü",
    }


def test_lines_beneath_the_level_are_left_out(lines: Callable[[], list[JsonObject]]) -> None:
    LOGGER.debug("unheard")
    LOGGER.warning("heard")
    assert [(line["event"], line["level"]) for line in lines()] == [("heard", "warning")]


def test_a_library_that_quotes_statements_logs_nothing(lines: Callable[[], list[JsonObject]]) -> None:
    logging.getLogger("sqlglot").warning("'explain select secret' contains unsupported syntax")
    assert lines() == []


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="log level 'loud' is not one of debug, info, warning, error, critical"):
        configure_logging("loud")


@pytest.mark.parametrize("name", WITH_HANDLERS)
def test_a_library_logs_in_the_same_form_and_once(name: str) -> None:
    stream, own = io.StringIO(), io.StringIO()
    library = logging.getLogger(name)
    library.addHandler(logging.StreamHandler(own))
    library.propagate = False
    configure_logging(stream=stream)
    library.error("said", extra={"color_message": "\x1b[1msaid"})
    (line,) = stream.getvalue().splitlines()
    assert list(json.loads(line)) == ["timestamp", "level", "logger", "event"]
    assert own.getvalue() == ""


class TestContext:
    def test_lines_within_say_where_they_belong(self, lines: Callable[[], list[JsonObject]]) -> None:
        with log_context(session="s", rpc="DetectIntent"):
            with log_context(turn="t", rpc="inner"):
                LOGGER.info("inner")
            LOGGER.info("outer", extra={"session": "its own"})
        LOGGER.info("outside")
        kept = [{name: line[name] for name in ("session", "turn", "rpc") if name in line} for line in lines()]
        assert kept == [
            {"session": "s", "turn": "t", "rpc": "inner"},
            {"session": "its own", "rpc": "DetectIntent"},
            {},
        ]

    async def test_a_task_keeps_the_context_it_was_started_in(self, lines: Callable[[], list[JsonObject]]) -> None:
        async def work() -> None:
            await asyncio.sleep(0)
            LOGGER.info("from the task")

        with log_context(session="one"):
            one = asyncio.create_task(work())
        with log_context(session="two"):
            two = asyncio.create_task(work())
        await asyncio.gather(one, two)
        assert [line["session"] for line in lines()] == ["one", "two"]


class TestSecrets:
    @pytest.mark.parametrize("stream", [io.StringIO, Terminal])
    def test_none_is_written_wherever_it_stands(self, stream: Callable[[], io.StringIO]) -> None:
        written = stream()
        configure_logging(stream=written)
        details = {"token": SECRET, "url": f"/x?key={SECRET}", "deep": [{"password": SECRET}]}
        with log_context(api_key=SECRET):
            LOGGER.info("GET /v3/x?key=%s", SECRET, extra=details)
            error = ConnectionError(f"https://user:{SECRET}@host refused Bearer {SECRET}")
            try:
                raise error
            except ConnectionError:
                LOGGER.exception("failed")
        assert SECRET not in written.getvalue()
        assert written.getvalue().count("[redacted]") == 8

    def test_an_exception_is_told_in_full_otherwise(self, lines: Callable[[], list[JsonObject]]) -> None:
        try:
            raise LookupError("no such thing")
        except LookupError:
            LOGGER.exception("failed")
        (line,) = lines()
        assert line["exception"].startswith("Traceback (most recent call last):")
        assert line["exception"].endswith("LookupError: no such thing")


def test_text_keeps_what_others_wrote_in_one_line() -> None:
    stream = io.StringIO()
    configure_logging(form="text", stream=stream)
    LOGGER.info("no file %s", "a\n2026 [error] forged", extra={"session": "s\r\n\x1b[2J\x9b\u2028x"})
    (line,) = stream.getvalue().split("\n")[:-1]
    assert "no file a\\x0a2026 [error] forged" in line
    assert r"session=s\x0d\x0a\x1b[2J\x9b\x2028x" in line


def test_a_terminal_gets_colours() -> None:
    terminal = Terminal()
    configure_logging(stream=terminal)
    LOGGER.info("hello", extra={"seconds": 1})
    assert "\x1b[" in terminal.getvalue()
    assert "hello" in terminal.getvalue()


class TestForm:
    @pytest.mark.parametrize(("form", "stream", "is_json"), [("json", Terminal, True), ("text", io.StringIO, False)])
    def test_it_can_be_asked_for(self, form: str, stream: Callable[[], io.StringIO], is_json: bool) -> None:
        written = stream()
        configure_logging(form=form, stream=written)
        LOGGER.info("hello", extra={"seconds": 1})
        assert (written.getvalue().startswith("{"), "seconds" in written.getvalue()) == (is_json, True)
        assert "\x1b[" not in written.getvalue()


class TestAccessLog:
    def test_an_answered_request_is_one_line_with_what_is_known(self, lines: Callable[[], list[JsonObject]]) -> None:
        log_rpc(
            rpc="x.Sessions.DetectIntent",
            code="OK",
            seconds=0.0125,
            transport="rest",
            session="agents/a/sessions/s",
            response_id="r-1",
            trace="0af7651916cd43dd8448eb211c80319c",
            principal="shop",
            client="10.0.0.7",
        )
        (line,) = lines()
        assert line.pop("timestamp").endswith("Z")
        assert line == {
            "event": "answered",
            "level": "info",
            "logger": "openplaybook.access",
            "rpc": "x.Sessions.DetectIntent",
            "code": "OK",
            "ms": 12.5,
            "transport": "rest",
            "session": "agents/a/sessions/s",
            "response_id": "r-1",
            "trace": "0af7651916cd43dd8448eb211c80319c",
            "principal": "shop",
            "client": "10.0.0.7",
        }

    def test_what_is_not_known_is_left_out(self, lines: Callable[[], list[JsonObject]]) -> None:
        log_rpc(rpc="x.Agents.GetAgent", code="NOT_FOUND", seconds=0.001, transport="grpc")
        (line,) = lines()
        assert list(line) == ["timestamp", "level", "logger", "event", "rpc", "code", "ms", "transport"]

    def test_a_probe_is_worth_no_line(self, lines: Callable[[], list[JsonObject]]) -> None:
        log_rpc(rpc="grpc.health.v1.Health.Check", code="OK", seconds=0.001, transport="grpc")
        assert lines() == []

    def test_text_has_it_too(self) -> None:
        written = io.StringIO()
        configure_logging(form="text", stream=written)
        log_rpc(rpc="x.Agents.GetAgent", code="OK", seconds=0.001, transport="grpc")
        assert "x.Agents.GetAgent" in written.getvalue()


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def line(text: str = "a line of %s") -> logging.LogRecord:
    return logging.LogRecord("library", logging.ERROR, __file__, 1, text, ("a stranger",), None)


def test_a_logger_logs_so_many_lines_in_a_while_and_no_more() -> None:
    few = FewLines(Clock())

    assert [few.filter(line()) for _ in range(LINES + 3)] == [*[True] * LINES, False, False, False]


def test_the_first_line_after_it_tells_how_many_were_left_out() -> None:
    clock = Clock()
    few = FewLines(clock)
    for _ in range(LINES + 1_234):
        few.filter(line())
    clock.now += WINDOW_S

    next_one, another = line(), line()
    assert (few.filter(next_one), few.filter(another)) == (True, True)
    assert next_one.getMessage() == "a line of a stranger (1,234 more such lines were left out)"
    assert another.getMessage() == "a line of a stranger"


@pytest.mark.parametrize("name", LIBRARIES)
def test_each_library_has_one_such_filter_however_often_logs_are_configured(name: str) -> None:
    log_few_lines()
    log_few_lines()

    assert [type(each) for each in logging.getLogger(name).filters] == [FewLines]
