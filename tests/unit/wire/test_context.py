"""How long a REST client waits."""

import pytest

from openplaybook.wire.context import timeout_of
from openplaybook.wire.errors import Code, RpcError


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"x-server-timeout": "2.5"}, 2.5),
        ({"grpc-timeout": "10S"}, 10.0),
        ({"grpc-timeout": "1500m"}, 1.5),
        ({"grpc-timeout": "2H", "x-server-timeout": "1"}, 1.0),
    ],
)
def test_a_timeout_is_read_from_either_header(headers: dict[str, str], seconds: float | None) -> None:
    assert timeout_of(headers) == seconds


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("x-server-timeout", "soon"),
        ("x-server-timeout", "-1"),
        ("x-server-timeout", "inf"),
        ("grpc-timeout", "10"),
        ("grpc-timeout", "1.5S"),
    ],
)
def test_a_timeout_that_is_none_is_refused(header: str, value: str) -> None:
    with pytest.raises(RpcError, match=f"The header {header} must be") as caught:
        timeout_of({header: value})

    assert caught.value.code == Code.INVALID_ARGUMENT
