"""The model and the tools of a recording."""

from collections.abc import Mapping

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Declaration, DeclarationKind, ModelTurn, RequestedCall, TextDelta
from openplaybook.models.errors import ModelRejected, ModelUnavailable
from openplaybook.recordings.form import RecordedTurn, Recording
from openplaybook.recordings.recorded_model import RecordedModel
from openplaybook.recordings.recorded_tools import RecordedAnswers
from openplaybook.recordings.recording_yaml import parse_recording
from openplaybook.recordings.request_capture import request_of
from openplaybook.recordings.step_form import RecordedCall, RecordedDecision, RecordedError
from openplaybook.tools.base import Action, Exchange, Failure, Outcome, Success
from openplaybook.tools.base import Call as ToolCall


def declared(name: str, kind: DeclarationKind, reference: str, action: str = "") -> Declaration:
    return Declaration(name, "", {}, None, kind, reference, action)


OFFERED = (
    declared("getPet", DeclarationKind.TOOL, "birds", "getPet"),
    declared("expert", DeclarationKind.PLAYBOOK, "expert"),
    declared("pets_getPet", DeclarationKind.TOOL, "pets", "getPet"),
    declared("Pet_returns", DeclarationKind.PLAYBOOK, "Pet returns"),
    declared("expert_2", DeclarationKind.PLAYBOOK, "expert"),
    declared("finish", DeclarationKind.CLOSE, "Start"),
)
ASKED = ModelTurn("Start", OFFERED, "", (), (), (), "en")


async def test_calls_are_made_by_what_they_mean_not_by_the_name_of_then() -> None:
    called = [
        RecordedCall(tool="pets", action="getPet", arguments={"id": 1}),
        RecordedCall(playbook="Pet returns"),
        RecordedCall(tool="expert", arguments={"request": "soup"}),
        RecordedCall(playbook="expert"),
        RecordedCall(end=True, arguments={"state": "OK"}),
        RecordedCall(tool="fish", action="getPet"),
        RecordedCall(function="unheard", arguments="{"),
    ]
    model = RecordedModel()
    model.begin(RecordedTurn(user="a", steps=[RecordedDecision(decides="Start", says="Now.", calls=called)]))
    reply = await model.decide(ASKED)
    assert (reply.text, reply.model) == ("Now.", "recorded")
    assert reply.calls == (
        RequestedCall("call_1", "pets_getPet", {"id": 1}),
        RequestedCall("call_2", "Pet_returns", {}),
        RequestedCall("call_3", "expert", {"request": "soup"}),
        RequestedCall("call_4", "expert_2", {}),
        RequestedCall("call_5", "finish", {"state": "OK"}),
        RequestedCall("call_6", "fish.getPet", {}),
        RequestedCall("call_7", "unheard", "{"),
    )


async def test_each_turn_begins_with_its_own_decisions_and_ends_with_them() -> None:
    model = RecordedModel()
    model.begin(
        RecordedTurn(
            user="a", steps=[RecordedDecision(decides="S", says="one"), RecordedDecision(decides="S", says="left over")]
        )
    )
    await model.decide(ASKED)
    model.begin(RecordedTurn(user="b", steps=[RecordedDecision(decides="S", says="two words")]))
    heard = [item async for item in model.stream(ASKED)]
    assert heard[:-1] == [TextDelta("two"), TextDelta(" words")]
    with pytest.raises(ModelRejected, match="no further decision"):
        await model.decide(ASKED)
    model.begin(RecordedTurn(user="c", steps=[], stopped=RecordedError(code="X", message="it broke")))
    with pytest.raises(ModelUnavailable, match="it broke"):
        await model.decide(ASKED)


async def test_words_that_were_withheld_are_said_again() -> None:
    model = RecordedModel()
    model.begin(RecordedTurn(user="a", steps=[RecordedDecision(decides="S", withheld="a rude word")]))
    assert (await model.decide(ASKED)).text == "a rude word"


RECORDING = """
recording: 1
turns:
- user: a
  steps:
  - decides: S
    calls:
    - {tool: t, action: a, arguments: {n: 1}, output: {first: 1}}
    - {tool: t, action: a, arguments: {n: 1}, output: {second: 1}, note: cut}
    - {tool: t, action: a, arguments: {n: 2}, error: {code: E, message: no}}
    - {tool: t, action: f, arguments: {n: 1}, output: {fake: 1}, sets: {seen: 1, before: null}}
    - {tool: t, action: f, arguments: {n: 2}}
- user: b
  steps:
  - decides: S
    calls: [{tool: t, action: a, arguments: {n: 1}, output: {third: 1}}]
actions: [{tool: t, action: b, output: {always: 1}}]
"""


def asked(answers: RecordedAnswers, action: str = "a", **arguments: int) -> Outcome:
    offered = Action(action, action, "projects/p/tools/t", "t", "", {})
    return answers.outcome(ToolCall("id", offered, arguments))


def test_answers_are_found_by_what_is_asked_in_their_order() -> None:
    answers = RecordedAnswers.of(parse_recording(RECORDING))
    assert [asked(answers, n=1) for _ in range(4)] == [
        Success({"first": 1}),
        Success({"second": 1}, "cut"),
        Success({"third": 1}),
        Failure("E", "no"),
    ]
    answers.begin(1)
    assert asked(answers, n=1) == Success({"first": 1})
    assert asked(answers, n=9) == Failure("NOT_RECORDED", "The recording has no answer of t.a to these arguments.")
    assert asked(answers, "b", n=9) == Success({"always": 1})


@pytest.mark.parametrize(
    ("has_fake", "code"), [(True, "CLIENT_SIDE"), (False, "NOT_RECORDED")], ids=["with a fake", "without"]
)
def test_a_call_that_its_fake_left_open_is_handed_to_the_client_again(has_fake: bool, code: str) -> None:
    answers = RecordedAnswers.of(parse_recording(RECORDING))
    offered = Action("f", "f", "projects/p/tools/t", "t", "", {}, has_fake=has_fake)
    answered = answers.outcome(ToolCall("id", offered, {"n": 1}))
    assert answered == Success({"fake": 1}, parameters={"seen": 1, "before": None})
    left_open = answers.outcome(ToolCall("id", offered, {"n": 2}))
    assert isinstance(left_open, Failure)
    assert left_open.code == code


def test_answers_of_this_turn_come_first() -> None:
    answers = RecordedAnswers.of(parse_recording(RECORDING))
    answers.begin(1)
    assert [asked(answers, n=1), asked(answers, n=1)] == [Success({"third": 1}), Success({"first": 1})]


def test_a_recording_without_calls_has_no_answers() -> None:
    assert RecordedAnswers.of(Recording(turns=[RecordedTurn(user="a")])).recorded == []


def sent_to(url: str, body: str, *, method: str = "GET", headers: Mapping[str, str] | None = None) -> Exchange:
    return Exchange(
        method=method,
        url=url,
        request_headers=headers or {},
        request_body=body,
        status=200,
        response_headers={},
        response_body="",
        elapsed_ms=1.0,
    )


MULTIPART = (
    '--xy\r\nContent-Disposition: form-data; name="z"\r\n\r\n1\r\n2\r\n'
    '--xy\r\nContent-Type: image/png\r\nContent-Disposition: form-data; name="a"; filename="a.png"\r\n\r\n…\r\n'
    "--xy--\r\n"
)


@pytest.mark.parametrize(
    ("media_type", "body", "form"),
    [
        ("application/x-www-form-urlencoded", "z=1&a=&z=%C3%A4+b", [{"z": "1"}, {"a": ""}, {"z": "ä b"}]),
        ('multipart/form-data; boundary="xy"', MULTIPART, [{"z": "1\r\n2"}, {"a": "…"}]),
        ("application/x-www-form-urlencoded", "z=1&a=…", None),
        (
            "application/x-www-form-urlencoded",
            'z={"b":1,"password":"hidden"}&a={ "b": 1}',
            [{"z": '{"b":1,"password":"[redacted]"}'}, {"a": '{ "b": 1}'}],
        ),
        ("application/x-www-form-urlencoded", f"z={'[' * 900 + ']' * 900}", [{"z": "[" * 900 + "]" * 900}]),
        ("application/octet-stream", "z=1", None),
    ],
)
def test_fields_of_a_form_are_told_in_their_order(media_type: str, body: str, form: list[JsonObject] | None) -> None:
    request = request_of(sent_to("/x", body, method="POST", headers={"content-type": media_type}))
    assert (request.form, request.body) == (form, None)


@pytest.mark.parametrize(
    ("url", "body", "sent"),
    [
        ("https://a.example/v1/x?b=1&key=[redacted]&c=", "", ("/v1/x?b=1&c=", None)),
        ("http://a.example", '{"a": [1]}', ("", {"a": [1]})),
        ("http://a.example", "[" * 900 + "]" * 900, ("", None)),
        ("/x?t=%5Bredacted%5D", "a=1&b=2", ("/x", None)),
    ],
)
def test_a_request_is_told_without_place_and_credentials(url: str, body: str, sent: tuple[str, object]) -> None:
    request = request_of(sent_to(url, body))
    assert (request.method, request.path, request.body) == ("GET", *sent)
