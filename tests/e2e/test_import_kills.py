"""A server that is killed while it imports: the agent is what it was or what the package holds, nothing between."""

import json
from base64 import b64decode, b64encode
from pathlib import Path

import pytest

from openplaybook.packages.package_files import zip_of
from openplaybook.sync.comparable_files import read_contents
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.server import killed, running
from tests.kit.thoroughness import IS_WHOLE

COUNT = 500 if IS_WHOLE else 150


def package(goal: str) -> bytes:
    """An agent whose many playbooks all have one goal."""
    files = {"agent.json": json.dumps({"displayName": "Many"})}
    for number in range(COUNT):
        playbook = {"name": f"p{number}", "displayName": f"P{number}", "goal": goal}
        files[f"playbooks/P{number}/P{number}.json"] = json.dumps(playbook)
    return zip_of({path: text.encode() for path, text in files.items()})


def restore(rest: Rest, agent: str, content: bytes) -> str:
    """The name of the operation that was started."""
    body = json.dumps({"agentContent": b64encode(content).decode()}).encode()
    return rest.send("POST", f"/v3/{agent}:restore", body).json["name"]


def goals(rest: Rest, agent: str) -> tuple[int, set[str]]:
    """How many playbooks the agent has, and all their goals, as an export shows them."""
    started = rest.send("POST", f"/v3/{agent}:export", b'{"dataFormat": "JSON_PACKAGE"}').json["name"]
    while not (operation := rest.send("GET", f"/v3/{started}").json).get("done"):
        pass
    contents = read_contents(b64decode(operation["response"]["agentContent"]))
    playbooks = [json.loads(content) for path, content in contents.files.items() if path.startswith("playbooks/")]
    return len(playbooks), {playbook["goal"] for playbook in playbooks}


@pytest.mark.sweep
@pytest.mark.proves("X2")
@pytest.mark.parametrize("polls", [0, 2, 10])
def test_an_import_happens_wholly_or_not_at_all(tmp_path: Path, polls: int) -> None:
    with killed(tmp_path) as server:
        rest = Rest(server.http)
        agent = {"displayName": "Many", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        name = rest.send("POST", f"/v3/{LOCATION}/agents", json.dumps(agent).encode()).json["name"]
        first = restore(rest, name, package("Old."))
        while not rest.send("GET", f"/v3/{first}").json.get("done"):
            pass
        assert goals(rest, name) == (COUNT, {"Old."})
        second = restore(rest, name, package("New."))
        for _ in range(polls):
            rest.send("GET", f"/v3/{second}")
    with running(tmp_path) as server:
        count, found = goals(Rest(server.http), name)
    assert (count, found) in [(COUNT, {"Old."}), (COUNT, {"New."})]
