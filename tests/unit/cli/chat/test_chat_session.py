"""What a user types as the result of a call."""

import pytest

from openplaybook.cli.chat.chat_session import CallResult, read_result
from openplaybook.cli.errors import CommandError


def test_a_json_object_is_the_output() -> None:
    assert read_result(' {"temperature": 23.5} ') == CallResult(output={"temperature": 23.5})


@pytest.mark.parametrize(
    ("text", "words"), [("error: no such city", "no such city"), (" ERROR:late ", "late"), ("error:", "failed")]
)
def test_what_starts_with_error_is_an_error(text: str, words: str) -> None:
    assert read_result(text) == CallResult(error=words)


@pytest.mark.parametrize(
    ("text", "message"), [("", "not JSON"), ("{", "not JSON"), ("[1]", "a result must be a JSON object")]
)
def test_anything_else_is_refused(text: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        read_result(text)


def test_a_result_is_an_output_or_an_error_on_the_wire() -> None:
    assert CallResult(output={}).to_json() == {"outputParameters": {}}
    assert CallResult(error="late").to_json() == {"error": {"message": "late"}}
