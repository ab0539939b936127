"""The files that code finds in its workspace."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import loads
from openplaybook.sandbox.base import DEFAULT_LIMITS, CodeFile
from openplaybook.sandbox.inside.file_transfer import is_safe
from openplaybook.tools.base import EarlierCall, Failure, StoredFile, ToolContext
from openplaybook.tools.code_interpreter.arguments import CodeTask, InvalidTask
from openplaybook.tools.code_interpreter.workspace_files import EARLIER_RESULTS, WorkspaceFiles, gather, safe_name
from tests.kit.code import DISPLAY_NAME, SESSION, PlayedExecutor, asked, ran
from tests.kit.held_files import HeldFiles

OLD = StoredFile(f"{SESSION}/files/1", "a.csv", "text/csv", b"old")
OTHER = StoredFile(f"{SESSION}/files/2", "../b.json", "application/json", b"{}")
NEW = StoredFile(f"{SESSION}/files/3", "a.csv", "text/csv", b"new")
CONTEXT = ToolContext("s", session=SESSION, files=HeldFiles(OLD, OTHER, NEW))


async def gathered(task: CodeTask, context: ToolContext = CONTEXT, room: int = 1_000) -> WorkspaceFiles:
    return await gather(task, context, replace(DEFAULT_LIMITS, disk_bytes=2 * room), DISPLAY_NAME)


async def test_the_conversations_files_go_in_by_name_and_the_newest_wins() -> None:
    assert (await gathered(CodeTask("q"))).files == [CodeFile("a.csv", b"new"), CodeFile("b.json", b"{}")]


async def test_a_call_may_choose_among_them_by_handle_or_name_and_bring_its_own() -> None:
    assert (await gathered(CodeTask("q", handles=(OLD.handle,)))).files == [CodeFile("a.csv", b"old")]
    assert (await gathered(CodeTask("q", handles=("a.csv",)))).files == [CodeFile("a.csv", b"new")]
    own = CodeFile("a.csv", b"own")
    assert (await gathered(CodeTask("q", files=(own,)))).files == [own, CodeFile("b.json", b"{}")]
    with pytest.raises(InvalidTask) as refused:
        await gathered(CodeTask("q", handles=("c.csv",)))
    assert str(refused.value) == "files: the conversation has no file 'c.csv'; it has: a.csv, ../b.json"


async def test_where_no_file_can_be_kept_those_of_the_call_go_in_alone() -> None:
    own = CodeFile("a.csv", b"own")
    assert (await gathered(CodeTask("q", files=(own,)), ToolContext("s"))).files == [own]


async def test_what_there_is_no_room_for_is_left_out_and_told() -> None:
    large = StoredFile(f"{SESSION}/files/4", "large", "", b"x" * 90)
    small = StoredFile(f"{SESSION}/files/5", "small", "", b"x" * 20)
    context = ToolContext("s", session=SESSION, files=HeldFiles(large, small))
    inputs = await gathered(CodeTask("q", files=(CodeFile("own", b"x" * 80),)), context, room=100)
    assert [file.name for file in inputs.files] == ["own", "small"]
    many = HeldFiles(*(StoredFile(f"{SESSION}/files/{n}", f"{n}", "", b"") for n in range(33)))
    inputs = await gathered(CodeTask("q"), ToolContext("s", session=SESSION, files=many))
    assert len(inputs.files) == 32
    assert inputs.notes == ["The file 0 was left out: there was no room for it."]
    with pytest.raises(InvalidTask) as refused:
        await gathered(CodeTask("q", files=(CodeFile("own", b"x" * 101),)), room=100)
    assert str(refused.value) == "files: have more than the 100 bytes together that are allowed"


async def test_a_file_that_is_a_folder_of_another_is_left_out() -> None:
    inputs = await gathered(CodeTask("q", files=(CodeFile("a.csv/x", b""),)))
    assert [file.name for file in inputs.files] == ["a.csv/x", "b.json"]


async def test_what_other_tools_answered_goes_in_as_json() -> None:
    own = EarlierCall(DISPLAY_NAME, "generate_and_execute", {"query": "q"}, {})
    pets = EarlierCall("pets", "listPets", {"limit": 2}, {"200": [1, 2]})
    failed = EarlierCall("pets", "getPet", {}, {"error": {}}, is_error=True)
    context = ToolContext("s", earlier=lambda: (own, pets, failed))
    (file,) = (await gathered(CodeTask("q"), context)).files
    assert file.name == EARLIER_RESULTS
    assert loads(file.data) == [
        {"tool": "pets", "action": "listPets", "arguments": {"limit": 2}, "result": {"200": [1, 2]}}
    ]
    long = EarlierCall("pets", "listPets", {}, "x" * 3_000_000)
    inputs = await gathered(CodeTask("q"), ToolContext("s", earlier=lambda: (long, pets, long)), room=10_000_000)
    assert [each["result"] for each in loads(inputs.files[0].data)] == [{"200": [1, 2]}, "x" * 3_000_000]
    assert inputs.notes == [f"The oldest 1 results were left out of {EARLIER_RESULTS}."]


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("a.csv", "a.csv"),
        ("in/a.csv", "in/a.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\data\\a.csv", "a.csv"),
        ("a\nb.csv", "a_b.csv"),
        ("..", "file"),
        ("", "file"),
        ("x" * 300, "x" * 100),
    ],
)
def test_a_name_that_leads_elsewhere_is_made_safe(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@given(st.text())
def test_every_name_can_be_made_safe(name: str) -> None:
    assert is_safe(safe_name(name))


async def test_a_file_that_is_not_there_is_the_callers_fault() -> None:
    outcome = await asked(PlayedExecutor([ran()]), "4 + 4", CONTEXT, files=["c.csv"])
    assert outcome == Failure(
        "INVALID_ARGUMENTS", "files: the conversation has no file 'c.csv'; it has: a.csv, ../b.json"
    )
