"""Which queries are answered without a model, and by what code."""

import pytest

from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan
from openplaybook.tools.code_interpreter.without_model.query_plan import is_task, plan

LONG = "x = 1\nprint(x)\n" * 1_400


def sympy(body: str, *names: str) -> Plan:
    symbols = "".join(f'{name} = sympy.Symbol("{name}")\n' for name in names)
    return Plan(f"import sympy\n\n{symbols}print({body})")


@pytest.mark.proves("B4", "B6")
@pytest.mark.parametrize(
    ("query", "code", "answer"),
    [
        ("4 + 4", "print(4 + 4)", "8"),
        ("What is 4 + 4?", "print(4 + 4)", "8"),
        ("what's 4+4", "print(4 + 4)", "8"),
        ("  4 + 4 = ?", "print(4 + 4)", "8"),
        ("calculate 12*3", "print(12 * 3)", "36"),
        ("Please compute: 12 × 3.", "print(12 * 3)", "36"),
        ("how much is 7 // 2, please?", "print(7 // 2)", "3"),
        ("the result of (2 + 3) * 4", "print((2 + 3) * 4)", "20"),
        ("2 ** 10", "print(2 ** 10)", "1024"),
        ("-5", "print(-5)", "-5"),
        ("1e3 / 4", "print(1000.0 / 4)", "250.0"),
        ("1 << 10 | 1", "print(1 << 10 | 1)", "1025"),
        ("3 > 2 >= 2", "print(3 > 2 >= 2)", "True"),
        ("~5", "print(~5)", "-6"),
        ("sqrt(16) + math.pi * 0", "import math\nprint(math.sqrt(16) + math.pi * 0)", "4.0"),
        ("factorial(10)", "import math\nprint(math.factorial(10))", "3628800"),
        ("round(2.567, 1)", "print(round(2.567, 1))", "2.6"),
        ("max(1, 5, 2)", "print(max(1, 5, 2))", "5"),
        ("sum([1, 2, 3]) / len([1, 2, 3])", "print(sum([1, 2, 3]) / len([1, 2, 3]))", "2.0"),
    ],
)
def test_arithmetic_is_code_whose_answer_is_known(query: str, code: str, answer: str) -> None:
    assert plan(query) == Plan(code, answer=answer)


@pytest.mark.parametrize(
    ("query", "code", "error"),
    [
        ("1 / 0", "print(1 / 0)", "ZeroDivisionError: division by zero"),
        ("sqrt(-1)", "import math\nprint(math.sqrt(-1))", "ValueError: math domain error"),
        ("1 << -1", "print(1 << -1)", "ValueError: negative shift count"),
        ("1.5 << 2", "print(1.5 << 2)", "TypeError: unsupported operand type(s) for <<: 'float' and 'int'"),
        ("len(5)", "print(len(5))", "TypeError: object of type 'int' has no len()"),
        ("exp(1000)", "import math\nprint(math.exp(1000))", "OverflowError: math range error"),
    ],
)
def test_arithmetic_that_fails_says_how_python_would(query: str, code: str, error: str) -> None:
    assert plan(query) == Plan(code, error=error)


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("9**9**9", "its result would have more than 4,096 bits"),
        ("10**10**10", "its result would have more than 4,096 bits"),
        ("2 ** 4096 * 2", "its result would have more than 4,096 bits"),
        ("(2**3000) * (2**3000)", "its result would have more than 4,096 bits"),
        ("1 << 10**9", "its result would have more than 4,096 bits"),
        ("factorial(10**9)", "an argument in it is larger than 500"),
        ("comb(10**9, 5 * 10**8)", "an argument in it is larger than 500"),
        ("round(5, -10**9)", "it rounds to more than 100 digits"),
        ("9" * 2_000, "a number in it has more than 4,096 bits"),
        (f"prod([{', '.join(['9' * 300] * 10)}])", "its result would have more than 4,096 bits"),
        ("3 ** -99999", "an exponent in it is less than -4,096"),
        ("(-8) ** 0.5", "its result is not a real number"),
        (f"{'-' * 300}1", "it is nested more than 100 levels deep"),
        ("+".join(["1"] * 300), "it is nested more than 100 levels deep"),
        (f"simplify x{'-x' * 490}", "it is nested more than 100 levels deep"),
        (f"solve {'-' * 900}x = 1", "it is nested more than 100 levels deep"),
        (f"1 +{' ' * 4_000}1", ""),
        ("2 ^ 10", "`^` is a power to some and an exclusive or to Python; write ** for a power"),
        ("solve x^10000 - x^9999 + 1 = 0 for x", "its degree is higher than 100"),
        ("solve ((x^50)^2 + 1)*x = 0", "its degree is higher than 100"),
        ("expand -(x + 1)^(10*11)", "its degree is higher than 100"),
        ("factor sin(x^-101)", "its degree is higher than 100"),
        ("expand (x + 1)^(100000*y/y)", "its degree is higher than 100"),
        ("solve x^(2^500000) = 1 for x", "its result would have more than 4,096 bits"),
        ("solve x * y = 1", "it does not say for which variable to solve; add `for x`"),
        ("integrate x * y", "it does not say by which variable to integrate; add `with respect to x`"),
        ("```python\nprint(1)\n```\nand\n```python\nprint(2)\n```", "it holds several blocks of Python; send one"),
        (LONG, "more than 20,000 characters are taken for code only in a ```python fence"),
        (f"```\n{LONG}```", "more than 20,000 characters are taken for code only in a ```python fence"),
    ],
)
def test_what_is_too_large_or_says_two_things_is_refused_with_the_reason(query: str, reason: str) -> None:
    with pytest.raises(OutOfReach) as refused:
        plan(query)
    assert str(refused.value) == reason


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    "query",
    [
        "help",
        "x",
        "e",
        "pi",
        "math.pi",
        "True",
        "None",
        "",
        "What is the meaning of life?",
        "is this a test",
        "Draw a plot of the sales.",
        "solve my problem",
        "solve the riddle of the sphinx",
        "integrate the new system",
        "simplify this text",
        "expand on that",
        "sort my files",
        "the number of users in the list",
        "maximum of the sales",
        "print(1)",
        "open('/etc/passwd').read()",
        "__import__('os').system('id')",
        "(1).__class__",
        "().__class__.__bases__",
        "[0] * 10**9",
        "'a' * 10**9",
        "[1, 2, 3]",
        "sum(i for i in range(10))",
        "max([1, 2], key=print)",
        "sorted(*[[1, 2]])",
        "pow(2, 3, 5)",
        "statistics.sqrt(4)",
        "math.mean([1])",
        "lambda: 1",
        "1 if 2 else 3",
        "1 and 2",
        "1 is 1",
        "1,000 + 2",
        "sum of 1,200 and 3 apples",
        "5!",
        "1; 2",
        "4 + 4\n5 + 5",
        "solve __import__('os').system('id')",
        "solve x.real = 4",
        "solve eval(x) = 4",
        "solve x = 'a'",
        "solve x = 4 for y",
        "solve x = 1 = 2",
        "integrate sin x",
        "differentiate x^^2",
        "factor (x + 1",
        "simplify [x]",
        "```js\nlet x = 1\n```",
        "```\nhello there\n```",
        "```python\n```",
        "Dear team,\nplease compute x = 5.\nThanks",
        "help\nme",
        "if x == 1:\n    pass",
        "minimum of [1, 2] descending",
        "sum of ['a', 'b']",
        "max of [1, 'a']",
        "max of []",
    ],
)
def test_words_and_other_python_are_never_run(query: str) -> None:
    with pytest.raises(OutOfReach) as refused:
        plan(query)
    assert str(refused.value) == ""


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    ("query", "planned"),
    [
        ("solve x^2 = 4", sympy("sympy.solve(sympy.Eq(x ** 2, 4), x)", "x")),
        ("Please solve x^2 = 4 for x!", None),
        ("please solve x^2 = 4 for x", sympy("sympy.solve(sympy.Eq(x ** 2, 4), x)", "x")),
        ("solve the equation x**2 - 5x + 6 = 0.", sympy("sympy.solve(sympy.Eq(x ** 2 - 5 * x + 6, 0), x)", "x")),
        ("solve 2(x+1) == 3/4", sympy("sympy.solve(sympy.Eq(2 * (x + 1), sympy.S(3) / 4), x)", "x")),
        ("solve x^99 = y^x for x", sympy("sympy.solve(sympy.Eq(x ** 99, y ** x), x)", "x", "y")),
        ("solve x^2 - 4", sympy("sympy.solve(x ** 2 - 4, x)", "x")),
        ("solve a x = b for x", sympy("sympy.solve(sympy.Eq(a * x, b), x)", "a", "b", "x")),
        (
            "solve x + y = 3 and x - y = 1",
            sympy("sympy.solve([sympy.Eq(x + y, 3), sympy.Eq(x - y, 1)], [x, y])", "x", "y"),
        ),
        (
            "solve x + y = 3; x - y = 1 for y and x",
            sympy("sympy.solve([sympy.Eq(x + y, 3), sympy.Eq(x - y, 1)], [y, x])", "x", "y"),
        ),
        ("integrate x^2", sympy("sympy.integrate(x ** 2, x)", "x")),
        ("integrate x**2 dx", sympy("sympy.integrate(x ** 2, x)", "x")),
        ("What is the integral of e^x * y with respect to x?", sympy("sympy.integrate(sympy.E ** x * y, x)", "x", "y")),
        ("integrate sin(x) from 0 to pi", sympy("sympy.integrate(sympy.sin(x), (x, 0, sympy.pi))", "x")),
        ("integrate 1/x dx from 1 to b", sympy("sympy.integrate(sympy.S(1) / x, (x, 1, b))", "b", "x")),
        ("differentiate ln(x)", sympy("sympy.diff(sympy.log(x), x)", "x")),
        ("find the derivative of x^3 wrt x", sympy("sympy.diff(x ** 3, x)", "x")),
        ("simplify (x^2 - 1)/(x - 1)", sympy("sympy.simplify((x ** 2 - 1) / (x - 1))", "x")),
        ("expand (x + 1)^3", sympy("sympy.expand((x + 1) ** 3)", "x")),
        ("factorise x^2 - 1", sympy("sympy.factor(x ** 2 - 1)", "x")),
    ],
)
def test_formulas_are_written_anew_for_sympy(query: str, planned: Plan | None) -> None:
    if planned is None:
        with pytest.raises(OutOfReach):
            plan(query)
    else:
        assert plan(query) == planned


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    ("query", "code", "answer"),
    [
        ("maximum of [1, 2, 5]", "print(max([1, 2, 5]))", "5"),
        ("What is the minimum of (3, -1.5, 2)?", "print(min((3, -1.5, 2)))", "-1.5"),
        ("sum of 1, 2 and 3", "print(sum([1, 2, 3]))", "6"),
        ("mean of [1, 2]", "import statistics\nprint(statistics.mean([1, 2]))", "1.5"),
        ("the average of the numbers: 2, 4, 9", "import statistics\nprint(statistics.mean([2, 4, 9]))", "5"),
        ("median [3, 1, 2]", "import statistics\nprint(statistics.median([3, 1, 2]))", "2"),
        ("product of [2, 3, 7]", "import math\nprint(math.prod([2, 3, 7]))", "42"),
        ("count the items in ['a', 'b']", "print(len(['a', 'b']))", "2"),
        ("sort [3, 1, 2]", "print(sorted([3, 1, 2]))", "[1, 2, 3]"),
        ("sort [3, 1.5, 2] in descending order", "print(sorted([3, 1.5, 2], reverse=True))", "[3, 2, 1.5]"),
        ("sort ['b', 'a'] descending", "print(sorted(['b', 'a'], reverse=True))", "['b', 'a']"),
        ("largest of ['x', 'y']", "print(max(['x', 'y']))", "y"),
    ],
)
def test_a_list_that_is_written_out_is_computed(query: str, code: str, answer: str) -> None:
    assert plan(query) == Plan(code, answer=answer)


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("```python\nprint(1)\n```", "print(1)"),
        ("Run this, please:\n\n```py\nx = 1\nx\n```\nThanks!", "x = 1\nx"),
        ("```tool_code\nprint('a'\n```", "print('a'"),
        ("```\nimport math\n```", "import math"),
        ("Given\n```csv\na,b\n```\nrun\n```python\nprint(2)\n```", "print(2)"),
        ("import math\nmath.pi", "import math\nmath.pi"),
        ("x = 2\nx * 3\n", "x = 2\nx * 3"),
        ("for i in range(3):\n    print(i)", "for i in range(3):\n    print(i)"),
        ("from math import pi\nprint(pi)", "from math import pi\nprint(pi)"),
        ("print('\\d')\nprint(1)", "print('\\d')\nprint(1)"),
    ],
)
def test_code_that_is_given_as_code_is_run_as_it_is(query: str, code: str) -> None:
    assert plan(query) == Plan(code)


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    "words", ["4 + 4", "what is 4+4?", "10 - 4", "sqrt(2)", "solve x = 4", "sum of [1, 2]", "```python\nx = 1\n```"]
)
def test_words_to_be_computed_are_known_in_a_conversation(words: str) -> None:
    assert is_task(words)


@pytest.mark.parametrize(
    "words",
    [
        "5",
        "-5",
        "2.5",
        "555-1234",
        "2026-11-20",
        "20/11/2026",
        "(030) 555-1234",
        "1/2",
        "10115",
        "hello",
        "9**9**9",
        "",
    ],
)
def test_numbers_and_dates_of_a_conversation_are_not_taken_for_arithmetic(words: str) -> None:
    assert not is_task(words)


@pytest.mark.proves("B6")
@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("```python\r\nprint(1)\r\n```\r\n", "print(1)"),
        ("```python\nprint(1)```", "print(1)"),
        ("```Python3 title=a\n  x = 1\n\n  x\n  ```", "  x = 1\n\n  x"),
    ],
)
def test_fences_may_be_written_as_people_write_them(query: str, code: str) -> None:
    assert plan(query) == Plan(code)


@pytest.mark.parametrize(
    "query",
    [
        "```a\n" * 40_000,
        f"sum of {' ' * 19_000}x",
        f"x = 1\n{'+'.join(['1'] * 90_000)}",
        f"x = 1\n{'-' * 190_000}1",
        f"x = 1\ny = {'[' * 190_000}",
        f"solve {'x and ' * 160}",
    ],
    ids=["fences", "blanks", "a long sum", "signs", "brackets", "equations"],
)
def test_a_query_that_means_to_be_slow_is_read_and_left_alone(query: str) -> None:
    with pytest.raises(OutOfReach):
        plan(query)
