"""A conversation that Google's clients had with an app is recorded, and replayed without its services."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplaybook.cli.main import app as command
from openplaybook.recordings.recording_yaml import read_recording
from openplaybook.recordings.step_form import RecordedDecision, RecordedRequest
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server
from tests.e2e.kit.studio import Studio, ids_of
from tests.kit.http_peer import HttpPeer

pytestmark = [pytest.mark.proves("X1"), pytest.mark.proves("X6")]


def replayed(file: Path, studio: Studio, server: Server) -> str:
    """What the command says of a recording of the app."""
    data_dir = str(server.log.parent / "data")
    words = ["replay", str(file), "--agent", studio.app, "--data-dir", data_dir]
    return CliRunner().invoke(command, words).stdout


@pytest.mark.usefixtures("sandbox")
def test_a_conversation_with_an_app_is_recorded_and_replays_the_same(
    studio: Studio, rest: Rest, pets: HttpPeer, studio_server: Server, tmp_path: Path
) -> None:
    studio.say("pet 3")
    studio.run({"variables": {"ordered": 2}}, {"text": "order 3"})
    studio.say("report 2")
    oslo, rome = ids_of(studio.say("two cities"))
    studio.give({"id": rome, "response": {"temperature": 20}}, {"id": oslo, "response": {"temperature": 7}})
    studio.say("expert: the weather")
    studio.say("goodbye")
    told = rest("GET", f"v1beta/{studio.session()}:record")
    assert rest("GET", f"v1/{studio.session()}:record") == told
    file = tmp_path / "talk.yaml"
    file.write_text(told["recording"])
    looked_up = (read_recording(file).turns[0].steps or [])[1]
    assert isinstance(looked_up, RecordedDecision)
    assert [call.request for call in looked_up.calls] == [RecordedRequest(method="GET", path="/v1/pets/3")]
    reached = len(pets.requests)
    assert replayed(file, studio, studio_server) == f"same  {file}: 7 turns\n"
    assert len(pets.requests) == reached == 2
    instruction = {"displayName": "desk", "toolsets": []}
    rest("PATCH", f"v1beta/{studio.agents['desk']}?updateMask=toolsets", instruction)
    assert replayed(file, studio, studio_server).splitlines()[:3] == [
        f"different  {file}: 1 of 7 turns",
        "  turn 1: pet 3",
        "    pets.getPet fails",
    ]


def test_a_session_that_is_not_there_cannot_be_recorded(beta_studio: Studio, rest: Rest) -> None:
    session = beta_studio.session("nobody")
    answer = rest.send("GET", f"/v1beta/{session}:record")
    assert answer.error == (404, "NOT_FOUND", f"Conversation {session} does not exist")
