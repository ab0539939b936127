from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import dumps
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.scripted import read_script
from tests.kit.thoroughness import examples

Write: TypeAlias = Callable[[str, str], Path]


def refusal(path: Path) -> str:
    with pytest.raises(ModelNotConfigured) as caught:
        read_script(path)
    return str(caught.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rules:\n  - when: {usr: {contains: a}}\n    reply: {}", "line 2, $.rules[0].when.usr: no such member"),
        ("rules:\n  - reply: {text: 3}", "line 2, $.rules[0].reply.text: Input should be a valid string"),
        ("rules:\n  - delay_ms: 3", "line 2, $.rules[0]: give exactly one of reply, fail"),
        ("rules:\n  - reply: {}\n    fail: {kind: timeout}", "line 2, $.rules[0]: give exactly one of reply, fail"),
        (
            "replies:\n  - text: a\n    fail: {kind: timeout}",
            "line 2, $.replies[0]: give text and calls, or fail, not both",
        ),
        ("rules: []\nreplies: []", "line 1, $: give exactly one of rules, replies"),
        (
            "rules:\n  - reply: {}\n    when:\n      error: true",
            "line 3, $.rules[0].when: error asks about a result: give after too",
        ),
        (
            "rules:\n  - reply: {}\n    when:\n      user: {contains: a, equals: b}",
            "line 4, $.rules[0].when.user: give exactly one of contains, equals, matches",
        ),
        (
            "rules:\n  - reply: {}\n    when: {user: {matches: '('}}",
            "line 3, $.rules[0].when.user.matches: not a regular expression: "
            "missing ), unterminated subpattern at position 0",
        ),
        (
            "rules:\n  - reply:\n      calls: [{name: a, arguments: {b: ['{{reslt.x}}']}}]",
            "line 3, $.rules[0].reply.calls[0].arguments: {{reslt.x}} begins with 'reslt'; "
            "allowed are result, results, match, user, inputs, parameters",
        ),
        (
            "rules:\n  - reply: {text: '{{user|upper}}'}",
            "line 2, $.rules[0].reply.text: {{user|upper}} converts with 'upper'; allowed are int, number, text",
        ),
        ("rules:\n  - reply: {text: a}\n    reply: {text: b}", "line 3, $.rules[0].reply: given twice"),
        ("replies:\n  - text: !secret a", "line 2, $.replies[0].text: tags such as !secret are not allowed"),
        (
            "replies:\n  - fail: {kind: nope}",
            "line 2, $.replies[0].fail.kind: Input should be 'timeout', "
            "'rate_limited', 'unavailable', 'rejected' or 'garbled'",
        ),
    ],
)
def test_a_mistake_is_reported_with_line_and_path(write_script: Write, text: str, problem: str) -> None:
    assert refusal(write_script(text, "play.yaml")) == problem


def test_every_mistake_of_a_file_is_reported(write_script: Write) -> None:
    path = write_script("replies:\n  - txt: a\n  - text: b\n    calls: [{}]\n", "play.yaml")
    assert refusal(path) == (
        "line 2, $.replies[0].txt: no such member; line 4, $.replies[1].calls[0].name: Field required"
    )


def test_broken_yaml_is_reported_with_its_line(write_script: Write) -> None:
    assert "line 2 column 2" in refusal(write_script("rules: [1\nb: 2", "play.yaml"))


def test_broken_json_is_reported_with_its_line(write_script: Write) -> None:
    assert "line 2 column" in refusal(write_script('{\n"rules": [,]}', "play.json"))


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.yaml") == "No such file or directory"


def test_a_file_that_is_no_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "play.yaml"
    path.write_bytes(b"rules: \xff")
    assert refusal(path) == "not UTF-8 at byte 7"


def test_words_stay_words_as_in_yaml_1_2(write_script: Write) -> None:
    script, _ = read_script(write_script("replies: [{text: no}, {text: 2026-01-01}]", "play.yaml"))
    assert [item.text for item in script.replies or ()] == ["no", "2026-01-01"]


def test_an_anchor_may_be_used_again(write_script: Write) -> None:
    script, _ = read_script(write_script("rules: [{reply: &hi {text: Hi}}, {reply: *hi}]", "play.yaml"))
    assert [rule.reply.text for rule in script.rules or () if rule.reply] == ["Hi", "Hi"]


@given(st.text(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(150))
def test_whatever_a_file_holds_is_read_or_refused(write_script: Write, text: str) -> None:
    path = write_script(text.encode("utf-8", "replace").decode(), "play.yaml")
    with pytest.raises(ModelNotConfigured):
        read_script(path)


@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_numbers_of_a_script_keep_their_digits(tmp_path: Path, ending: str) -> None:
    arguments = '{"long": 123456789012345678901234567890, "fine": [0.12345678901234567890], "short": 1.5}'
    path = tmp_path / f"script.{ending}"
    path.write_text(f'{{"rules": [{{"reply": {{"calls": [{{"name": "f", "arguments": {arguments}}}]}}}}]}}')
    [rule] = read_script(path)[0].rules or []
    assert rule.reply is not None
    assert dumps(rule.reply.calls[0].arguments) == arguments.replace(" ", "").encode()
