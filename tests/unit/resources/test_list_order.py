import pytest

from openplaybook.resources.errors import InvalidOrder
from openplaybook.resources.list_order import CREATED, NAME, NATURAL, Order, parse_order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("", NATURAL),
        ("  ", NATURAL),
        ("create_time", NATURAL),
        ("createTime asc", NATURAL),
        ("create_time  desc", Order(CREATED, is_descending=True)),
        ("name", Order(NAME)),
        ("name desc, create_time", Order(NAME, is_descending=True)),
    ],
)
def test_an_order_is_read(text: str, order: Order) -> None:
    assert parse_order(text) == order


def test_only_that_of_creation_is_the_stores_own() -> None:
    assert [order.is_natural for order in (NATURAL, Order(NAME), Order(CREATED, is_descending=True))] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("text", ["size", "name up", "name desc asc", ",", "name,", "name, size"])
def test_another_is_refused(text: str) -> None:
    with pytest.raises(InvalidOrder, match="is not name or create_time, optionally followed by desc"):
        parse_order(text)
