"""What earlier versions wrote is read as today's, and what a newer one wrote is refused."""

import sqlite3
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.models.base import DecisionFacts, Usage
from openplaybook.storage.base import Step
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import TextInput, TextMessage, TurnResult
from openplaybook.turns.errors import NewerData
from openplaybook.turns.journal.events import (
    CallsIntended,
    EngineSpoke,
    Event,
    ModelReplied,
    NoticeGiven,
    TurnBegun,
    TurnStopped,
    UserHeard,
)
from openplaybook.turns.journal.rows import event_of, row_of
from openplaybook.turns.journal.session_state import CallKind, CallStatus, Frame, PendingCall, SessionState
from openplaybook.turns.journal.turn_results import load_result, stored_index, stored_turn
from openplaybook.turns.session.repeats import fingerprint_of
from tests.kit.happenings import entered, left, settled

KEPT = sorted((Path(__file__).parents[3] / "fixtures" / "older_data").glob("*/sqlite.tar.gz"))
"""Data directories that servers of earlier versions left behind."""

CALL: JsonObject = {
    "id": "call-3-1-1",
    "modelId": "m1",
    "name": "sign",
    "kind": "CLIENT",
    "arguments": {"n": 1},
    "tool": "t",
    "action": "sign",
    "playbook": "",
    "status": "PLANNED",
}
PENDING = PendingCall("call-3-1-1", "m1", "sign", CallKind.CLIENT, {"n": 1}, "t", "sign", "", CallStatus.PLANNED)
EXCHANGE: JsonObject = {
    "method": "GET",
    "url": "https://a.example",
    "requestHeaders": {"accept": "*/*"},
    "requestBody": "",
    "status": 200,
    "responseHeaders": {},
    "responseBody": "ok",
    "elapsedMs": 1.5,
    "error": "",
}
FIRST_ROWS: list[tuple[str, JsonObject, Event]] = [
    (
        "begin",
        {
            "at": 1,
            "snapshot": "d1",
            "input": {"text": "hi"},
            "languageCode": "en",
            "parameters": {"size": "M"},
            "payload": {},
            "metadata": {},
            "playbook": "",
            "settings": {"temperature": 0.5},
        },
        TurnBegun(
            at=1,
            snapshot="d1",
            input=TextInput("hi"),
            language_code="en",
            parameters={"size": "M"},
            sealed=frozenset(),
            payload={},
            metadata={},
            playbook="",
            settings={"temperature": 0.5},
            client_execution=None,
        ),
    ),
    (
        "push",
        {"at": 1, "frame": 1, "playbook": "p", "call": "", "inputs": {"a": 1}, "text": ""},
        entered(1, "p", inputs={"a": 1}),
    ),
    ("heard", {"at": 1, "frame": 1, "text": "hi"}, UserHeard(at=1, frame=1, text="hi")),
    (
        "reply",
        {
            "at": 2,
            "frame": 1,
            "started": 1,
            "text": "Sign here.",
            "calls": [CALL],
            "model": "m",
            "usage": {"input": 3, "output": 4},
            "attempts": 1,
            "finish": "stop",
            "raw": {},
            "planner": None,
            "evidence": {"line": 1},
        },
        ModelReplied(
            at=2,
            frame=1,
            started=1,
            text="Sign here.",
            calls=(PENDING,),
            model="m",
            usage=Usage(3, 4),
            attempts=1,
            finish="stop",
            call=DecisionFacts(),
            raw={},
            planner=None,
            evidence={"line": 1},
        ),
    ),
    ("intent", {"at": 1, "calls": ["c1", "c2"]}, CallsIntended(at=1, calls=("c1", "c2"))),
    (
        "result",
        {
            "at": 2,
            "frame": 1,
            "call": "c1",
            "modelId": "m-c1",
            "name": "getPet",
            "kind": "TOOL",
            "tool": "t",
            "action": "getPet",
            "arguments": {"id": 3},
            "started": 1,
            "output": {"200": "ok"},
            "isError": False,
            "code": "",
            "note": "",
            "exchanges": [EXCHANGE],
        },
        settled(
            "c1",
            {"200": "ok"},
            at=2,
            name="getPet",
            action="getPet",
            arguments={"id": 3},
            exchanges=(Exchange("GET", "https://a.example", {"accept": "*/*"}, "", 200, {}, "ok", 1.5),),
        ),
    ),
    (
        "pop",
        {"at": 1, "frame": 2, "playbook": "q", "outputs": {"b": 2}, "state": "OK"},
        left(2, "q", outputs={"b": 2}),
    ),
    ("say", {"at": 1, "frame": 1, "text": "Sorry.", "code": "X"}, EngineSpoke(at=1, frame=1, text="Sorry.", code="X")),
    (
        "notice",
        {"at": 1, "frame": 1, "code": "X", "message": "y"},
        NoticeGiven(at=1, frame=1, code="X", message="y"),
    ),
    (
        "stop",
        {"at": 1, "frame": 1, "input": {"text": "hi"}, "code": "X", "message": "y"},
        TurnStopped(at=1, frame=1, input=TextInput("hi"), code="X", message="y"),
    ),
]
"""Rows of the first servers, and what they say."""


@pytest.mark.parametrize(("kind", "row", "event"), FIRST_ROWS, ids=[kind for kind, _, _ in FIRST_ROWS])
def test_a_row_of_the_first_servers_says_what_it_said(kind: str, row: JsonObject, event: Event) -> None:
    assert event_of(Step(1, 0, kind, dumps(row), 1)) == event


FIRST_STATE: JsonObject = {
    "version": 1,
    "turn": 3,
    "snapshot": "d1",
    "languageCode": "en",
    "parameters": {"size": "M"},
    "payload": {},
    "metadata": {},
    "settings": {},
    "frames": [{"id": 1, "playbook": "p", "inputs": {}, "call": "", "batch": [CALL], "planner": {}}],
    "framesMade": 1,
    "interrupted": {"text": "hi"},
}
"""As the first servers wrote it: without what was added since."""


def test_a_session_that_the_first_servers_left_waiting_is_read() -> None:
    state = SessionState.load(dumps(FIRST_STATE))
    assert state == SessionState(
        turn=3,
        snapshot="d1",
        language_code="en",
        parameters={"size": "M"},
        frames=[Frame(1, "p", {}, batch=[PENDING])],
        frames_made=1,
        interrupted=TextInput("hi"),
    )
    assert SessionState.load(state.dump()) == state


FIRST_RESULT: JsonObject = {
    "turn": 3,
    "responseId": "r",
    "messages": [{"text": "Hello."}],
    "parameters": {"size": "M"},
    "currentPlaybook": "p",
    "currentPlaybookDisplayName": "P",
    "queryText": "hi",
    "languageCode": "en",
    "paused": False,
}


def test_an_answer_of_the_first_servers_is_that_turn_of_its_conversation_that_the_store_counts() -> None:
    stored = dumps(FIRST_RESULT)
    assert (stored_turn(stored), stored_index(stored)) == (3, 3)
    said = TurnResult("r", (TextMessage("Hello."),), {"size": "M"}, "p", "P", "hi", "en", (), paused=False)
    assert load_result(stored, ()) == replace(said, turn=3, index=3)


# Whole data directories of earlier versions


@pytest.fixture(scope="module", params=KEPT, ids=lambda path: path.parent.name)
def then(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    folder = tmp_path_factory.mktemp("older")
    with tarfile.open(request.param) as tar:
        tar.extractall(folder, filter="data")
    [path] = folder.rglob("openplaybook.db")
    connection = sqlite3.connect(path)
    yield connection
    connection.close()


def steps_of(then: sqlite3.Connection, turn: int) -> list[Step]:
    rows = then.execute("SELECT seq, kind, payload, time_us FROM step WHERE turn = ? ORDER BY seq", (turn,))
    return [Step(1, seq, kind, payload, time_us) for seq, kind, payload, time_us in rows]


def turns_of(then: sqlite3.Connection) -> list[int]:
    return [turn for (turn,) in then.execute("SELECT id FROM turn ORDER BY id")]


def test_every_row_of_then_is_read_and_written_again_with_the_same_members(then: sqlite3.Connection) -> None:
    steps = [step for turn in turns_of(then) for step in steps_of(then, turn)]
    assert {step.kind for step in steps} >= {"begin", "push", "heard", "reply", "intent", "result", "declared", "move"}
    for step in steps:
        kind, payload = row_of(event_of(step))
        assert (kind, loads(payload)) == (step.kind, {**loads(step.payload), "form": 2})


def test_every_state_of_then_is_read_and_written_again_with_the_same_members(then: sqlite3.Connection) -> None:
    states = [state for (state,) in then.execute("SELECT state FROM session WHERE state IS NOT NULL")]
    assert states != []
    for state in states:
        assert loads(SessionState.load(state).dump()) == {**loads(state), "version": 2}


def test_every_answer_of_then_is_read(then: sqlite3.Connection) -> None:
    stored = [
        (bytes(response), loads(response))
        for (response,) in then.execute("SELECT response FROM turn WHERE response IS NOT NULL")
    ]
    assert stored != []
    for response, row in stored:
        result = load_result(response, ())
        assert (result.response_id, result.turn, result.index) == (row["responseId"], row["turn"], row["index"])
        assert len(result.messages) == len(row["messages"])


def test_requests_of_then_have_the_fingerprints_that_their_server_gave_them(then: sqlite3.Connection) -> None:
    given = dict(then.execute("SELECT id, fingerprint FROM turn").fetchall())
    begins = {turn: event_of(steps_of(then, turn)[0]) for turn in turns_of(then)}
    assert {turn: fingerprint_of(begin) for turn, begin in begins.items() if isinstance(begin, TurnBegun)} == given


# What newer versions wrote


def test_a_row_of_a_newer_server_is_refused() -> None:
    kind, payload = row_of(UserHeard(at=1, frame=1, text="hi"))
    with pytest.raises(NewerData, match=r"A heard of the session .* newer server \(version 3; known: 2\)\."):
        event_of(Step(1, 0, kind, dumps({**loads(payload), "form": 3}), 1))


def test_a_state_of_a_newer_server_is_refused() -> None:
    newer = dumps({**loads(SessionState().dump()), "version": 3})
    with pytest.raises(NewerData, match=r"A session state of the session .* newer server \(version 3; known: 2\)\."):
        SessionState.load(newer)


def test_an_answer_of_a_newer_server_is_refused() -> None:
    newer = dumps({**FIRST_RESULT, "form": 3})
    for read in (stored_turn, stored_index):
        with pytest.raises(NewerData):
            read(newer)
    with pytest.raises(NewerData, match="A turn result of the session was written by a newer server"):
        load_result(newer, ())
