"""(c) Equations and formulas: solve, integrate, differentiate, simplify, expand, factor.

A formula is taken apart into tokens that are all known (numbers, one-letter variables, functions of a list, operators);
what is written for sympy is written anew from them. Sympy's own reader evaluates Python, so no text of a caller ever
gets there.
"""

import ast
import re
from collections.abc import Mapping, Sequence

from openplaybook.tools.code_interpreter.without_model.arithmetic import MAX_DEPTH, number_of
from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan, is_nested, parsed

_MAX_CHARS = 1_000
_MAX_EQUATIONS = 10
_MAX_DEGREE = 100
"""Of a polynomial; sympy takes half a minute and most of a gigabyte at ten thousand."""
_TOKEN = re.compile(r"\s*(?:(\d+\.?\d*|\.\d+)|([A-Za-z]+)|(\*\*|[-+*/^(),]))")
_FUNCTIONS: Mapping[str, str] = {
    **{name: name for name in ("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan")},
    **{name: name for name in ("sinh", "cosh", "tanh", "exp", "log", "sqrt")},
    "ln": "log",
    "abs": "Abs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
}
_CONSTANTS: Mapping[str, str] = {"pi": "pi", "e": "E", "E": "E"}
_LETTER = r"[A-Za-z]"
_FOR = re.compile(rf"(?P<formula>.+?)\s+for\s+(?P<names>{_LETTER}(?:(?:\s*,\s*|\s+and\s+){_LETTER})*)", re.I | re.S)
_BY = re.compile(
    rf"(?P<formula>.+?)\s+(?:with\s+respect\s+to|wrt|w\.r\.t\.?|by|over|in)\s+(?P<names>{_LETTER})", re.I | re.S
)
_LIMITS = re.compile(r"(?P<formula>.+?)\s+from\s+(?P<low>.+?)\s+to\s+(?P<high>.+)", re.I | re.S)
_DX = re.compile(rf"(?P<formula>.+?)\s*\bd(?P<names>{_LETTER})", re.S)
_ASKED = re.compile(
    r"(?P<verb>solve|integrate|differentiate|simplify|expand|factori[sz]e|factor"
    r"|integral\s+of|derivative\s+of|antiderivative\s+of)\s*"
    r"(?:the\s+)?(?:(?:equations?|expressions?|functions?|system|formula)\s*(?:of\s+)?:?\s*)?:?\s*(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_VERBS: Mapping[str, str] = {
    **dict.fromkeys(("integral of", "antiderivative of"), "integrate"),
    "derivative of": "differentiate",
    **dict.fromkeys(("factorise", "factorize"), "factor"),
}


def read_algebra(text: str) -> Plan | None:
    """The plan for a formula; None where the text is none of this grammar.

    Raises `OutOfReach` where it is, but does not say by which variable.
    """
    match = _ASKED.fullmatch(text) if len(text) <= _MAX_CHARS else None
    if match is None:
        return None
    spelled = re.sub(r"\s+", " ", match["verb"].lower())
    verb, rest = _VERBS.get(spelled, spelled), match["rest"].strip()
    try:
        if verb == "solve":
            return _solved(rest)
        if verb in ("integrate", "differentiate"):
            return _calculus(verb, rest)
        formula = _Formula(rest)
        return _program(f"sympy.{verb}({formula.code})", sorted(formula.variables))
    except _NoFormula:
        return None


def _solved(text: str) -> Plan:
    stated = _FOR.fullmatch(text)
    parts = re.split(r"\s*;\s*|\s*,\s*(?:and\s+)?|\s+and\s+", stated["formula"] if stated else text)
    if len(parts) > _MAX_EQUATIONS:
        raise OutOfReach(f"there are more than {_MAX_EQUATIONS} equations")
    equations = [_equation(part) for part in parts]
    variables = sorted({name for _, names in equations for name in names})
    wanted = _names(stated["names"]) if stated else variables
    if not set(wanted) <= set(variables) or not wanted:
        raise _NoFormula
    if len(equations) == 1 and len(wanted) != 1:
        raise OutOfReach("it does not say for which variable to solve; add `for x`")
    codes = [code for code, _ in equations]
    arguments = f"{codes[0]}, {wanted[0]}" if len(codes) == 1 else f"[{', '.join(codes)}], [{', '.join(wanted)}]"
    return _program(f"sympy.solve({arguments})", variables)


def _equation(text: str) -> tuple[str, Sequence[str]]:
    """An equation, or an expression that is to be zero, for sympy; with its variables."""
    sides = [_Formula(side) for side in re.split(r"==?", text)]
    if len(sides) > 2:
        raise _NoFormula
    variables = sorted({name for side in sides for name in side.variables})
    return (sides[0].code if len(sides) == 1 else f"sympy.Eq({sides[0].code}, {sides[1].code})"), variables


def _calculus(verb: str, text: str) -> Plan:
    limits = _LIMITS.fullmatch(text) if verb == "integrate" else None
    inner = limits["formula"] if limits else text
    stated = _BY.fullmatch(inner) or (_DX.fullmatch(inner) if verb == "integrate" else None)
    formula = _Formula(stated["formula"] if stated else inner)
    names = _names(stated["names"]) if stated else list(formula.variables)
    if len(names) != 1:
        raise OutOfReach(f"it does not say by which variable to {verb}; add `with respect to x`")
    variables = sorted({*formula.variables, *names})
    if limits is None:
        return _program(f"sympy.{'diff' if verb == 'differentiate' else verb}({formula.code}, {names[0]})", variables)
    low, high = _Formula(limits["low"]), _Formula(limits["high"])
    variables = sorted({*variables, *low.variables, *high.variables})
    return _program(f"sympy.integrate({formula.code}, ({names[0]}, {low.code}, {high.code}))", variables)


def _names(written: str) -> list[str]:
    return re.findall(rf"\b{_LETTER}\b", written)


def _program(expression: str, variables: Sequence[str]) -> Plan:
    symbols = "".join(f'{name} = sympy.Symbol("{name}")\n' for name in variables)
    return Plan(f"import sympy\n\n{symbols}print({expression})")


class _NoFormula(Exception):
    """A text is no formula of this grammar."""


class _Formula:
    """A formula that was read token by token."""

    def __init__(self, text: str) -> None:
        """Read a text; raises `_NoFormula`."""
        self.variables: set[str] = set()
        module = parsed(" ".join(self._tokens(text)))
        only = module.body[0] if module and len(module.body) == 1 else None
        if not isinstance(only, ast.Expr) or isinstance(only.value, ast.Tuple):
            raise _NoFormula
        if is_nested(only, MAX_DEPTH):
            raise OutOfReach(f"it is nested more than {MAX_DEPTH} levels deep")
        if _degree(only.value) > _MAX_DEGREE:
            raise OutOfReach(f"its degree is higher than {_MAX_DEGREE}")
        self.code = ast.unparse(_Exact().visit(only.value))
        """The formula as Python writes it for sympy, fractions kept exact."""

    def _tokens(self, text: str) -> list[str]:
        """What the text is made of, as Python spells it, `*` put between factors that stand side by side."""
        tokens: list[str] = []
        position, text = 0, text.strip()
        ends_factor = False
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise _NoFormula
            number, word, sign = match.groups()
            if ends_factor and (number or word or sign == "("):
                tokens.append("*")
            is_function = bool(word) and word in _FUNCTIONS
            tokens.append(number or (self._name(word) if word else "**" if sign == "^" else sign))
            ends_factor = bool(number or (word and not is_function) or sign == ")")
            position = match.end()
            if is_function and text[position : position + 1] != "(":
                raise _NoFormula
        return tokens

    def _name(self, word: str) -> str:
        if word in _FUNCTIONS:
            return f"sympy.{_FUNCTIONS[word]}"
        if word in _CONSTANTS:
            return f"sympy.{_CONSTANTS[word]}"
        if len(word) > 1:
            raise _NoFormula
        self.variables.add(word)
        return word


def _degree(node: ast.expr) -> float:
    """The highest power of variables, multiplied out; powers that are no number count as one."""
    if isinstance(node, ast.Name):
        return 1
    if isinstance(node, ast.UnaryOp):
        return _degree(node.operand)
    if isinstance(node, ast.Call):
        return max(map(_degree, node.args), default=0)
    if not isinstance(node, ast.BinOp):
        return 0
    left, right = _degree(node.left), _degree(node.right)
    if isinstance(node.op, ast.Pow):
        power = number_of(node.right)
        return max(left, right, _largest(node.right) * left) if power is None else left * abs(power)
    return left + right if isinstance(node.op, ast.Mult | ast.Div) else max(left, right)


def _largest(power: ast.expr) -> float:
    """The largest number in a power of variables, which may cancel each other, where it is too large; else 0."""
    numbers = [abs(number) for each in ast.walk(power) if isinstance(each, ast.expr) and (number := number_of(each))]
    return largest if (largest := max(numbers, default=0)) > _MAX_DEGREE else 0


class _Exact(ast.NodeTransformer):
    """Has sympy divide and raise numbers, so that 1/3 stays a third."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """A quotient or a power."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Pow) and isinstance(node.left, ast.Constant):
            node.left = ast.Call(ast.Attribute(ast.Name("sympy"), "S"), [node.left], [])
        return node
