"""The rules of the Chat Completions protocol, and answers in its form."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from tests.integration.models.peer import Answer, answer, injected, sent_events

MEMBERS = {
    "model", "messages", "tools", "parallel_tool_calls", "temperature", "max_tokens", "stream", "stream_options",
}  # fmt: skip
MESSAGE_MEMBERS = {
    "system": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "tool_calls", "reasoning_details"},
    "tool": {"role", "content", "tool_call_id"},
}


def faults(request: JsonObject) -> list[str]:
    """What a strict server would refuse."""
    found = [f"unknown member {name}" for name in request.keys() - MEMBERS]
    messages = request["messages"]
    if messages[0]["role"] != "system":
        found.append("the first message is not the system's")
    open_calls: list[str] = []
    for at, message in enumerate(messages):
        found += [f"$.messages[{at}].{name} is unknown" for name in message.keys() - MESSAGE_MEMBERS[message["role"]]]
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                found.append(f"$.messages[{at}] answers no call")
            else:
                open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            found.append(f"$.messages[{at}] comes before the results of {open_calls}")
        if at and message["role"] == messages[at - 1]["role"] == "user":
            found.append(f"$.messages[{at}] is a second user message")
        open_calls = [call["id"] for call in message.get("tool_calls", [])]
        if message["content"] is None and not open_calls:
            found.append(f"$.messages[{at}] is empty")
    found += [fault for tool in request.get("tools", []) for fault in tool_faults(tool)]
    tool_contents = {f"$.messages[{at}].content" for at, message in enumerate(messages) if message["role"] == "tool"}
    return found + [f"tool output at {path}" for path in injected(request) if path not in tool_contents]


def tool_faults(tool: JsonObject) -> list[str]:
    function = tool["function"]
    found: list[str] = []
    if tool.keys() != {"type", "function"} or function.keys() != {"name", "description", "parameters"}:
        found.append(f"tool with members {sorted(tool)} and {sorted(function)}")
    if function["parameters"].get("type") != "object" or len(function["description"]) > 1024:
        found.append(f"tool {function['name']} cannot be declared so")
    return found


def completion(message: JsonObject, finish_reason: str = "stop") -> Answer:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 200, "completion_tokens": 12, "total_tokens": 212}
    return answer({"id": "c", "object": "chat.completion", "choices": [choice], "usage": usage})


def said(text: str) -> Answer:
    return completion({"content": text})


def call(id: str, name: str, arguments: JsonValue) -> JsonObject:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def asked(*calls: JsonObject) -> Answer:
    return completion({"content": None, "tool_calls": list(calls)}, "tool_calls")


def chunk(delta: JsonObject, finish_reason: str | None = None) -> JsonObject:
    return {"object": "chat.completion.chunk", "choices": [{"delta": delta, "finish_reason": finish_reason}]}


def streamed(*chunks: JsonObject, is_cut: bool = False) -> Answer:
    usage: JsonObject = {"choices": [], "usage": {"prompt_tokens": 200, "completion_tokens": 12}}
    return sent_events(*chunks, is_cut=True) if is_cut else sent_events(*chunks, usage, "[DONE]")
