"""Playbooks and tools that are exported and imported one by one."""

import base64
import io
import zipfile
from dataclasses import dataclass

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller

SECRET = "wq8d-7c1f"


@dataclass(frozen=True)
class Shop:
    """An agent of two playbooks, the first of which leads to the second; each uses a tool of its own."""

    agent: str
    desk: str
    sales: str


async def furnish(call: Caller) -> Shop:
    agent = await call.agent()
    config = {"keyName": "k", "apiKey": SECRET, "requestLocation": "HEADER"}
    spec = {"textSchema": "openapi: 3.0.0\n", "authentication": {"apiKeyConfig": config}}
    pets = await call.tool(agent, "Pets", functionSpec=None, openApiSpec=spec)
    await call.tool(agent, "Prices")
    await call.tool(agent, "Unused")
    sales = await call.playbook(agent, "Sales", "Use ${TOOL: Prices}.")
    desk = await call.playbook(agent, "Desk", "Use ${TOOL: Pets}, then ${PLAYBOOK: Sales}.")
    await call.playbook(agent, "Unused")
    actions = [{"toolUse": {"tool": pets["name"], "action": "getPet", "inputActionParameters": {"id": 3}}}]
    await call.example(desk["name"], "Hi", actions=actions)
    return Shop(agent, desk["name"], sales["name"])


async def export(call: Caller, playbook: str, **options: object) -> str:
    done = await call.operation("Playbooks.ExportPlaybook", {"name": playbook, **options})
    assert done["response"]["@type"].endswith("ExportPlaybookResponse")
    return done["response"]["playbookContent"]


async def bring(call: Caller, agent: str, content: str, **strategies: str) -> JsonObject:
    """The finished operation of an import."""
    strategy = {f"{part}ImportStrategy": f"IMPORT_STRATEGY_{name}" for part, name in strategies.items()}
    request = {"parent": agent, "playbookContent": content, "importStrategy": strategy}
    return await call.operation("Playbooks.ImportPlaybook", request)


async def titles(call: Caller, agent: str) -> tuple[list[str], list[str]]:
    """Display names of playbooks and of tools that are not built in."""
    playbooks = (await call("Playbooks.ListPlaybooks", {"parent": agent})).get("playbooks", [])
    tools = (await call("Tools.ListTools", {"parent": agent}))["tools"]
    stored = [tool["displayName"] for tool in tools if tool["toolType"] == "CUSTOMIZED_TOOL"]
    return sorted(each["displayName"] for each in playbooks), sorted(stored)


def text(playbook: JsonObject) -> str:
    return playbook["instruction"]["steps"][0]["text"]


@pytest.mark.proves("X2")
@pytest.mark.parametrize("data_format", ["BLOB", "JSON"])
async def test_a_playbook_moves_with_all_that_it_leads_to(call: Caller, data_format: str) -> None:
    shop = await furnish(call)
    content = await export(call, shop.desk, dataFormat=data_format)
    assert SECRET.encode() not in base64.b64decode(content)
    target = await call.agent(displayName="Target")

    done = await bring(call, target, content)

    desk = await call("Playbooks.GetPlaybook", {"name": done["response"]["playbook"]})
    assert await titles(call, target) == (["Desk", "Sales"], ["Pets", "Prices"])
    tools = {tool["displayName"]: tool for tool in (await call("Tools.ListTools", {"parent": target}))["tools"]}
    playbooks = (await call("Playbooks.ListPlaybooks", {"parent": target}))["playbooks"]
    sales = next(each for each in playbooks if each["displayName"] == "Sales")
    assert (text(desk), desk["referencedTools"], desk["referencedPlaybooks"]) == (
        "Use ${TOOL: Pets}, then ${PLAYBOOK: Sales}.",
        [tools["Pets"]["name"]],
        [sales["name"]],
    )
    [example] = (await call("Examples.ListExamples", {"parent": desk["name"]}))["examples"]
    assert example["actions"][0]["toolUse"]["tool"] == tools["Pets"]["name"]
    assert [note["kind"] for note in done["metadata"]["value"]["notes"]] == ["MISSING_SECRET"]


async def test_an_export_warns_of_the_secrets_it_leaves_out(call: Caller) -> None:
    shop = await furnish(call)
    await call("Playbooks.ExportPlaybook", {"name": shop.desk})
    [warning] = call.warnings
    assert warning.startswith("Pets $.openApiSpec.authentication.apiKeyConfig.apiKey: ")
    assert SECRET not in warning


async def test_json_holds_the_files_by_path(call: Caller) -> None:
    shop = await furnish(call)
    files: JsonObject = loads(base64.b64decode(await export(call, shop.desk, dataFormat="JSON")))
    assert list(files) == [
        "agent.json",
        "playbooks/Sales/Sales.json",
        "playbooks/Desk/Desk.json",
        "playbooks/Desk/examples/Hi.json",
        "tools/Pets/Pets.json",
        "tools/Pets/schema.yaml",
        "tools/Prices/Prices.json",
    ]
    assert files["agent.json"] == {"startPlaybook": "Desk"}
    assert files["tools/Pets/schema.yaml"] == "openapi: 3.0.0\n"


@pytest.mark.proves("X2")
async def test_by_default_what_is_there_stays_and_the_new_has_a_number(call: Caller) -> None:
    shop = await furnish(call)
    done = await bring(call, shop.agent, await export(call, shop.desk))
    desk = await call("Playbooks.GetPlaybook", {"name": done["response"]["playbook"]})
    assert desk["displayName"] == "Desk_1"
    assert text(desk) == "Use ${TOOL: Pets_1}, then ${PLAYBOOK: Sales_1}."
    assert await titles(call, shop.agent) == (
        ["Desk", "Desk_1", "Sales", "Sales_1", "Unused"],
        ["Pets", "Pets_1", "Prices", "Prices_1", "Unused"],
    )
    named = {each["name"] for each in (await call("Tools.ListTools", {"parent": shop.agent}))["tools"]}
    assert set(desk["referencedTools"]) < named
    original = await call("Playbooks.GetPlaybook", {"name": shop.desk})
    assert text(original) == "Use ${TOOL: Pets}, then ${PLAYBOOK: Sales}."


async def test_what_is_replaced_keeps_its_name(call: Caller) -> None:
    shop = await furnish(call)
    content = await export(call, shop.desk)
    await call.example(shop.desk, "Later")
    before = await titles(call, shop.agent)
    desk = {"name": shop.desk, "goal": "Another"}
    await call("Playbooks.UpdatePlaybook", {"playbook": desk, "updateMask": "goal"})
    done = await bring(call, shop.agent, content, mainPlaybook="REPLACE", nestedResource="KEEP", tool="KEEP")
    assert done["response"]["playbook"] == shop.desk
    assert (await call("Playbooks.GetPlaybook", {"name": shop.desk}))["goal"] == "Help"
    [example] = (await call("Examples.ListExamples", {"parent": shop.desk}))["examples"]
    assert example["displayName"] == "Hi"
    assert await titles(call, shop.agent) == before


async def test_what_is_kept_takes_nothing_with_it(call: Caller) -> None:
    shop = await furnish(call)
    target = await call.agent(displayName="Target")
    kept = await call.playbook(target, "Sales")
    await bring(call, target, await export(call, shop.desk), nestedResource="KEEP")
    assert await titles(call, target) == (["Desk", "Sales"], ["Pets"])
    assert await call("Playbooks.GetPlaybook", {"name": kept["name"]}) == kept


async def test_a_conflict_can_be_refused_with_all_of_them(call: Caller) -> None:
    shop = await furnish(call)
    content = await export(call, shop.desk)
    before = await titles(call, shop.agent)
    done = await bring(
        call, shop.agent, content, mainPlaybook="THROW_ERROR", nestedResource="THROW_ERROR", tool="THROW_ERROR"
    )
    assert done["error"]["message"] == (
        "the agent has already a playbook called 'Desk' and a playbook called 'Sales' and a tool called 'Pets' and "
        "a tool called 'Prices'"
    )
    assert await titles(call, shop.agent) == before


async def test_the_file_of_one_playbook_can_be_imported(call: Caller) -> None:
    agent = await call.agent()
    file = {"displayName": "Alone", "goal": "g", "steps": [{"text": "Older."}]}
    done = await bring(call, agent, base64.b64encode(dumps(file)).decode())
    playbook = await call("Playbooks.GetPlaybook", {"name": done["response"]["playbook"]})
    assert (playbook["displayName"], text(playbook)) == ("Alone", "Older.")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no package", "is not a zip archive"),
        (b"{", "the JSON object: is not JSON: "),
        (b'{"agent.json": {}}', "agent.json: names no startPlaybook, which is the playbook to import"),
        (
            b'{"agent.json": {"startPlaybook": "X"}}',
            "agent.json: names the startPlaybook 'X', which it does not contain",
        ),
        (b'{"agent.json": {}, "a": 5}', "a: is neither a text nor the JSON object of a .json file"),
    ],
)
async def test_what_is_no_playbook_changes_nothing(call: Caller, content: bytes, message: str) -> None:
    agent = await call.agent()
    done = await bring(call, agent, base64.b64encode(content).decode())
    assert done["error"]["code"] == Code.INVALID_ARGUMENT
    assert done["error"]["message"].startswith(message)
    assert await titles(call, agent) == ([], [])


async def test_what_an_import_needs_is_checked_before_it_starts(call: Caller) -> None:
    agent = await call.agent()
    given = {"parent": agent, "playbookContent": "AAAA"}
    merge = {**given, "importStrategy": {"toolImportStrategy": "IMPORT_STRATEGY_MERGE"}}
    assert await call.refusal("Playbooks.ImportPlaybook", merge) == (
        Code.INVALID_ARGUMENT,
        "import_strategy.tool_import_strategy: MERGE is not among CREATE_NEW, REPLACE, KEEP, THROW_ERROR",
    )
    empty = {"parent": agent}
    assert (await call.refusal("Playbooks.ImportPlaybook", empty))[0] is Code.INVALID_ARGUMENT
    assert (await call.refusal("Playbooks.ImportPlaybook", {**given, "parent": f"{agent}x"}))[0] is Code.NOT_FOUND
    elsewhere = {"parent": agent, "playbookUri": "gs://b/o"}
    assert (await call.refusal("Playbooks.ImportPlaybook", elsewhere))[0] is Code.FAILED_PRECONDITION
    missing = {"name": f"{agent}/playbooks/none"}
    assert (await call.refusal("Playbooks.ExportPlaybook", missing))[0] is Code.NOT_FOUND


@pytest.mark.proves("X2")
async def test_tools_are_exported_without_the_rest(call: Caller) -> None:
    shop = await furnish(call)
    tools = (await call("Tools.ListTools", {"parent": shop.agent}))["tools"]
    names = {tool["displayName"]: tool["name"] for tool in tools}
    request = {"parent": shop.agent, "tools": [names["Prices"], names["Pets"]], "toolsContentInline": True}
    done = await call.operation("Tools.ExportTools", request)
    content = base64.b64decode(done["response"]["toolsContent"]["content"])
    assert SECRET.encode() not in content
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == [
        "agent.json",
        "tools/Pets/Pets.json",
        "tools/Pets/schema.yaml",
        "tools/Prices/Prices.json",
    ]
    nothing = {"parent": shop.agent, "tools": [f"{shop.agent}/tools/none"]}
    assert (await call.refusal("Tools.ExportTools", nothing))[0] is Code.NOT_FOUND
    assert (await call.refusal("Tools.ExportTools", {"parent": shop.agent}))[0] is Code.INVALID_ARGUMENT
