"""dfcx-scrapi, whose address cannot be set: it dials googleapis.com through a proxy and finds the server there."""

import subprocess
import sys
from pathlib import Path

import pytest

from openplaybook.jsonvalues import loads
from tests.e2e.kit.googleapis import TOKENS, googleapis
from tests.e2e.kit.pets import PETS, schema_of
from tests.e2e.kit.scrapi import SCRAPI, STAND_IN
from tests.e2e.kit.server import Server, clean_environment
from tests.kit.background import Background
from tests.kit.http_peer import HttpPeer

CONVERSATION = SCRAPI / "conversation.py"


# In `make test` its quick start goes this way, against the address of a server.
@pytest.mark.proof
@pytest.mark.proves("X1")
def test_dfcx_scrapi_builds_an_agent_and_talks_to_it(
    server: Server, background: Background, pets: HttpPeer, tmp_path: Path
) -> None:
    with background.entered(googleapis(server, tmp_path)) as apis:
        ran = subprocess.run(
            [sys.executable, CONVERSATION],
            input=schema_of(pets),
            capture_output=True,
            text=True,
            env={**clean_environment(), **apis.environment, "PYTHONPATH": str(STAND_IN)},
            timeout=100,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr
    assert loads(ran.stdout.splitlines()[-1]) == {
        "said": "Luna belongs to Aisha.",
        "tools": ["Pets", "code-interpreter", "get-weather-tool"],
        "referenced": True,
        "examples": ["Greeting"],
        "responses": [
            {
                "tool_name": "Pets",
                "tool_action": "getPet",
                "input_params": {"petId": 3},
                "output_params": {"200": PETS[2]},
            }
        ],
        "asked": {"location": "Oslo"},
        "history": [
            {"user": "pet 3", "agent": "Luna belongs to Aisha."},
            {"user": "weather in Oslo?", "agent": ""},
        ],
    }
    assert set(apis.dialled) == {TOKENS, "us-central1-dialogflow.googleapis.com"}
