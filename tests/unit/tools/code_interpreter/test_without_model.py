"""A call where no model is configured."""

import pytest

from openplaybook.sandbox.base import SandboxUnavailable
from openplaybook.tools.base import Failure, Success, ToolContext
from tests.kit.code import NO_FILE, PlayedExecutor, asked, output_of, ran

UNAVAILABLE = (
    "CODE_GENERATION_UNAVAILABLE: no language model is configured; send Python in a ```python fence, an arithmetic "
    "expression or an equation, or configure a model"
)
OFF = "This server runs no code: it was started with the code executor off."
BY_HAND = "Computed without running code: there is no sandbox."


@pytest.mark.proves("B4", "B6")
async def test_four_and_four_is_run_as_code() -> None:
    executor = PlayedExecutor([ran("8\n")])
    outcome = await asked(executor, "4 + 4")
    assert output_of(outcome) == {
        "execution_result": "8",
        "execution_error": "",
        "output_files": [NO_FILE],
        "generated_code": "print(4 + 4)",
    }
    assert [request.code for request in executor.requests] == ["print(4 + 4)"]


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("Draw the sales of May.", UNAVAILABLE),
        ("help", UNAVAILABLE),
        ("9**9**9", f"{UNAVAILABLE} (its result would have more than 4,096 bits)"),
    ],
)
async def test_what_takes_a_model_is_told_what_to_do_and_nothing_is_run(query: str, error: str) -> None:
    outcome = await asked(PlayedExecutor([]), query)
    assert output_of(outcome) == {
        "execution_result": "",
        "execution_error": error,
        "output_files": [NO_FILE],
        "generated_code": "",
    }


@pytest.mark.proves("B4", "B6")
async def test_arithmetic_is_answered_even_without_a_sandbox() -> None:
    for executor in (None, PlayedExecutor([SandboxUnavailable("no user namespaces")] * 2)):
        outcome = await asked(executor, "What is 4 + 4?")
        assert isinstance(outcome, Success)
        assert (output_of(outcome)["execution_result"], outcome.note) == ("8", BY_HAND)
        failed = output_of(await asked(executor, "1 / 0"))
        assert (failed["execution_result"], failed["execution_error"]) == ("", "ZeroDivisionError: division by zero")


async def test_without_a_sandbox_code_is_refused_with_the_reason() -> None:
    code = "```python\nprint(1)\n```"
    assert await asked(None, code) == Failure("CODE_INTERPRETER_UNAVAILABLE", OFF)
    assert await asked(None, "solve x = 4") == Failure("CODE_INTERPRETER_UNAVAILABLE", OFF)
    assert await asked(None, "draw a cat") == Failure("CODE_INTERPRETER_UNAVAILABLE", OFF)
    executor = PlayedExecutor([SandboxUnavailable("no user namespaces")])
    assert await asked(executor, code) == Failure("CODE_INTERPRETER_UNAVAILABLE", "no user namespaces")


async def test_what_is_no_task_is_refused_whatever_runs() -> None:
    refused = Failure(
        "INVALID_ARGUMENTS", "query (generate_and_execute input): is required: a task in words, or Python code"
    )
    assert await asked(None, " ") == refused
    assert await asked(PlayedExecutor([]), " ", ToolContext("s")) == refused
