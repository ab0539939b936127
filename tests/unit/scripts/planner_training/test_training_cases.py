"""How cases are parted for learning, and what is invented besides."""

from openplaybook.models.offline.learned.tool_features import LearnedTool
from scripts.planner_training.invented_cases import BARE, NAMED, invented_cases
from scripts.planner_training.training_cases import TrainingCase, family_numbers, folds_of


def case(description: str, *parameters: str) -> TrainingCase:
    properties = {name: {"type": "integer"} for name in parameters}
    tool = LearnedTool("t", description, description, {"type": "object", "properties": properties})
    return TrainingCase("simple_python", "text", (tool,), 0, {name: [number] for number, name in enumerate(parameters)})


def test_tools_with_many_words_in_common_are_of_one_family() -> None:
    weather = case("Find the weather of some city today")
    first, second, third = family_numbers([weather, case("Find the weather of any city today"), case("Sell a house")])
    assert first == second != third


def test_a_family_is_never_parted_and_folds_are_of_like_size() -> None:
    families = [1, 1, 1, 2, 2, 3]
    folds = folds_of(families, 2)
    assert len({folds[at] for at in range(3)}) == len({folds[at] for at in (3, 4)}) == 1
    assert sorted(folds).count(0) == 3


def test_of_each_tool_a_request_with_names_and_one_without_values_are_invented() -> None:
    bare, named = invented_cases([case("Add numbers", "left", "right"), case("Add numbers", "left", "right")])
    assert (bare.category, named.category, bare.right) == (BARE, NAMED, 0)
    assert bare.text.lower().endswith("add numbers.")
    assert {"left", "right", "0", "1"} <= set(
        named.text.lower().replace(";", " ").replace(",", " ").replace("=", " ").replace(":", " ").strip(".").split()
    )
