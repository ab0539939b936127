import pytest

from openplaybook.resources.ces.app_directory import DirectoryEntry, EntryKind, directory_of
from tests.unit.resources.ces.app import APP, ASK, BILLING, GET_PET, PETS, ROOT, WORDS, directory


@pytest.mark.parametrize("spelling", [ROOT, "root", "Root agent", " root "])
def test_an_agent_goes_by_resource_name_id_and_display_name(spelling: str) -> None:
    assert directory().agent(spelling) == ROOT


@pytest.mark.parametrize("spelling", [WORDS, "words", "Bad words"])
def test_a_guardrail_goes_by_resource_name_id_and_display_name(spelling: str) -> None:
    assert directory().guardrail(spelling) == WORDS


@pytest.mark.parametrize(
    ("spelling", "target"),
    [
        (GET_PET, DirectoryEntry(EntryKind.TOOL, GET_PET)),
        ("get_pet", DirectoryEntry(EntryKind.TOOL, GET_PET)),
        ("get_pet_by_id", DirectoryEntry(EntryKind.TOOL, GET_PET)),
        ("ask_billing", DirectoryEntry(EntryKind.AGENT_TOOL, ASK)),
        ("Pets API", DirectoryEntry(EntryKind.TOOLSET, PETS)),
        ("pets.getPet", DirectoryEntry(EntryKind.TOOLSET, PETS, "getPet")),
        ("pets_getPet", DirectoryEntry(EntryKind.TOOLSET, PETS, "getPet")),
        ("Pets API_get_pet", DirectoryEntry(EntryKind.TOOLSET, PETS, "get_pet")),
        ("end_session", DirectoryEntry(EntryKind.SYSTEM_TOOL, "end_session")),
        (f"{APP}/tools/transfer_to_agent", DirectoryEntry(EntryKind.SYSTEM_TOOL, "transfer_to_agent")),
        ("get_pet_", None),
        ("petsgetPet", None),
        ("", None),
    ],
)
def test_a_tool_goes_by_every_spelling(spelling: str, target: DirectoryEntry | None) -> None:
    assert directory().tool(spelling) == target


def test_a_stored_system_tool_leads_to_what_it_is() -> None:
    name = f"{APP}/tools/bye"
    found = directory_of([("app_tool", name, {"systemTool": {"name": "end_session"}})])
    assert found.tool("bye") == DirectoryEntry(EntryKind.SYSTEM_TOOL, "end_session")


def test_a_display_name_is_not_hidden_by_anothers_id() -> None:
    one, two = f"{APP}/agents/x", f"{APP}/agents/y"
    found = directory_of([("app_agent", one, {"displayName": "y"}), ("app_agent", two, {"displayName": "z"})])
    assert (found.agent("y"), found.agent("z"), found.agent("x")) == (one, two, one)


def test_of_two_toolsets_the_longer_name_is_meant() -> None:
    short, long = f"{APP}/toolsets/pets", f"{APP}/toolsets/pets_big"
    found = directory_of([("app_toolset", short, {}), ("app_toolset", long, {})])
    assert found.tool("pets_big_list") == DirectoryEntry(EntryKind.TOOLSET, long, "list")
    assert found.tool("pets_list") == DirectoryEntry(EntryKind.TOOLSET, short, "list")


def test_display_names_are_told_by_resource_name() -> None:
    shown = directory().display_names
    assert (shown[BILLING], shown[GET_PET], shown[PETS]) == ("Billing", "get_pet_by_id", "Pets API")


def test_a_text_of_a_megabyte_is_looked_up_at_once() -> None:
    assert directory().tool("._" * 500_000) is None
