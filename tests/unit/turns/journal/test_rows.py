"""The stored form of events: every kind comes back as it was, and what rows hold has names that last."""

import runpy
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.models.base import (
    AgentText,
    DecisionFacts,
    DecisionFault,
    FunctionCall,
    FunctionResult,
    Usage,
    UserText,
)
from openplaybook.storage.base import Step
from openplaybook.tools.base import Exchange
from openplaybook.turns.base import ToolResultInput
from openplaybook.turns.errors import NewerData
from openplaybook.turns.journal import events, rows
from openplaybook.turns.journal.events import Event, HistoryRestored, ToolDecision, TurnStopped, UserHeard
from openplaybook.turns.journal.rows import KINDS, begin_of, event_of, exchange_json, row_of, stored_form
from openplaybook.turns.journal.session_state import CallKind, CallStatus, PendingCall
from tests.kit.happenings import begun, entered, left, replied, settled
from tests.kit.journal_values import events_of
from tests.kit.thoroughness import examples

NAMES: Mapping[str, tuple[str, str]] = {
    "begin": (
        "snapshot input languageCode parameters sealed payload metadata playbook settings clientExecution",
        "removed searchConfig entryPlaybook version useFakes history",
    ),
    "declared": ("parameters sealed", ""),
    "restored": ("frame entries", ""),
    "heard": ("frame text", ""),
    "push": ("frame playbook call inputs text", "answers name tool"),
    "reply": (
        "frame started calls model usage attempts finish call text raw planner evidence",
        "unheard withheld",
    ),
    "guarded": ("frame stage guardrail displayName", ""),
    "fault": ("frame started model code message attempts", ""),
    "intent": ("calls", ""),
    "result": (
        "frame call modelId name kind tool action arguments started output isError code note exchanges",
        "models parameters sealed signals payloads",
    ),
    "handed": ("frame call tool action arguments", ""),
    "inner": ("frame call position name tool action arguments", ""),
    "inner_result": (
        "frame call position name tool action arguments started output isError code note exchanges",
        "parameters sealed",
    ),
    "pop": ("frame playbook outputs state summary", "call name tool"),
    "handled": ("frame stage event handler condition call messages parameters sealed rests", ""),
    "move": ("frame from playbook call inputs text", ""),
    "end": ("frame playbook outputs state summary", ""),
    "say": ("frame text code", ""),
    "pause": ("until", ""),
    "notice": ("frame code message", "once"),
    "stop": ("frame input code message", ""),
}
"""What the rows of a kind always hold, and what they hold where it differs from its default; `at` and `form` stand in
every row. Rows of earlier versions have these names: another one needs a lift."""


BESIDE = {"sealed": "parameters", "tool": "name"}
"""Names that are written also with their default, where these are: servers of version 1 look for both."""


def stored(event: Event) -> Step:
    """The row of an event, as a store gives it back."""
    kind, payload = row_of(event)
    return Step(turn=1, seq=0, kind=kind, payload=payload, time_us=event.at)


def step(kind: str, row: JsonObject) -> Step:
    return Step(turn=1, seq=0, kind=kind, payload=dumps(row), time_us=1)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.KIND)
@settings(max_examples=examples(50))
@given(data=st.data())
def test_an_event_of_any_kind_comes_back_as_it_was(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(events_of(kind))
    assert event_of(stored(event)) == event


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.KIND)
@settings(max_examples=examples(25))
@given(data=st.data())
def test_a_row_holds_all_names_of_its_kind_and_of_defaults_only_those_that_differ(
    kind: type[Event], data: st.DataObject
) -> None:
    event = data.draw(events_of(kind))
    always, seldom = (set(names.split()) for names in NAMES[kind.KIND])
    written = set(loads(row_of(event)[1]))
    assert {"form", "at"} | always <= written <= {"form", "at"} | always | seldom
    expected = differing(event)
    expected |= {name for name, other in BESIDE.items() if name in seldom and other in expected}
    assert len(written & seldom) == len(expected)


def differing(event: Event) -> set[str]:
    """The fields of an event that have a default and another value."""
    found: set[str] = set()
    for each in fields(event):
        default = each.default_factory() if each.default_factory is not MISSING else each.default
        if each.name != "at" and default is not MISSING and getattr(event, each.name) != default:
            found.add(each.name)
    return found


def test_every_kind_has_a_name_of_its_own() -> None:
    assert [kind.KIND for kind in KINDS] == [*dict.fromkeys(kind.KIND for kind in KINDS)]
    assert {kind.KIND for kind in KINDS} == NAMES.keys()


def test_a_field_that_has_its_default_is_not_written_and_read_as_that() -> None:
    row = loads(row_of(begun())[1])
    assert row == {
        "form": 2,
        "at": 1,
        "snapshot": "new",
        "input": {"text": "hi"},
        "languageCode": "en",
        "parameters": {},
        "sealed": [],
        "payload": {},
        "metadata": {},
        "playbook": "",
        "settings": {},
        "clientExecution": None,
    }
    assert event_of(step("begin", row)) == begun()


def test_what_servers_of_version_1_look_for_together_is_written_together() -> None:
    assert stored_form(settled("c1", parameters={"a": 1}))["sealed"] == []
    assert "sealed" not in stored_form(settled("c1"))
    called = replace(entered(2, call="c1"), answers=True, name="ask")
    assert (stored_form(called)["name"], stored_form(called)["tool"]) == ("ask", "")
    assert stored_form(replace(left(2), call="c1", name="ask"))["tool"] == ""


def test_names_of_sealed_parameters_are_written_in_order() -> None:
    assert stored_form(begun(sealed=("b", "a", "c")))["sealed"] == ["a", "b", "c"]


FACTS = DecisionFacts(
    temperature=0.0,
    max_tokens=1,
    finish="stop",
    response_id="r",
    response_model="m2",
    url="https://a.example",
    cached_tokens=2,
    reasoning_tokens=3,
    first=4,
)
FACTS_ROW: JsonObject = {
    "temperature": 0.0,
    "maxTokens": 1,
    "finish": "stop",
    "responseId": "r",
    "responseModel": "m2",
    "url": "https://a.example",
    "cachedTokens": 2,
    "reasoningTokens": 3,
    "first": 4,
}


def test_the_facts_of_a_decision_that_are_not_known_are_left_out() -> None:
    reply = replied("", usage=Usage(5, 6))
    assert stored_form(reply)["call"] == {}
    assert stored_form(replace(reply, call=FACTS))["call"] == FACTS_ROW


def test_the_calls_of_a_reply_are_written_with_all_they_are() -> None:
    call = PendingCall("c1", "m1", "f", CallKind.CLIENT, {"n": 1}, "t", "a", "p", CallStatus.SENT, given={"n": 2})
    plain: JsonObject = {
        "id": "c1",
        "modelId": "m1",
        "name": "f",
        "kind": "CLIENT",
        "arguments": {"n": 1},
        "tool": "t",
        "action": "a",
        "playbook": "p",
        "status": "SENT",
    }
    reply = stored_form(replied("", call, usage=Usage(5, 6)))
    assert (reply["calls"], reply["usage"]) == ([{**plain, "given": {"n": 2}}], {"input": 5, "output": 6})
    call.given = None
    assert stored_form(replied("", call))["calls"] == [plain]


class Text(str):
    """A text of a library's own type."""


EXCHANGE = Exchange(
    method="GET",
    url="https://a.example",
    request_headers={Text("accept"): Text("*/*")},
    request_body="",
    status=200,
    response_headers={"etag": "1"},
    response_body="ok",
    elapsed_ms=1.5,
    error="",
    response_file="f",
    attempts=2,
)
EXCHANGE_ROW: JsonObject = {
    "method": "GET",
    "url": "https://a.example",
    "requestHeaders": {"accept": "*/*"},
    "requestBody": "",
    "status": 200,
    "responseHeaders": {"etag": "1"},
    "responseBody": "ok",
    "elapsedMs": 1.5,
    "error": "",
    "attempts": 2,
    "responseFile": "f",
}


def test_exchanges_are_written_with_plain_texts() -> None:
    assert exchange_json(EXCHANGE) == EXCHANGE_ROW
    event = settled("c1", exchanges=(EXCHANGE,))
    assert loads(row_of(event)[1])["exchanges"] == [EXCHANGE_ROW]
    assert event_of(stored(event)) == event


def test_what_a_tool_asked_of_its_model_is_written_with_its_call() -> None:
    asked = ToolDecision(started=1, at=2, model="m", usage=Usage(3, 4), attempts=1, call=FACTS)
    failed = ToolDecision(
        started=1,
        at=2,
        model="m",
        usage=Usage(),
        attempts=3,
        call=DecisionFacts(),
        error=DecisionFault(code="MODEL_TIMEOUT", message="late"),
    )
    form = {"started": 1, "at": 2, "model": "m"}
    assert stored_form(replace(settled("c1"), models=(asked, failed)))["models"] == [
        {**form, "usage": {"input": 3, "output": 4}, "attempts": 1, "call": FACTS_ROW},
        {
            **form,
            "usage": {"input": 0, "output": 0},
            "attempts": 3,
            "call": {},
            "error": {"code": "MODEL_TIMEOUT", "message": "late"},
        },
    ]


def test_inputs_and_entries_are_written_as_the_journal_keeps_them() -> None:
    result = ToolResultInput("t", "a", "c1", error="no")
    stop = stored_form(TurnStopped(at=1, frame=1, input=result, code="X", message="y"))
    assert stop["input"] == {"tool": "t", "action": "a", "call": "c1", "output": None, "error": "no"}
    entries = (UserText("a"), AgentText("b"), FunctionCall("1", "f", {}), FunctionResult("1", "f", 2, is_error=True))
    assert stored_form(HistoryRestored(at=1, frame=1, entries=entries))["entries"] == [
        {"user": "a"},
        {"agent": "b"},
        {"call": "1", "name": "f", "arguments": {}},
        {"result": "1", "name": "f", "output": 2, "isError": True},
    ]


def test_members_of_a_row_that_no_field_has_are_passed_over() -> None:
    assert event_of(step("heard", {"form": 2, "at": 1, "frame": 1, "text": "hi", "more": 1})) == UserHeard(
        at=1, frame=1, text="hi"
    )


def test_a_kind_that_nobody_knows_is_of_a_newer_server() -> None:
    with pytest.raises(NewerData, match="'dreamt', which this server does not know"):
        event_of(step("dreamt", {"form": 2, "at": 1}))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.KIND)
def test_a_newer_form_of_any_kind_is_refused_before_it_is_read(kind: type[Event]) -> None:
    with pytest.raises(NewerData, match=f"A {kind.KIND} of the session was written by a newer server"):
        event_of(step(kind.KIND, {"form": 3}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Painted(Event):
    """An event with a field of a type that has no stored form."""

    KIND = "painted"

    picture: bytes


def test_a_type_that_nobody_described_is_refused_before_anything_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "Painted", Painted, raising=False)
    with pytest.raises(TypeError, match="no stored form for <class 'bytes'>"):
        runpy.run_path(str(rows.__file__))


def test_a_turn_begins_with_its_request() -> None:
    begin = begun()
    assert begin_of([begin, UserHeard(at=1, frame=1, text="hi")]) is begin
    with pytest.raises(ValueError, match="a turn's journal begins with heard"):
        begin_of([UserHeard(at=1, frame=1, text="hi")])
