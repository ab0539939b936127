"""A model behind the Chat Completions protocol that does what it is told: the user's words name a function."""

from openplaybook.jsonvalues import JsonObject, dumps, loads


def completion(body: bytes) -> tuple[str, bytes]:
    """Media type and body of the answer to a request: a call of the function that the user named, else `Done.`"""
    request: JsonObject = loads(body)
    said = request["messages"][-1]
    names = [tool["function"]["name"] for tool in request.get("tools", [])]
    if said["role"] == "user" and said["content"] in names:
        call = {"id": "c1", "type": "function", "function": {"name": said["content"], "arguments": "{}"}}
        message: JsonObject = {"role": "assistant", "content": None, "tool_calls": [call]}
    else:
        message = {"role": "assistant", "content": "Done."}
    reason = "tool_calls" if "tool_calls" in message else "stop"
    if not request.get("stream"):
        return "application/json", dumps({"choices": [{"message": message, "finish_reason": reason}]})
    for index, call in enumerate(message.get("tool_calls", [])):
        call["index"] = index
    chunk = {"object": "chat.completion.chunk", "choices": [{"delta": message, "finish_reason": reason}]}
    return "text/event-stream", b"data: " + dumps(chunk) + b"\n\ndata: [DONE]\n\n"
