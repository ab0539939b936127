from collections.abc import Callable

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_package import AgentPackage
from openplaybook.packages.dialogflow.agent_reader import flow_names, read_package
from openplaybook.packages.errors import DuplicateName, MalformedFile, PackageError
from openplaybook.packages.private_fields import ExportField
from openplaybook.packages.report import Note, NoteKind
from tests.unit.packages.dialogflow.building import (
    AGENT,
    FOREIGN,
    example_file,
    package_of,
    playbook_file,
    tool_file,
)


def read(
    *files: tuple[str, JsonObject | bytes], agent: JsonObject | None = None
) -> tuple[AgentPackage, tuple[Note, ...]]:
    contents = dict(files)
    if agent is not None:
        contents["agent.json"] = agent
    package, report = read_package(package_of(contents), AGENT)
    return package, report.notes


@pytest.mark.proves("X2")
def test_a_package_becomes_resources_of_the_given_agent() -> None:
    package, notes = read(
        playbook_file("Desk", {"goal": "g", "referencedTools": ["pets"]}),
        example_file("Desk", "Hi", {"actions": [{"toolUse": {"tool": f"{FOREIGN}/tools/id-pets"}}]}),
        tool_file("pets", {"openApiSpec": {}}),
        ("tools/pets/schema.yaml", b"openapi: 3.0.0\r\n"),
        ("generativeSettings/en.json", {"languageCode": "en"}),
        agent={"displayName": "A", "startPlaybook": "Desk", "createTime": {"seconds": 1}},
    )
    assert package.agent == {
        "name": AGENT,
        "displayName": "A",
        "startPlaybook": f"{AGENT}/playbooks/id-Desk",
        "createTime": "1970-01-01T00:00:01Z",
    }
    (desk,) = package.playbooks
    assert desk.resource == {
        "name": f"{AGENT}/playbooks/id-Desk",
        "displayName": "Desk",
        "goal": "g",
        "referencedTools": [f"{AGENT}/tools/id-pets"],
    }
    assert desk.examples == (
        {
            "name": f"{AGENT}/playbooks/id-Desk/examples/id-Hi",
            "displayName": "Hi",
            "actions": [{"toolUse": {"tool": f"{AGENT}/tools/id-pets"}}],
        },
    )
    assert package.tools == (
        {
            "name": f"{AGENT}/tools/id-pets",
            "displayName": "pets",
            "openApiSpec": {"textSchema": "openapi: 3.0.0\r\n"},
        },
    )
    assert package.generative_settings == {"en": {"languageCode": "en"}}
    assert (package.other_files, package.private, notes) == ({}, {}, ())


def test_flows_are_kept_byte_for_byte_and_can_be_referred_to() -> None:
    flow = b'{"name":"f1",  "displayName": "Start"}'
    package, notes = read(
        ("flows/Start/Start.json", flow), ("intents/x.json", b"not json"), agent={"startFlow": "Start"}
    )
    assert package.agent["startFlow"] == f"{AGENT}/flows/f1"
    assert package.other_files == {"flows/Start/Start.json": flow, "intents/x.json": b"not json"}
    assert notes == (
        Note(NoteKind.KEPT, "flows", "1 flow, not run here and written back at export: Start", count=1),
        Note(NoteKind.KEPT, "intents", "1 intent, not run here and written back at export: x", count=1),
    )
    assert flow_names(package.other_files) == {"f1": "Start"}


def test_a_reference_to_nothing_stays_and_is_told() -> None:
    package, notes = read(playbook_file("Desk", {"referencedTools": ["gone"]}))
    assert package.playbooks[0].resource["referencedTools"] == ["gone"]
    assert notes == (
        Note(
            NoteKind.PROBLEM,
            "playbooks/Desk/Desk.json $.referencedTools[0]",
            "there is nothing called 'gone' among the tools",
        ),
    )


def test_the_code_interpreter_is_there_without_a_file() -> None:
    package, notes = read(playbook_file("Desk", {"referencedTools": [f"{FOREIGN}/tools/df-code-interpreter-tool"]}))
    assert package.playbooks[0].resource["referencedTools"] == [f"{AGENT}/tools/df-code-interpreter-tool"]
    assert notes == ()


def test_a_file_of_a_built_in_tool_is_left_out() -> None:
    name = f"{FOREIGN}/tools/df-code-interpreter-tool"
    package, notes = read(tool_file("code-interpreter", {"name": name, "toolType": "BUILTIN_TOOL"}))
    assert package.tools == ()
    [note] = notes
    assert (note.kind, note.place) == (NoteKind.PROBLEM, "tools/code-interpreter/code-interpreter.json")
    assert note.message == "df-code-interpreter-tool is a built-in tool, which every agent has; the file is left out"


def test_older_spellings_are_brought_up_to_date() -> None:
    package, _ = read(playbook_file("Desk", {"steps": [{"text": "Use ${TOOL:x}"}]}))
    assert package.playbooks[0].resource["instruction"] == {"steps": [{"text": "Use ${TOOL:x}"}]}


def test_a_missing_secret_is_told() -> None:
    _, notes = read(
        tool_file("pets", {"openApiSpec": {"authentication": {"apiKeyConfig": {"keyName": "k"}}}}),
        ("tools/pets/schema.yaml", b"openapi: 3.0.0"),
    )
    assert notes == (
        Note(
            NoteKind.MISSING_SECRET,
            "tools/pets/pets.json $.openApiSpec.authentication.apiKeyConfig.apiKey",
            "the tool needs apiKey; store it as a secret, and set secretVersionForApiKey to "
            "projects/p/secrets/pets-api-key/versions/latest",
            "openplaybook secrets set projects/p/secrets/pets-api-key",
        ),
    )


@pytest.mark.parametrize("spec", [{}, {"textSchema": ""}, {"textSchema": "schema.yaml"}, {"textSchema": "a/b.json"}])
def test_a_description_whose_file_is_missing_is_told(spec: JsonObject) -> None:
    _, notes = read(tool_file("pets", {"openApiSpec": spec}))
    assert notes == (
        Note(
            NoteKind.MISSING_FILE,
            "tools/pets/pets.json $.openApiSpec.textSchema",
            "the package has no file tools/pets/schema.yaml; the tool is kept but cannot be called",
        ),
    )


@pytest.mark.parametrize("text", ["openapi: 3.0.0", '{"openapi": "3.0.0"}', "openapi: 3.0.0\ninfo: a.yaml"])
def test_a_description_inside_the_tool_needs_no_file(text: str) -> None:
    package, notes = read(tool_file("pets", {"openApiSpec": {"textSchema": text}}))
    assert notes == ()
    assert package.tools[0]["openApiSpec"] == {"textSchema": text}


def test_names_that_are_missing_come_from_the_file_and_are_told() -> None:
    package, notes = read(("playbooks/Why%3f/Why%3f.json", {}))
    again, _ = read(("playbooks/Why%3f/Why%3f.json", {}))
    assert package == again
    assert package.playbooks[0].resource["displayName"] == "Why?"
    assert [(note.kind, note.place) for note in notes] == [(NoteKind.PROBLEM, "playbooks/Why%3f/Why%3f.json")] * 2


def test_a_file_named_unlike_its_resource_is_told() -> None:
    package, notes = read(tool_file("a", {"displayName": "b"}), tool_file("c_2", {"displayName": "c"}))
    assert [tool["displayName"] for tool in package.tools] == ["b", "c"]
    message = "holds 'b', which would be in a file of that name; the name inside counts"
    assert notes == (Note(NoteKind.PROBLEM, "tools/a/a.json", message),)


def test_settings_of_one_language_in_two_files_are_refused() -> None:
    with pytest.raises(DuplicateName, match="is for the language of"):
        read(("generativeSettings/en.json", {}), ("generativeSettings/%65n.json", {}))


def test_a_full_resource_name_in_a_file_gives_the_id() -> None:
    package, _ = read(tool_file("pets", {"name": f"{FOREIGN}/tools/t1"}))
    assert package.tools[0]["name"] == f"{AGENT}/tools/t1"


@pytest.mark.parametrize("file", [tool_file, playbook_file])
def test_of_equal_display_names_the_first_is_kept_and_the_others_are_numbered_and_reported(
    file: Callable[[str, JsonObject | None], tuple[str, JsonObject]],
) -> None:
    files = [
        file("same", None),
        file("other", {"displayName": "same (2)"}),
        *(file(name, {"displayName": "same"}) for name in ("same_2", "same_3")),
    ]
    package, notes = read(*files)
    resources = package.tools or [each.resource for each in package.playbooks]
    names = ["same", "same (2)", "same (3)", "same (4)"]
    assert sorted(each["displayName"] for each in resources) == names
    told = [note for note in notes if note.place != files[1][0]]
    assert {note.kind for note in told} == {NoteKind.PROBLEM}
    assert [(note.place, note.message) for note in told] == [
        (each[0], f"has the displayName of {files[0][0]}: same; it is imported as {name!r}")
        for each, name in zip(files[2:], names[2:], strict=True)
    ]


def test_playbooks_that_lead_to_each_other_are_told() -> None:
    _, notes = read(
        playbook_file("A", {"instruction": {"steps": [{"text": "Go to ${PLAYBOOK: B}."}]}}),
        playbook_file("B", {"referencedPlaybooks": ["A", "B"]}),
    )
    assert notes == (Note(NoteKind.PROBLEM, "playbooks/A/A.json", "leads back to itself: A → B → A"),)


def test_equal_ids_are_refused() -> None:
    with pytest.raises(DuplicateName, match=r"tools/b/b\.json: has the name of tools/a/a\.json: 1"):
        read(tool_file("a", {"name": "1"}), tool_file("b", {"name": "1"}))


@pytest.mark.parametrize(
    ("path", "content", "file"),
    [
        ("agent.json", b"{", "agent.json"),
        ("playbooks/A/A.json", b"[]", "playbooks/A/A.json"),
        ("tools/T/schema.yaml", b"\xff", "tools/T/schema.yaml"),
        ("flows/F/F.json", b"x", "flows/F/F.json"),
        ("generativeSettings/en.json", b"{,}", "generativeSettings/en.json"),
    ],
)
def test_a_malformed_file_is_named(path: str, content: bytes, file: str) -> None:
    with pytest.raises(MalformedFile) as refusal:
        read(tool_file("T"), (path, content))
    assert refusal.value.file == file


def test_a_schema_beside_a_tool_that_cannot_take_it_is_told() -> None:
    package, notes = read(tool_file("T", {"openApiSpec": 5}), ("tools/T/schema.yaml", b"x"))
    assert package.tools[0]["openApiSpec"] == 5
    assert [(note.kind, note.place) for note in notes] == [(NoteKind.PROBLEM, "tools/T/T.json")]


def test_what_the_api_lacks_is_kept_apart() -> None:
    def fields(message: str, key: str) -> ExportField | None:
        return None if key == "projectNumber" else ExportField()

    files = package_of({"agent.json": {"projectNumber": 5}, "tools/T/T.json": {"name": "t", "projectNumber": 6}})
    package, _ = read_package(files, AGENT, fields)
    assert package.agent == {"name": AGENT}
    assert package.private == {"agent": {"projectNumber": 5}, "tools/t": {"projectNumber": 6}}


def test_every_refusal_is_a_package_error() -> None:
    with pytest.raises(PackageError) as refusal:
        read_package(b"x", AGENT)
    assert refusal.value.code == "NOT_A_PACKAGE"
