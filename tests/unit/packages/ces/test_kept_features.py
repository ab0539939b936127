from openplaybook.packages.report import NoteKind
from tests.unit.packages.ces.building import read


def test_kinds_that_are_not_run_are_named_with_their_files() -> None:
    _, report = read(
        {
            "agents/far/far.json": {"remoteDialogflowAgent": {"agent": "projects/p/locations/l/agents/a"}},
            "tools/docs/docs.json": {"dataStoreTool": {"name": "docs"}},
            "tools/web/web.json": {"googleSearchTool": {"name": "web"}},
            "toolsets/mcp/mcp.json": {"displayName": "mcp", "mcpToolset": {"serverAddress": "https://a"}},
            "guardrails/g/g.json": {"displayName": "g", "llmPolicy": {"prompt": "p"}},
            "guardrails/h/h.json": {"displayName": "h", "contentFilter": {"bannedContents": ["x"]}},
            "evaluations/e/e.json": {},
            "evaluations/f/f.json": {},
            "environment.json": {},
        }
    )
    assert [(note.kind, note.place, note.count) for note in report.notes] == [
        (NoteKind.KEPT, "agents/far/far.json", 1),
        (NoteKind.KEPT, "guardrails/g/g.json", 1),
        (NoteKind.KEPT, "tools/web/web.json", 1),
        (NoteKind.KEPT, "toolsets/mcp/mcp.json", 1),
        (NoteKind.KEPT, "evaluations", 2),
    ]
    assert report.notes[1].message == (
        "the guardrail judges by a model (llmPolicy), which is not done here; it is kept"
    )


def test_callbacks_are_counted_by_kind() -> None:
    code = {"pythonCode": "def f(): ..."}
    _, report = read({"agents/a/a.json": {"beforeModelCallbacks": [code, code], "afterToolCallbacks": [code]}})
    [note] = report.notes
    assert (note.count, note.message) == (
        3,
        "callbacks are not run: 2 beforeModelCallbacks, 1 afterToolCallbacks; "
        "what they set or stop does not happen here",
    )
