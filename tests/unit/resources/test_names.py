import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.names import (
    AGENTS,
    APP_AGENTS,
    APP_TOOLS,
    APPS,
    CONVERSATIONS,
    ENVIRONMENTS,
    EXAMPLES,
    GENERATIVE_SETTINGS,
    LOCATIONS,
    OPERATIONS,
    PLAYBOOK_VERSIONS,
    PLAYBOOKS,
    SESSION_FILES,
    SESSIONS,
    TOOL_VERSIONS,
    TOOLS,
    NamePattern,
    conversation_of,
    is_valid_id,
    new_id,
)

LOCATION = "projects/p/locations/eu"
AGENT = f"{LOCATION}/agents/a"
APP = f"{LOCATION}/apps/a"

_IDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="/"), min_size=1, max_size=128
).filter(is_valid_id)


@pytest.mark.parametrize(
    ("pattern", "text", "parent"),
    [
        (AGENTS, AGENT, LOCATION),
        (PLAYBOOKS, f"{AGENT}/playbooks/b", AGENT),
        (EXAMPLES, f"{AGENT}/playbooks/b/examples/x", f"{AGENT}/playbooks/b"),
        (PLAYBOOK_VERSIONS, f"{AGENT}/playbooks/b/versions/v", f"{AGENT}/playbooks/b"),
        (TOOLS, f"{AGENT}/tools/t", AGENT),
        (TOOL_VERSIONS, f"{AGENT}/tools/t/versions/v", f"{AGENT}/tools/t"),
        (ENVIRONMENTS, f"{AGENT}/environments/e", AGENT),
        (GENERATIVE_SETTINGS, f"{AGENT}/generativeSettings", AGENT),
        (CONVERSATIONS, f"{AGENT}/conversations/c", AGENT),
        (SESSIONS, f"{AGENT}/environments/e/sessions/s", f"{AGENT}/environments/e"),
        (SESSION_FILES, f"{AGENT}/environments/e/sessions/s/files/f", f"{AGENT}/environments/e/sessions/s"),
        (APPS, APP, LOCATION),
        (APP_AGENTS, f"{APP}/agents/b", APP),
        (APP_TOOLS, f"{APP}/tools/t", APP),
        (OPERATIONS, f"{LOCATION}/operations/o", LOCATION),
        (OPERATIONS, "projects/p/operations/o", "projects/p"),
        (LOCATIONS, LOCATION, "projects/p"),
    ],
)
def test_a_name_is_read_and_printed_as_it_was_and_knows_its_parent(
    pattern: NamePattern, text: str, parent: str
) -> None:
    name = pattern.parse(text)
    assert str(name) == text
    assert name.parent == parent
    assert pattern.child(parent, name.id) == name
    assert pattern.fits(text)


@pytest.mark.parametrize(
    ("pattern", "text", "root"),
    [
        (AGENTS, AGENT, AGENT),
        (EXAMPLES, f"{AGENT}/playbooks/b/examples/x", AGENT),
        (SESSIONS, f"{AGENT}/environments/e/sessions/s", AGENT),
        (APPS, APP, APP),
        (APP_TOOLS, f"{APP}/tools/t", APP),
    ],
)
def test_a_name_knows_its_agent_or_app_its_location_and_its_project(pattern: NamePattern, text: str, root: str) -> None:
    name = pattern.parse(text)
    assert (name.root, name.location, name.project) == (root, LOCATION, "p")


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
        f"{APP}/playbooks/b",
    ],
)
def test_what_is_no_playbook_name_is_refused_with_the_template(text: str) -> None:
    with pytest.raises(InvalidName) as refused:
        PLAYBOOKS.parse(text)
    assert refused.value.code == "INVALID_NAME"
    assert str(refused.value) == (
        f"{text!r} is not a valid resource name here; expected"
        " projects/{project}/locations/{location}/agents/{agent}/playbooks/{playbook}"
    )
    assert not PLAYBOOKS.fits(text)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (SESSIONS, f"{AGENT}/talks/s", "{agent}/sessions/{session}"),
        (SESSIONS, "s", "{agent}/environments/{environment}/sessions/{session}"),
        (SESSION_FILES, "f", "{agent}/sessions/{session}/files/{file}"),
        (OPERATIONS, "projects/p/work/o", "projects/{project}/operations/{operation}"),
        (OPERATIONS, "o", "{location}/operations/{operation}"),
    ],
)
def test_of_several_templates_the_one_with_as_many_segments_is_expected(
    pattern: NamePattern, text: str, expected: str
) -> None:
    with pytest.raises(InvalidName) as refused:
        pattern.parse(text)
    assert refused.value.expected.endswith(expected)


def test_a_child_of_what_is_no_parent_is_refused_with_the_parents_template() -> None:
    with pytest.raises(InvalidName) as refused:
        APP_TOOLS.child(AGENT, "t")
    assert (refused.value.text, refused.value.expected) == (
        AGENT,
        "projects/{project}/locations/{location}/apps/{app}",
    )


@pytest.mark.parametrize("environment", ["", "environments/-/", "environments/draft/"])
def test_every_spelling_of_the_draft_is_the_same_session(environment: str) -> None:
    session = SESSIONS.parse(f"{AGENT}/{environment}sessions/s")
    assert str(session) == f"{AGENT}/sessions/s"
    assert session.parent == AGENT


@pytest.mark.parametrize("environment", ["", "environments/-/", "environments/draft/"])
def test_a_file_belongs_to_its_session_however_the_draft_is_spelt(environment: str) -> None:
    file = SESSION_FILES.parse(f"{AGENT}/{environment}sessions/s/files/f")
    assert (str(file), file.parent) == (f"{AGENT}/sessions/s/files/f", f"{AGENT}/sessions/s")


@pytest.mark.parametrize(
    "text", [f"{AGENT}/sessions/s", f"{AGENT}/sessions/s/files/", f"{AGENT}/sessions/s/files/../x", f"{AGENT}/files/f"]
)
def test_what_names_no_file_is_refused(text: str) -> None:
    with pytest.raises(InvalidName):
        SESSION_FILES.parse(text)


def test_the_draft_environment_has_one_id() -> None:
    assert ENVIRONMENTS.parse(f"{AGENT}/environments/draft") == ENVIRONMENTS.child(AGENT, "-")
    assert ENVIRONMENTS.parse(f"{AGENT}/environments/e").id == "e"


def test_a_conversation_is_named_by_the_id_of_its_session() -> None:
    assert str(conversation_of(f"{AGENT}/environments/-/sessions/c")) == f"{AGENT}/conversations/c"


def test_new_ids_are_valid_and_differ() -> None:
    first, second = new_id(), new_id()
    assert first != second
    assert len(first) == 36
    assert is_valid_id(first)


@given(_IDS, _IDS, _IDS, _IDS, _IDS)
def test_printing_and_reading_are_inverse(project: str, location: str, agent: str, playbook: str, id: str) -> None:
    owner = AGENTS.child(f"projects/{project}/locations/{location}", agent)
    for pattern, parent in ((EXAMPLES, PLAYBOOKS), (TOOL_VERSIONS, TOOLS)):
        name = pattern.child(str(parent.child(str(owner), playbook)), id)
        assert pattern.parse(str(name)) == name
    assert SESSIONS.parse(f"{owner}/sessions/{id}") == SESSIONS.child(str(owner), id)


@given(st.text())
def test_any_text_is_a_name_or_is_refused(text: str) -> None:
    try:
        name = EXAMPLES.parse(text)
    except InvalidName:
        return
    assert str(name) == text
