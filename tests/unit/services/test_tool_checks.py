import pytest

from openplaybook.services.tool_checks import SentTool
from openplaybook.tools.base import Problem

SENT = SentTool(
    "tool",
    {"openApiTool", "timeout"},
    "openApiTool.openApiSchema",
    lambda path: path.replace("$.spec", "$.openApiTool"),
)


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (Problem("$.timeout", "is odd"), ("tool.timeout", "is odd")),
        (Problem("$.spec.url", "is odd"), ("tool.openApiTool.url", "is odd")),
        (Problem("$.spec.url", "is odd", line=3), ("tool.openApiTool.url (line 3)", "is odd")),
        (Problem("$", "is odd"), ("tool", "is odd")),
        (
            Problem("$.paths['/pets'].get", "is odd", line=2),
            ("tool.openApiTool.openApiSchema (line 2)", "$.paths['/pets'].get: is odd"),
        ),
    ],
)
def test_a_problem_is_told_in_the_clients_words(problem: Problem, told: tuple[str, str]) -> None:
    assert SENT.located(problem) == told


def test_a_path_is_as_long_as_a_sentence_bears() -> None:
    where, _ = SENT.located(Problem(f"$.timeout{'x' * 1000}", "is odd"))
    assert (len(where) < 320, where.startswith("tool.openApiTool.openApiSchema")) == (True, True)
