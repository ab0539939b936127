import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.compiled_forms import InstructionStep, LlmSettings, ParameterDefinition, Playbook
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.playbook_compiler import compile_llm_settings, compile_playbook
from openplaybook.resources.playbook_handlers import compile_handlers

AGENT = "projects/p/locations/l/agents/a"


def test_a_whole_playbook_is_compiled() -> None:
    found: list[Finding] = []
    resource = {
        "name": f"{AGENT}/playbooks/1",
        "displayName": "Pet desk",
        "goal": "Help with pets.",
        "playbookType": "ROUTINE",
        "instruction": {"steps": [{"text": "Greet."}]},
        "inputParameterDefinitions": [{"name": "owner", "typeSchema": {"inlineSchema": {"type": "STRING"}}}],
        "outputParameterDefinitions": [{"name": "done", "typeSchema": {"inlineSchema": {"type": "BOOLEAN"}}}],
        "referencedTools": [f"{AGENT}/tools/t", ""],
        "referencedPlaybooks": [f"{AGENT}/playbooks/2"],
        "llmModelSettings": {"model": "offline", "parameters": {"temperature": 1}},
        "tokenCount": 12,
        "codeBlock": {},
    }
    assert compile_playbook(resource, found.append) == Playbook(
        name=f"{AGENT}/playbooks/1",
        display_name="Pet desk",
        goal="Help with pets.",
        steps=(InstructionStep("Greet."),),
        is_routine=True,
        input_parameters=(ParameterDefinition("owner", "", {"type": "string"}),),
        output_parameters=(ParameterDefinition("done", "", {"type": "boolean"}),),
        referenced_tools=(f"{AGENT}/tools/t",),
        referenced_playbooks=(f"{AGENT}/playbooks/2",),
        settings=LlmSettings(model="offline", temperature=1.0),
    )
    assert found == []


def test_an_empty_resource_is_an_empty_task() -> None:
    assert compile_playbook({}) == Playbook(name="", display_name="", goal="", steps=(), is_routine=False)


@pytest.mark.parametrize(
    ("value", "settings"),
    [
        (None, LlmSettings()),
        ({}, LlmSettings()),
        ({"model": "", "promptText": ""}, LlmSettings()),
        (
            {
                "model": "m",
                "promptText": "p",
                "parameters": {
                    "temperature": 0,
                    "inputTokenLimit": "INPUT_TOKEN_LIMIT_SHORT",
                    "outputTokenLimit": "OUTPUT_TOKEN_LIMIT_LONG",
                },
            },
            LlmSettings("m", "p", 0.0, "SHORT", "LONG"),
        ),
        (
            {
                "parameters": {
                    "inputTokenLimit": "INPUT_TOKEN_LIMIT_UNSPECIFIED",
                    "outputTokenLimit": "OUTPUT_TOKEN_LIMIT_UNSPECIFIED",
                }
            },
            LlmSettings(),
        ),
    ],
)
def test_model_settings_are_read(value: JsonValue, settings: LlmSettings) -> None:
    found: list[Finding] = []
    assert compile_llm_settings(value, "$", found.append) == settings
    assert found == []


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"model": 5}, "$.model"),
        ({"promptText": []}, "$.promptText"),
        ({"parameters": {"temperature": "hot"}}, "$.parameters.temperature"),
        ({"parameters": {"temperature": True}}, "$.parameters.temperature"),
        ({"parameters": {"temperature": 10**400}}, "$.parameters.temperature"),
        ({"parameters": {"inputTokenLimit": "HUGE"}}, "$.parameters.inputTokenLimit"),
        ({"parameters": {"outputTokenLimit": 3}}, "$.parameters.outputTokenLimit"),
    ],
)
def test_a_setting_that_cannot_be_used_is_left_out_and_told(value: JsonValue, path: str) -> None:
    found: list[Finding] = []
    assert compile_llm_settings(value, "$", found.append) == LlmSettings()
    assert [finding.path for finding in found] == [path]


def test_a_code_block_is_kept_and_remarked() -> None:
    found: list[Finding] = []
    assert compile_playbook({"codeBlock": {"code": "def x(): ..."}}, found.append).has_code
    assert [(finding.path, finding.severity) for finding in found] == [("$.codeBlock.code", Severity.REMARK)]


def test_handlers_are_compiled_with_their_playbook() -> None:
    resource: JsonObject = {"handlers": [{"eventHandler": {"event": "hello"}}]}
    assert compile_playbook(resource).handlers == compile_handlers(resource["handlers"])


def test_an_unknown_type_of_playbook_is_a_task_and_told() -> None:
    found: list[Finding] = []
    assert compile_playbook({"playbookType": "OPERA"}, found.append).is_routine is False
    assert [finding.path for finding in found] == ["$.playbookType"]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "name",
    "goal",
    "playbookType",
    "instruction",
    "steps",
    "inputParameterDefinitions",
    "referencedTools",
    "llmModelSettings",
    "codeBlock",
    "handlers",
)


@given(st.dictionaries(st.sampled_from(KEYS), values | st.fixed_dictionaries({"steps": values, "parameters": values})))
def test_odd_resources_never_raise(resource: JsonObject) -> None:
    assert isinstance(compile_playbook(resource), Playbook)
