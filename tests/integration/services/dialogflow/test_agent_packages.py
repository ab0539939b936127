import base64
import io
import zipfile

import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller

_SECRET = "wq8d-7c1f"


async def _furnish(call: Caller) -> str:
    """An agent with one of everything."""
    agent = await call.agent(description="Animals", pausedInput="REFUSE")
    tool = await call.tool(agent, functionSpec={"inputSchema": {"type": "object"}})
    authentication = {
        "apiKeyConfig": {"keyName": "k", "apiKey": _SECRET, "requestLocation": "HEADER"},
    }
    specification = {"textSchema": "openapi: 3.0.0\n", "authentication": authentication}
    await call.tool(agent, "Pets", functionSpec=None, openApiSpec=specification)
    playbook = await call.playbook(agent, text="Use ${TOOL: Weather}")
    actions = [{"toolUse": {"tool": tool["name"], "action": "Weather", "inputActionParameters": {"city": "Paris"}}}]
    await call.example(playbook["name"], actions=actions, retrievalStrategy="STATIC")
    start = {"name": agent, "startPlaybook": playbook["name"]}
    await call("Agents.UpdateAgent", {"agent": start, "updateMask": "startPlaybook"})
    settings = {"name": f"{agent}/generativeSettings", "languageCode": "de", "llmModelSettings": {"model": "m"}}
    await call("Agents.UpdateGenerativeSettings", {"generativeSettings": settings})
    return agent


async def _everything(call: Caller, agent: str) -> JsonObject:
    playbooks = (await call("Playbooks.ListPlaybooks", {"parent": agent})).get("playbooks", [])
    return {
        "agent": await call("Agents.GetAgent", {"name": agent}),
        "playbooks": playbooks,
        "examples": [await call("Examples.ListExamples", {"parent": one["name"]}) for one in playbooks],
        "tools": await call("Tools.ListTools", {"parent": agent}),
        "settings": await call(
            "Agents.GetGenerativeSettings", {"name": f"{agent}/generativeSettings", "languageCode": "de"}
        ),
    }


def _moved(value: JsonObject, source: str, target: str) -> JsonObject:
    return loads(dumps(value).replace(source.encode(), target.encode()))


async def _export(call: Caller, agent: str, **options: object) -> str:
    done = await call.operation("Agents.ExportAgent", {"name": agent, **options})
    assert done["response"]["@type"].endswith("ExportAgentResponse")
    return done["response"]["agentContent"]


@pytest.mark.proves("X2")
async def test_an_exported_agent_restores_as_another_one_equal_but_for_its_secrets(call: Caller) -> None:
    source = await _furnish(call)
    target = await call.agent(displayName="Target")
    content = await _export(call, source, dataFormat="JSON_PACKAGE")
    assert _SECRET.encode() not in base64.b64decode(content)

    done = await call.operation("Agents.RestoreAgent", {"name": target, "agentContent": content})

    assert done["response"] == {"@type": "type.googleapis.com/google.protobuf.Empty"}
    assert [note["kind"] for note in done["metadata"]["value"]["notes"]] == ["MISSING_SECRET"]
    expected = _moved(await _everything(call, source), source, target)
    pets = expected["tools"]["tools"][1]
    del pets["openApiSpec"]["authentication"]["apiKeyConfig"]["apiKey"]
    restored = await _everything(call, target)
    assert {tool["displayName"]: tool for tool in restored.pop("tools")["tools"]} == {
        tool["displayName"]: tool for tool in expected.pop("tools")["tools"]
    }
    assert restored == expected


async def test_an_export_warns_of_the_secrets_it_leaves_out(call: Caller) -> None:
    agent = await _furnish(call)
    await call("Agents.ExportAgent", {"name": agent})
    [warning] = call.warnings
    assert warning.startswith("Pets $.openApiSpec.authentication.apiKeyConfig.apiKey: ")
    assert _SECRET not in warning


async def test_restoring_replaces_everything_that_was_there(call: Caller) -> None:
    agent = await _furnish(call)
    before = await _everything(call, agent)
    content = await _export(call, agent)
    tool = await call.tool(agent, "Later")
    playbook = await call.playbook(agent, "Later")
    version = await call("Tools.CreateToolVersion", {"parent": tool["name"], "toolVersion": {"displayName": "v"}})
    later = {"name": f"{agent}/generativeSettings", "languageCode": "fr", "llmModelSettings": {"model": "m"}}
    await call("Agents.UpdateGenerativeSettings", {"generativeSettings": later})
    await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content, "restoreOption": "FALLBACK"})
    for rpc, name in (
        ("Tools.GetTool", tool["name"]),
        ("Playbooks.GetPlaybook", playbook["name"]),
        ("Tools.GetToolVersion", version["name"]),
    ):
        assert (await call.refusal(rpc, {"name": name}))[0] is Code.NOT_FOUND
    assert await call("Agents.GetGenerativeSettings", {"name": later["name"], "languageCode": "fr"}) == {
        "name": later["name"],
        "languageCode": "fr",
    }
    after = await _everything(call, agent)
    assert after["agent"] == before["agent"]
    assert after["playbooks"] == before["playbooks"]
    assert after["examples"] == before["examples"]


def _package(**files: JsonObject) -> str:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, content in files.items():
            archive.writestr(path.replace("__", "/") + ".json", dumps(content))
    return base64.b64encode(buffer.getvalue()).decode()


_AGENT = {"defaultLanguageCode": "en", "timeZone": "UTC", "projectNumber": "12"}


async def test_what_is_not_run_here_is_kept_for_the_next_export(call: Caller) -> None:
    agent = await call.agent()
    flow = {"name": "f", "displayName": "Main"}
    content = _package(agent=_AGENT, flows__Main__Main=flow)
    done = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content})
    assert [note["place"] for note in done["metadata"]["value"]["notes"]] == ["flows"]
    exported = zipfile.ZipFile(io.BytesIO(base64.b64decode(await _export(call, agent))))
    assert exported.read("flows/Main/Main.json") == dumps(flow)
    assert b'"projectNumber": "12"' in exported.read("agent.json")


async def test_an_import_tells_of_secrets_that_are_named_and_not_kept_here(call: Caller) -> None:
    agent = await call.agent()
    config = {"keyName": "k", "secretVersionForApiKey": "projects/q/secrets/gone/versions/3"}
    specification = {"textSchema": "openapi: 3.1.0", "authentication": {"apiKeyConfig": config}}
    tool = {"name": "t", "displayName": "Pets", "openApiSpec": specification}
    content = _package(agent=_AGENT, tools__Pets__Pets=tool)
    done = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content})
    assert done["metadata"]["value"]["notes"] == [
        {
            "kind": "MISSING_SECRET",
            "place": "Pets $.openApiSpec.authentication.apiKeyConfig.secretVersionForApiKey",
            "message": "is not kept here",
            "remedy": "openplaybook secrets set projects/q/secrets/gone",
        }
    ]


async def test_a_package_without_a_display_name_keeps_the_agents(call: Caller) -> None:
    agent = await call.agent(displayName="Zoo")
    await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": _package(agent=_AGENT)})
    assert await call("Agents.GetAgent", {"name": agent}) == {
        "name": agent,
        "displayName": "Zoo",
        "defaultLanguageCode": "en",
        "timeZone": "UTC",
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (base64.b64encode(b"no zip").decode(), None),
        (_package(nothing={}), None),
        (_package(agent={**_AGENT, "locked": "yes"}), "agent.json: $.locked: "),
        (
            _package(
                agent=_AGENT,
                playbooks__A__A={"name": "a", "displayName": "A", "goal": "g"},
                playbooks__B__B={"name": "a", "displayName": "B", "goal": "g"},
            ),
            "playbooks/B/B.json: has the name of playbooks/A/A.json: a",
        ),
    ],
)
async def test_a_package_that_cannot_be_used_changes_nothing(call: Caller, content: str, reason: str | None) -> None:
    agent = await _furnish(call)
    before = await _everything(call, agent)
    done = await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content})
    assert done["error"]["code"] in (Code.INVALID_ARGUMENT, Code.ALREADY_EXISTS)
    if reason is not None:
        assert done["error"]["message"].startswith(reason)
    assert await _everything(call, agent) == before


async def test_what_a_restore_needs_is_checked_before_it_starts(call: Caller) -> None:
    agent = await call.agent()
    assert await call.refusal("Agents.RestoreAgent", {"name": agent}) == (
        Code.INVALID_ARGUMENT,
        "agent_content: is required: the bytes of a JSON package, or agent_uri in its place",
    )
    missing = {"name": agent + "x", "agentContent": "AAAA"}
    assert (await call.refusal("Agents.RestoreAgent", missing))[0] is Code.NOT_FOUND
    assert await call("google.longrunning.Operations.ListOperations", {"name": "projects/p/locations/global"}) == {}


@pytest.mark.parametrize(
    ("rpc", "options"),
    [
        ("ExportAgent", {"dataFormat": "BLOB"}),
        ("ExportAgent", {"gitDestination": {"trackingBranch": "main"}}),
        ("RestoreAgent", {"gitSource": {"trackingBranch": "main"}}),
    ],
)
async def test_other_formats_and_places_are_unimplemented(call: Caller, rpc: str, options: JsonObject) -> None:
    code, message = await call.refusal(f"Agents.{rpc}", {"name": await call.agent(), **options})
    assert code is Code.UNIMPLEMENTED
    assert message.endswith((".", "it", "agent_content"))


async def test_only_the_draft_can_be_exported(call: Caller) -> None:
    agent = await call.agent()
    assert await _export(call, agent, environment=f"{agent}/environments/-") == await _export(call, agent)
    request = {"name": agent, "environment": f"{agent}/environments/prod"}
    assert (await call.refusal("Agents.ExportAgent", request))[0] is Code.NOT_FOUND


async def test_a_v3_caller_gets_the_v3_type_in_its_operation(call: Caller) -> None:
    agent = await call.agent()
    call.version = "v3"
    done = await call.operation("Agents.ExportAgent", {"name": agent})
    assert done["response"]["@type"] == "type.googleapis.com/google.cloud.dialogflow.cx.v3.ExportAgentResponse"
