"""Pages of entities: each entity once, whatever happens between two pages; tokens that nobody can make or move."""

from collections.abc import Sequence

import pytest

from openplaybook.connectors.base import EntityPage, EntityQuery, SortKey, SystemCall, SystemConnection
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import InvalidValue
from tests.integration.connectors.sql.conftest import Opening

NAMES = ("Ada", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus")


async def fill(connection: SystemConnection, names: Sequence[str] = NAMES) -> None:
    """Customers with ratings that repeat and are missing."""
    for place, name in enumerate(names):
        rating = None if place % 3 == 0 else (place % 2) / 10
        await connection.create("customer", {"name": name, "rating": rating}, SystemCall())


async def pages(connection: SystemConnection, query: EntityQuery) -> list[EntityPage]:
    """All pages of a query."""
    found = [await connection.list(query, SystemCall())]
    while found[-1].next_page_token:
        following = EntityQuery(
            query.entity_type, query.condition, query.fields, query.sort, query.page_size, found[-1].next_page_token
        )
        found.append(await connection.list(following, SystemCall()))
        assert len(found) < 50
    return found


def names_of(found: Sequence[EntityPage], field: str = "name") -> list[object]:
    """Names on pages."""
    return [each.fields[field] for page in found for each in page.entities]


@pytest.mark.parametrize("page_size", [1, 2, 3, 7, 200])
async def test_pages_have_each_entity_once(connection: SystemConnection, page_size: int) -> None:
    await fill(connection)
    found = await pages(connection, EntityQuery("customer", fields=("name",), page_size=page_size))
    assert names_of(found) == list(NAMES)
    assert len(found) == -(-len(NAMES) // page_size)


@pytest.mark.parametrize("page_size", [1, 2, 200])
@pytest.mark.parametrize("is_descending", [False, True])
async def test_sorted_pages_have_nulls_last(connection: SystemConnection, page_size: int, is_descending: bool) -> None:
    await fill(connection)
    query = EntityQuery(
        "customer",
        fields=("name",),
        sort=(SortKey("rating", is_descending), SortKey("name", True)),
        page_size=page_size,
    )
    low, high = ["Eve", "Cy"], ["Flo", "Bob"]
    assert names_of(await pages(connection, query)) == [
        *((high + low) if is_descending else (low + high)),
        "Gus",
        "Dee",
        "Ada",
    ]


async def test_what_is_inserted_between_pages_moves_nothing(connection: SystemConnection) -> None:
    await fill(connection)
    query = EntityQuery("customer", fields=("name",), sort=(SortKey("name"),), page_size=3)
    first = await connection.list(query, SystemCall())
    await connection.create("customer", {"name": "Aa"}, SystemCall())
    await connection.create("customer", {"name": "Zoe"}, SystemCall())
    removed = await connection.delete_where("customer", parsed_condition("name = 'Cy' OR name = 'Dee'"), SystemCall())
    assert removed.count == 2
    following = EntityQuery(
        "customer", fields=("name",), sort=(SortKey("name"),), page_size=200, page_token=first.next_page_token
    )
    rest = await connection.list(following, SystemCall())
    assert names_of([first, rest]) == ["Ada", "Bob", "Cy", "Eve", "Flo", "Gus", "Zoe"]


async def test_composite_keys_are_paged_through(connection: SystemConnection) -> None:
    for purchase in (2, 1):
        for number in (3, 1, 2):
            values = {"purchase_id": purchase, "number": number, "sku": "x"}
            await connection.create("line", values, SystemCall())
    found = await pages(connection, EntityQuery("line", page_size=2))
    keys = [each.key for page in found for each in page.entities]
    assert keys == ["[1,1]", "[1,2]", "[1,3]", "[2,1]", "[2,2]", "[2,3]"]


async def test_tables_without_a_key_are_paged_through(connection: SystemConnection) -> None:
    for number in (3, 1, 2, None, 2):
        await connection.create("journal", {"happened": "x", "weight": number}, SystemCall())
    query = EntityQuery("journal", sort=(SortKey("weight", True),), page_size=2)
    assert names_of(await pages(connection, query), "weight") == [3, 2, 2, 1, None]


async def test_conditions_hold_on_every_page(connection: SystemConnection) -> None:
    await fill(connection)
    query = EntityQuery("customer", parsed_condition("name > 'B' AND name < 'F'"), ("name",), page_size=2)
    assert names_of(await pages(connection, query)) == ["Bob", "Cy", "Dee", "Eve"]


async def test_fields_and_size_may_change_from_page_to_page(connection: SystemConnection) -> None:
    await fill(connection)
    first = await connection.list(EntityQuery("customer", fields=("name",), page_size=3), SystemCall())
    query = EntityQuery("customer", fields=("id", "name"), page_size=50, page_token=first.next_page_token)
    assert names_of([await connection.list(query, SystemCall())]) == ["Dee", "Eve", "Flo", "Gus"]


async def test_tokens_belong_to_one_query_and_one_connection(opening: Opening) -> None:
    connection = await opening()
    await fill(connection)
    condition = parsed_condition("id > 0")
    token = (await connection.list(EntityQuery("customer", condition, page_size=2), SystemCall())).next_page_token
    others = (
        EntityQuery("customer", page_token=token),
        EntityQuery("customer", parsed_condition("id > -1"), page_token=token),
        EntityQuery("customer", condition, sort=(SortKey("name"),), page_token=token),
        EntityQuery("secret", condition, page_token=token),
        EntityQuery("customer", condition, page_token=token[:-2] + ("AA" if token[-2:] != "AA" else "BB")),
        EntityQuery("customer", condition, page_token=token[1:]),
        EntityQuery("customer", condition, page_token="' OR 1=1 --"),
        EntityQuery("customer", condition, page_token="ü"),
        EntityQuery("customer", condition, page_token="A" * 50_000),
    )
    for query in others:
        with pytest.raises(InvalidValue, match="pageToken: is not one that this query gave"):
            await connection.list(query, SystemCall())
    again = await opening()
    assert (await again.list(EntityQuery("customer", condition, page_token=token), SystemCall())).entities


@pytest.mark.parametrize("page_size", [0, 201, -1])
async def test_page_sizes_have_bounds(connection: SystemConnection, page_size: int) -> None:
    with pytest.raises(InvalidValue, match="page_size: must be from 1 to 200"):
        await connection.list(EntityQuery("customer", page_size=page_size), SystemCall())


async def test_what_cannot_be_compared_is_not_sorted_by(connection: SystemConnection) -> None:
    with pytest.raises(InvalidValue, match="profile: cannot be sorted by"):
        await connection.list(EntityQuery("customer", sort=(SortKey("profile"),)), SystemCall())
