"""The program in a model's reply."""

import pytest

from openplaybook.jsonvalues import JsonValue
from openplaybook.models.base import ModelReply, RequestedCall
from openplaybook.tools.code_interpreter.replies import code_of


def reply(text: str = "", *arguments: JsonValue, name: str = "run_python") -> ModelReply:
    calls = tuple(RequestedCall(str(n), name, each) for n, each in enumerate(arguments))
    return ModelReply(text=text, calls=calls, model="m")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (reply("", {"code": "print(1)"}), "print(1)"),
        (reply("Here:", {"code": "```python\nprint(1)\n```"}), "print(1)"),
        (reply("", "print(1)"), "print(1)"),
        (reply("", {"code": ""}, {"code": "print(2)"}), "print(2)"),
        (reply("", {"code": "x = '''\n```python\ny\n```\n'''"}), "x = '''\n```python\ny\n```\n'''"),
        (reply("I do:\n```python\nprint(1)\n```\nDone."), "print(1)"),
        (reply("```\nprint(1)\n```"), "print(1)"),
        (reply("First\n```py\nx = 1\n```\nthen\n```py\nprint(x)\n```"), "x = 1\n\nprint(x)"),
        (reply("import math\nprint(math.pi)\n"), "import math\nprint(math.pi)"),
        (reply("I cannot do that."), ""),
        (reply(""), ""),
        (reply("", {"code": "print(1)"}, name="other"), ""),
        (reply("", {"code": 5}), ""),
        (reply("", None), ""),
    ],
)
def test_a_program_is_found_in_a_call_or_in_the_words(given: ModelReply, code: str) -> None:
    assert code_of(given) == code
