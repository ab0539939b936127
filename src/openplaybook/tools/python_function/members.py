"""Members of classes that stand for objects: typed dictionaries, dataclasses, models of pydantic."""

import ast

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.python_function.literals import words


def members_of(defined: ast.ClassDef) -> list[tuple[str, ast.AnnAssign]]:
    """The annotated members that hold values of an object."""
    return [
        (each.target.id, each)
        for each in defined.body
        if isinstance(each, ast.AnnAssign)
        and isinstance(each.target, ast.Name)
        and not each.target.id.startswith("_")
        and _outermost(each.annotation) != "ClassVar"
    ]


def is_required(member: ast.AnnAssign, *, is_total: bool) -> bool:
    """Whether an object has to have the member: no default, and nothing that says otherwise (PEP 655)."""
    kind = _outermost(member.annotation)
    if kind in ("Required", "NotRequired"):
        return kind == "Required"
    return is_total and not _has_default(member.value)


def _has_default(value: ast.expr | None) -> bool:
    """`= 1` and `= Field(default=1)` are defaults; `= Field(...)` and `= Field(description="…")` are none."""
    if not isinstance(value, ast.Call) or last_name(value.func) not in ("Field", "field"):
        return value is not None
    if value.args:
        return not is_ellipsis(value.args[0])
    return any(each.arg in ("default", "default_factory") for each in value.keywords)


def field_description(value: ast.expr | None) -> JsonObject:
    """What `Field(description="…")` tells of a value."""
    keywords = value.keywords if isinstance(value, ast.Call) else []
    description = next((each.value for each in keywords if each.arg == "description"), None)
    return (
        {"description": words(description.value)}
        if isinstance(description, ast.Constant) and isinstance(description.value, str)
        else {}
    )


def last_name(node: ast.expr | None) -> str:
    """The name, or the last part of a dotted one; empty for anything else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Constant(value=str() as text):
            return text.rpartition(".")[2]
        case _:
            return ""


def _outermost(annotation: ast.expr) -> str:
    return last_name(annotation.value if isinstance(annotation, ast.Subscript) else annotation)


def is_ellipsis(node: ast.expr) -> bool:
    """Whether it is `...`."""
    return isinstance(node, ast.Constant) and node.value is ...
