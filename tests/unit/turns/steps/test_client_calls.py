"""Which open call a result belongs to."""

import pytest

from openplaybook.turns.base import ToolResultInput
from openplaybook.turns.errors import ResultMismatch, ResultNotExpected
from openplaybook.turns.journal.session_state import CallKind, PendingCall
from openplaybook.turns.steps.client_calls import find_call

PETS, WEATHER = "agents/a/tools/pets", "agents/a/tools/weather"


def open_call(id: str, tool: str, action: str) -> PendingCall:
    return PendingCall(id, f"m-{id}", action, CallKind.CLIENT, {}, tool=tool, action=action)


WAITING = [
    open_call("c1", PETS, "getPet"),
    open_call("c2", WEATHER, "weather"),
    open_call("c3", PETS, "getPet"),
]


@pytest.mark.proves("C1")
@pytest.mark.parametrize(
    ("tool", "action", "id", "found"),
    [
        (PETS, "getPet", "", "c1"),
        (WEATHER, "weather", "", "c2"),
        (PETS, "getPet", "c1", "c1"),
        (PETS, "getPet", "c3", "c3"),
    ],
)
def test_a_result_is_matched_by_its_id_else_by_tool_and_action_the_oldest_first(
    tool: str, action: str, id: str, found: str
) -> None:
    assert find_call(WAITING, ToolResultInput(tool, action, id)).id == found


@pytest.mark.parametrize(
    ("tool", "action", "id", "error", "message"),
    [
        (
            *(PETS, "listPets", "", ResultMismatch),
            "Session is waiting for tool call result of tool, pets, and action, getPet.",
        ),
        (
            *(PETS, "getPet", "c2", ResultMismatch),
            "Session is waiting for tool call result of tool, weather, and action, weather.",
        ),
        (
            *(PETS, "getPet", "c9", ResultNotExpected),
            "Session is not waiting for the result of call, c9; open calls: c1, c2, c3.",
        ),
    ],
    ids=["another action", "the id of another call", "an unknown id"],
)
def test_a_result_that_belongs_to_no_open_call_is_told_what_is_open(
    tool: str, action: str, id: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as refused:
        find_call(WAITING, ToolResultInput(tool, action, id))
    assert str(refused.value) == message


@pytest.mark.parametrize("id", ["", "c1"])
def test_where_nothing_is_open_any_result_is_too_late(id: str) -> None:
    with pytest.raises(ResultNotExpected) as refused:
        find_call([], ToolResultInput(PETS, "getPet", id))
    assert str(refused.value) == ("Session is not waiting for a tool call result of tool, pets, and action, getPet.")


def test_where_nothing_is_open_a_result_that_is_known_by_its_id_alone_is_told_so_by_its_id() -> None:
    with pytest.raises(ResultNotExpected) as refused:
        find_call([], ToolResultInput(PETS, "", "c1"))
    assert str(refused.value) == "Session is not waiting for the result of call, c1; open calls: none."
