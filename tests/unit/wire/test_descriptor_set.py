"""The generated descriptor set: what it is made of, and that it is the one we looked at."""

import hashlib
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from google.api.field_behavior_pb2 import FieldBehavior, field_behavior
from google.api.resource_pb2 import resource

from openplaybook.wire.api import BETA, Api, beta_name, stable_name
from tests.kit.random_messages import all_types

SHA256 = "889eab13a0d864c9f378e84fad429f7cac12e504ce4d6efc948f507fc14b21c7"
"""Of the set that was reviewed. After a change of `build_api` or of Google's packages in requirements/build.txt, run
`python -m build_api`, look at what changed in the API, and put the digest that it prints here."""

ROOT = Path(__file__).parents[3]
V3, V3BETA1 = "google.cloud.dialogflow.cx.v3", "google.cloud.dialogflow.cx.v3beta1"


def test_the_set_is_the_one_that_was_reviewed() -> None:
    data = resources.files("openplaybook.wire").joinpath("_generated", "api.binpb").read_bytes()

    assert hashlib.sha256(data).hexdigest() == SHA256


def test_what_the_build_needs_is_pinned() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        requires = tomllib.load(file)["build-system"]["requires"]
    lines = (ROOT / "requirements" / "build.in").read_text().splitlines()

    assert sorted(requires) == [line for line in lines if line and not line.startswith("#")]


def test_no_name_ends_with_an_underscore(api: Api) -> None:
    assert [field.full_name for kind in all_types(api) for field in kind.fields if field.name.endswith("_")] == []


def test_every_version_has_its_services(api: Api) -> None:
    methods = [(method.version, method.service.rpartition(".")[2]) for method in api.methods.values()]

    assert {version for version, _ in methods} == {"v3", "v3beta1", "v1", "v1beta", "v2", ""}
    assert {service for version, service in methods if version == ""} == {"Operations", "Locations"}
    assert ("v1", "OpenPlaybook") in methods
    assert ("v1", "Health") in methods


@pytest.mark.parametrize("package", [V3, V3BETA1])
@pytest.mark.parametrize(
    ("message", "field", "number"),
    [
        ("QueryParameters", "playbook_state_override", 100000),
        ("ResponseMessage", "source", 100000),
        ("ResponseMessage", "playbook", 100001),
        ("ResponseMessage", "playbook_display_name", 100002),
        ("ResponseMessage", "reply_index", 100003),
        ("ToolCall", "id", 100000),
        ("ToolCallResult", "id", 100000),
        ("ToolUse", "input_parameters", 100000),
        ("ToolUse", "output_parameters", 100001),
        ("Example", "retrieval_strategy", 100000),
        ("Agent", "paused_input", 100000),
        ("RestoreAgentRequest", "keep_versions", 100000),
        ("GenerativeSettings", "paused_input", 100000),
        ("Tool.OpenApiTool", "ignore_unknown_fields", 100000),
        ("Tool.DataStoreTool", "grounding_settings", 100001),
        ("Tool.DataStoreTool.FallbackPrompt", "company", 100000),
    ],
)
def test_extension_fields_are_in_both_versions(api: Api, package: str, message: str, field: str, number: int) -> None:
    assert api.message(f"{package}.{message}").DESCRIPTOR.fields_by_name[field].number == number


@pytest.mark.parametrize(
    "message",
    [
        f"{V3BETA1}.Tool.EndUserAuthConfig",
        "google.cloud.ces.v1.EndUserAuthConfig",
        "google.cloud.ces.v1beta.EndUserAuthConfig",
    ],
)
def test_end_users_may_have_a_name_and_a_password(api: Api, message: str) -> None:
    value = {"userPasswordConfig": {"username": "$session.params.user", "password": "$session.params.password"}}

    assert api.codec.to_json(api.codec.from_json(value, api.message(message)())) == value


def test_the_execution_mode_has_the_documented_spelling(api: Api) -> None:
    value = {"playbookStateOverride": {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}}

    message = api.codec.from_json(value, api.message(f"{V3}.QueryParameters")())

    assert api.codec.to_json(message) == value


def test_data_store_settings_have_the_names_of_exports(api: Api) -> None:
    value = {
        "fallbackPrompt": {"company": "Example"},
        "models": {
            "rewriterModel": {"model": "default", "promptText": "a"},
            "summarizationModel": {"model": "m", "promptText": "b"},
        },
        "groundingSettings": {"groundingConfidence": "VERY_LOW", "disabled": True, "heuristicsDisabled": True},
        "payloadSettings": {"enableSnippetsPayload": True, "maxSnippetsCount": 5},
        "mode": "MODE_DEFAULT",
        "voiceModeSettings": {"any": {"thing": [1]}},
    }

    message = api.codec.from_json(value, api.message(f"{V3BETA1}.Tool.DataStoreTool")())

    assert api.codec.to_json(message) == value


def test_connector_tools_are_in_beta_alone(api: Api) -> None:
    assert "connector_spec" not in api.message(f"{V3}.Tool").DESCRIPTOR.fields_by_name
    assert "connector_spec" in api.message(f"{V3BETA1}.Tool").DESCRIPTOR.fields_by_name


def test_beta_contains_all_of_the_stable_version(api: Api) -> None:
    stable = [kind for kind in all_types(api) if beta_name(kind.full_name)]

    assert len(stable) > 500
    for kind in stable:
        beta = api.message(beta_name(kind.full_name) or "").DESCRIPTOR
        for field in kind.fields:
            twin = beta.fields_by_number[field.number]
            assert (twin.name, twin.type, twin.is_repeated) == (field.name, field.type, field.is_repeated)
            if field.message_type is not None and twin.message_type is not None:
                assert twin.message_type.full_name in {
                    field.message_type.full_name,
                    beta_name(field.message_type.full_name),
                }
            if field.enum_type is not None and twin.enum_type is not None:
                ours = {value.name: value.number for value in field.enum_type.values}
                assert ours.items() <= {value.name: value.number for value in twin.enum_type.values}.items()


def test_every_stable_method_has_a_beta_one_of_the_same_kind(api: Api) -> None:
    for method in api.methods.values():
        if method.version in BETA and beta_name(method.full_name):
            beta = api.methods[beta_name(method.full_name) or ""]
            assert (beta.client_streaming, beta.server_streaming) == (method.client_streaming, method.server_streaming)
            assert beta.output.full_name in {method.output.full_name, beta_name(method.output.full_name)}
    assert stable_name(f"{V3BETA1}.Agents.GetAgent") == f"{V3}.Agents.GetAgent"


@pytest.mark.parametrize(
    ("message", "field", "behaviours"),
    [
        ("Agent", "display_name", [FieldBehavior.REQUIRED]),
        ("Agent", "default_language_code", [FieldBehavior.REQUIRED, FieldBehavior.IMMUTABLE]),
        ("Agent", "satisfies_pzs", [FieldBehavior.OPTIONAL, FieldBehavior.OUTPUT_ONLY]),
        ("Agent", "description", []),
        ("Tool", "tool_type", [FieldBehavior.OUTPUT_ONLY]),
        ("DetectIntentRequest", "session", [FieldBehavior.REQUIRED]),
        ("Example", "token_count", [FieldBehavior.OUTPUT_ONLY]),
    ],
)
def test_fields_say_what_they_may_and_must_hold(
    api: Api, message: str, field: str, behaviours: list[FieldBehavior]
) -> None:
    options = api.message(f"{V3BETA1}.{message}").DESCRIPTOR.fields_by_name[field].GetOptions()

    assert list(options.Extensions[field_behavior]) == behaviours


@pytest.mark.parametrize(
    ("message", "pattern"),
    [
        ("Agent", "projects/{project}/locations/{location}/agents/{agent}"),
        ("Tool", "projects/{project}/locations/{location}/agents/{agent}/tools/{tool}"),
        ("Example", "projects/{project}/locations/{location}/agents/{agent}/playbooks/{playbook}/examples/{example}"),
        ("ToolVersion", "projects/{project}/locations/{location}/agents/{agent}/tools/{tool}/versions/{version}"),
    ],
)
def test_resources_say_how_their_names_look(api: Api, message: str, pattern: str) -> None:
    descriptor = api.message(f"{V3BETA1}.{message}").DESCRIPTOR.GetOptions().Extensions[resource]

    assert (descriptor.type, list(descriptor.pattern)) == (f"dialogflow.googleapis.com/{message}", [pattern])


def test_long_running_methods_say_what_they_result_in(api: Api) -> None:
    long_running = [
        method for method in api.methods.values() if method.output.name == "Operation" and method.version != ""
    ]

    assert len(long_running) == 79
    assert all(method.lro_result for method in long_running)
    assert api.lro_result(f"{V3BETA1}.Agents.ExportAgent") == f"{V3BETA1}.ExportAgentResponse"
    assert api.lro_result(f"{V3BETA1}.Agents.GetAgent") == ""
