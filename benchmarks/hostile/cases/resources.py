"""Playbooks, examples, masks, filters, names and query strings."""

import json
import uuid
from urllib.parse import quote

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.exchange import each
from benchmarks.hostile.prey import LOCATION, Prey
from openplaybook.jsonvalues import JsonObject, JsonValue

case = Cases()


async def _playbook(prey: Prey, **given: JsonValue) -> None:
    await prey.rest("POST", f"/v3/{prey.agent}/playbooks", {"displayName": f"p{uuid.uuid4()}", "goal": "g", **given})


async def _started(prey: Prey, **given: JsonValue) -> None:
    """A playbook that is saved, validated, and talked to in an agent of its own."""
    agent: JsonObject = {"displayName": "a", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    name = (await prey.made(f"/v3/{LOCATION}/agents", agent))["name"]
    playbook: JsonObject = {"displayName": "start", "goal": "Help.", **given}
    saved = await prey.rest("POST", f"/v3/{name}/playbooks", playbook)
    if saved.status == "200":
        start = saved.text.partition('"name":"')[2].partition('"')[0]
        await prey.rest("PATCH", f"/v3/{name}?updateMask=startPlaybook", {"startPlaybook": start})
        await prey.rest("POST", f"/v3/{name}:validate", {})
        said: JsonObject = {"queryInput": {"text": {"text": "Hello."}, "languageCode": "en"}}
        await prey.rest("POST", f"/v3/{name}/sessions/s:detectIntent", said)
    await prey.rest("DELETE", f"/v3/{name}")


def _steps(depth: int) -> JsonValue:
    inner: JsonObject = {"text": "a"}
    for _ in range(depth):
        inner = {"text": "a", "steps": [inner]}
    return [inner]


@case
async def playbook_300k_brackets(prey: Prey) -> None:
    """A playbook of 300,000 `[`."""
    await _started(prey, instruction={"guidelines": "[" * 300_000})
    await _started(prey, instruction={"steps": [{"text": "[" * 300_000}]})


@case
async def playbook_references(prey: Prey) -> None:
    """A playbook of 100,000 references that are never closed, and of 50,000 that are."""
    await _started(prey, instruction={"steps": [{"text": "${TOOL: " * 100_000}]})
    await _started(prey, instruction={"steps": [{"text": "${TOOL: a} ${PLAYBOOK: b} ${FLOW: c} " * 17_000}]})


@case
async def playbook_markdown(prey: Prey) -> None:
    """Guidelines of deep lists and of backticks and asterisks."""
    await _started(prey, instruction={"guidelines": "".join(" " * n + "- a\n" for n in range(1_000))})
    await _started(prey, instruction={"guidelines": "*_`~" * 200_000})


@case
async def playbook_steps_deep(prey: Prey) -> None:
    """Steps within steps, 90 deep, and 20,000 beside each other."""
    await _started(prey, instruction={"steps": _steps(45)})
    await _started(prey, instruction={"steps": [{"text": f"Step {n}."} for n in range(20_000)]})


@case
async def playbook_many_tools(prey: Prey) -> None:
    """A playbook that refers to 20,000 tools which are not there."""
    await _playbook(prey, referencedTools=[f"{prey.agent}/tools/t{n}" for n in range(20_000)])


@case
async def playbook_parameters(prey: Prey) -> None:
    """A playbook of 20,000 parameters."""
    await _playbook(prey, inputParameterDefinitions=[{"name": f"p{n}", "description": "d" * 20} for n in range(20_000)])


@case
async def playbook_conditions(prey: Prey) -> None:
    """Handlers with conditions of 100 kB of brackets, of NOT, of AND and of dots."""
    for condition in (
        "(" * 100_000,
        "NOT " * 30_000 + "true",
        "true AND " * 15_000 + "true",
        "$session.params" + ".a" * 50_000 + " = 1",
        "(" * 40 + "true" + ")" * 40,
    ):
        handler: JsonObject = {"eventHandler": {"event": "e", "condition": condition, "fulfillment": {}}}
        await _playbook(prey, handlers=[handler])


@case
async def playbook_conditions_deep(prey: Prey) -> None:
    """Fulfillments whose conditional cases are within each other, 40 deep and 3,000 wide."""
    inner: JsonValue = [{"message": {"text": {"text": ["a"]}}}]
    for _ in range(20):
        cases = {"cases": [{"condition": "true", "caseContent": inner}] * 2}
        inner = [{"additionalCases": cases}]
    wide: JsonObject = {"cases": [{"condition": "$session.params.a = 1", "caseContent": []}] * 3_000}
    for cases in ([wide], [{"cases": [{"condition": "true", "caseContent": inner[:1]}]}]):
        text = json.dumps(
            {
                "displayName": "c",
                "goal": "g",
                "handlers": [{"eventHandler": {"event": "e", "fulfillment": {"conditionalCases": cases}}}],
            }
        )
        if len(text) < 30_000_000:
            await prey.rest("POST", f"/v3/{prey.agent}/playbooks", text.encode())


@case
async def playbook_handlers(prey: Prey) -> None:
    """Five thousand handlers, and a turn that meets them."""
    handlers = [
        {
            "lifecycleHandler": {
                "lifecycleStage": "playbook-start",
                "condition": f"$session.params.a{n} = {n}",
                "fulfillment": {"messages": [{"text": {"text": ["x"]}}]},
            }
        }
        for n in range(5_000)
    ]
    await _started(prey, handlers=handlers)


@case
async def playbook_responses(prey: Prey) -> None:
    """A handler of 10,000 messages of 50 texts each."""
    messages = [{"text": {"text": [f"text {n}"] * 50}} for n in range(2_000)]
    await _started(
        prey,
        handlers=[{"lifecycleHandler": {"lifecycleStage": "playbook-start", "fulfillment": {"messages": messages}}}],
    )


@case
async def playbook_code_block(prey: Prey) -> None:
    """A code block of 90,000 brackets."""
    await _playbook(prey, codeBlock={"code": "(" * 90_000})


@case
async def examples_large(prey: Prey) -> None:
    """Examples of 3,000 actions, and of values as wide and deep as they may be."""
    path = f"/v3/{prey.playbook.replace('/v3/', '')}/examples"
    said: list[JsonValue] = [{"userUtterance": {"text": f"say {n}"}} for n in range(3_000)]
    deep = json.loads('{"a":' * 80 + "1" + "}" * 80)
    used: JsonObject = {
        "toolUse": {
            "tool": f"{prey.agent}/tools/x",
            "action": "a",
            "inputActionParameters": {f"k{n}": deep for n in range(200)},
        }
    }
    wide: JsonObject = {
        "toolUse": {
            "tool": f"{prey.agent}/tools/x",
            "action": "a",
            "inputActionParameters": {f"k{n}": n for n in range(50_000)},
        }
    }
    for actions in (said, [used], [wide], [{"agentUtterance": {"text": "a " * 400_000}}]):
        example: JsonObject = {"displayName": f"e{uuid.uuid4()}", "languageCode": "en", "actions": actions}
        made = await prey.rest("POST", path, example)
        name = made.text.partition('"name":"')[2].partition('"')[0]
        await prey.says("say 5")
        if made.status == "200":
            await prey.rest("DELETE", f"/v3/{name}")


@case
async def examples_many(prey: Prey) -> None:
    """Four hundred examples of one playbook, and turns that are planned from them."""
    agent: JsonObject = {"displayName": "a", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
    name = (await prey.made(f"/v3/{LOCATION}/agents", agent))["name"]
    start = (await prey.made(f"/v3/{name}/playbooks", {"displayName": "s", "goal": "Help."}))["name"]
    await prey.rest("PATCH", f"/v3/{name}?updateMask=startPlaybook", {"startPlaybook": start})
    for first in range(0, 400, 40):
        for number in range(first, first + 40):
            actions = [{"userUtterance": {"text": f"word{n} " * 20}} for n in range(number, number + 10)]
            actions += [{"agentUtterance": {"text": f"Answer {number}."}}]
            example: JsonObject = {"displayName": f"e{number}", "languageCode": "en", "actions": actions}
            await prey.rest("POST", f"/v3/{start}/examples", example)
    said: JsonObject = {"queryInput": {"text": {"text": "word7 " * 20_000}, "languageCode": "en"}}
    for _ in range(5):
        await prey.rest("POST", f"/v3/{name}/sessions/{uuid.uuid4()}:detectIntent", said)


@case
async def examples_of_an_app(prey: Prey) -> None:
    """An app's example of 20,000 messages, and of chunks within them."""
    for messages in (
        [{"role": "user", "chunks": [{"text": f"say {n}"}]} for n in range(20_000)],
        [{"role": "user", "chunks": [{"text": "a"}] * 100_000}],
    ):
        example: JsonObject = {"displayName": f"e{uuid.uuid4()}", "entryAgent": prey.desk, "messages": messages}
        made = await prey.rest("POST", f"/v1beta/{prey.app}/examples", example)
        await prey.asks("say 5")
        name = made.text.partition('"name":"')[2].partition('"')[0]
        if made.status == "200":
            await prey.rest("DELETE", f"/v1beta/{name}")


@case
async def instruction_of_an_app(prey: Prey) -> None:
    """Instructions of an app: braces, tags and references, 300,000 of each."""
    for text in ("{" * 300_000, "<a>" * 100_000, "{@TOOL: " * 60_000, "{a}" * 150_000, "<a" + " b='c'" * 60_000 + ">"):
        await prey.rest("PATCH", f"/v1beta/{prey.desk}?updateMask=instruction", {"instruction": text})
        await prey.asks("Hello.")
    await prey.rest("PATCH", f"/v1beta/{prey.desk}?updateMask=instruction", {"instruction": "Help."})


@case
async def agents_in_a_ring(prey: Prey) -> None:
    """Two hundred agents of an app that are each other's children, and a turn."""
    names: list[str] = []
    for number in range(60):
        agent: JsonObject = {
            "displayName": f"r{uuid.uuid4().hex}",
            "instruction": "Help.",
            "llmAgent": {},
            "childAgents": names[-50:],
        }
        made = await prey.rest("POST", f"/v1beta/{prey.app}/agents", agent)
        if made.status == "200":
            names.append(made.text.partition('"name":"')[2].partition('"')[0])
        if number % 20 == 19:
            await prey.asks("Hello.")


@case
async def filters(prey: Prey) -> None:
    """Filters of 100 kB, of 50 kB of brackets, and deep ones within the limit."""
    paths = (f"/v3beta1/{prey.agent}/conversations", f"/v1beta/{prey.app}/tools", f"/v3/{LOCATION}/operations")
    for path in paths:
        for text in (
            "(" * 50_000,
            "NOT " * 15_000 + "a",
            "a=1 AND " * 8_000 + "a=1",
            '"' * 50_000,
            "(" * 400 + "a=1" + ")" * 400,
            "-" * 50_000,
            "a." * 30_000 + "a=1",
        ):
            await prey.rest("GET", f"{path}?filter={quote(text)}", patience_s=40)


@case
async def order_by(prey: Prey) -> None:
    """Orders of 60 kB."""
    for text in ("a," * 30_000, "a" * 60_000, "display_name desc," * 3_000, "a." * 30_000):
        await prey.rest("GET", f"/v1beta/{prey.app}/tools?orderBy={quote(text)}", patience_s=40)


@case
async def masks(prey: Prey) -> None:
    """A mask of 12,000 paths in a query, of 100,000 by gRPC, and of one that is 20,000 deep."""
    named = ",".join(f"display_name{n}" for n in range(3_500))
    await prey.rest("PATCH", f"/v3/{prey.agent}?updateMask={named}", {"displayName": "x"})
    await prey.rest("PATCH", f"/v3/{prey.agent}?updateMask={'displayName,' * 4_000}displayName", {"displayName": "x"})
    await prey.rest("PATCH", f"/v3/{prey.agent}?updateMask={'a.' * 25_000}a", {"displayName": "x"})
    rpc = "google.cloud.dialogflow.cx.v3.Agents.UpdateAgent"
    for paths in (["display_name"] * 100_000, [f"a{n}" for n in range(100_000)], ["advanced_settings." * 5_000 + "a"]):
        request = prey.written(rpc, {"agent": {"name": prey.agent, "displayName": "x"}})
        mask = b"".join(b"\x0a" + _length(path) + path.encode() for path in paths)
        await prey.rpc(rpc, request + b"\x12" + _length(mask) + mask)


@case
async def query_parameters(prey: Prey) -> None:
    """Query strings of 15,000 parameters, deep names, and repeated ones."""
    for query in (
        "&".join(f"a{n}=1" for n in range(8_000)),
        "a" * 60_000,
        "&" * 60_000,
        "agent." * 10_000 + "a=1",
        "pageSize=1&" * 5_000,
        "$a=1&" * 12_000,
        "%41" * 20_000 + "=1",
        "%" * 60_000,
    ):
        await prey.rest("GET", f"/v3/{LOCATION}/agents?{query}", patience_s=40)


@case
async def query_parameters_100000(prey: Prey) -> None:
    """A query string of 100,000 parameters, 700 kB."""
    query = "&".join(f"a{n}=1" for n in range(100_000))
    await prey.raw("GET", f"/v3/{LOCATION}/agents?{query}", each([]), {}, patience_s=40)


@case
async def paths(prey: Prey) -> None:
    """Paths of 20,000 segments, of percents, and of colons."""
    for path in (
        "/v3" + "/a" * 30_000,
        "/v3/" + "%2f" * 20_000,
        "/v3/" + ":" * 60_000,
        "/v3/" + "%" * 60_000,
        "//" * 30_000,
    ):
        await prey.rest("GET", path, patience_s=40)
    for start in range(4):
        await prey.rest("GET", f"/v{start}/projects/{'p' * 50_000}/locations/l/agents", patience_s=40)


@case
async def names(prey: Prey) -> None:
    """Names and etags of odd characters and of 500 kB."""
    for name in ("\u202e" * 1_000, "a" * 500_000, "\x00", "../..", "é" * 100_000, "😀" * 50_000):
        await _playbook(prey, displayName=name)
        await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=displayName", {"displayName": name, "etag": name})


@case
async def maps(prey: Prey) -> None:
    """Maps of 50,000 entries: metadata of an app, headers of a webhook, settings of an agent."""
    entries = {f"k{n}": "v" for n in range(50_000)}
    await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=metadata", {"metadata": entries})
    webhook: JsonObject = {
        "displayName": "w",
        "genericWebService": {"uri": "https://a.example", "requestHeaders": entries},
    }
    await prey.rest("POST", f"/v3/{prey.agent}/webhooks", webhook)
    await prey.says("Hello.", queryParams={"webhookHeaders": entries})
    await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=metadata", {"metadata": {}})


@case
async def variable_declarations(prey: Prey) -> None:
    """An app of 5,000 variables whose schemas are 60 deep."""
    schema: JsonObject = {"type": "STRING"}
    for _ in range(30):
        schema = {"type": "OBJECT", "properties": {"a": schema}}
    declared = [{"name": f"v{n}", "description": "d", "schema": schema} for n in range(1_500)]
    await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=variableDeclarations", {"variableDeclarations": declared})
    await prey.asks("Hello.")
    await prey.rest("PATCH", f"/v1beta/{prey.app}?updateMask=variableDeclarations", {"variableDeclarations": []})


@case
async def function_schemas(prey: Prey) -> None:
    """Client functions whose schemas are deep, wide and in a ring."""
    deep: JsonObject = {"type": "STRING"}
    for _ in range(40):
        deep = (
            {"type": "OBJECT", "properties": {"a": deep, "b": deep}}
            if _ < 12
            else {"type": "OBJECT", "properties": {"a": deep}}
        )
    wide: JsonObject = {"type": "OBJECT", "properties": {f"p{n}": {"type": "STRING"} for n in range(30_000)}}
    ring: JsonObject = {"type": "OBJECT", "defs": {"a": {"ref": "#/defs/a"}}, "properties": {"a": {"ref": "#/defs/a"}}}
    for schema in (deep, wide, ring):
        name = f"f{uuid.uuid4().hex}"
        tool: JsonObject = {"clientFunction": {"name": name, "description": "d", "parameters": schema}}
        made = await prey.rest("POST", f"/v1beta/{prey.app}/tools", tool)
        if made.status == "200":
            await prey.rest(
                "DELETE",
                f"/v1beta/{made.text.partition(chr(34) + 'name' + chr(34) + ':' + chr(34))[2].partition(chr(34))[0]}",
            )


@case
async def secrets_and_settings(prey: Prey) -> None:
    """A secret of 20 MB, and generative settings of 2,000 phrases."""
    await prey.rest("POST", "/v1/projects/hostile/secrets/s:addVersion", {"payload": {"data": "A" * 20_000_000}})
    phrases = [{"phrase": f"phrase {n}", "languageCode": "en"} for n in range(20_000)]
    settings: JsonObject = {"generativeSafetySettings": {"bannedPhrases": phrases}, "languageCode": "en"}
    path = f"/v3/{prey.agent}/generativeSettings?updateMask=generativeSafetySettings"
    await prey.rest("PATCH", path, settings)
    await prey.says("phrase " * 100_000)
    await prey.rest("PATCH", path, {"generativeSafetySettings": {}, "languageCode": "en"})


@case
async def versions_of_everything(prey: Prey) -> None:
    """Five versions of an app made, and listed ten times at once."""
    for number in range(5):
        await prey.rest("POST", f"/v1beta/{prey.app}/versions", {"displayName": f"v{number}"})
    await prey.together(10, lambda: prey.rest("GET", f"/v1beta/{prey.app}/versions?pageSize=1000"))
    await prey.together(10, lambda: prey.rest("GET", f"/v1beta/{prey.app}/changelogs?pageSize=1000"))


def _length(text: str | bytes) -> bytes:
    value, out = len(text), bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
