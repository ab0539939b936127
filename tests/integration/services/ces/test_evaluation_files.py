"""Evaluations go into files of a bucket, and come back from them."""

import base64
from pathlib import Path
from typing import cast

import pytest

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.jsonvalues import JsonObject, loads
from openplaybook.wire.errors import Code
from tests.integration.services.ces.studio import Studio
from tests.integration.services.peers import Caller

SERVICE = "google.cloud.ces.v1beta.EvaluationService."
URI = "gs://b/tests.json"


@pytest.fixture
def studio(call: Caller, tmp_path: Path) -> Studio:
    """A server with the bucket `b`; v1 has no evaluations."""
    call.version = "v1beta"
    cast("dict[str, Bucket]", call.parts.buckets.known)["b"] = FolderBucket("b", tmp_path)
    return Studio(call)


async def rpc(studio: Studio, method: str, request: JsonObject) -> JsonObject:
    """The response; of an operation, once it is done."""
    answer = await studio.call(SERVICE + method, request)
    if "/operations/" not in str(answer.get("name")):
        return answer
    done = await studio.call("google.longrunning.Operations.WaitOperation", {"name": answer["name"]})
    return done.get("response") or done["error"]


async def made(studio: Studio, app: str, id: str, tool: str) -> str:
    call: JsonObject = {"tool": tool, "args": {"city": "Rome"}}
    steps = [{"userInput": {"text": "hi"}}, {"expectation": {"toolCall": call}}]
    evaluation = {"displayName": id.title(), "golden": {"turns": [{"steps": steps}]}}
    request: JsonObject = {"parent": app, "evaluationId": id, "evaluation": evaluation}
    return str((await rpc(studio, "CreateEvaluation", request))["name"])


async def exported(studio: Studio, app: str, *names: str, **options: str) -> JsonObject:
    request: JsonObject = {"parent": app, "names": [*names], "includeEvaluations": True, "exportOptions": {**options}}
    return await rpc(studio, "ExportEvaluations", request)


async def imported(studio: Studio, app: str, strategy: str, uri: str = URI) -> JsonObject:
    options = {"conflictResolutionStrategy": strategy}
    return await rpc(studio, "ImportEvaluations", {"parent": app, "gcsUri": uri, "importOptions": options})


@pytest.mark.parametrize("ending", ["json", "yaml"])
async def test_what_is_exported_is_imported_into_another_app(studio: Studio, tmp_path: Path, ending: str) -> None:
    app, other = await studio.app(), await studio.app(id="twin", displayName="Twin")
    for each in (app, other):
        await studio.tool(each)
    name = await made(studio, app, "first", f"{app}/tools/weather")
    uri = f"gs://b/tests.{ending}"
    told = await exported(studio, app, name, f"{app}/evaluations/none", exportFormat=ending.upper(), gcsUri=uri)
    assert told["evaluationsUri"] == uri
    assert told["failedEvaluations"] == {f"{app}/evaluations/none": "it does not exist"}
    assert (tmp_path / f"tests.{ending}").read_text().startswith("{" if ending == "json" else "evaluations:")
    [found] = (await imported(studio, other, "SKIP", uri))["evaluations"]
    assert (found["name"], found["displayName"]) == (f"{other}/evaluations/first", "First")
    assert found["golden"]["turns"][0]["steps"][1]["expectation"]["toolCall"]["tool"] == f"{other}/tools/weather"


async def test_what_is_there_is_skipped_overwritten_or_doubled(studio: Studio) -> None:
    app = await studio.app()
    await studio.tool(app)
    name = await made(studio, app, "first", f"{app}/tools/weather")
    await exported(studio, app, name, gcsUri=URI)
    changed: JsonObject = {"evaluation": {"name": name, "description": "New"}, "updateMask": "description"}
    await rpc(studio, "UpdateEvaluation", changed)
    assert (await imported(studio, app, "SKIP")).get("evaluations") is None
    assert (await rpc(studio, "GetEvaluation", {"name": name}))["description"] == "New"
    [doubled] = (await imported(studio, app, "DUPLICATE"))["evaluations"]
    assert (doubled["name"] == name, doubled["displayName"]) == (False, "First (copy)")
    [replaced] = (await imported(studio, app, "OVERWRITE"))["evaluations"]
    assert (replaced["name"], "description" in replaced) == (name, False)


async def test_each_evaluation_that_is_not_imported_is_reported(studio: Studio, tmp_path: Path) -> None:
    app = await studio.app()
    (tmp_path / "tests.json").write_text('{"evaluations": [{"displayName": "No inputs"}, {"displayName": 7}]}')
    told = await imported(studio, app, "SKIP")
    assert told["importFailureCount"] == 2
    assert [each.partition(": ")[0] for each in told["errorMessages"]] == ["evaluation 1", "evaluation 2"]
    assert "needs golden or scenario" in told["errorMessages"][0]


async def test_content_comes_with_the_response(studio: Studio) -> None:
    app = await studio.app()
    await studio.tool(app)
    name = await made(studio, app, "first", f"{app}/tools/weather")
    told = await exported(studio, app, name)
    [evaluation] = loads(base64.b64decode(told["evaluationsContent"]))["evaluations"]
    assert (evaluation["name"], evaluation["displayName"]) == (name, "First")


@pytest.mark.parametrize(
    ("method", "request_", "code"),
    [
        ("ExportEvaluations", {"names": ["APP/evaluations/a"]}, Code.INVALID_ARGUMENT),
        ("ExportEvaluations", {"includeEvaluations": True}, Code.INVALID_ARGUMENT),
        ("ExportEvaluationRuns", {"names": ["APP/evaluationRuns/a"]}, Code.NOT_FOUND),
        ("ImportEvaluations", {"csvContent": "AAAA"}, Code.UNIMPLEMENTED),
        ("ImportEvaluations", {"gcsUri": "gs://unknown/o"}, Code.FAILED_PRECONDITION),
    ],
)
async def test_what_cannot_be_done_is_refused(studio: Studio, method: str, request_: JsonObject, code: Code) -> None:
    app = await studio.app()
    names = [str(name).replace("APP", app) for name in request_.get("names", [])]
    named: JsonObject = {"names": names} if names else {}
    refused, _ = await studio.call.refusal(SERVICE + method, {"parent": app, **request_, **named})
    assert refused is code
