import pytest

from openplaybook.packages.ces.app_package import Layout
from openplaybook.packages.ces.app_reader import read_app
from openplaybook.packages.errors import DuplicateName, MalformedFile, NotAPackage, PackageError
from openplaybook.packages.package_files import zip_of
from openplaybook.packages.report import Note, NoteKind
from tests.unit.packages.ces.building import APP, FOREIGN, package_of, read

AGENT = "agents/front/front.json"
CODE = "tools/look_up/python_function/python_code.py"


def test_texts_stand_in_place_of_their_files() -> None:
    package, report = read(
        {
            "app.json": {"displayName": "A", "globalInstruction": "global_instruction.txt"},
            "global_instruction.txt": "Be kind.\n",
            AGENT: {
                "displayName": "front",
                "instruction": "agents/front/instruction.txt",
                "beforeModelCallbacks": [{"pythonCode": "agents/front/callback.py"}],
            },
            "agents/front/instruction.txt": "<role>Front desk\r\n</role>",
            "agents/front/callback.py": "def before_model_callback(): ...",
            "tools/look_up/look_up.json": {"pythonFunction": {"name": "look_up", "pythonCode": CODE}},
            CODE: 'def look_up():\n    """Looks it up."""\n',
            "toolsets/shop/shop.json": {"openApiToolset": {"openApiSchema": "toolsets/shop/schema.yaml"}},
            "toolsets/shop/schema.yaml": "openapi: 3.0.0\n",
        }
    )
    assert package.app == {"name": APP, "displayName": "A", "globalInstruction": "Be kind.\n"}
    assert package.agents == (
        {
            "name": f"{APP}/agents/front",
            "displayName": "front",
            "instruction": "<role>Front desk\r\n</role>",
            "beforeModelCallbacks": [{"pythonCode": "def before_model_callback(): ..."}],
        },
    )
    assert package.tools[0]["pythonFunction"]["pythonCode"] == 'def look_up():\n    """Looks it up."""\n'
    assert package.toolsets[0]["openApiToolset"]["openApiSchema"] == "openapi: 3.0.0\n"
    assert package.other_files == {}
    assert package.layouts["agents/front"] == Layout(
        AGENT,
        ("displayName", "instruction", "beforeModelCallbacks"),
        {
            "$.instruction": "agents/front/instruction.txt",
            "$.beforeModelCallbacks[0].pythonCode": "agents/front/callback.py",
        },
    )
    assert [note.kind for note in report.notes] == [NoteKind.KEPT]


def test_references_by_display_name_id_folder_and_foreign_name_become_full_names() -> None:
    package, report = read(
        {
            "app.json": {"displayName": "A", "rootAgent": "Front Desk", "guardrails": ["No Swearing"]},
            "agents/Front_Desk/Front_Desk.json": {
                "name": "7a0c",
                "displayName": "Front Desk",
                "tools": ["look_up", "end_session", f"{FOREIGN}/tools/look_up"],
                "childAgents": ["Billing"],
                "toolsets": [{"toolset": "shop", "toolIds": ["buy"]}],
                "transferRules": [{"childAgent": "Billing"}],
            },
            "agents/Billing/Billing.json": {"name": f"{FOREIGN}/agents/b1", "displayName": "Billing Department"},
            "tools/look_up/look_up.json": {"agentTool": {"name": "look_up", "agent": "b1"}},
            "toolsets/shop/shop.json": {"displayName": "The Shop"},
            "guardrails/g/g.json": {
                "displayName": "No Swearing",
                "action": {"transferAgent": {"agent": "Billing Department"}},
            },
            "examples/e/e.json": {
                "displayName": "e",
                "entryAgent": "Front Desk",
                "messages": [{"chunks": [{"toolCall": {"tool": "look_up", "args": {"tool": "look_up"}}}]}],
            },
        }
    )
    front, billing = f"{APP}/agents/7a0c", f"{APP}/agents/b1"
    assert package.app["rootAgent"] == front
    assert package.app["guardrails"] == [f"{APP}/guardrails/g"]
    assert package.agents[1] == {
        "name": front,
        "displayName": "Front Desk",
        "tools": [f"{APP}/tools/look_up", "end_session", f"{APP}/tools/look_up"],
        "childAgents": [billing],
        "toolsets": [{"toolset": f"{APP}/toolsets/shop", "toolIds": ["buy"]}],
        "transferRules": [{"childAgent": billing}],
    }
    assert package.tools[0]["agentTool"]["agent"] == billing
    assert package.tools[0]["displayName"] == "look_up"
    assert package.guardrails[0]["action"] == {"transferAgent": {"agent": billing}}
    assert package.examples[0]["entryAgent"] == front
    assert package.examples[0]["messages"] == [
        {"chunks": [{"toolCall": {"tool": f"{APP}/tools/look_up", "args": {"tool": "look_up"}}}]}
    ]
    assert report.notes == ()


def test_a_file_that_is_not_there_is_told_and_its_path_is_kept() -> None:
    package, report = read({"tools/t/t.json": {"pythonFunction": {"pythonCode": "tools/t/python_code.py"}}})
    assert package.tools[0]["pythonFunction"] == {"pythonCode": "tools/t/python_code.py"}
    assert report.notes == (
        Note(
            NoteKind.MISSING_FILE,
            "tools/t/t.json $.pythonFunction.pythonCode",
            "the package has no file tools/t/python_code.py; the path is kept",
        ),
    )


def test_what_the_api_does_not_know_is_kept_and_told_but_for_comments() -> None:
    package, report = read({AGENT: {"_comment_tools": ["why"], "displayName": "front", "privateMember": 1}})
    assert package.agents[0] == {"name": f"{APP}/agents/front", "displayName": "front"}
    assert package.layouts["agents/front"].private == {"_comment_tools": ["why"], "privateMember": 1}
    assert [(note.kind, note.place) for note in report.notes] == [(NoteKind.KEPT, AGENT)]
    assert "privateMember" in report.notes[0].message
    assert "_comment" not in report.notes[0].message


def test_a_reference_to_nothing_is_told_with_its_file_and_stays() -> None:
    package, report = read({"app.json": {"displayName": "A", "rootAgent": "gone"}, AGENT: {"childAgents": ["x"]}})
    assert package.app["rootAgent"] == "gone"
    assert report.notes == (
        Note(NoteKind.PROBLEM, f"{AGENT} $.childAgents[0]", "there is nothing called 'x' among the agents"),
        Note(NoteKind.PROBLEM, "app.json $.rootAgent", "there is nothing called 'gone' among the agents"),
    )


def test_agents_that_are_children_of_each_other_are_told() -> None:
    _, report = read(
        {
            "agents/a/a.json": {"childAgents": ["b"]},
            "agents/b/b.json": {"childAgents": ["c"]},
            "agents/c/c.json": {"childAgents": ["a", "b"]},
        }
    )
    assert [note.message for note in report.notes] == [
        "agents are children of each other: a → b → c → a; each may hand over to the next",
        "agents are children of each other: b → c → b; each may hand over to the next",
    ]


def test_yaml_reads_as_json_does() -> None:
    as_yaml, _ = read(
        {
            "app.yaml": "displayName: A\nrootAgent: front\nmodelSettings: {temperature: 0.5}\n",
            "agents/front/front.yaml": "displayName: front\ninstruction: |-\n  Two\n  lines\ntools:\n- end_session\n",
        }
    )
    as_json, _ = read(
        {
            "app.json": {"displayName": "A", "rootAgent": "front", "modelSettings": {"temperature": 0.5}},
            AGENT: {"displayName": "front", "instruction": "Two\nlines", "tools": ["end_session"]},
        }
    )
    assert (as_yaml.app, as_yaml.agents) == (as_json.app, as_json.agents)


def test_the_one_folder_at_the_root_may_hold_the_app() -> None:
    inside = zip_of({"My App/app.json": b'{"displayName": "My App"}', "My App/evaluations/e/e.json": b"{}"})
    package, report = read_app(inside, APP)
    assert package.app == {"name": APP, "displayName": "My App"}
    assert package.other_files == {"evaluations/e/e.json": b"{}"}
    assert report.notes == (
        Note(NoteKind.KEPT, "evaluations", "1 file kept and written back at export, without effect here", count=1),
    )


@pytest.mark.parametrize(
    ("files", "error", "message"),
    [
        ({"app.json": '{"displayName":\n "A",}'}, MalformedFile, "app.json: is not JSON"),
        ({"app.json": "[]"}, MalformedFile, "app.json: is JSON, but not an object"),
        ({"app.yaml": "a: [1\nb: 2"}, MalformedFile, "app.yaml: is not YAML"),
        ({"app.yaml": "- 1"}, MalformedFile, "app.yaml: is YAML, but not a mapping"),
        ({"tools/t/readme.txt": "x"}, MalformedFile, "tools/t: lacks its file t.json or t.yaml"),
        ({"tools/t/a.json": {}, "tools/t/b.json": {}}, DuplicateName, "tools/t: holds several files"),
        (
            {"tools/a/a.json": {"name": "x"}, "tools/b/b.json": {"name": "x"}},
            DuplicateName,
            "tools/b/b.json: has the name of tools/a/a.json: x",
        ),
        (
            {"environment.json": '{"agents": {"root": {"name": "billing"}}}'},
            MalformedFile,
            "environment.json: $.agents.root.name cannot differ",
        ),
        ({"environment.json": "{"}, MalformedFile, "environment.json: is not JSON"),
    ],
)
def test_a_broken_package_is_refused_with_the_name_of_the_file(
    files: dict[str, object], error: type[PackageError], message: str
) -> None:
    with pytest.raises(error) as refusal:
        read(files)  # pyright: ignore[reportArgumentType]
    assert str(refusal.value).startswith(message)


def test_of_equal_display_names_the_first_is_kept_and_the_others_are_numbered_and_reported() -> None:
    package, report = read(
        {
            "agents/a/a.json": {"displayName": "X", "childAgents": ["X"]},
            "agents/b/b.json": {"displayName": "X"},
            "examples/e/e.json": {"displayName": "E"},
            "examples/f/f.json": {"displayName": "E"},
        }
    )
    assert [agent["displayName"] for agent in package.agents] == ["X", "X (2)"]
    assert package.agents[0]["childAgents"] == [package.agents[0]["name"]]
    assert [example["displayName"] for example in package.examples] == ["E", "E"]
    message = "has the displayName of agents/a/a.json: X; it is imported as 'X (2)'"
    assert Note(NoteKind.PROBLEM, "agents/b/b.json", message) in report.notes


def test_a_mistake_in_json_and_in_yaml_has_its_line() -> None:
    for files in ({"app.json": '{\n"a": 1,\n}'}, {"app.yaml": "a: 1\nb: 'x\n"}):
        with pytest.raises(MalformedFile) as refusal:
            read(files)
        assert refusal.value.line == 3


def test_an_agent_of_dialogflow_is_no_app() -> None:
    with pytest.raises(NotAPackage, match="this is an agent of Dialogflow CX"):
        read_app(zip_of({"agent.json": b"{}"}), APP)


def test_values_of_the_environment_take_their_places() -> None:
    package, report = read(
        {
            "app.json": {"displayName": "A", "loggingSettings": {"audioRecordingConfig": {"gcsBucket": "$env_var"}}},
            "toolsets/Orders/Orders.json": {"displayName": "Orders", "openApiToolset": {"openApiSchema": "x"}},
            "environment.json": {
                "app": {"loggingSettings": {"audioRecordingConfig": {"gcsBucket": "gs://real"}}},
                "toolsets": {"Orders": {"openApiToolset": {"url": "https://orders.example"}}, "Gone": {"a": 1}},
            },
        }
    )
    assert package.app["loggingSettings"] == {"audioRecordingConfig": {"gcsBucket": "gs://real"}}
    assert package.toolsets[0]["openApiToolset"] == {"openApiSchema": "x", "url": "https://orders.example"}
    assert package.layouts["app"].placeholders == {"loggingSettings.audioRecordingConfig.gcsBucket": "$env_var"}
    assert package.layouts["toolsets/Orders"].placeholders == {"openApiToolset.url": None}
    assert [note.place for note in report.notes] == ["environment.json $.toolsets.Gone.a"]


def test_ids_come_from_names_then_from_folders_and_are_the_same_each_time() -> None:
    files = {
        "agents/plain/plain.json": {"displayName": "x"},
        "agents/with blank/with blank.json": {"displayName": "y"},
        "agents/z/z.json": {"name": "a/b//", "displayName": "z"},
    }
    package, _ = read(files)
    again, _ = read_app(package_of(files), APP)
    assert [agent["name"] for agent in package.agents] == [agent["name"] for agent in again.agents]
    assert package.agents[0]["name"] == f"{APP}/agents/plain"
    assert package.agents[2]["name"] == f"{APP}/agents/z"
