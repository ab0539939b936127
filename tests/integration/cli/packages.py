"""A small agent as a package, written by hand."""

import json
from pathlib import Path

from openplaybook.jsonvalues import JsonObject

START = "00000000-0000-0000-0000-000000000000"


def write_agent(folder: Path, display_name: str) -> Path:
    """A folder with an agent of that name: one playbook, one function tool."""
    files: dict[str, JsonObject] = {
        "agent.json": {
            "displayName": display_name,
            "defaultLanguageCode": "en",
            "timeZone": "Europe/Paris",
            "startPlaybook": "Start",
        },
        "playbooks/Start/Start.json": {
            "name": START,
            "displayName": "Start",
            "goal": "Tell the weather.",
            "instruction": {"steps": [{"text": "Use ${TOOL: get_weather}."}]},
        },
        "tools/get_weather/get_weather.json": {
            "name": "6f0e2d6e-3b0e-4a0e-9d64-0d3c5a1f3a11",
            "displayName": "get_weather",
            "description": "The weather in a city.",
            "functionSpec": {
                "inputSchema": {
                    "type": "object",
                    "required": ["city"],
                    "properties": {"city": {"type": "string"}},
                },
                "outputSchema": {"type": "object", "properties": {"temperature": {"type": "number"}}},
            },
        },
    }
    for path, content in files.items():
        file = folder / display_name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content))
    return folder / display_name
