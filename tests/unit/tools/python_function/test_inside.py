"""What stands around a tool's code, without a sandbox."""

import ast
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue, loads
from openplaybook.tools.python_function import inside
from openplaybook.tools.python_function.inside.entry_point import RESULT, run

MODULES = sorted(Path(inside.__path__[0]).glob("*.py"))
SAID: JsonObject = {"role": "user", "parts": [{"text": "Where is Rex?"}]}
CALLED: JsonObject = {"role": "model", "parts": [{"function_call": {"name": "find", "args": {"id": 1}}}]}
CONTEXT: JsonObject = {
    "function_call_id": "c1",
    "user_content": SAID,
    "state": {"n": 1, "pet": {"name": "Rex"}, "old": True},
    "events": [{"author": "vet", "content": CALLED}, {"author": "user", "content": SAID}],
    "session_id": "s",
    "invocation_id": "t",
    "agent_name": "vet",
}


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def came(
    code: str, arguments: JsonObject | None = None, filled: Sequence[str] = (), tool: JsonObject | None = None
) -> JsonObject:
    asked = {"code": code, "function": "f", "arguments": arguments or {}, "filled": filled, "tool": tool}
    main = sys.modules["__main__"]
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    vars(module)["context"] = {"call": json.dumps({**asked, "context": CONTEXT})}
    try:
        run(vars(module))
    finally:
        sys.modules["__main__"] = main
    return cast("JsonObject", loads(Path(RESULT).read_bytes()))


def result(body: str, **arguments: JsonValue) -> JsonValue:
    outcome = came(f"def f({', '.join(arguments)}):\n    {body}", dict(arguments))
    assert "error" not in outcome, outcome
    return outcome["result"]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_modules_import_the_standard_library_and_each_other(module: Path) -> None:
    tree = ast.parse(module.read_text())
    absolute = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    relative = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    absolute += [node.module or "" for node in relative if node.level == 0]
    assert {name.partition(".")[0] for name in absolute} <= sys.stdlib_module_names
    assert {node.level for node in relative} <= {0, 1}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (
            "context.function_call_id, context.session_id, context.invocation_id, context.agent_name",
            ["c1", "s", "t", "vet"],
        ),
        ("context.state['n'], context.variables is context.state", [1, True]),
        ("context['state']['n'], context.get('none', 'else')", [1, "else"]),
        ("get_variable('n'), context.get_variable('none', 5), get_variable('none')", [1, 5, None]),
        ("context.user_content['parts'][0]['text'], context.user_content.parts[0].text", ["Where is Rex?"] * 2),
        ("[part.text for part in context.get_last_user_input()]", ["Where is Rex?"]),
        ("[part.function_call.name for part in context.get_last_agent_output()]", ["find"]),
        ("[part.text for part in context.parts()]", [None, "Where is Rex?"]),
        ("[event.author for event in context.events]", ["vet", "user"]),
        ("hasattr(context, 'nothing'), hasattr(context.user_content, 'nothing')", [False, False]),
    ],
)
def test_the_context_tells_of_the_conversation(expression: str, value: JsonValue) -> None:
    assert result(f"return [{expression}]" if not expression.startswith("[") else f"return {expression}") == value


@pytest.mark.parametrize(
    ("statements", "changed"),
    [
        ("pass", {}),
        ("context.state['n'] = 1", {}),
        ("context.state['n'] += 1; set_variable('new', [1, (2,)])", {"n": 2, "new": [1, [2]]}),
        ("context.state['pet']['name'] = 'Tom'", {"pet": {"name": "Tom"}}),
        ("remove_variable('old'); context.set_variable('n', None)", {"old": None, "n": None}),
        ("remove_variable('old'); context.set_variable('n', get_variable('old', 7))", {"old": None, "n": 7}),
        ("context.variables = {'n': 1}", {"pet": None, "old": None}),
    ],
)
def test_variables_that_were_changed_are_told(statements: str, changed: JsonObject) -> None:
    assert came(f"def f():\n    {statements}")["state"] == changed


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("{'a': (1, 2.5, None)}", {"a": [1, 2.5, None]}),
        ("'text'", "text"),
        ("None", None),
        ("{3}", [3]),
        ("__import__('datetime').date(2026, 1, 2)", "2026-01-02"),
        ("__import__('enum').Enum('E', {'A': 'a'})('a')", "a"),
        ("__import__('dataclasses').make_dataclass('D', ['x'])({4})", {"x": [4]}),
        ("type('Answer', (), {'json': lambda self: {'a': 1}})()", {"a": 1}),
    ],
)
def test_what_is_returned_becomes_json(value: str, told: JsonValue) -> None:
    assert result(f"return {value}") == told


CLASSES = """
from __future__ import annotations
import dataclasses, enum
from typing import Literal
class Color(enum.Enum):
    RED = "red"
@dataclasses.dataclass
class Inner:
    color: Color
@dataclasses.dataclass
class Pet:
    name: str
    inner: Inner | None = None
class Model:
    def __init__(self, name): self.name = name
    @classmethod
    def model_validate(cls, value): return cls(**value)
    def model_dump(self, mode): return {mode: self.name}
def f(pet: Pet, color: Color | None, n: int = 5, last: Color | Pet | str = "", /, *, pets: list[Pet], model: Model):
    return [pet.inner.color.name, pets[0].name, color, model, n, last]
"""


def test_arguments_become_what_annotations_name() -> None:
    given: JsonObject = {
        "pet": {"name": "Rex", "inner": {"color": "red"}},
        "pets": [{"name": "Tom"}],
        "color": None,
        "model": {"name": "M"},
        "last": "z",
    }
    assert came(CLASSES, given)["result"] == ["RED", "Tom", None, {"json": "M"}, 5, "z"]


def test_functions_may_be_asynchronous_and_take_the_context() -> None:
    code = "async def f(tool_context: ToolContext, n: int) -> Optional[Any]:\n    return tool_context.state['n'] + n"
    assert came(code, {"n": 2}, ["tool_context"])["result"] == 3


def test_a_fake_is_given_the_tool_the_arguments_and_the_context() -> None:
    code = (
        "def f(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict[str, Any]]:\n"
        "    return {'tool': tool.name, 'input': input, 'n': callback_context.variables['n']}"
    )
    told = came(code, {"a": 1}, tool={"name": "find", "description": "Finds."})
    assert told["result"] == {"tool": "find", "input": {"a": 1}, "n": 1}


@pytest.mark.parametrize(
    ("code", "text", "line", "source"),
    [
        ("def f():\n    pass\n\n    return 1 / 0", "ZeroDivisionError: division by zero", 4, "return 1 / 0"),
        ("def g(): raise ValueError('no')\ndef f():\n    g()", "ValueError: no", 1, "def g(): raise ValueError('no')"),
        ("import nothing_here", "ModuleNotFoundError: No module named 'nothing_here'", 1, "import nothing_here"),
        ("def f():\n    return tools.find({})", "AttributeError: there is no tool 'find': none can be called here", 2,
         "return tools.find({})"),
        ("import ces_requests\ndef f(): return ces_requests.get('http://a.example')",
         "ConnectionError: ces_requests.get: code has no network here; describe the service in an OpenAPI toolset and "
         "call it as tools.TOOLSET_OPERATION({…})", 2, "def f(): return ces_requests.get('http://a.example')"),
        ("def f(): exit(3)", "SystemExit: 3", 1, "def f(): exit(3)"),
        ("if False:\n    def f(): ...", "NameError: the code has run and left no function 'f'", 0, ""),
        ("def f(x): ...", "TypeError: f() missing 1 required positional argument: 'x'", 0, ""),
        ("def f(): return object()", "TypeError: a object is not JSON; "
         "allowed are dict, list, str, int, float, bool and None", 0, ""),
        ("def f(): return context", "TypeError: a ToolContext is not JSON; "
         "allowed are dict, list, str, int, float, bool and None", 0, ""),
        ("def f(): context.set_variable('x')",
         "TypeError: ToolContext.set_variable() missing 1 required positional argument: 'value'", 1,
         "def f(): context.set_variable('x')"),
        ("def f(): Tool()()", "TypeError: 'Tool' object is not callable", 1, "def f(): Tool()()"),
        ("def f(): return float('nan')", "ValueError: Out of range float values are not JSON compliant", 0, ""),
        ("def f(): set_variable('x', object())", "TypeError: the variable 'x': a object is not JSON; "
         "allowed are dict, list, str, int, float, bool and None", 0, ""),
        ("x = 1\ndef f() return", "SyntaxError: expected ':'", 2, "def f() return"),
    ],
)  # fmt: skip
def test_what_was_raised_is_told_with_its_place_in_the_code(code: str, text: str, line: int, source: str) -> None:
    assert came(code) == {"error": {"text": text, "line": line, "source": source}}
