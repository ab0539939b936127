import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.resource_checks import missing_file, problems
from openplaybook.resources.findings import Severity
from tests.unit.resources.ces.app import APP, BILLING, GET_PET, PETS, ROOT, WORDS, directory

ERROR, WARNING, REMARK = Severity.ERROR, Severity.WARNING, Severity.REMARK


def found(kind: str, document: JsonObject, **app: object) -> list[tuple[str, str, Severity]]:
    noticed = problems(kind, document, directory(), {"name": APP, "rootAgent": ROOT, **app})
    return [(each.path, each.message, each.severity) for each in noticed]


def test_an_agent_in_order_has_no_findings() -> None:
    agent = {
        "instruction": "{@TOOL: get_pet} {@TOOL: pets_getPet} {@AGENT: Billing} {@TOOL: end_session} {city}",
        "tools": [GET_PET, "end_session"],
        "toolsets": [{"toolset": PETS}],
        "childAgents": [BILLING],
        "guardrails": [WORDS],
        "beforeModelCallbacks": [{"pythonCode": "x", "disabled": True}],
        "transferRules": [
            {
                "childAgent": BILLING,
                "direction": "PARENT_TO_CHILD",
                "disablePlannerTransfer": {"expressionCondition": {"expression": "true"}},
            }
        ],
    }
    assert found("app_agent", agent, variableDeclarations=[{"name": "city"}]) == []


def test_what_leads_nowhere_in_an_agent_is_an_error_with_its_place() -> None:
    agent = {
        "instruction": "Use {@TOOL: gone} or {@AGENT: nobody}.",
        "tools": ["x"],
        "toolsets": [{"toolset": "get_pet"}],
        "childAgents": ["y"],
        "guardrails": ["z"],
        "transferRules": [{"childAgent": "w"}],
    }
    assert [each for each in found("app_agent", agent) if each[2] is ERROR] == [
        ("$.instruction", "{@TOOL: gone} names no tool of the app (at character 5)", ERROR),
        ("$.instruction", "{@AGENT: nobody} names no agent of the app (at character 22)", ERROR),
        ("$.tools[0]", "'x' names no tool of the app", ERROR),
        ("$.toolsets[0].toolset", "'get_pet' names no toolset of the app", ERROR),
        ("$.childAgents[0]", "'y' names no agent of the app", ERROR),
        ("$.guardrails[0]", "'z' names no guardrail of the app", ERROR),
        ("$.transferRules[0].childAgent", "'w' names no agent of the app", ERROR),
    ]


def test_what_an_agent_names_and_does_not_have_is_a_warning() -> None:
    assert found("app_agent", {"instruction": "{@TOOL: get_pet}"}) == [
        (
            "$.instruction",
            "{@TOOL: get_pet} is not among the agent's tools and cannot be called (at character 1)",
            WARNING,
        )
    ]


def test_what_is_kept_and_of_no_effect_is_a_remark() -> None:
    agent = {
        "instruction": "{city} and {city}",
        "tools": ["customize_response"],
        "beforeAgentCallbacks": [{"pythonCode": "x"}],
        "afterToolCallbacks": [{"pythonCode": "x"}, {"pythonCode": "y"}],
        "transferRules": [
            {"childAgent": BILLING, "deterministicTransfer": {"expressionCondition": {"expression": "a"}}},
            {"childAgent": BILLING, "disablePlannerTransfer": {"expressionCondition": {"expression": "a"}}},
        ],
    }
    rule = "its condition is not evaluated here: "
    assert found("app_agent", agent) == [
        ("$.instruction", "{city} is not a declared variable and is left unchanged (at character 1)", REMARK),
        ("$.tools[0]", "customize_response is kept, and not offered", REMARK),
        ("$.beforeAgentCallbacks", "1 callback is kept, and not run", REMARK),
        ("$.afterToolCallbacks", "2 callbacks are kept, and not run", REMARK),
        ("$.transferRules[0].deterministicTransfer", f"{rule}the agent itself decides on the transfer", REMARK),
        ("$.transferRules[1].disablePlannerTransfer", f"{rule}the transfer stays allowed", REMARK),
    ]


def test_an_agent_elsewhere_is_told() -> None:
    assert found("app_agent", {"remoteDialogflowAgent": {"agent": "a"}, "tools": ["x"]}) == [
        ("$.remoteDialogflowAgent", "the Dialogflow agent a is not run here; the agent only says so", WARNING)
    ]


def test_an_app_needs_a_root_agent_and_proper_variables() -> None:
    app = {
        "variableDeclarations": [{"name": "a"}, {"name": "a"}, {"name": "1"}],
        "guardrails": ["gone"],
        "errorHandlingSettings": {"errorHandlingStrategy": "END_SESSION"},
    }
    assert [(path, severity) for path, _, severity in found("app", app)] == [
        ("$.rootAgent", WARNING),
        ("$.guardrails[0]", ERROR),
        ("$.variableDeclarations[1].name", WARNING),
        ("$.variableDeclarations[2].name", ERROR),
        ("$.errorHandlingSettings.errorHandlingStrategy", REMARK),
    ]
    assert found("app", {"rootAgent": "nobody"}) == [("$.rootAgent", "'nobody' names no agent of the app", ERROR)]


@pytest.mark.parametrize(
    ("kind", "document", "findings"),
    [
        ("app_tool", {}, [("$", ERROR)]),
        ("app_toolset", {}, [("$", ERROR)]),
        ("app_tool", {"agentTool": {"name": "x", "rootAgent": BILLING}}, []),
        ("app_tool", {"agentTool": {"name": "x", "agent": "nobody"}}, [("$.agentTool.agent", ERROR)]),
        ("app_tool", {"systemTool": {"name": "x"}}, [("$.systemTool.name", ERROR)]),
        ("app_tool", {"systemTool": {"name": "end_session"}}, []),
        (
            "app_tool",
            {"pythonFunction": {"pythonCode": "tools/a/python_function/python_code.py"}},
            [("$.pythonFunction.pythonCode", WARNING)],
        ),
        (
            "app_toolset",
            {"openApiToolset": {"openApiSchema": "toolsets/a/schema.yaml"}, "executionType": "ASYNCHRONOUS"},
            [("$.openApiToolset.openApiSchema", WARNING), ("$.executionType", REMARK)],
        ),
        (
            "app_guardrail",
            {"llmPolicy": {}, "action": {"generativeAnswer": {"prompt": "x"}}},
            [("$.llmPolicy", REMARK)],
        ),
        (
            "app_guardrail",
            {"contentFilter": {"matchType": "REGEXP_MATCH"}, "action": {"transferAgent": {"agent": "nobody"}}},
            [("$.action.transferAgent.agent", ERROR)],
        ),
        ("app_example", {"entryAgent": "nobody"}, [("$.entryAgent", ERROR)]),
        ("app_version", {}, []),
    ],
)
def test_other_resources_are_checked_by_their_kind(
    kind: str, document: JsonObject, findings: list[tuple[str, Severity]]
) -> None:
    assert [(path, severity) for path, _, severity in found(kind, document)] == findings


def test_only_a_path_is_a_missing_file() -> None:
    assert missing_file({"pythonFunction": {"pythonCode": "def f():\n  return 1"}}) == ("", "")
    assert missing_file({"pythonFunction": {"pythonCode": "import x.py"}}) == ("", "")
    assert missing_file({"pythonFunction": {"pythonCode": "tools/my x/f.py\n"}}) == (
        "pythonFunction.pythonCode",
        "tools/my x/f.py",
    )
    assert missing_file({"openApiSchema": "{}"}) == ("", "")


def test_a_schema_of_a_megabyte_of_slashes_is_no_path_and_is_told_so_at_once() -> None:
    assert missing_file({"openApiTool": {"openApiSchema": "/" * 1_000_000}}) == ("", "")
