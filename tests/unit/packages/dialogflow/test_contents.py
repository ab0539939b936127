import pytest

from openplaybook.packages.dialogflow.contents import AgentContents, PlaybookFiles, ToolFiles, flow_files, sort_files
from openplaybook.packages.errors import DuplicateName, MalformedFile


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
