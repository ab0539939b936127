"""Conversations as a person reads them."""

import pytest

from openplaybook.cli.conversation_text import row, show
from openplaybook.jsonvalues import JsonObject, JsonValue


@pytest.mark.parametrize(
    ("duration", "shown"),
    [
        ("0s", "0ms"),
        ("0.003923s", "4ms"),
        ("12.34s", "12.3s"),
        ("59.96s", "1m 0s"),
        ("307s", "5m 7s"),
        ("3599.7s", "1h 0m"),
        ("7380s", "2h 3m"),
    ],
)
def test_a_time_is_shown_in_the_unit_that_a_person_would_take(duration: str, shown: str) -> None:
    assert row({"name": "a/conversations/c", "duration": duration}) == ("", shown, "0", "", "c")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ({"text": {"text": "hello"}}, "hello"),
        ({"event": {"event": "sys.no-input-default"}}, "[event sys.no-input-default]"),
        ({"toolCallResult": {"action": "sign", "outputParameters": {"n": 1}}}, '[result of sign] {"n": 1}'),
        ({"toolCallResult": {"action": "sign", "error": {"message": "no"}}}, '[result of sign] {"message": "no"}'),
    ],
)
def test_what_a_request_brought_is_shown(given: JsonObject, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    interaction: JsonObject = {"createTime": "2026-01-02T03:04:05Z", "request": {"queryInput": given}, "response": {}}
    show({"name": "a/conversations/c", "interactions": [interaction]})
    assert capsys.readouterr().out.splitlines()[1:] == [f"03:04:05 user: {shown}"]


def test_files_are_shown_by_name_and_size(capsys: pytest.CaptureFixture[str]) -> None:
    files: JsonValue = [{"name": "plot.png", "contents": "AQID"}]
    use: JsonObject = {
        "displayName": "code-interpreter",
        "action": "generate_and_execute",
        "inputActionParameters": {},
        "outputActionParameters": {"generate_and_execute output": {"output_files": files}},
    }
    image: JsonObject = {"type": "image", "rawUrl": "data:image/png;base64,AQID", "accessibilityText": "plot.png"}
    result: JsonObject = {
        "traceBlocks": [{"actions": [{"toolUse": use, "completeTime": "2026-01-02T03:04:05Z"}]}],
        "responseMessages": [{"payload": {"richContent": [[image]]}, "source": "VIRTUAL_AGENT"}],
    }
    interaction: JsonObject = {"response": {"queryResult": result}}
    show({"name": "a/conversations/c", "interactions": [interaction]})
    assert capsys.readouterr().out.splitlines()[2:] == [
        "         code-interpreter.generate_and_execute {}"
        ' -> {"generate_and_execute output": {"output_files": ["plot.png"]}}',
        "         sends: [image plot.png 3 bytes]",
    ]
