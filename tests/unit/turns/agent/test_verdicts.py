"""What comes of each playbook: one judgement for agents and apps."""

from collections.abc import Mapping, Sequence

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.models.offline import OfflineModel
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.agent.snapshot_store import compile_snapshot
from openplaybook.turns.agent.verdicts import PlaybookVerdict, VerdictKind, verdicts
from tests.kit.agents import AGENT, START, PlayedModel
from tests.kit.openapi import Remembering

OFFLINE = ModelDirectory(OfflineModel(), {})
TOOL = f"{AGENT}/tools/t"
FUNCTION: JsonObject = {"functionSpec": {"inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}}
STORE = {"dataStoreConnections": [{"dataStoreType": "PUBLIC_WEB", "dataStore": "projects/p/dataStores/d"}]}
PROSE = "Explain how clouds come about."


def openapi(server: str) -> JsonObject:
    text = f"{{openapi: 3.0.0, servers: [{{url: '{server}'}}], paths: {{/w: {{get: {{operationId: weather}}}}}}}}"
    return {"openApiSpec": {"textSchema": text}}


def verdict(
    *steps: str,
    tool: JsonObject = FUNCTION,
    leanings: Sequence[str] = (),
    unmet: Mapping[str, Sequence[str]] | None = None,
    models: ModelDirectory = OFFLINE,
    language_code: str = "",
    **playbook: object,
) -> PlaybookVerdict:
    resource: JsonObject = {
        "name": START,
        "displayName": "Start",
        "goal": "Tell the weather.",
        "instruction": {"steps": [{"text": text} for text in steps]},
        **playbook,
    }
    described: JsonObject = {"name": TOOL, "displayName": "weather", "description": "The weather in a city.", **tool}
    bundle: list[list[object]] = [
        ["agent", AGENT, {"name": AGENT, "startPlaybook": START}],
        ["playbook", START, resource],
        ["tool", TOOL, described],
    ]
    snapshot = compile_snapshot(AGENT, "", bundle, Toolbox(Remembering()))
    [found] = verdicts(snapshot, {START: leanings}, unmet or {}, models, language_code)
    assert (found.playbook, found.display_name) == (START, "Start")
    return found


def test_a_playbook_with_all_that_it_needs_runs() -> None:
    found = verdict("Use ${TOOL: weather}.", tool=openapi("https://a.example"))
    assert (found.kind, found.leans_on, found.needs_model, found.client_functions) == (VerdictKind.RUNS, (), "", ())
    assert found.as_json() == {"playbook": START, "displayName": "Start", "verdict": "RUNS"}


def test_functions_of_the_client_are_named_and_run() -> None:
    found = verdict("Use ${TOOL: weather}.")
    assert (found.kind, found.client_functions) == (VerdictKind.RUNS, ("weather",))


def test_what_the_offline_model_cannot_follow_needs_a_model() -> None:
    found = verdict(PROSE)
    assert (found.kind, found.leans_on) == (VerdictKind.NEEDS_MODEL, ())
    assert found.needs_model.startswith("it has no tool")


def test_the_language_of_the_agent_counts() -> None:
    assert verdict("Use ${TOOL: weather}.", language_code="th").kind is VerdictKind.NEEDS_MODEL


@pytest.mark.parametrize("is_alias", [False, True])
def test_with_another_model_it_runs(is_alias: bool) -> None:
    other = PlayedModel()
    if not is_alias:
        assert verdict(PROSE, models=ModelDirectory(other, {})).kind is VerdictKind.RUNS
        return
    models = ModelDirectory(OfflineModel(), {"gemini": other})
    assert verdict(PROSE, models=models, llmModelSettings={"model": "gemini"}).kind is VerdictKind.RUNS
    assert verdict(PROSE, models=models).kind is VerdictKind.NEEDS_MODEL


def test_of_much_that_it_leans_on_the_first_is_told_and_how_much_more_there_is() -> None:
    flows = [f"the flow {n}" for n in range(102)]
    assert verdict(PROSE, leanings=[*flows, "the flow 0"]).leans_on == (*flows[:100], "2 more")


def test_what_it_leans_on_comes_first_and_the_need_of_a_model_is_kept() -> None:
    found = verdict(PROSE, leanings=["the flow Billing"])
    assert (found.kind, found.leans_on) == (VerdictKind.LEANS_ON, ("the flow Billing",))
    assert found.as_json()["leansOn"] == ["the flow Billing"]
    assert found.as_json()["needsModel"].startswith("it has no tool")


def test_tools_of_kinds_that_are_not_run_are_named() -> None:
    found = verdict("Use ${TOOL: weather}.", tool={"dataStoreSpec": STORE})
    assert found.leans_on == ("the tool weather: data store tools are not run",)


@pytest.mark.parametrize(
    ("in_fake_mode", "leanings"), [(False, ("the tool weather: data store tools are not run",)), (True, ())]
)
def test_a_fake_stands_in_for_a_tool_that_is_not_run_only_in_fake_mode(
    in_fake_mode: bool, leanings: tuple[str, ...]
) -> None:
    code = "def fake_tool_call(tool, input, callback_context):\n    return {}\n"
    fake = {"codeBlock": {"pythonCode": code}, "enableFakeMode": in_fake_mode}
    found = verdict("Use ${TOOL: weather}.", tool={"dataStoreSpec": STORE, "toolFakeConfig": fake})
    assert found.leans_on == leanings


def test_tools_that_cannot_be_used_are_named_with_why() -> None:
    found = verdict("Use ${TOOL: weather}.", tool={"openApiSpec": {"textSchema": "{openapi: 3.0.0, paths: 5}"}})
    assert found.leans_on[0].startswith("the tool weather, which cannot be used: $")


def test_tools_whose_service_has_no_address_are_named() -> None:
    found = verdict("Use ${TOOL: weather}.", tool=openapi("your cloud function"))
    assert found.leans_on[0].startswith("the tool weather: the server URL 'your cloud function' is relative")


def test_secrets_that_are_not_there_are_named() -> None:
    needs = {TOOL: ["projects/p/secrets/key/versions/latest is not here"]}
    found = verdict("Use ${TOOL: weather}.", tool=openapi("https://a.example"), unmet=needs)
    assert found.leans_on == ("the tool weather: projects/p/secrets/key/versions/latest is not here",)


def test_tools_that_the_playbook_does_not_name_are_no_matter_of_it() -> None:
    assert verdict(PROSE, tool={"dataStoreSpec": STORE}).leans_on == ()
