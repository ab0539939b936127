"""The part of the scripted model: the playbook's decisions, and the code that it writes when the tool asks for it."""

from collections.abc import Iterator, Sequence

from openplaybook.jsonvalues import JsonObject
from tests.e2e.code_interpreter.conversation import Conversation, Turn

TOOL = "code-interpreter"
"""Display name of the built-in tool, as instructions write it."""
ASKING = "Code Interpreter"
"""The playbook's name in decisions that the tool asks for."""
RUN_PYTHON = "run_python"
"""The one function declared then."""

OUTPUT = "generate_and_execute output"
FAILED = "That did not work."
BROKEN = "{{result.error.code}}: {{result.error.message}}"
"""What is said where the call itself failed, which no conversation expects."""


def script_of(conversations: Sequence[Conversation]) -> JsonObject:
    """A script that plays all conversations."""
    rules = [rule for conversation in conversations for rule in _rules(conversation)]
    return {"rules": [*rules, {"reply": {"text": "You said: {{user}}"}}]}


def _rules(conversation: Conversation) -> Iterator[JsonObject]:
    # What was said in earlier turns may stand in the prompt of a later one, but not the other way round.
    for turn in reversed(conversation.turns):
        yield from _writing(turn)
        yield from _deciding(turn)


def _writing(turn: Turn) -> Iterator[JsonObject]:
    """Code, and after each error the next attempt."""
    first, *others = [{"calls": [{"name": RUN_PYTHON, "arguments": {"code": code}}]} for code in turn.code]
    if turn.in_a_fence:
        first = {"text": f"This program does it:\n\n```python\n{turn.code[0]}```\n\nIt prints the answer."}
    asked = {"playbook": ASKING, "user": {"contains": turn.words}}
    yield {"when": asked, "reply": first}
    for other in others:
        yield {"when": {**asked, "after": RUN_PYTHON, "error": True}, "times": 1, "reply": other}


def _deciding(turn: Turn) -> Iterator[JsonObject]:
    """The user's words go to the tool, perhaps after a call of another one, and its result to the user."""
    heard = {"user": {"equals": turn.words}}
    question: JsonObject = {"query": turn.words}
    if turn.hands_on:
        question["files"] = [f"{{{{result.{turn.hands_on}}}}}"]
    ask = {"calls": [{"name": TOOL, "arguments": question}]}
    if turn.calls_first:
        yield {"when": heard, "reply": {"calls": [{"name": turn.calls_first}]}}
        yield {"when": {**heard, "after": turn.calls_first}, "reply": ask}
    else:
        yield {"when": heard, "reply": ask}
    yield {"when": {**heard, "after": TOOL, "error": True}, "reply": {"text": BROKEN}}
    told = FAILED if turn.error else f"Result: {{{{result.{OUTPUT}.execution_result}}}}"
    yield {"when": {**heard, "after": TOOL}, "reply": {"text": told}}
