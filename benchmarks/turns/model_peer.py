"""A model server without delay, in OpenAI's chat completions and in Gemini's generateContent.

Asked about `pet 37` it calls the declared function that takes a pet's number; given a function's result it says the
name in it. Asked about several pets it calls for one after the other. Told to `ask 5` it calls the function `ask` and
says what came back. Without such a function, or without a name, its answer names no pet, and the turn does not count.
"""

import itertools
import re
from collections.abc import Iterable, Sequence

from benchmarks.turns.loopback import serve
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads

_IDS = itertools.count(1)
_PET = re.compile(r"\bpet (\d+)")
_ASK = re.compile(r"\bask (\d+)")
_NAME = re.compile(r"Pet-\d+")
_GEMINI_SCHEMAS = ("parameters", "parametersJsonSchema", "parameters_json_schema")
"""Where a Gemini function declaration has its schema; google-adk sends the last."""
_INPUT_TOKENS, _OUTPUT_TOKENS = 200, 12

Decision = str | tuple[str, JsonObject]
"""Words, or a function's name and arguments."""


def decide(said: str, results: Sequence[str], functions: Iterable[tuple[str, JsonValue]]) -> Decision:
    """The model's mind: from the user's words, what functions gave since then, and (name, schema) of functions."""
    asked = _ASK.search(said)
    if asked is not None:
        return f"The client says {results[-1]}" if results else ("ask", {"question": asked[1]})
    pets = _PET.findall(said)
    if not pets:
        return "Ask about a pet, please."
    if len(results) >= len(pets):
        names = _NAME.findall(" ".join(results))
        return f"The pet is called {' '.join(names)}." if names else "The result holds no name."
    for name, schema in functions:
        arguments = pet_arguments(schema, int(pets[len(results)]))
        if arguments is not None:
            return name, arguments
    return "No function finds pets."


def pet_arguments(schema: JsonValue, pet: int) -> JsonObject | None:
    """Arguments that put `pet` where the schema has a `petId`, however spelled or deep; None where it has none."""
    for name, inner in as_object(as_object(schema).get("properties")).items():
        if re.sub(r"[^a-z]", "", name.lower()) == "petid":
            return {name: pet}
        nested = pet_arguments(inner, pet)
        if nested is not None:
            return {name: nested}
    return None


def openai_answer(request: JsonObject) -> JsonObject:
    """A chat completion."""
    messages = as_list(request["messages"])
    last_user = max(at for at, message in enumerate(messages) if message["role"] == "user")
    results = [str(message["content"]) for message in messages[last_user + 1 :] if message["role"] == "tool"]
    functions = [(tool["function"]["name"], tool["function"].get("parameters")) for tool in request.get("tools", [])]
    decision = decide(messages[last_user]["content"], results, functions)
    message: JsonObject = {"role": "assistant", "content": None}
    if isinstance(decision, str):
        message["content"] = decision
    else:
        function = {"name": decision[0], "arguments": dumps(decision[1]).decode()}
        message["tool_calls"] = [{"id": f"call_{next(_IDS)}", "type": "function", "function": function}]
    reason = "stop" if isinstance(decision, str) else "tool_calls"
    return {
        "id": f"chatcmpl-{next(_IDS)}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {
            "prompt_tokens": _INPUT_TOKENS,
            "completion_tokens": _OUTPUT_TOKENS,
            "total_tokens": _INPUT_TOKENS + _OUTPUT_TOKENS,
        },
    }


def _is_users(part: JsonObject) -> bool:
    words = str(part.get("text", ""))
    return bool(_PET.search(words) or _ASK.search(words))


def gemini_answer(request: JsonObject) -> JsonObject:
    """A GenerateContentResponse."""
    parts = [part for content in request["contents"] for part in as_list(content["parts"])]
    last_said = max((at for at, part in enumerate(parts) if _is_users(part)), default=0)
    said = str(parts[last_said].get("text", ""))
    later = parts[last_said + 1 :]
    results = [dumps(part["functionResponse"]["response"]).decode() for part in later if "functionResponse" in part]
    functions = [
        (declared["name"], next((declared[key] for key in _GEMINI_SCHEMAS if key in declared), None))
        for tool in request.get("tools", [])
        for declared in tool.get("functionDeclarations", [])
    ]
    decision = decide(said, results, functions)
    part: JsonObject = (
        {"text": decision}
        if isinstance(decision, str)
        else {"functionCall": {"name": decision[0], "args": decision[1]}}
    )
    return {
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": _INPUT_TOKENS,
            "candidatesTokenCount": _OUTPUT_TOKENS,
            "totalTokenCount": _INPUT_TOKENS + _OUTPUT_TOKENS,
        },
        "modelVersion": "fake",
        "responseId": f"response-{next(_IDS)}",
    }


def answer(method: str, path: str, body: bytes) -> tuple[int, JsonValue]:
    """Status and JSON for a request."""
    if method == "POST" and path.endswith("/chat/completions"):
        return 200, openai_answer(loads(body))
    if method == "POST" and path.endswith(":generateContent"):
        return 200, gemini_answer(loads(body))
    return 404, {"error": {"message": "only chat completions and generateContent are served"}}


if __name__ == "__main__":
    serve(answer)
