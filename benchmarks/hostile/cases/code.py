"""Code: Python functions as they are saved, and what the Code Interpreter is asked."""

import functools
import uuid
from collections.abc import Callable

from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.prey import Prey
from openplaybook.jsonvalues import JsonObject

case = Cases()


def _within(expression: str) -> str:
    return f"def f(a: int) -> int:\n    return {expression}\n"


CODE: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("code-brackets", "100,000 brackets", lambda: "(" * 100_000),
    (
        "code-closed-brackets",
        "a return of 90 brackets in 90 brackets, 2,000 times",
        lambda: _within("+".join("(" * 90 + "1" + ")" * 90 for _ in range(2_000))),
    ),
    ("code-long-sum", "a sum of 300,000 terms", lambda: _within("a" + "+a" * 300_000)),
    ("code-long-not", "`not` 100,000 times", lambda: _within("not " * 100_000 + "a")),
    ("code-long-minus", "`-` 300,000 times", lambda: _within("-" * 300_000 + "1")),
    ("code-attributes", "attributes 200,000 deep", lambda: _within("a" + ".b" * 200_000)),
    ("code-calls", "calls of calls 100,000 deep", lambda: _within("a" + "()" * 100_000)),
    ("code-lambdas", "lambdas 50,000 deep", lambda: _within("lambda: " * 50_000 + "1")),
    ("code-conditions", "conditions 50,000 deep", lambda: _within("1 if a else " * 50_000 + "2")),
    ("code-f-strings", "f-strings within f-strings, and 100,000 braces", lambda: _within('f"' + "{a}" * 100_000 + '"')),
    ("code-f-string-braces", "an f-string of 50,000 open braces", lambda: _within('f"' + "{" * 50_000 + '"')),
    (
        "code-indented",
        "90 levels of `if`, and 5,000 more",
        lambda: "def f(a: int):\n" + "".join(" " * n + "if a:\n" for n in range(1, 5_000)),
    ),
    ("code-comparison", "a comparison of 200,000", lambda: _within("a" + "<a" * 200_000)),
    ("code-elif", "30,000 branches", lambda: "def f(a: int):\n    if a: pass\n" + "    elif a: pass\n" * 30_000),
    ("code-decorators", "50,000 decorators", lambda: "@a\n" * 50_000 + "def f(): pass\n"),
    ("code-statements", "200,000 statements", lambda: "def f(a: int):\n" + "    a = a\n" * 200_000),
    (
        "code-parameters",
        "5,000 parameters with defaults",
        lambda: "def f(" + ", ".join(f"a{n}: int = {n}" for n in range(5_000)) + "): pass\n",
    ),
    (
        "code-annotations",
        "an annotation 20,000 deep",
        lambda: "def f(a: " + "list[" * 20_000 + "int" + "]" * 20_000 + "): pass\n",
    ),
    (
        "code-annotation-90",
        "an annotation 90 deep and 1,000 wide",
        lambda: (
            "def f(a: "
            + "dict[str, " * 90
            + "Literal["
            + ",".join(map(str, range(1_000)))
            + "]"
            + "]" * 90
            + "): pass\n"
        ),
    ),
    (
        "code-union",
        "an annotation of 20,000 alternatives",
        lambda: "def f(a: " + "|".join(["int"] * 20_000) + "): pass\n",
    ),
    (
        "code-text-annotation",
        "an annotation that is a text of code",
        lambda: "def f(a: '" + "(" * 50_000 + "'): pass\n",
    ),
    ("code-default", "a default that is a product of texts", lambda: "def f(a: str = 'a' * 10**10): pass\n"),
    ("code-default-list", "a default of 300,000 items", lambda: "def f(a: list = [" + "1," * 300_000 + "]): pass\n"),
    ("code-default-deep", "a default 80 deep", lambda: "def f(a: list = " + "[" * 80 + "]" * 80 + "): pass\n"),
    (
        "code-number",
        "a number of 5,000 digits, and one of a million in hexadecimal",
        lambda: _within("9" * 5_000 + " + 0x" + "f" * 1_000_000),
    ),
    (
        "code-docstring",
        "a docstring of 900 kB",
        lambda: 'def f(a: int):\n    """' + "Args:\n        a: b\n" * 40_000 + '"""\n',
    ),
    (
        "code-nulls",
        "zeros, a mark of order, and an unknown encoding",
        lambda: "# -*- coding: rot13 -*-\n\ufeffdef f(a: int): pass\n\x00",
    ),
    ("code-continued", "300,000 continued lines", lambda: _within("1 + \\\n" * 300_000 + "1")),
    (
        "code-classes",
        "20,000 classes and functions in each other's place",
        lambda: "".join(f"class C{n}:\n    def f(self): pass\n" for n in range(20_000)) + "def f(a: int): pass\n",
    ),
    (
        "code-match",
        "patterns 3,000 deep",
        lambda: "def f(a: int):\n    match a:\n        case " + "[" * 3_000 + "]" * 3_000 + ": pass\n",
    ),
)
"""The code of a Python function, which is saved and, where it was taken, told."""


def _saved(name: str, sentence: str, text: Callable[[], str]) -> None:
    async def attack(prey: Prey) -> None:
        tool: JsonObject = {
            "displayName": f"f{uuid.uuid4().hex}",
            "pythonFunction": {"name": "f", "pythonCode": text()},
        }
        saved = await prey.rest("POST", f"/v1beta/{prey.app}/tools", tool)
        if saved.status == "200":
            made = saved.text.partition('"name":"')[2].partition('"')[0]
            await prey.rest("POST", f"/v1beta/{prey.app}:retrieveToolSchema", {"tool": made})
            await prey.rest("DELETE", f"/v1beta/{made}")

    case.add(name, sentence, attack)


for _name, _sentence, _text in CODE:
    _saved(_name, _sentence, functools.cache(_text))


ASKED: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("asked-powers", "9**9**9**9 of the Code Interpreter, without a model", lambda: "What is 9**9**9**9?"),
    ("asked-factorial", "the factorial of a factorial", lambda: "Compute factorial(factorial(20))."),
    ("asked-brackets", "a sum within 50,000 brackets", lambda: "What is " + "(" * 50_000 + "1+1" + ")" * 50_000 + "?"),
    ("asked-long-sum", "a sum of 200,000 terms", lambda: "What is 1" + "+1" * 200_000 + "?"),
    ("asked-long-product", "a product of 100,000 factors", lambda: "What is 9" + "*9" * 100_000 + "?"),
    ("asked-nested-powers", "towers of powers and roots", lambda: "What is " + "2^" * 10_000 + "2?"),
    ("asked-fraction", "a fraction of 5,000 levels", lambda: "What is " + "1/(1+" * 5_000 + "1" + ")" * 5_000 + "?"),
    ("asked-equation", "an equation of a degree of 10,000", lambda: "Solve x^10000 - x^9999 + 1 = 0 for x."),
    (
        "asked-equations",
        "an equation of 5,000 brackets to multiply out",
        lambda: "Solve " + "*".join(f"(x-{n})" for n in range(5_000)) + " = 0",
    ),
    (
        "asked-digits",
        "a root of a number of 200,000 digits",
        lambda: "What is the square root of " + "9" * 200_000 + "?",
    ),
    ("asked-binomial", "a binomial of millions", lambda: "What is comb(10000000, 5000000)?"),
    (
        "asked-primes",
        "the primes below ten to the eighteenth",
        lambda: "Is 1000000000000000003000000000000000000020 prime? List the primes below 10**18.",
    ),
    (
        "asked-average",
        "the average of 150,000 numbers",
        lambda: "What is the average of " + ", ".join(map(str, range(150_000))) + "?",
    ),
    ("asked-code-brackets", "code of 100,000 brackets", lambda: "```python\n" + "(" * 100_000 + "\n```"),
    ("asked-fences", "100,000 fences of code", lambda: "```python\n1\n```\n" * 60_000),
    ("asked-units", "conversions of conversions", lambda: "Convert " + "5 km to miles and " * 50_000),
)
"""A task that the Code Interpreter is given."""


def _asked(name: str, sentence: str, text: Callable[[], str]) -> None:
    async def attack(prey: Prey) -> None:
        tool = f"/v3/{prey.agent}/tools/df-code-interpreter-tool:execute"
        action = "generate_and_execute"
        await prey.rest("POST", tool, {"action": action, "inputParameters": {f"{action} input": text()}})

    case.add(name, sentence, attack)


for _name, _sentence, _text in ASKED:
    _asked(_name, _sentence, functools.cache(_text))
