"""Flows are listed and read, not run."""

import base64
import io
import json
import zipfile

from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller

DEFAULT = "00000000-0000-0000-0000-000000000000"


async def test_every_agent_has_its_default_start_flow(call: Caller) -> None:
    agent = await call.agent()
    flow = {
        "name": f"{agent}/flows/{DEFAULT}",
        "displayName": "Default Start Flow",
        "description": "Flows are kept, and not run here.",
    }
    assert await call("Flows.ListFlows", {"parent": agent}) == {"flows": [flow]}
    assert await call("Flows.GetFlow", {"name": flow["name"]}) == flow


async def test_flows_of_an_imported_agent_are_there_too(call: Caller) -> None:
    agent = await call.agent()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("agent.json", json.dumps({"displayName": "a", "defaultLanguageCode": "en"}))
        for name, id in (("Default Start Flow", DEFAULT), ("Returns", "returns-1")):
            archive.writestr(f"flows/{name}/{name}.json", json.dumps({"name": id, "displayName": name}))
    content = base64.b64encode(packed.getvalue()).decode()
    await call.operation("Agents.RestoreAgent", {"name": agent, "agentContent": content})
    listed = (await call("Flows.ListFlows", {"parent": agent}))["flows"]
    assert [flow["displayName"] for flow in listed] == ["Default Start Flow", "Returns"]
    assert (await call("Flows.GetFlow", {"name": f"{agent}/flows/returns-1"}))["displayName"] == "Returns"


async def test_what_is_no_flow_is_told(call: Caller) -> None:
    agent = await call.agent()
    missing = f"{agent}/flows/none"
    assert await call.refusal("Flows.GetFlow", {"name": missing}) == (
        Code.NOT_FOUND,
        f"Flow {missing} does not exist",
    )
    code, message = await call.refusal("Flows.GetFlow", {"name": f"{agent}/pages/p"})
    assert code is Code.INVALID_ARGUMENT
    assert "/agents/{agent}/flows/{flow}" in message
    assert (await call.refusal("Flows.ListFlows", {"parent": f"{agent}x"}))[0] is Code.NOT_FOUND
