"""The page on instructions and examples: its JSON is accepted by the demo agent, and a wrong name gets its message."""

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, loads
from tests.e2e.kit.rest import Rest
from tests.e2e.kit.server import Server
from tests.kit.guides import blocks, each_block

PAGE = "examples-and-instructions.md"


def saved(demo: Server, path: str, body: JsonObject) -> tuple[JsonValue, str | None]:
    """A new resource beneath the demo agent, and the warning about it."""
    answer = Rest(demo.http).send("POST", f"/v3/{demo.facts['Agent']}/{path}", dumps(body))
    assert answer.status == 200, answer.body
    return answer.json, answer.headers.get("x-openplaybook-warning")


def test_the_instructions_and_the_example_of_the_page_are_accepted(demo: Server) -> None:
    instructions, example = (loads(text) for text in each_block(PAGE, "json"))
    complaints, _ = saved(demo, "playbooks", {"displayName": "Complaints", "goal": "Apologise."})
    desk = {"displayName": "Desk", "goal": "Find pets.", **instructions}
    playbook, warning = saved(demo, "playbooks", desk)
    assert warning is None
    tools = Rest(demo.http)("GET", f"v3/{demo.facts['Agent']}/tools")["tools"]
    [pets] = [tool["name"] for tool in tools if tool["displayName"] == "pets"]
    assert (playbook["referencedTools"], playbook["referencedPlaybooks"]) == ([pets], [complaints["name"]])
    example["actions"][1]["toolUse"]["tool"] = pets
    path = f"playbooks/{playbook['name'].rpartition('/')[2]}/examples"
    kept, warning = saved(demo, path, example)
    assert (warning, {name: kept[name] for name in example}) == (None, example)


def test_a_reference_to_nothing_gets_the_message_of_the_page(demo: Server) -> None:
    steps = [{"text": "Greet."}, {"text": "Look the pet up with ${TOOL: Pet}."}]
    _, warning = saved(demo, "playbooks", {"displayName": "Typo", "goal": "G.", "instruction": {"steps": steps}})
    assert warning == blocks(PAGE, "text").strip()
