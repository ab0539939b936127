import io
import json
import zipfile

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_package import AgentPackage, PackagedPlaybook
from openplaybook.packages.dialogflow.agent_writer import package_files, withheld_secrets, write_package
from openplaybook.packages.errors import DuplicateName, UnsafeArchive
from openplaybook.packages.report import Note, NoteKind
from tests.unit.packages.dialogflow.building import AGENT

FLOW = b'{"name": "f1", "displayName": "Start"}'
PACKAGE = AgentPackage(
    agent={
        "name": AGENT,
        "displayName": "A",
        "startPlaybook": f"{AGENT}/playbooks/p1",
        "startFlow": f"{AGENT}/flows/f1",
    },
    playbooks=(
        PackagedPlaybook(
            {
                "name": f"{AGENT}/playbooks/p1",
                "displayName": "Why?",
                "referencedTools": [f"{AGENT}/tools/t1", f"{AGENT}/tools/df-code-interpreter-tool"],
                "createTime": "1970-01-01T00:00:01Z",
            },
            (
                {
                    "name": f"{AGENT}/playbooks/p1/examples/e1",
                    "displayName": "Hi",
                    "actions": [{"toolUse": {"tool": f"{AGENT}/tools/t1"}}],
                },
                {"name": f"{AGENT}/playbooks/p1/examples/e2", "displayName": "Hi"},
            ),
        ),
    ),
    tools=({"name": f"{AGENT}/tools/t1", "displayName": "pets", "openApiSpec": {"textSchema": "é: 1\r\n"}},),
    generative_settings={"en": {"name": f"{AGENT}/generativeSettings", "languageCode": "en"}},
    other_files={"flows/Start/Start.json": FLOW},
    private={"agent": {"projectNumber": 5}, "playbooks/p1": {"ragSettings": {"enableRag": True}}},
)


def json_files(package: AgentPackage) -> dict[str, JsonObject]:
    return {path: json.loads(content) for path, content in package_files(package).items() if path.endswith(".json")}


@pytest.mark.proves("X2")
def test_files_have_the_layout_of_exports() -> None:
    assert json_files(PACKAGE) == {
        "agent.json": {"displayName": "A", "startPlaybook": "Why?", "startFlow": "Start", "projectNumber": 5},
        "playbooks/Why%3f/Why%3f.json": {
            "name": "p1",
            "displayName": "Why?",
            "referencedTools": ["pets", f"{AGENT}/tools/df-code-interpreter-tool"],
            "createTime": {"seconds": 1},
            "ragSettings": {"enableRag": True},
        },
        "playbooks/Why%3f/examples/Hi.json": {
            "name": "e1",
            "displayName": "Hi",
            "actions": [{"toolUse": {"tool": "pets"}}],
        },
        "playbooks/Why%3f/examples/Hi_2.json": {"name": "e2", "displayName": "Hi"},
        "tools/pets/pets.json": {"name": "t1", "displayName": "pets", "openApiSpec": {}},
        "generativeSettings/en.json": {"languageCode": "en"},
        "flows/Start/Start.json": json.loads(FLOW),
    }
    assert package_files(PACKAGE)["tools/pets/schema.yaml"] == "é: 1\r\n".encode()
    assert package_files(PACKAGE)["flows/Start/Start.json"] == FLOW


def test_the_archive_holds_the_files_in_order_of_paths() -> None:
    with zipfile.ZipFile(io.BytesIO(write_package(PACKAGE))) as archive:
        assert archive.namelist() == sorted(package_files(PACKAGE))
        assert {path: archive.read(path) for path in archive.namelist()} == package_files(PACKAGE)


def test_the_same_package_gives_the_same_bytes() -> None:
    assert write_package(PACKAGE) == write_package(PACKAGE)


@pytest.mark.proves("A9")
def test_secrets_are_left_out_and_listed() -> None:
    secret = "do-not-write-me"
    authentication = {"apiKeyConfig": {"keyName": "k", "apiKey": secret}}
    tool: JsonObject = {
        "name": f"{AGENT}/tools/t1",
        "displayName": "pets",
        "openApiSpec": {"textSchema": "x", "authentication": authentication},
    }
    agent = {"name": AGENT, "gitIntegrationSettings": {"githubSettings": {"accessToken": secret}}}
    package = AgentPackage(agent, tools=(tool,))
    assert not any(secret.encode() in content for content in package_files(package).values())
    message = "is a secret and is not written; set it again after import"
    assert withheld_secrets(package).of(NoteKind.WITHHELD_SECRET) == (
        Note(NoteKind.WITHHELD_SECRET, f"{AGENT} $.gitIntegrationSettings.githubSettings.accessToken", message),
        Note(NoteKind.WITHHELD_SECRET, "pets $.openApiSpec.authentication.apiKeyConfig.apiKey", message),
    )
    assert authentication["apiKeyConfig"]["apiKey"] == secret


def test_a_file_that_leads_out_of_the_package_is_not_written() -> None:
    with pytest.raises(UnsafeArchive):
        write_package(AgentPackage({"name": AGENT}, other_files={"../x": b""}))


def test_a_file_at_the_path_of_another_is_not_written() -> None:
    with pytest.raises(DuplicateName):
        write_package(AgentPackage({"name": AGENT}, other_files={"agent.json": b""}))


def test_a_resource_without_a_display_name_is_filed_under_its_id() -> None:
    package = AgentPackage({"name": AGENT}, tools=({"name": f"{AGENT}/tools/t1"},))
    assert list(package_files(package)) == ["agent.json", "tools/t1/t1.json"]
