"""What functions take, as the model is told."""

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.python_function.annotations import Annotations
from openplaybook.tools.python_function.signature import MAX_CHARS, Signature, read_signature

TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "integer"}
CLASSES = '''
from enum import Enum
from typing import TypedDict

Level = Literal["low", "high"]
Ids: TypeAlias = list[int]

class Color(str, Enum):
    RED = "red"
    BLUE = "blue"

class Owner(TypedDict, total=False):
    """Who has it."""
    name: Required[str]
    age: int

class Animal(BaseModel):
    kind: ClassVar[str] = "pet"
    name: str = Field(..., description="What it is called.")
    legs: int = 4

class Pet(Animal):
    owner: Optional[Owner]
    tags: list[str] = Field(default_factory=list)
    _hidden: int

class Node(BaseModel):
    next: "Node | None" = None
'''


def signature(code: str, name: str = "") -> Signature:
    return read_signature(code, name, "$.pythonFunction")


def schema(annotation: str, classes: str = CLASSES) -> JsonObject:
    return Annotations(ast.parse(classes)).schema(ast.parse(annotation, mode="eval").body)


OWNER: JsonObject = {
    "type": "object",
    "description": "Who has it.",
    "properties": {"name": TEXT, "age": NUMBER},
    "required": ["name"],
}


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("str", TEXT),
        ("int", NUMBER),
        ("float", {"type": "number"}),
        ("bool", {"type": "boolean"}),
        ("None", {"type": "null"}),
        ("Any", {}),
        ("whatever.Unknown", {}),
        ("f()", {}),
        ("list", {"type": "array"}),
        ("list[str]", {"type": "array", "items": TEXT}),
        ("typing.List[int]", {"type": "array", "items": NUMBER}),
        ("set[str]", {"type": "array", "uniqueItems": True, "items": TEXT}),
        ("tuple[int, ...]", {"type": "array", "items": NUMBER}),
        ("tuple[int, str]", {"type": "array", "prefixItems": [NUMBER, TEXT], "minItems": 2, "maxItems": 2}),
        ("dict", {"type": "object"}),
        ("dict[str, Any]", {"type": "object"}),
        ("dict[str, int]", {"type": "object", "additionalProperties": NUMBER}),
        ("Optional[str]", {"type": ["string", "null"]}),
        ("str | None", {"type": ["string", "null"]}),
        ("None | str | None", {"type": ["string", "null"]}),
        ("Optional[None]", {"type": "null"}),
        ("Union[str, int]", {"anyOf": [TEXT, NUMBER]}),
        ("Union[str, int, None]", {"anyOf": [TEXT, NUMBER, {"type": "null"}]}),
        ("str | Any", {}),
        ('Literal["a", "b"]', {"type": "string", "enum": ["a", "b"]}),
        (
            'Literal["a", 1, True, None]',
            {"type": ["string", "integer", "boolean", "null"], "enum": ["a", 1, True, None]},
        ),
        ('Optional[Literal["a"]]', {"type": ["string", "null"], "enum": ["a", None]}),
        ("Literal[Color.RED]", {}),
        ('Annotated[str, "A name."]', {**TEXT, "description": "A name."}),
        ('Annotated[int, Field(ge=0, description="How many.")]', {**NUMBER, "description": "How many."}),
        ('"list[int]"', {"type": "array", "items": NUMBER}),
        ('"no python ["', {}),
        ("datetime.date", {"type": "string", "format": "date"}),
        ("Level", {"type": "string", "enum": ["low", "high"]}),
        ("Ids", {"type": "array", "items": NUMBER}),
        ("Color", {"type": "string", "enum": ["red", "blue"]}),
        ("Owner", OWNER),
        (
            "Pet",
            {
                "type": "object",
                "properties": {
                    "name": {**TEXT, "description": "What it is called."},
                    "legs": NUMBER,
                    "owner": {**OWNER, "type": ["object", "null"]},
                    "tags": {"type": "array", "items": TEXT},
                },
                "required": ["name", "owner"],
            },
        ),
    ],
)
def test_an_annotation_says_which_values_are_allowed(annotation: str, expected: JsonObject) -> None:
    assert schema(annotation) == expected


def test_a_class_that_holds_itself_is_described_to_some_depth() -> None:
    levels, found = 0, schema("Node")
    while found.get("properties"):
        levels, found = levels + 1, found["properties"]["next"]
    assert 2 < levels < 20


@pytest.mark.timeout(5)
def test_classes_that_hold_many_of_each_other_are_not_described_for_ever() -> None:
    many = "\n".join(f"class C{n}:\n" + "\n".join(f"    m{at}: C{n + 1}" for at in range(20)) for n in range(20))
    assert len(str(schema("C0", many))) < 200_000


CODE = '''
def first(name: str, limit: int = 5, *, tags: list[str] = None, since=today()):
    """Finds pets.

    Args:
        name: The pet's name.
        tags: What it is like.
    """

async def second(context: str, tool_context, callback_context: CallbackContext, *rest, **more) -> list[str]:
    pass

def third(query, context: ToolContext, tool: dict) -> dict[str, int]: ...
'''


def test_the_first_function_is_the_tool_unless_it_is_named() -> None:
    assert signature(CODE) == Signature(
        name="first",
        description="Finds pets.\n\nArgs:\n    name: The pet's name.\n    tags: What it is like.",
        input_schema={
            "type": "object",
            "properties": {
                "name": {**TEXT, "description": "The pet's name."},
                "limit": {**NUMBER, "default": 5},
                "tags": {"type": ["array", "null"], "items": TEXT, "description": "What it is like."},
                "since": {},
            },
            "required": ["name"],
            "additionalProperties": False,
        },
        output_schema=None,
        filled=[],
    )
    assert [signature(CODE, name).name for name in ("second", "third")] == ["second", "third"]


def test_the_context_is_not_the_models_to_give_where_a_parameter_takes_it() -> None:
    second, third = signature(CODE, "second"), signature(CODE, "third")
    assert (list(second.input_schema["properties"]), second.filled) == (
        ["context"],
        ["tool_context", "callback_context"],
    )
    assert (list(third.input_schema["properties"]), third.filled) == (["query", "tool"], ["context"])


def test_what_a_function_returns_is_the_output_or_stands_under_result() -> None:
    found: list[JsonValue] = [signature(CODE, name).output_schema for name in ("first", "second", "third")]
    assert found == [
        None,
        {"type": "object", "properties": {"result": {"type": "array", "items": TEXT}}},
        {"type": "object", "additionalProperties": NUMBER},
    ]


@pytest.mark.parametrize(
    ("code", "name", "problem"),
    [
        ("def f(:", "", Problem("$.pythonFunction.pythonCode", "is not Python: invalid syntax", 1)),
        ("x = 1", "", Problem("$.pythonFunction.pythonCode", "defines no function")),
        ("def f(): ...\nclass A:\n  def g(self): ...", "g",
         Problem("$.pythonFunction.name", "the code has no function 'g'; it has: f")),
        ("x" * (MAX_CHARS + 1), "",
         Problem("$.pythonFunction.pythonCode", f"has {MAX_CHARS + 1:,} characters; allowed are {MAX_CHARS:,}")),
        ("x = '\0'", "",
         Problem("$.pythonFunction.pythonCode", "is not Python: source code string cannot contain null bytes")),
    ],
)  # fmt: skip
def test_code_without_the_function_is_refused_with_its_place(code: str, name: str, problem: Problem) -> None:
    with pytest.raises(InvalidTool) as refused:
        signature(code, name)
    assert refused.value.problems == (problem,)


@given(st.text(max_size=200))
def test_no_code_breaks_the_reading(code: str) -> None:
    try:
        found = signature(f"def f(x: int): ...\n{code}").input_schema["type"]
    except InvalidTool as error:
        found = [problem.path for problem in error.problems]
    assert found in ("object", ["$.pythonFunction.pythonCode"])


@pytest.mark.parametrize(
    "value", ["1e999", "-1e999", "0x" + "9" * 50_000, "1" + "0" * 4_250, r"'\ud800'", "[" * 100 + "]" * 100]
)
def test_values_that_no_schema_can_hold_are_left_out(value: str) -> None:
    found = signature(f"def f(x: Literal[{value}] = {value}): ...")
    assert found.input_schema == {"type": "object", "properties": {"x": {}}, "additionalProperties": False}


def test_halves_of_surrogate_pairs_are_told_as_question_marks() -> None:
    code = r"""
class C(TypedDict):
    "C\ud800"
    x: str = Field(description="x\ud800")

def f(c: C, y: Annotated[str, "y\ud800"]):
    "f\ud800"
"""
    found = signature(code)
    held: JsonObject = {"x": {"type": "string", "description": "x?"}}
    assert found.description == "f?"
    assert found.input_schema["properties"] == {
        "c": {"type": "object", "description": "C?", "properties": held, "required": ["x"]},
        "y": {"type": "string", "description": "y?"},
    }


def test_code_that_is_nested_too_deeply_is_told_to_be() -> None:
    with pytest.raises(InvalidTool) as refused:
        signature("def f(): return " + "-" * 70_000 + "1")
    place = "$.pythonFunction.pythonCode"
    assert refused.value.problems == (Problem(place, "is not Python: it is nested too deeply"),)
