"""Secrets stay out of recordings."""

import pytest

from openplaybook.recordings import form, step_form
from openplaybook.recordings.errors import ConversationTooLong
from openplaybook.recordings.secret_masks import without_secrets
from openplaybook.recordings.step_form import RecordingPart
from openplaybook.telemetry.redaction import is_secret_name

PARTS = [
    each
    for module in (form, step_form)
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, RecordingPart)
]


def test_what_stands_under_a_secret_name_is_masked_there_and_wherever_else_it_is() -> None:
    told = {
        "arguments": {"password": "s3cret/1", "pin_code": 5, "api_key": {"value": 1234567}},
        "request": {"path": "/login/s3cret%2F1?k=1234567", "body": {"p": ["s3cret/1", 5, None]}},
        "says": "Your password is s3cret/1.",
    }
    assert without_secrets(told) == {
        "arguments": {"password": "[redacted]", "pin_code": 5, "api_key": "[redacted]"},
        "request": {"path": "/login/[redacted]?k=[redacted]", "body": {"p": ["[redacted]", 5, None]}},
        "says": "Your password is [redacted].",
    }


def test_texts_known_to_be_secret_are_masked_and_short_ones_only_in_their_place() -> None:
    assert without_secrets({"a": "planted!", "b": "abc", "token": "abc"}, ["planted!"]) == {
        "a": "[redacted]",
        "b": "abc",
        "token": "[redacted]",
    }


@pytest.mark.parametrize("part", PARTS)
def test_no_member_of_a_recording_has_a_name_that_would_be_masked(part: type[RecordingPart]) -> None:
    assert [name for name in part.model_fields if is_secret_name(name)] == []


def test_so_many_secrets_that_they_cannot_be_found_in_time_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openplaybook.recordings.secret_masks._MOST_STEPS", 1_000 * 100 * 100)
    secrets = [f"secret-{n}" for n in range(1_000)]
    texts = ["x" * 100] * 99
    assert without_secrets({"password": secrets, "says": texts}) == {"password": "[redacted]", "says": texts}
    with pytest.raises(ConversationTooLong, match="the conversation has 1,000 secret values, too many to find in its"):
        without_secrets({"password": secrets, "says": [*texts, "x" * 100]})


@pytest.mark.parametrize("spelt", ["a+b/cdef gh", "a%2Bb%2Fcdef+gh", "a\\u002bb\\/cdef gh", "a&#43;b/cdef%20gh"])
def test_a_secret_is_found_in_each_of_its_spellings(spelt: str) -> None:
    assert without_secrets({"password": "a+b/cdef gh", "says": f"<{spelt}>"})["says"] == "<[redacted]>"
