import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import (
    AgentName,
    EnvironmentName,
    ExampleName,
    GenerativeSettingsName,
    LocationName,
    OperationName,
    PlaybookName,
    PlaybookVersionName,
    SessionFileName,
    SessionName,
    ToolName,
    ToolVersionName,
    is_valid_id,
    new_id,
)

LOCATION = "projects/p/locations/eu"
AGENT = f"{LOCATION}/agents/a"

WithinAgent = (
    AgentName | PlaybookName | ExampleName | PlaybookVersionName | ToolName | ToolVersionName | EnvironmentName
)
"""Every kind of name that knows its agent."""

_IDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=128).filter(is_valid_id)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (AGENT, AgentName),
        (f"{AGENT}/playbooks/b", PlaybookName),
        (f"{AGENT}/playbooks/b/examples/x", ExampleName),
        (f"{AGENT}/playbooks/b/versions/v", PlaybookVersionName),
        (f"{AGENT}/tools/t", ToolName),
        (f"{AGENT}/tools/t/versions/v", ToolVersionName),
        (f"{AGENT}/environments/e", EnvironmentName),
    ],
)
def test_a_name_is_read_and_printed_as_it_was(text: str, kind: type[WithinAgent]) -> None:
    name = kind.parse(text)
    assert str(name) == text
    assert str(name.agent) == AGENT


@pytest.mark.parametrize(
    ("name", "parent"),
    [
        (AgentName.parse(AGENT), LOCATION),
        (PlaybookName.parse(f"{AGENT}/playbooks/b"), AGENT),
        (ExampleName.parse(f"{AGENT}/playbooks/b/examples/x"), f"{AGENT}/playbooks/b"),
        (PlaybookVersionName.parse(f"{AGENT}/playbooks/b/versions/v"), f"{AGENT}/playbooks/b"),
        (ToolName.parse(f"{AGENT}/tools/t"), AGENT),
        (ToolVersionName.parse(f"{AGENT}/tools/t/versions/v"), f"{AGENT}/tools/t"),
        (EnvironmentName.parse(f"{AGENT}/environments/e"), AGENT),
        (GenerativeSettingsName.parse(f"{AGENT}/generativeSettings"), AGENT),
        (OperationName.parse(f"{LOCATION}/operations/o"), LOCATION),
        (OperationName.parse("projects/p/operations/o"), "projects/p"),
    ],
)
def test_a_parent_is_what_a_name_is_listed_under(name: AgentName, parent: str) -> None:
    assert name.parent == parent


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        AGENT + "/",
        f"/{AGENT}",
        f"{AGENT}/playbooks",
        f"{AGENT}/playbooks/",
        f"{AGENT}/playbooks/b/c",
        f"{AGENT}/playbooks/with blank",
        f"{AGENT}/playbooks/{'x' * 129}",
        f"{AGENT}/playbooks/null\0",
        f"{AGENT}/playbooks/line\n",
        "projects//locations/eu/agents/a/playbooks/b",
        f"{AGENT}/Playbooks/b",
    ],
)
def test_what_is_no_playbook_name_is_refused_with_the_template(text: str) -> None:
    with pytest.raises(InvalidName) as refused:
        PlaybookName.parse(text)
    assert refused.value.code == "INVALID_NAME"
    assert str(refused.value) == (
        f"{text!r} is not a valid resource name here; expected"
        " projects/{project}/locations/{location}/agents/{agent}/playbooks/{playbook}"
    )


@pytest.mark.parametrize("environment", ["", "environments/-/", "environments/draft/"])
def test_every_spelling_of_the_draft_is_the_same_session(environment: str) -> None:
    session = SessionName.parse(f"{AGENT}/{environment}sessions/s")
    assert session == SessionName(AgentName.parse(AGENT), None, "s")
    assert str(session) == f"{AGENT}/sessions/s"
    assert session.parent == AGENT


def test_a_session_in_another_environment_keeps_it() -> None:
    text = f"{AGENT}/environments/e/sessions/s"
    session = SessionName.parse(text)
    assert session.environment == "e"
    assert str(session) == text
    assert session.parent == f"{AGENT}/environments/e"


@pytest.mark.parametrize("environment", ["", "environments/-/", "environments/draft/"])
def test_a_file_belongs_to_its_session_however_the_draft_is_spelt(environment: str) -> None:
    file = SessionFileName.parse(f"{AGENT}/{environment}sessions/s/files/f")
    assert file == SessionFileName(SessionName.parse(f"{AGENT}/sessions/s"), "f")
    assert (str(file), file.parent) == (f"{AGENT}/sessions/s/files/f", f"{AGENT}/sessions/s")


def test_a_file_of_a_session_in_another_environment_keeps_it() -> None:
    text = f"{AGENT}/environments/e/sessions/s/files/f"
    assert str(SessionFileName.parse(text)) == text


@pytest.mark.parametrize(
    "text", [f"{AGENT}/sessions/s", f"{AGENT}/sessions/s/files/", f"{AGENT}/sessions/s/files/../x", f"{AGENT}/files/f"]
)
def test_what_names_no_file_is_refused(text: str) -> None:
    with pytest.raises(InvalidName):
        SessionFileName.parse(text)


def test_settings_of_two_languages_are_two_records_of_one_name() -> None:
    german = GenerativeSettingsName(AgentName.parse(AGENT), "de")
    assert str(german) == f"{AGENT}/generativeSettings"
    assert german.record == f"{AGENT}/generativeSettings/de"


def test_the_draft_environment_has_one_id() -> None:
    draft = EnvironmentName.parse(f"{AGENT}/environments/draft")
    assert draft.is_draft
    assert draft.id == "-"
    assert not EnvironmentName.parse(f"{AGENT}/environments/e").is_draft


def test_new_ids_are_valid_and_differ() -> None:
    first, second = new_id(), new_id()
    assert first != second
    assert len(first) == 36
    assert is_valid_id(first)


@given(_IDS, _IDS, _IDS, _IDS, _IDS)
def test_printing_and_reading_are_inverse(project: str, location: str, agent: str, playbook: str, id: str) -> None:
    owner = AgentName(LocationName(project, location), agent)
    for name in (ExampleName(PlaybookName(owner, playbook), id), ToolVersionName(ToolName(owner, playbook), id)):
        assert type(name).parse(str(name)) == name
    assert SessionName.parse(f"{owner}/sessions/{id}") == SessionName(owner, None, id)


@given(st.text())
def test_any_text_is_a_name_or_is_refused(text: str) -> None:
    try:
        name = ExampleName.parse(text)
    except InvalidName:
        return
    assert str(name) == text
