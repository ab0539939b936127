"""Apps leave as packages and come back, whole or not at all."""

import base64
import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from openplaybook.buckets.base import Bucket
from openplaybook.buckets.folder_bucket import FolderBucket
from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.packages.ces.app_reader import read_app
from openplaybook.packages.package_files import read_files, zip_of
from openplaybook.services.ces import whole_app
from openplaybook.wire.errors import Code
from tests.integration.services.ces.studio import CODE, Studio
from tests.integration.services.peers import LOCATION
from tests.kit.authored import texts_of
from tests.kit.thoroughness import sample
from tests.kit.threads_seen import threads_of

LISTS = {
    "agents": "ListAgents",
    "tools": "ListTools",
    "toolsets": "ListToolsets",
    "examples": "ListExamples",
    "guardrails": "ListGuardrails",
}


async def furnish(studio: Studio) -> str:
    """An app with one of everything."""
    app = await studio.app(globalInstruction="Be kind.")
    tool, toolset = await studio.python_tool(app), await studio.toolset(app)
    weather = await studio.tool(app)
    refusal = {"respondImmediately": {"responses": [{"text": "No."}]}}
    guardrail = await studio.guardrail(app, action=refusal)
    child = await studio.agent(app, "billing", tools=[weather["name"]])
    root = await studio.agent(
        app,
        tools=[tool["name"]],
        toolsets=[{"toolset": toolset["name"], "toolIds": ["list"]}],
        childAgents=[child["name"]],
        guardrails=[guardrail["name"]],
        beforeModelCallbacks=[{"pythonCode": "def before_model_callback(c, r): ..."}],
    )
    await studio.example(
        app, "first", {"toolCall": {"tool": tool["name"], "args": {"a": 1, "b": 2}}}, entryAgent=root["name"]
    )
    await studio("UpdateApp", {"app": {"name": app, "rootAgent": root["name"]}, "updateMask": "rootAgent"})
    return app


async def everything(studio: Studio, app: str) -> JsonObject:
    """All of an app but for what a server gives, by display names."""
    found: JsonObject = {"app": bare(await studio("GetApp", {"name": app}))}
    for listed, rpc in LISTS.items():
        resources = (await studio(rpc, {"parent": app})).get(listed, [])
        found[listed] = {resource["displayName"]: bare(resource) for resource in resources}
    return found


def bare(resource: JsonObject) -> JsonObject:
    return {key: value for key, value in resource.items() if key not in ("createTime", "updateTime", "etag")}


def moved(value: JsonObject, source: str, target: str) -> JsonObject:
    return loads(dumps(value).replace(source.encode(), target.encode()))


async def export(studio: Studio, app: str, **options: object) -> str:
    done = await studio("ExportApp", {"name": app, "exportFormat": "JSON", **options})
    assert done.get("error") is None
    return done["response"]["appContent"]


async def import_(studio: Studio, content: str | bytes, **options: object) -> JsonObject:
    text = content if isinstance(content, str) else base64.b64encode(content).decode()
    return await studio("ImportApp", {"parent": LOCATION, "appContent": text, **options})


def package(files: Mapping[str, JsonObject | str]) -> bytes:
    return zip_of(
        {f"app/{path}": each.encode() if isinstance(each, str) else dumps(each) for path, each in files.items()}
    )


@pytest.mark.proves("X2")
@pytest.mark.parametrize("form", ["JSON", "YAML"])
async def test_an_exported_app_comes_back_as_another_one(studio: Studio, form: str) -> None:
    source = await furnish(studio)
    content = await export(studio, source, exportFormat=form)
    done = await import_(studio, content, appId="twin")
    assert (done["done"], done.get("error")) == (True, None)
    target = done["response"]["name"]
    assert target == f"{LOCATION}/apps/twin"
    assert "warnings" not in done["response"]
    assert [note["kind"] for note in done["metadata"]["notes"]] == ["KEPT"]
    assert await everything(studio, target) == moved(await everything(studio, source), source, target)
    assert await export(studio, target, exportFormat=form) == content


async def test_code_and_instructions_are_files_of_their_own(studio: Studio) -> None:
    content = base64.b64decode(await export(studio, await furnish(studio)))
    read, _ = read_app(content, "projects/p/locations/l/apps/a")
    assert read.tools[0]["pythonFunction"]["pythonCode"] == CODE
    assert {layout.file for layout in read.layouts.values()} >= {"app.json", "tools/add/add.json"}
    assert read.layouts["tools/add"].texts == {
        "$.pythonFunction.pythonCode": "tools/add/python_function/python_code.py"
    }
    assert read.layouts["app"].texts == {"$.globalInstruction": "global_instruction.txt"}


async def test_overwriting_leaves_nothing_of_what_was_there_but_versions(studio: Studio) -> None:
    app = await furnish(studio)
    version = await studio.version(app)
    content = package({"app.json": {"displayName": "New"}, "agents/only/only.json": {"displayName": "only"}})
    await import_(studio, content, appId="zoo", importOptions={"conflictResolutionStrategy": "OVERWRITE"})
    after = await everything(studio, app)
    assert after["app"] == {"name": app, "displayName": "New"}
    assert list(after["agents"]) == ["only"]
    assert [after[listed] for listed in ("tools", "toolsets", "examples", "guardrails")] == [{}, {}, {}, {}]
    assert await studio.names("ListAppVersions", app, "appVersions") == [version["name"].rsplit("/", 1)[1]]


async def test_replacing_keeps_what_has_another_display_name(studio: Studio) -> None:
    app = await furnish(studio)
    before = await everything(studio, app)
    content = package(
        {
            "app.json": {"displayName": "Zoo", "rootAgent": "Greeter"},
            "agents/other_id/other_id.json": {"displayName": "Greeter", "instruction": "New.", "tools": ["weather"]},
            "agents/billing/billing.json": {"displayName": "Refunds"},
            "tools/weather/weather.json": {"clientFunction": {"name": "weather"}, "displayName": "weather"},
        }
    )
    await import_(studio, content, appId="zoo", importOptions={"conflictResolutionStrategy": "REPLACE"})
    after = await everything(studio, app)
    greeter = before["agents"]["Greeter"]["name"]
    assert after["agents"]["Greeter"] == {
        "name": greeter,
        "displayName": "Greeter",
        "instruction": "New.",
        "tools": [before["tools"]["weather"]["name"]],
    }
    assert after["agents"]["Billing"] == before["agents"]["Billing"]
    assert after["agents"]["Refunds"]["name"] not in (greeter, before["agents"]["Billing"]["name"])
    assert after["app"]["rootAgent"] == greeter
    assert (after["toolsets"], after["guardrails"]) == (before["toolsets"], before["guardrails"])


async def test_a_version_is_exported_as_it_was(studio: Studio) -> None:
    app = await furnish(studio)
    content = await export(studio, app)
    version = await studio.version(app)
    agent = {"name": f"{app}/agents/greeter", "instruction": "Later."}
    await studio("UpdateAgent", {"agent": agent, "updateMask": "instruction"})
    assert await export(studio, app, appVersion=version["name"]) == content
    assert await export(studio, app) != content


async def test_a_display_name_is_made_unlike_others_and_is_refused_where_the_app_is_there(studio: Studio) -> None:
    await studio.app()
    content = package({"app.json": {"displayName": "Any"}})
    done = await import_(studio, content, displayName="Zoo")
    name = done["response"]["name"]
    assert (await studio("GetApp", {"name": name}))["displayName"] == "Zoo 2023-11-14T22:13:20Z"
    request = {"parent": LOCATION, "appContent": base64.b64encode(content).decode(), "appId": "zoo"}
    code, message = await studio.refusal("ImportApp", {**request, "displayName": "Zoo"})
    assert (code, "display_name" in message) == (Code.INVALID_ARGUMENT, True)


async def test_a_locked_app_is_overwritten_only_where_the_request_ignores_that(studio: Studio) -> None:
    app = await studio.app(locked=True)
    content = package({"app.json": {"displayName": "New"}})
    request = {"parent": LOCATION, "appContent": base64.b64encode(content).decode(), "appId": "zoo"}
    assert (await studio.refusal("ImportApp", request))[0] is Code.FAILED_PRECONDITION
    await import_(studio, content, appId="zoo", ignoreAppLock=True)
    assert (await studio("GetApp", {"name": app}))["displayName"] == "New"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"app.json": '{"a": 1,}'}, "app.json: is not JSON"),
        ({"app.json": {}, "agents/a/a.json": {"tools": "x"}}, "agents/a/a.json: "),
        ({"app.json": {}, "tools/a/a.json": {"name": "x"}, "tools/b/b.json": {"name": "x"}}, "tools/b/b.json: "),
    ],
)
async def test_a_broken_package_leaves_the_app_as_it_was(
    studio: Studio, files: Mapping[str, JsonObject | str], message: str
) -> None:
    app = await furnish(studio)
    before = await everything(studio, app)
    done = await import_(studio, package(files), appId="zoo")
    assert done["error"]["code"] == Code.INVALID_ARGUMENT
    assert message in done["error"]["message"]
    assert await everything(studio, app) == before
    done = await import_(studio, package(files), appId="fresh")
    assert await studio.refusal("GetApp", {"name": f"{LOCATION}/apps/fresh"}) == (
        Code.NOT_FOUND,
        f"App {LOCATION}/apps/fresh does not exist",
    )


def _bomb() -> bytes:
    return zip_of({"app/app.json": b"{}", "app/big.bin": bytes(40 * 2**20)})


def _out_of_the_package() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("app/app.json", "{}")
        archive.writestr("app/../../etc/passwd", "x")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zip_of({"app/app.json": b"{}"})[:-30], "the archive is truncated or damaged"),
        (_bomb(), "app/big.bin: the files are more than 200 times the archive's size"),
        (_out_of_the_package(), "app/../../etc/passwd: is not a plain relative path"),
        (zip_of({"app/agents/a/a.json": b"{}"}), "there is no app.json or app.yaml at the root"),
        (zip_of({"agent.json": b"{}"}), "there is no app.json or app.yaml at the root; this is an agent of Dialogflow"),
    ],
)
async def test_a_hostile_archive_is_refused_and_leaves_nothing(studio: Studio, content: bytes, message: str) -> None:
    done = await import_(studio, content, appId="fresh")
    assert done["error"]["code"] == Code.INVALID_ARGUMENT
    assert message in done["error"]["message"]
    assert (await studio.refusal("GetApp", {"name": f"{LOCATION}/apps/fresh"}))[0] is Code.NOT_FOUND


# Of one version: both are served by the same code, as the other tests here show. What `make test` has of so many files
# is the package of an agent.
@pytest.mark.proof
@pytest.mark.parametrize("studio", ["v1"], indirect=True)
async def test_an_app_of_ten_thousand_files_comes_and_goes(studio: Studio) -> None:
    files: dict[str, JsonObject | str] = {"app.json": {"displayName": "Large", "rootAgent": "a0"}}
    for number in range(2_500):
        files[f"agents/a{number}/a{number}.json"] = {"tools": [f"t{number}"], "instruction": f"agents/a{number}/i.txt"}
        files[f"agents/a{number}/i.txt"] = f"Be {number}."
        code = f"tools/t{number}/python_function/python_code.py"
        files[f"tools/t{number}/t{number}.json"] = {"pythonFunction": {"name": f"t{number}", "pythonCode": code}}
        files[code] = f"def t{number}():\n    return {number}\n"
    done = await import_(studio, package(files), appId="large")
    while not done.get("done"):
        done = await studio.call("google.longrunning.Operations.WaitOperation", {"name": done["name"]})
    app = done["response"]["name"]
    answer = await studio.call(
        "google.longrunning.Operations.WaitOperation",
        {"name": (await studio("ExportApp", {"name": app, "exportFormat": "JSON"}))["name"]},
    )
    back, _ = read_app(base64.b64decode(answer["response"]["appContent"]), app)
    assert (len(back.agents), len(back.tools)) == (2_500, 2_500)
    assert back.agents[-1]["instruction"].startswith("Be ")


async def test_an_app_goes_into_a_bucket_and_comes_back(studio: Studio, tmp_path: Path) -> None:
    cast("dict[str, Bucket]", studio.call.parts.buckets.known)["b"] = FolderBucket("b", tmp_path)
    app, uri = await furnish(studio), "gs://b/zoo.zip"
    exported = await studio("ExportApp", {"name": app, "exportFormat": "JSON", "gcsUri": uri})
    assert (exported["response"]["appUri"], "appContent" in exported["response"]) == (uri, False)
    imported = await studio("ImportApp", {"parent": LOCATION, "gcsUri": uri, "appId": "twin"})
    assert imported["response"]["name"] == f"{LOCATION}/apps/twin"


async def test_what_is_not_done_here_is_refused(studio: Studio) -> None:
    app = await studio.app()
    for rpc, request, expected in (
        ("ExportApp", {"name": app, "exportFormat": "JSON", "gcsUri": "gs://b/o"}, Code.FAILED_PRECONDITION),
        ("ImportApp", {"parent": LOCATION, "gcsUri": "gs://b/o"}, Code.FAILED_PRECONDITION),
        ("ImportApp", {"parent": LOCATION}, Code.INVALID_ARGUMENT),
        ("ExportApp", {"name": f"{LOCATION}/apps/gone", "exportFormat": "JSON"}, Code.NOT_FOUND),
        (
            "ExportApp",
            {"name": app, "exportFormat": "JSON", "appVersion": f"{app}/versions/gone"},
            Code.NOT_FOUND,
        ),
    ):
        assert (await studio.refusal(rpc, request))[0] is expected, rpc


async def test_an_import_has_its_entry_in_the_changelog(studio: Studio) -> None:
    await import_(studio, package({"app.json": {"displayName": "New"}}), appId="zoo")
    [entry] = (await studio("ListChangelogs", {"parent": f"{LOCATION}/apps/zoo"}))["changelogs"]
    assert (entry["action"], entry["resourceType"], entry["displayName"]) == ("Import", "App", "New")


async def test_an_import_over_an_app_is_in_its_changelog_with_what_it_changed(studio: Studio) -> None:
    app = await furnish(studio)
    content = await export(studio, app)
    await studio(
        "UpdateApp", {"app": {"name": app, "globalInstruction": "Be brief."}, "updateMask": "globalInstruction"}
    )
    await import_(studio, content, appId=app.rpartition("/")[2])
    *_, update, last = (await studio("ListChangelogs", {"parent": app}))["changelogs"]
    assert (update["action"], last["action"], last["description"]) == ("Update", "Import", "globalInstruction")
    assert last["originalResource"] == update["newResource"]


@pytest.fixture
def ces_corpus() -> list[Path]:
    """Folders of real apps; no part of the project, so they are only there where the variable says so."""
    root = os.environ.get("OPENPLAYBOOK_CORPUS")
    if not root:
        pytest.skip("OPENPLAYBOOK_CORPUS does not name a folder of exported agents")
    return sorted(path.parent for path in Path(root).glob("agents/*/app.json"))


@pytest.mark.sweep
@pytest.mark.proves("X2")
async def test_every_real_app_is_the_same_after_leaving_and_coming_back(studio: Studio, ces_corpus: list[Path]) -> None:
    for number, folder in enumerate(sample(ces_corpus, 4)):
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        done = await import_(studio, zip_of(files), appId=f"first-{number}")
        first = done["response"]["name"]
        content = await export(studio, first)
        second = (await import_(studio, content, appId=f"second-{number}"))["response"]["name"]
        assert await export(studio, second) == content, folder.name
        assert texts_of(files) - texts_of(read_files(base64.b64decode(content))) == set(), folder.name
        assert await everything(studio, second) == moved(await everything(studio, first), first, second)


async def test_a_call_in_an_example_that_could_not_be_made_is_told_by_the_import(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = threads_of(monkeypatch, whole_app, "tools_called")
    source = await studio.app()
    tool, root = await studio.python_tool(source), await studio.agent(source)
    call = {"toolCall": {"tool": tool["name"], "args": {"a": "x", "b": 2}}}
    await studio.example(source, "first", call, entryAgent=root["name"])
    done = await import_(studio, await export(studio, source), appId="twin")
    place = "examples/first/first.json $.messages[0].chunks[1].toolCall.args"
    message = "does not fit the action 'add': a must be integer, got \"x\""
    notes = [note for note in done["metadata"]["notes"] if "examples/" in note["place"]]
    assert notes == [{"kind": "PROBLEM", "place": place, "message": message}]
    assert looked == ["openplaybook-packages"]
