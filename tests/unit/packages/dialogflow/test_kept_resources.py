import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.kept_resources import note_kept, note_start
from openplaybook.packages.report import Note, NoteKind, Notes

BACK = "not run here and written back at export"


def kept(*paths: str, tools: tuple[JsonObject, ...] = ()) -> list[tuple[str, str, int]]:
    notes = Notes()
    note_kept(paths, tools, notes)
    assert {note.kind for note in notes.report().notes} <= {NoteKind.KEPT}
    return [(note.place, note.message, note.count) for note in notes.report().notes]


@pytest.mark.proves("X2")
def test_every_kind_is_counted_and_named_by_its_resources_not_its_files() -> None:
    assert kept(
        "entityTypes/task/entities/en.json",
        "entityTypes/task/task.json",
        "flows/Main/Main.json",
        "flows/Main/pages/Ask%3f.json",
        "flows/Main/pages/End.json",
        "flows/Main/transitionRouteGroups/More.json",
        "flows/Other/Other.json",
        "generators/G/G.json",
        "intents/a.b/a.b.json",
        "intents/a.b/trainingPhrases/en.json",
        "testCases/one.json",
        "testCases/two.json",
        "webhooks/W%3f.json",
    ) == [
        ("entityTypes", f"1 entity type, {BACK}: task", 1),
        ("flows", f"2 flows with 2 pages and 1 transition route group, {BACK}: Main, Other", 2),
        ("generators", f"1 generator, {BACK}: G", 1),
        ("intents", f"1 intent, {BACK}: a.b", 1),
        ("testCases", "2 test cases, run on request: one, two", 2),
        ("webhooks", f"1 webhook, {BACK}: W?", 1),
    ]


def test_files_of_no_known_kind_are_counted() -> None:
    assert kept("README.md", "docs/a", "docs/b") == [
        ("README.md", "1 file without effect here, written back at export", 1),
        ("docs", "2 files without effect here, written back at export", 2),
    ]


def test_many_names_are_cut() -> None:
    [(_, message, count)] = kept(*(f"intents/{number}/{number}.json" for number in range(10)))
    assert message == f"10 intents, {BACK}: 0, 1, 2, 3, 4, 5, 6, 7 and 2 more"
    assert count == 10


def test_tools_that_cannot_be_called_are_named() -> None:
    tools: tuple[JsonObject, ...] = (
        {"displayName": "FAQ", "extensionSpec": {}},
        {"displayName": "Pets", "openApiSpec": {}},
        {"displayName": "Docs", "extensionSpec": {}},
        {"displayName": "Store", "dataStoreSpec": {}},
    )
    assert kept(tools=tools) == [("tools", "2 extension tools, which cannot be called here: FAQ, Docs", 2)]


@pytest.mark.parametrize(
    ("agent", "names", "told"),
    [
        ({"startFlow": "f"}, ["Desk"], ["flows are not run: conversations begin with the only playbook, 'Desk'"]),
        ({"startFlow": "f"}, ["Desk", "Shop"], []),
        ({"startFlow": "f", "startPlaybook": "p"}, ["Desk"], []),
        ({}, ["Desk"], []),
    ],
)
def test_where_conversations_begin_instead_of_a_flow_is_told(
    agent: JsonObject, names: list[str], told: list[str]
) -> None:
    notes = Notes()
    note_start(agent, [{"displayName": name} for name in names], notes)
    assert [(note.place, note.message) for note in notes.report().of(NoteKind.KEPT)] == [
        ("agent.json $.startFlow", message) for message in told
    ]


def test_a_note_shows_a_remedy_and_a_count_only_where_it_has_one() -> None:
    assert Note(NoteKind.PROBLEM, "a.json", "is odd").as_json() == {
        "kind": "PROBLEM",
        "place": "a.json",
        "message": "is odd",
    }
    assert Note(NoteKind.MISSING_SECRET, "a", "m", "openplaybook secrets set s", 2).as_json() == {
        "kind": "MISSING_SECRET",
        "place": "a",
        "message": "m",
        "remedy": "openplaybook secrets set s",
        "count": 2,
    }
