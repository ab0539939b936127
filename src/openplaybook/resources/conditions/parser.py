"""From the text of a condition to its tree.

The language is that of Dialogflow's routes (https://docs.cloud.google.com/dialogflow/cx/docs/reference/condition):
comparisons of references, values and system functions, joined by AND, OR and NOT in capitals. AND and OR beside each
other need parentheses.
"""

import re
from functools import lru_cache

from openplaybook.resources.conditions.errors import CannotParse
from openplaybook.resources.conditions.expressions import (
    Comparison,
    Condition,
    Junction,
    ListLiteral,
    Literal,
    Negation,
    Operand,
    Operator,
    SystemFunctionCall,
    ValueReference,
)
from openplaybook.resources.conditions.functions import FUNCTIONS, NOT_RUN
from openplaybook.resources.conditions.scanner import Scanner, word_value

MAX_LENGTH = 10_000
"""Characters of one condition."""
MAX_DEPTH = 32
"""Parentheses, lists and calls within each other."""
MAX_STEPS = 64
"""Names of one reference."""

ROOTS = ("session", "playbook", "last-action", "next-action", "request", "page", "intent", "flow")
"""First names of references."""

_NAME = r"\w+(?:-+\w+)*"
_REFERENCE = re.compile(rf"\$({_NAME}(?:\.{_NAME}|\[\d{{1,9}}\])*)")
_STEP = re.compile(rf"{_NAME}|\[\d+\]")
_WORD = re.compile(r"[^\s()\[\]{},\"'=!<>:$]+")
_KEYWORD = re.compile(r"(AND|OR|NOT)(?=[\s(]|$)")
_OPERATORS = ("!=", "<=", ">=", "=", "<", ">", ":")


@lru_cache(maxsize=4096)
def parse_condition(text: str) -> Condition:
    """The tree of a condition. Raises `CannotParse`."""
    if len(text) > MAX_LENGTH:
        raise CannotParse(f"the condition is longer than {MAX_LENGTH} characters", MAX_LENGTH)
    parser = Parser(Scanner(text))
    condition = parser.condition(0)
    if rest := parser.scanner.peek():
        raise CannotParse(f"{rest!r} is not expected here", parser.scanner.at)
    return condition


class Parser:
    """Recursive descent over one text."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner

    def condition(self, depth: int) -> Condition:
        """Everything up to a closing parenthesis or the end."""
        self._check_depth(depth)
        parts = [self._part(depth)]
        joined = ""
        while word := self._keyword("AND", "OR"):
            if joined and word != joined:
                raise CannotParse("AND and OR next to each other need parentheses", self.scanner.at - len(word))
            joined = word
            parts.append(self._part(depth))
        return parts[0] if len(parts) == 1 else Junction(joined == "AND", tuple(parts))

    def operand(self, depth: int) -> Operand:
        """One value. Raises `CannotParse` where none stands."""
        self._check_depth(depth)
        mark, start = self.scanner.peek(), self.scanner.at
        if mark == "$":
            return self.reference(depth)
        if mark and mark in "\"'":
            return Literal(self.scanner.quoted(), start)
        if mark == "[":
            self.scanner.at += 1
            return ListLiteral(self._operands("]", depth), start)
        word = None if _KEYWORD.match(self.scanner.text, start) else self.scanner.take(_WORD)
        if word is None:
            raise CannotParse("a value is missing here" if not mark else f"{mark!r} is not a value", start)
        return Literal(word_value(word.group()), start)

    def reference(self, depth: int) -> ValueReference | SystemFunctionCall:
        """What begins with `$`, which comes next."""
        start = self.scanner.at
        match = self.scanner.take(_REFERENCE)
        if match is None:
            raise CannotParse("'$' does not begin a reference", start)
        path = tuple(int(step[1:-1]) if step[0] == "[" else step for step in _STEP.findall(match.group(1)))
        if path[:2] == ("sys", "func"):
            return self._call(path, start, depth)
        if len(path) > MAX_STEPS:
            raise CannotParse(f"a reference has at most {MAX_STEPS} names", start)
        if path[0] not in ROOTS:
            raise CannotParse(f"{match.group()} refers to nothing (known: {_KNOWN})", start)
        return ValueReference(path, start)

    def _part(self, depth: int) -> Condition:
        if self._keyword("NOT"):
            self._check_depth(depth + 1)
            return Negation(self._part(depth + 1))
        if self.scanner.take_if("("):
            inner = self.condition(depth + 1)
            self.scanner.expect(")")
            return inner
        return self._comparison(depth)

    def _comparison(self, depth: int) -> Condition:
        left = self.operand(depth)
        operator = next((mark for mark in _OPERATORS if self.scanner.take_if(mark)), None)
        if operator is not None:
            return Comparison(left, Operator(operator), self.operand(depth))
        if (isinstance(left, Literal) and not isinstance(left.value, bool)) or isinstance(left, ListLiteral):
            raise CannotParse("a value alone is not a condition: compare it, or write true or false", left.start)
        return left

    def _call(self, path: tuple[str | int, ...], start: int, depth: int) -> SystemFunctionCall:
        name = ".".join(str(step) for step in path[2:])
        if name not in FUNCTIONS:
            known = "is not run here" if name in NOT_RUN else "does not exist"
            raise CannotParse(f"system function {name or '(no name)'} {known}", start)
        self.scanner.expect("(")
        call = SystemFunctionCall(name, self._operands(")", depth), start)
        function = FUNCTIONS[name]
        if not function.fewest <= len(call.arguments) <= function.most:
            raise CannotParse(f"system function {name} takes {function.counts}, not {len(call.arguments)}", start)
        return call

    def _operands(self, end: str, depth: int) -> tuple[Operand, ...]:
        operands: list[Operand] = []
        while not self.scanner.take_if(end):
            if operands:
                self.scanner.expect(",")
            operands.append(self.operand(depth + 1))
        return tuple(operands)

    def _keyword(self, *words: str) -> str:
        self.scanner.skip_blanks()
        match = _KEYWORD.match(self.scanner.text, self.scanner.at)
        if match is None or match.group(1) not in words:
            return ""
        self.scanner.at = match.end(1)
        return match.group(1)

    def _check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise CannotParse(f"nested more than {MAX_DEPTH} levels deep", self.scanner.at)


_KNOWN = ", ".join(f"${root}" for root in ROOTS)
