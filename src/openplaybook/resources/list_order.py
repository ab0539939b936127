"""The order of lists as Google's `order_by` spells it (https://google.aip.dev/132#ordering)."""

from dataclasses import dataclass

from openplaybook.resources.errors import InvalidOrder
from openplaybook.resources.filters import plain

NAME = "name"
CREATED = "create_time"
_FIELDS = (NAME, CREATED)


@dataclass(frozen=True, slots=True)
class Order:
    """A list's first order; as no two names and no two positions are alike, there is no second."""

    field: str = CREATED
    """`name` or `create_time`."""
    is_descending: bool = False

    @property
    def is_natural(self) -> bool:
        """Whether it is the order in which resources were made, which the store has them in."""
        return self == NATURAL


NATURAL = Order()


def parse_order(text: str) -> Order:
    """The order that `text` spells, such as `create_time desc`; that of creation when it is blank.

    Raises `InvalidOrder`.
    """
    orders = [_one(part) for part in text.split(",")] if text.strip() else [NATURAL]
    return orders[0]


def _one(text: str) -> Order:
    field, *direction = text.split()[:3] or [""]
    if plain(field) not in _FIELDS or direction not in ([], ["asc"], ["desc"]):
        raise InvalidOrder(text.strip())
    return Order(plain(field), direction == ["desc"])
