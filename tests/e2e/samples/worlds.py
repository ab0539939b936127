"""What the samples find on the server: one agent, or one app, with one of everything that is served.

Where a sample would take from Cloud Storage or write there, it is given the contents instead.
"""

from openplaybook.jsonvalues import JsonObject
from tests.e2e.kit.rest import LOCATION, Rest
from tests.e2e.kit.running_samples import World

SCHEMA = """
openapi: 3.0.0
info: {title: Shop, version: '1'}
servers: [{url: 'https://shop.example'}]
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: an order}}
"""

_COMMON = {
    "language_code": "en",
    "default_language_code": "en",
    "time_zone": "Etc/UTC",
    "text_schema": SCHEMA,
    "server_address": "https://mcp.example",
    "uri": "https://shop.example/orders/3",
    "prompt": "Write a schema.",
}


def dialogflow_world(rest: Rest, version: str) -> World:
    """An agent of its own; `version` only tells it from others."""
    agent = rest.agent(f"Samples {version}")
    tool = rest.tool(agent, "Weather", functionSpec={})
    start = rest.start(agent, "Help.")
    spare = rest("POST", f"v3/{agent}/playbooks", {"displayName": "Spare", "goal": "Help."})["name"]
    actions = [{"userUtterance": {"text": "hi"}}, {"agentUtterance": {"text": "hello"}}]
    body = {"displayName": "First", "actions": actions, "conversationState": "OUTPUT_STATE_OK"}
    example = rest("POST", f"v3/{spare}/examples", body)["name"]
    tool_version = rest("POST", f"v3/{tool}/versions", {"displayName": "one"})["name"]
    playbook_version = rest("POST", f"v3/{spare}/versions", {"description": "one"})["name"]
    said = {"userInput": {"input": {"text": {"text": "Hello"}, "languageCode": "en"}}}
    case, spare_case = (
        rest("POST", f"v3/{agent}/testCases", {"displayName": name, "testCaseConversationTurns": [said]})["name"]
        for name in ("Kept", "Spare")
    )
    result = _done(rest, f"v3/{case}:run", {})["result"]["name"]
    answer = rest.detect(f"{agent}/sessions/s", {"text": {"text": "Hello"}}).json["responseId"]
    ids = {
        **_ids(agent, tool, spare, example, case),
        "testCases/results": result.rpartition("/")[2],
        "tools/versions": tool_version.rpartition("/")[2],
        "playbooks/versions": playbook_version.rpartition("/")[2],
        "environments": "draft",
        "flows": "00000000-0000-0000-0000-000000000000",
    }
    values = {**_COMMON, "start_playbook": start, "tool": tool, "agent": agent, "response_id": answer}
    values |= {"test_cases": case, "names": spare_case}
    exported = _done(rest, f"v3/{agent}:export", {})["agentContent"]
    playbook = _done(rest, f"v3beta1/{spare}:export", {})["playbookContent"]
    cases = _done(rest, f"v3/{agent}/testCases:export", {})["content"]
    missing: dict[str, JsonObject] = {
        "Agents.RestoreAgent": {"agentContent": exported},
        "Playbooks.ImportPlaybook": {"playbookContent": playbook},
        "Tools.ExportTools": {"tools": [tool], "toolsContentInline": True},
        "TestCases.ExportTestCases": {"gcsUri": ""},
        "TestCases.ImportTestCases": {"content": cases},
        "TestCases.CalculateCoverage": {"type": "INTENT"},
    }
    return World({**ids, "sessions": "s", "conversations": "s"}, values, missing)


def _evaluated(rest: Rest, app: str) -> dict[str, str]:
    """Ids of an evaluation of an app, and of what belongs to it."""
    talk: JsonObject = {"turns": [{"steps": [{"userInput": {"text": "Hello"}}]}]}
    made = _made(rest, f"v1beta/{app}/evaluations", {"displayName": "talk", "golden": talk})
    dataset = _made(rest, f"v1beta/{app}/evaluationDatasets", {"displayName": "all", "evaluations": [made]})
    expectation = _made(
        rest, f"v1beta/{app}/evaluationExpectations", {"displayName": "kind", "llmCriteria": {"prompt": "Is it kind?"}}
    )
    nightly = {"displayName": "nightly", **schedule_of(app, made)}
    schedule = _made(rest, f"v1beta/{app}/scheduledEvaluationRuns", nightly)
    run = _done(rest, f"v1beta/{app}:runEvaluation", {"evaluations": [made]})["evaluationRun"]
    result = rest("GET", f"v1beta/{run}")["evaluationResults"][0].rpartition("/")[2]
    return {**_ids(made, dataset, expectation, schedule, run), "evaluations/results": result}


def schedule_of(app: str, evaluation: str) -> JsonObject:
    """What a scheduled run has to have."""
    times = {"frequency": "DAILY", "startTime": "2026-01-01T03:00:00Z"}
    return {"request": {"app": app, "evaluations": [evaluation]}, "schedulingConfig": times}


def studio_world(rest: Rest, version: str) -> World:
    """An app of its own."""
    app = _made(rest, f"v1beta/{LOCATION}/apps", {"displayName": f"Samples {version}"})
    tool = _made(rest, f"v1beta/{app}/tools", {"pythonFunction": {"pythonCode": "def tally():\n    return {}\n"}})
    toolset = _made(
        rest, f"v1beta/{app}/toolsets", {"displayName": "shop", "openApiToolset": {"openApiSchema": SCHEMA}}
    )
    agent = _made(rest, f"v1beta/{app}/agents", {"displayName": "desk", "instruction": "Help."})
    rest("PATCH", f"v1beta/{app}?updateMask=rootAgent", {"rootAgent": agent})
    spare = _made(rest, f"v1beta/{app}/agents", {"displayName": "spare", "instruction": "Help."})
    messages = [{"role": "user", "chunks": [{"text": "hi"}]}, {"role": "desk", "chunks": [{"text": "hello"}]}]
    example = _made(rest, f"v1beta/{app}/examples", {"displayName": "first", "messages": messages})
    action = {"respondImmediately": {"responses": [{"text": "No."}]}}
    banned = {"bannedContents": ["banned"], "matchType": "SIMPLE_STRING_MATCH"}
    guardrail = _made(
        rest, f"v1beta/{app}/guardrails", {"displayName": "guard", "contentFilter": banned, "action": action}
    )
    kept = _made(rest, f"v1beta/{app}/versions", {"displayName": "one"})
    web = {"displayName": "web", "appVersion": kept, "channelProfile": {"channelType": "API"}}
    deployment = _made(rest, f"v1beta/{app}/deployments", web)
    spare_version = _made(rest, f"v1beta/{app}/versions", {"displayName": "two"})
    config = {"config": {"session": f"{app}/sessions/s"}, "inputs": [{"text": "Hello"}]}
    rest("POST", f"v1beta/{app}/sessions/s:runSession", config)
    changelog = rest("GET", f"v1beta/{app}/changelogs")["changelogs"][0]["name"]
    ids = _ids(app, tool, toolset, spare, example, guardrail, spare_version, deployment, changelog)
    ids |= _evaluated(rest, app)
    evaluated = f"{app}/evaluations/{ids['evaluations']}"
    values = {
        **_COMMON,
        "tool": tool,
        "toolset": toolset,
        "app": app,
        "agent": agent,
        "deployment": deployment,
        "conversations": f"{app}/conversations/s",
    }
    exported = _done(rest, f"v1beta/{app}:exportApp", {"exportFormat": "JSON"})["appContent"]
    # Samples set required texts and numbers only, and this is a message.
    inputs: JsonObject = {"evaluation": {"golden": {"turns": [{"steps": [{"userInput": {"text": "Hello"}}]}]}}}
    profile: JsonObject = {"deployment": {"channelProfile": {"channelType": "API"}}}
    operation = {"method": "GET", "path": "/orders/3", "responseJson": '{"id": 3}'}
    config = {"uri": "https://shop.example", "operationGenerationConfigs": [operation]}
    missing: dict[str, JsonObject] = {
        "EvaluationService.CreateEvaluation": inputs,
        "EvaluationService.UpdateEvaluation": inputs,
        "EvaluationService.RunEvaluation": {"evaluations": [evaluated]},
        "EvaluationService.CreateScheduledEvaluationRun": {"scheduledEvaluationRun": schedule_of(app, evaluated)},
        "EvaluationService.UpdateScheduledEvaluationRun": {"scheduledEvaluationRun": schedule_of(app, evaluated)},
        "EvaluationService.DeleteEvaluation": {"force": True},
        "EvaluationService.ImportEvaluations": {"csvContent": ""},
        "EvaluationService.ExportEvaluations": {
            "names": [evaluated],
            "includeEvaluations": True,
        },
        "EvaluationService.ExportEvaluationResults": {"names": [f"{evaluated}/results/{ids['evaluations/results']}"]},
        "EvaluationService.ExportEvaluationRuns": {"names": [f"{app}/evaluationRuns/{ids['evaluationRuns']}"]},
        "AgentService.CreateDeployment": profile,
        "AgentService.UpdateDeployment": profile,
        "AgentService.ImportApp": {"appContent": exported},
        "AgentService.GenerateAppResource": {
            "toolset": {"openApiToolset": {"openApiSchema": SCHEMA}},
            "toolGenerationConfig": {"openApiToolsetGenerationConfig": config},
        },
    }
    return World({**ids, "sessions": "s2", "conversations": "s"}, values, missing)


def _made(rest: Rest, path: str, body: JsonObject) -> str:
    """The name of a new resource, whether it is made at once or by an operation."""
    return _done(rest, path, body)["name"]


def _done(rest: Rest, path: str, body: JsonObject) -> JsonObject:
    """What a request comes to, at once or by an operation."""
    answer = rest("POST", path, body)
    if "/operations/" not in answer.get("name", ""):
        return answer
    while not answer.get("done"):
        answer = rest("GET", f"{path.partition('/')[0]}/{answer['name']}")
    return answer["response"]


def _ids(*names: str) -> dict[str, str]:
    """Collection → id, of all these names."""
    found: dict[str, str] = {}
    for name in names:
        segments = name.split("/")
        found |= dict(zip(segments[::2], segments[1::2], strict=True))
    return found
