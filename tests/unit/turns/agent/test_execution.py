import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.turns.agent.snapshot import NO_CLIENT_EXECUTION, ClientExecution, client_execution


def test_an_agent_that_says_nothing_makes_its_calls_itself_and_waits_and_takes_whatever_comes() -> None:
    assert client_execution([{}, {"displayName": "Shop"}]) == NO_CLIENT_EXECUTION == ClientExecution()


@pytest.mark.proves("C1")
@pytest.mark.parametrize(
    ("levels", "always"),
    [
        ([{}, {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}], True),
        ([{"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"}, {}], True),
        (
            [
                {"playbookExecutionMode": "DEFAULT_EXECUTION"},
                {"playbookExecutionMode": "ALWAYS_CLIENT_EXECUTION"},
            ],
            False,
        ),
    ],
)
def test_the_first_level_that_says_something_wins(levels: list[JsonObject], always: bool) -> None:
    assert client_execution(levels).always == always


def test_levels_may_say_different_things() -> None:
    levels: list[JsonObject] = [
        {"toolResultValidation": "STRICT"},
        {"toolResultValidation": "REMARK", "toolCallResultTimeout": "30s"},
    ]
    assert client_execution(levels) == ClientExecution(strict=True, timeout_us=30_000_000)


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        ("1s", 1_000_000),
        ("3.5s", 3_500_000),
        ("3.500s", 3_500_000),
        ("0.000000001s", 1),
        ("315576000000s", 315576 * 10**12),
    ],
)
def test_a_wait_of_any_length_has_one(text: str, microseconds: int) -> None:
    assert client_execution([{"toolCallResultTimeout": text}]).timeout_us == microseconds
