"""`tools`, `async_tools` and `context`."""

from pathlib import Path

import pytest

from tests.kit.plain_runtime import Ran
from tests.unit.sandbox.inside.forked_runtime import run


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("tools.find({'id': 3}).json()", "{'name': 'find', 'arguments': {'id': 3}}"),
        ("tools.find(id=3)", "{'name': 'find', 'arguments': {'id': 3}}"),
        ("tools.find({'id': 3}, limit=2)['arguments']", "{'id': 3, 'limit': 2}"),
        ("tools.find()['arguments']", "{}"),
        ("tools['find-all']()['name']", "'find-all'"),
        ("getattr(tools, 'find-all')().get('name')", "'find-all'"),
        ("sorted(tools.find())", "['arguments', 'name']"),
        ("{**tools.find(a=(1, 2))}['arguments']", "{'a': [1, 2]}"),
        ("'name' in tools.find(), len(tools.find()), bool(tools.find())", "(True, 2, True)"),
        ("tools.find() == tools.find()", "True"),
        ("dir(tools)", "['fails', 'find', 'find-all']"),
        ("await async_tools.find(id=3)", "{'name': 'find', 'arguments': {'id': 3}}"),
        (
            "import asyncio\n"
            "[r['arguments']['n'] for r in await asyncio.gather(*(async_tools.find(n=n) for n in (1, 2)))]",
            "[1, 2]",
        ),
        ("try:\n    tools.fails()\nexcept ToolError as e:\n    why = str(e)\nwhy", "'no such pet'"),
        (
            "from concurrent.futures import ThreadPoolExecutor as T\n"
            "[r['name'] for r in T(4).map(lambda _: tools.find(), range(8))] == ['find'] * 8",
            "True",
        ),
    ],
)
def test_tools_are_called_by_name(code: str, shown: str, tmp_path: Path) -> None:
    assert run(code, tmp_path, tools=["find", "find-all", "fails"]) == Ran(0, shown, "")


@pytest.mark.parametrize(
    ("code", "last"),
    [
        ("tools.nothing()", "AttributeError: there is no tool 'nothing'; there are: find, fails"),
        ("async_tools.nothing", "AttributeError: there is no tool 'nothing'; there are: find, fails"),
        ("tools.fails()", "ToolError: no such pet"),
        (
            "tools.find(a={1})",
            "TypeError: tools.find takes an object of arguments, all JSON: Object of type set is not JSON serializable",
        ),
        (
            "tools.find(a=float('nan'))",
            "ValueError: tools.find takes an object of arguments, all JSON: "
            "Out of range float values are not JSON compliant",
        ),
        (
            "tools.find([1])",
            "TypeError: tools.find takes an object of arguments, all JSON: 'list' object is not a mapping",
        ),
    ],
)
def test_a_call_that_fails_says_why_without_frames_of_ours(code: str, last: str, tmp_path: Path) -> None:
    ran = run(code, tmp_path, tools=["find", "fails"])
    assert ran.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert ran.stderr.splitlines()[1] == '  File "<code>", line 1, in <module>'
    assert "tool_calls.py" not in ran.stderr
    assert ran.stderr.splitlines()[-1] == last


def test_without_tools_there_are_no_such_names(tmp_path: Path) -> None:
    code = "[name for name in ('tools', 'async_tools', 'ToolError', 'context') if name in globals()]"
    assert run(code, tmp_path) == Ran(0, "[]", "")


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("context.state.pet", "'Rex'"),
        ("context['state']['pet']", "'Rex'"),
        ("context.events[0].kind", "'text'"),
        ("dict(context.state)", "{'pet': 'Rex'}"),
        ("context.get('nothing', 1)", "1"),
        ("context", "{'state': {'pet': 'Rex'}, 'events': [{'kind': 'text'}]}"),
    ],
)
def test_the_context_is_read_by_item_and_by_attribute(code: str, shown: str, tmp_path: Path) -> None:
    context = {"state": {"pet": "Rex"}, "events": [{"kind": "text"}]}
    assert run(code, tmp_path, context=context) == Ran(0, shown, "")


@pytest.mark.parametrize(
    ("code", "last"),
    [
        ("context.pet", "AttributeError: context has no 'pet'; it has: state"),
        ("context.state = 1", "AttributeError: context cannot be changed, 'state' neither"),
        ("context['state'] = 1", "TypeError: 'Context' object does not support item assignment"),
    ],
)
def test_the_context_is_only_read(code: str, last: str, tmp_path: Path) -> None:
    assert run(code, tmp_path, context={"state": {}}).stderr.splitlines()[-1] == last
