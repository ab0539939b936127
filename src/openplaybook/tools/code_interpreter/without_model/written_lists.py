"""(d) One thing computed of a list that is written out: its maximum, its mean, its items in order."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from openplaybook.tools.code_interpreter.without_model.arithmetic import read_arithmetic
from openplaybook.tools.code_interpreter.without_model.base import Plan, parsed

_MAX_CHARS = 20_000
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_ASKED = re.compile(
    r"(?P<word>maximum|max|largest|minimum|min|smallest|sum|total|mean|average|median|count|number|length|product"
    r"|sort|sorted)\s*"
    r"(?:(?:the\s+)?(?:value|number|item|element|items|numbers|elements|values)\s+)?(?:(?:of|in|from)\s+)?"
    r"(?:the\s+)?(?:(?:list|numbers|items|elements|values)\s*(?:of\s+)?:?\s*)?:?\s*"
    r"(?P<items>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_ORDER = re.compile(r"\s+(?:in\s+)?(?:(?P<down>descending|reverse|decreasing)|ascending)(?:\s+order)?", re.IGNORECASE)
_MAX_ORDER = 40
"""Characters at the end in which an order is looked for."""
# In a bare list a comma is followed by a blank: 1,200 may be one number or two.
_BARE = re.compile(rf"{_NUMBER}(?:(?:,\s+|,?\s+and\s+){_NUMBER})+", re.IGNORECASE)
_AND = re.compile(r",?\s+and\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _ListFunction:
    """What is computed of a list."""

    name: str
    """As Python spells it."""
    of_texts: bool = False
    """Whether texts will do as well as numbers."""


_WORDS: Mapping[str, _ListFunction] = {
    **dict.fromkeys(("maximum", "max", "largest"), _ListFunction("max", of_texts=True)),
    **dict.fromkeys(("minimum", "min", "smallest"), _ListFunction("min", of_texts=True)),
    **dict.fromkeys(("sum", "total"), _ListFunction("sum")),
    **dict.fromkeys(("mean", "average"), _ListFunction("mean")),
    "median": _ListFunction("median"),
    "product": _ListFunction("prod"),
    **dict.fromkeys(("count", "number", "length"), _ListFunction("len", of_texts=True)),
    **dict.fromkeys(("sort", "sorted"), _ListFunction("sorted", of_texts=True)),
}


def read_list(text: str) -> Plan | None:
    """The plan for one of the known things of a list of numbers, or of texts where that makes sense.

    None where the text asks for something else. Raises `OutOfReach` for a number that is too large.
    """
    match = _ASKED.fullmatch(text) if len(text) <= _MAX_CHARS else None
    if match is None:
        return None
    listed, down = _without_order(match["items"])
    function, items = _WORDS[match["word"].lower()], _items(listed)
    if items is None or (down and function.name != "sorted"):
        return None
    if isinstance(items, list):
        return _of_texts(function, items, down) if function.of_texts else None
    return _of_numbers(function, items, down)


def _without_order(text: str) -> tuple[str, bool]:
    """A list without the order that is asked for at its end, and whether that is the descending one."""
    for at in range(max(len(text) - _MAX_ORDER, 0), len(text)):
        order = _ORDER.fullmatch(text, at)
        if order is not None:
            return text[:at].strip(), order["down"] is not None
    return text.strip(), False


def _items(text: str) -> list[str] | str | None:
    """The texts of a list, or the Python of a list of numbers; None where it is neither."""
    if _BARE.fullmatch(text):
        return f"[{_AND.sub(', ', text)}]"
    module = parsed(text)
    only = module.body[0] if module and len(module.body) == 1 else None
    if not isinstance(only, ast.Expr) or not isinstance(only.value, ast.List | ast.Tuple) or not only.value.elts:
        return None
    texts = [each.value for each in only.value.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if len(texts) == len(only.value.elts):
        return texts
    return None if texts or text[0] not in "[(" else text


def _of_numbers(function: _ListFunction, items: str, down: bool) -> Plan | None:
    plan = read_arithmetic(f"{function.name}({items})")
    if plan is None or not down:
        return plan
    if plan.answer is None:
        return None
    return Plan(f"{plan.code[:-2]}, reverse=True))", answer=str(sorted(_numbers(plan.answer), reverse=True)))


def _numbers(written: str) -> list[int | float]:
    """The numbers of a list as Python wrote it."""
    return [float(each) if set(each) & set(".einf") else int(each) for each in written.strip("[]").split(", ")]


def _of_texts(function: _ListFunction, items: list[str], down: bool) -> Plan:
    answers = {"max": max(items), "min": min(items), "len": str(len(items))}
    answer = answers.get(function.name) or str(sorted(items, reverse=down))
    return Plan(f"print({function.name}({items!r}{', reverse=True' if down else ''}))", answer=answer)
