"""Long code, read in a process of its own."""

import pytest

from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.python_function.reader_process import AT_ONCE, names_of, signature_of
from openplaybook.tools.python_function.signature import MAX_CHARS, read_signature

PATH = "$.pythonFunction"
SHORT = '''
def one(count: int, name: str = "a") -> list[int]:
    """Counts.

    Args:
        count: How far.
    """
    return [count]

def two(): pass
'''
DEEP = "is not Python: maximum recursion depth exceeded during ast construction"
LONG = SHORT + "# and so on\n" * 1_000


def test_long_code_says_what_the_same_code_says_when_it_is_short() -> None:
    assert len(LONG) > AT_ONCE > len(SHORT)
    for name in ("", "one", "two"):
        apart, at_once = signature_of(LONG, name, PATH), read_signature(SHORT, name, PATH)
        assert (apart.name, apart.description, apart.input_schema, apart.output_schema, [*apart.filled]) == (
            at_once.name,
            at_once.description,
            at_once.input_schema,
            at_once.output_schema,
            [*at_once.filled],
        )


def test_the_functions_of_long_code_are_named_in_their_order() -> None:
    assert [*names_of(LONG, PATH)] == [*names_of(SHORT, PATH)] == ["one", "two"]


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        (f"{LONG}def (", Problem(f"{PATH}.pythonCode", "is not Python: invalid syntax", LONG.count("\n") + 1)),
        (f"{LONG}\nx = a{'+a' * 50_000}", Problem(f"{PATH}.pythonCode", DEEP)),
        ("#" * (MAX_CHARS + 1), Problem(f"{PATH}.pythonCode", "has 200,001 characters; allowed are 200,000")),
    ],
)  # fmt: skip
def test_what_is_wrong_with_long_code_is_told(code: str, problem: Problem) -> None:
    with pytest.raises(InvalidTool) as refused:
        signature_of(code, "one", PATH)
    assert refused.value.problems == (problem,)


def test_code_that_holds_the_parser_up_is_refused_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openplaybook.tools.python_function.reader_process._SECONDS", 0.5)
    # Python 3.11 takes the square of an f-string's length; later ones read this in no time.
    code = "def one(a):\n    return f'" + "{a}" * 66_000 + "'\n"
    try:
        told = signature_of(code, "one", PATH).name
    except InvalidTool as error:
        told = str(error)
    expected = (
        f"{PATH}.pythonCode: is not read: that takes more than 0.5 s, or too much memory; make it shorter or simpler"
    )
    assert told in ("one", expected)
