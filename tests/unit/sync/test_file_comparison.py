import pytest

from openplaybook.sync.file_comparison import FileChange, FileDifference, compare, resource_of


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        ("agent.json", "agent"),
        ("app.yaml", "app.yaml"),
        ("playbooks/Why%3f/Why%3f.json", "playbooks/Why?"),
        ("playbooks/A/examples/Hi.json", "playbooks/A/examples/Hi"),
        ("tools/Pets/schema.yaml", "tools/Pets"),
        ("generativeSettings/en.json", "generativeSettings/en"),
        ("flows/Main/pages/End.json", "flows/Main/pages/End"),
        ("agents/root/instruction.txt", "agents/root"),
    ],
)
def test_a_file_belongs_to_a_resource(path: str, resource: str) -> None:
    assert resource_of(path) == resource


def test_what_differs_is_told_in_order_of_files() -> None:
    before = {"agent.json": ("a",), "tools/T/T.json": ("1", "2", "3", "4", "5", "6"), "tools/Gone/Gone.json": ("x",)}
    after = {"agent.json": ("a",), "tools/T/T.json": ("1", "2", "3", "4", "five", "6"), "playbooks/P/P.json": ("y",)}
    lines = ("@@ -3,4 +3,4 @@", " 3", " 4", "-5", "+five", " 6")
    assert compare(before, after) == [
        FileDifference(FileChange.ADDED, "playbooks/P", "playbooks/P/P.json"),
        FileDifference(FileChange.REMOVED, "tools/Gone", "tools/Gone/Gone.json"),
        FileDifference(FileChange.CHANGED, "tools/T", "tools/T/T.json", lines),
    ]
    assert compare(before, before) == []


def test_lines_that_look_like_a_head_are_kept() -> None:
    [difference] = compare({"a": ("-- x", "k")}, {"a": ("++ x", "k")})
    assert difference.lines == ("@@ -1,2 +1,2 @@", "--- x", "+++ x", " k")


def test_very_many_changed_lines_are_counted_instead() -> None:
    before = tuple(str(number) for number in range(20_000))
    [small] = compare({"a": before}, {"a": (*before[:-1], "last")})
    assert small.lines[-2:] == ("-19999", "+last")
    [first] = compare({"a": before}, {"a": ("first", *before[1:])})
    assert first.lines[1:3] == ("-0", "+first")
    [large] = compare({"a": before}, {"a": before[::-1]})
    assert large.lines == ("20000 lines became 20000 others",)


def test_a_difference_is_json_too() -> None:
    assert FileDifference(FileChange.CHANGED, "tools/T", "tools/T/T.json", ("-a", "+b")).as_json() == {
        "change": "changed",
        "resource": "tools/T",
        "file": "tools/T/T.json",
        "lines": ["-a", "+b"],
    }
