"""The two requests of the documents' weather example, byte for byte but for their placeholders, over plain HTTP."""

import pytest

from openplaybook.jsonvalues import loads
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.shop import WEATHER_INPUT, WEATHER_OUTPUT

FIRST = b"""{
"queryInput": {
"text": {
"text": "what is the weather in Mountain View"
},
"languageCode": "en"
}
}"""

SECOND = b"""{
"queryInput": {
"toolCallResult": {
"tool": "<tool-resource-name>",
"action": "get-weather-tool",
"outputParameters": {
"temperature": 28.0
}
},
"languageCode": "en"
}
}"""


@pytest.mark.proves("F1", "F2", "F3")
@pytest.mark.parametrize("version", ["v3", "v3beta1"])
def test_the_printed_requests_get_the_printed_answers(rest: Rest, version: str) -> None:
    agent = rest.agent()
    schemas = {"inputSchema": WEATHER_INPUT, "outputSchema": WEATHER_OUTPUT}
    tool = rest.tool(agent, "get-weather-tool", functionSpec=schemas)
    rest.start(agent, "Tell the weather with ${TOOL: get-weather-tool}.")
    path = f"/{version}/{agent}/sessions/SESSION_ID:detectIntent"

    first = rest.send("POST", path, FIRST)
    assert first.status == 200
    result = first.json["queryResult"]
    assert result["text"] == "what is the weather in Mountain View"
    assert result["languageCode"] == "en"
    [message] = result["responseMessages"]
    assert message.keys() == {"source", "toolCall"}
    assert message["source"] == "VIRTUAL_AGENT"
    call = message["toolCall"]
    assert (call["tool"], call["action"]) == (tool, "get-weather-tool")
    assert call["inputParameters"] == {"location": "Mountain View"}

    second = rest.send("POST", path, SECOND.replace(b"<tool-resource-name>", tool.encode()))
    assert second.status == 200
    assert loads(second.body)["queryResult"]["responseMessages"] == [
        {"source": "VIRTUAL_AGENT", "text": {"text": ["It is 28 degrees."]}}
    ]
