"""What ends a command."""

import pytest

from openplaybook.cli.errors import code_name


@pytest.mark.parametrize(
    ("code", "name"),
    [(3, "INVALID_ARGUMENT"), (5, "NOT_FOUND"), (9, "FAILED_PRECONDITION"), (16, "UNAUTHENTICATED"), (17, "17")],
)
def test_the_code_of_an_operation_has_a_name(code: int, name: str) -> None:
    assert code_name(code) == name
