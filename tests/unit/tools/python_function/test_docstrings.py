"""What docstrings say of parameters."""

import inspect

import pytest

from openplaybook.tools.python_function.docstrings import described_parameters

GOOGLE = """Finds pets.

    Args:
        name (str): The pet's name,
            as its owner says it.
        limit: How many,
            at most.

        **more: Anything: else.
    Returns:
        pets: No parameter.
    """
SPHINX = """Finds pets.

    :param str name: The pet's name,
        as its owner says it.
    :param limit: How many.
    :returns: Pets.
    """


@pytest.mark.parametrize(
    ("docstring", "described"),
    [
        (
            GOOGLE,
            {"name": "The pet's name, as its owner says it.", "limit": "How many, at most.", "more": "Anything: else."},
        ),
        (SPHINX, {"name": "The pet's name, as its owner says it.", "limit": "How many."}),
        ("Parameters:\n  name: A name.", {"name": "A name."}),
        ("Args:\n  No name here.\n  name: A name.", {"name": "A name."}),
        ("Args:", {}),
        ("Args: name: A name.", {}),
        ("", {}),
    ],
)
def test_parameters_are_described_in_two_styles(docstring: str, described: dict[str, str]) -> None:
    assert described_parameters(inspect.cleandoc(docstring)) == described


@pytest.mark.parametrize("line", ["name" + " " * 200_000 + "of", ":param" + " " * 200_000 + "name", "(" * 200_000])
def test_lines_of_blanks_are_read_in_linear_time(line: str) -> None:
    assert described_parameters(f"Args:\n  {line}") == {}
    assert described_parameters(line) == {}
