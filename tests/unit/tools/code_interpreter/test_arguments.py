"""What a call asks for."""

from decimal import Decimal

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import CodeFile
from openplaybook.tools.code_interpreter.arguments import CodeTask, InvalidTask, read_task


@pytest.mark.proves("B2")
@pytest.mark.parametrize(
    ("arguments", "task"),
    [
        ({"generate_and_execute input": "4 + 4"}, CodeTask("4 + 4")),
        ({"query": "4 + 4"}, CodeTask("4 + 4")),
        ({"input": {"query": "4 + 4", "timeout": 1500}}, CodeTask("4 + 4", timeout_s=1.5)),
        (
            {"generate_and_execute input": {"query": "sum it", "files": [{"name": "a.csv", "contents": "MSwy"}]}},
            CodeTask("sum it", files=(CodeFile("a.csv", b"1,2"),)),
        ),
        (
            {"query": "q", "files": ["s/files/1", "b.csv", {"name": "", "contents": ""}]},
            CodeTask("q", handles=("s/files/1", "b.csv")),
        ),
        ({"generate_and_execute input": "q", "files": []}, CodeTask("q")),
        ({"query": "q", "timeout": 10**400}, CodeTask("q", timeout_s=1e6)),
        ({"query": "q", "timeout": Decimal("1500.00000000000000000001")}, CodeTask("q", timeout_s=1.5)),
    ],
)
def test_a_task_may_be_spelled_in_every_documented_way(arguments: JsonObject, task: CodeTask) -> None:
    assert read_task(arguments) == task


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "query (generate_and_execute input): is required: a task in words, or Python code"),
        ({"query": " "}, "query (generate_and_execute input): is required: a task in words, or Python code"),
        ({"query": 5}, "query (generate_and_execute input): is required: a task in words, or Python code"),
        ({"query": "x" * 200_001}, "query: has 200,001 characters, at most 200,000 are allowed"),
        ({"query": "q", "language": "js"}, "language: is not known; allowed are query, files and timeout"),
        ({"query": "q", "timeout": 0}, "timeout: must be a number of milliseconds above 0"),
        ({"query": "q", "timeout": True}, "timeout: must be a number of milliseconds above 0"),
        ({"query": "q", "files": "a.csv"}, "files: must be an array"),
        ({"query": "q", "files": ["a"] * 33}, "files: there are 33, at most 32 are allowed"),
        (
            {"query": "q", "files": ["a", {"name": "../a", "contents": ""}]},
            "files[1].name: must be the name of a file, without `..` and leading `/`",
        ),
        ({"query": "q", "files": [{"name": "a"}]}, "files[0].contents: is required: the file in base64"),
        (
            {"query": "q", "files": [{"name": "a", "contents": "a$"}]},
            "files[0].contents: is not base64: Only base64 data is allowed",
        ),
        ({"query": "q", "files": [{"name": "a", "contents": ""}] * 2}, "files: 'a' is given twice"),
    ],
)
def test_arguments_that_are_none_are_refused_with_the_place(arguments: JsonObject, said: str) -> None:
    with pytest.raises(InvalidTask) as refused:
        read_task(arguments)
    assert str(refused.value) == said
