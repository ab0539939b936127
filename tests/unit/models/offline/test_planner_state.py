import pytest

from openplaybook.jsonvalues import JsonObject, dumps, loads
from openplaybook.models.offline.planner_state import Pending, PlannerState, read_state


def test_the_state_survives_its_stored_form() -> None:
    state = PlannerState(Pending("f", ("body", "name"), 2), {"f": {"body": {"x": 1}}}, "g", {"a": [1]})
    assert read_state(loads(dumps(state.to_json()))) == state
    assert PlannerState().to_json() == {}


@pytest.mark.parametrize(
    "stored",
    [{}, {"pending": 3}, {"pending": {"function": 1}}, {"filled": []}, {"last": None, "lastArguments": "x"}],
)
def test_a_state_of_another_form_is_forgotten(stored: JsonObject) -> None:
    assert read_state(stored) == PlannerState()
