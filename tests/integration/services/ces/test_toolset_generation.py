"""GenerateAppResource: schemas from samples."""

import pytest
import yaml

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.offline import OfflineModel
from openplaybook.storage.base import Store
from openplaybook.wire.errors import Code
from tests.integration.services.ces.app_server import AppServer, refusal_of
from tests.kit.apps import APP, AppDraft

RPC = "AgentService.GenerateAppResource"
PET: JsonObject = {"method": "GET", "path": "/pets/3?verbose=true", "responseJson": '{"name": "Luna", "age": 3}'}
NEW: JsonObject = {"method": "POST", "path": "pets", "requestJson": '{"name": "Rex"}', "responseJson": '{"id": 4}'}


def config(*operations: JsonObject, uri: str = "https://api.example.com/v1/") -> JsonObject:
    """A configuration of samples."""
    schema: JsonObject = {"uri": uri, "operationGenerationConfigs": list(operations)}
    return {"openApiToolsetGenerationConfig": schema}


@pytest.fixture
async def server(store: Store) -> AppServer:
    """Serves an app whose model writes nothing."""
    draft = AppDraft()
    draft.agent("root")
    await draft.put(store)
    return AppServer(store, draft.shelf, OfflineModel())


async def test_a_toolset_is_written_from_samples(server: AppServer) -> None:
    operation = await server.operation(RPC, {"parent": APP, "toolGenerationConfig": config(PET, NEW)})
    metadata, response = operation["metadata"], operation["response"]
    assert (metadata["generationType"], metadata["target"]) == ("TOOL_CREATE", APP)
    assert {"createTime", "endTime"} <= set(metadata)
    toolset = response["toolset"]
    assert toolset["displayName"] == "api_example_com"
    schema = yaml.safe_load(toolset["openApiToolset"]["openApiSchema"])
    assert schema["servers"] == [{"url": "https://api.example.com/v1"}]
    assert {(path, method) for path, item in schema["paths"].items() for method in item if method != "parameters"} == {
        ("/pets/{petId}", "get"),
        ("/pets", "post"),
    }
    assert response["generateResultInfo"]["explanation"].startswith("Written from the samples only.")


async def test_a_tool_that_is_there_is_merged_into_and_stays_a_tool(server: AppServer) -> None:
    made = await server.operation(RPC, {"parent": APP, "toolGenerationConfig": config(PET)})
    before = made["response"]["toolset"]["openApiToolset"]["openApiSchema"]
    tool = {"openApiTool": {"name": "pets", "openApiSchema": before}}
    made = await server.operation(RPC, {"parent": APP, "tool": tool, "toolGenerationConfig": config(NEW)})
    [written] = made["response"]["tools"]["tools"]
    assert written["openApiTool"]["name"] == "pets"
    assert len(yaml.safe_load(written["openApiTool"]["openApiSchema"])["paths"]) == 2


async def test_a_sample_that_cannot_be_read_fails_the_operation_with_its_place(server: AppServer) -> None:
    broken: JsonObject = {**NEW, "method": "FETCH"}
    error = (await server.operation(RPC, {"parent": APP, "toolGenerationConfig": config(broken)}))["error"]
    path = "tool_generation_config.open_api_toolset_generation_config.operation_generation_configs[0]"
    assert (error["code"], error["message"].startswith(path)) == (Code.INVALID_ARGUMENT, True)


async def test_without_samples_and_without_a_model_there_is_nothing_to_go_on(server: AppServer) -> None:
    asked = {"parent": APP, "toolGenerationConfig": {**config(), "context": "An API of pets."}}
    error = (await server.operation(RPC, asked))["error"]
    assert (error["code"], "nothing to start from" in error["message"]) == (Code.INVALID_ARGUMENT, True)


@pytest.mark.parametrize(
    ("request_", "code", "sentence"),
    [
        ({"parent": f"{APP}2"}, Code.NOT_FOUND, "App "),
        ({}, Code.INVALID_ARGUMENT, "tool_generation_config.open_api_toolset_generation_config: is required"),
        ({"toolGenerationConfig": {"context": "Pets."}}, Code.INVALID_ARGUMENT, "tool_generation_config.open_api"),
        ({"toolGenerationConfig": config(PET, uri="pets")}, Code.INVALID_ARGUMENT, "tool_generation_config.open_api"),
        ({"agent": {}, "toolGenerationConfig": config(PET)}, Code.UNIMPLEMENTED, "agent is not generated"),
        ({"appGenerationConfig": {"context": "x"}}, Code.UNIMPLEMENTED, "app_generation_config is not served"),
        ({"refineInstructions": [{"instructions": "x"}]}, Code.UNIMPLEMENTED, "refine_instructions is not served"),
        ({"evaluationPersonasGenerationConfig": {}}, Code.UNIMPLEMENTED, "evaluation_personas_generation_config"),
    ],
)
async def test_what_is_not_generated_is_refused(
    server: AppServer, request_: JsonObject, code: Code, sentence: str
) -> None:
    found, told = await refusal_of(server(RPC, {"parent": APP, **request_}))
    assert (found, told[: len(sentence)]) == (code, sentence)
