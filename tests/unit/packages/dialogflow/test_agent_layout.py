import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.packages.dialogflow.agent_layout import (
    AgentContents,
    PlaybookFiles,
    ToolFiles,
    decode_name,
    encode_name,
    example_path,
    flow_files,
    schema_path,
    settings_path,
    sort_files,
)
from openplaybook.packages.errors import DuplicateName, MalformedFile


@pytest.mark.parametrize(
    ("name", "file_name"),
    [
        ("Pet desk ", "Pet desk "),
        ("a-b_c.d", "a-b_c.d"),
        ("Ask: why?", "Ask%3a why%3f"),
        ('"[x]|(y)>', "%22%5bx%5d%7c%28y%29%3e"),
        ("a/b\\c", "a%2fb%5cc"),
        ("100%", "100%25"),
        ("é犬", "%c3%a9%e7%8a%ac"),
        ("..", "%2e%2e"),
        (".", "%2e"),
        ("...", "..."),
    ],
)
def test_names_are_encoded_as_exports_have_them(name: str, file_name: str) -> None:
    assert encode_name(name) == file_name
    assert decode_name(file_name) == name


@given(st.text(max_size=40))
def test_any_name_makes_a_plain_file_name_and_comes_back(name: str) -> None:
    file_name = encode_name(name)
    assert decode_name(file_name) == name
    assert not set(file_name) & set("/\\:\0\n")
    assert file_name not in (".", "..")


def test_paths_are_those_of_exports() -> None:
    assert example_path("Desk", "Hi%3f") == "playbooks/Desk/examples/Hi%3f.json"
    assert schema_path("pets") == "tools/pets/schema.yaml"
    assert settings_path("pt-BR") == "generativeSettings/pt-BR.json"


def test_files_are_told_apart_by_their_paths() -> None:
    paths = [
        "agent.json",
        "flows/F/F.json",
        "flows/F/pages/P.json",
        "generativeSettings/en.json",
        "generativeSettings/x/en.json",
        "playbooks/A/A.json",
        "playbooks/A/examples/1.json",
        "playbooks/A/examples/deep/2.json",
        "playbooks/A/notes.txt",
        "readme.md",
        "tools/T/T.json",
        "tools/T/schema.yaml",
        "tools/U/U.json",
        "tools/stray.json",
    ]
    assert sort_files(paths) == AgentContents(
        (PlaybookFiles("playbooks/A/A.json", ("playbooks/A/examples/1.json",)),),
        (ToolFiles("tools/T/T.json", "tools/T/schema.yaml"), ToolFiles("tools/U/U.json", None)),
        ("generativeSettings/en.json",),
        (
            "flows/F/F.json",
            "flows/F/pages/P.json",
            "generativeSettings/x/en.json",
            "playbooks/A/examples/deep/2.json",
            "playbooks/A/notes.txt",
            "readme.md",
            "tools/stray.json",
        ),
    )
    assert flow_files(paths) == ["flows/F/F.json"]


def test_a_file_alone_need_not_be_named_like_its_folder() -> None:
    assert sort_files(["tools/T/other.json"]).tools == (ToolFiles("tools/T/other.json", None),)


def test_examples_without_their_playbook_are_refused() -> None:
    with pytest.raises(MalformedFile, match=r"playbooks/A: lacks its file playbooks/A/A\.json"):
        sort_files(["playbooks/A/examples/1.json"])


def test_two_candidates_are_refused() -> None:
    with pytest.raises(DuplicateName, match=r"tools/T: holds several JSON files and none is tools/T/T\.json"):
        sort_files(["tools/T/a.json", "tools/T/b.json"])
