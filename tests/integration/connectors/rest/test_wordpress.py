"""The manifest of WordPress, against a real one."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import cast

import pytest

from openplaybook.connectors.base import (
    EntityOperation,
    EntityQuery,
    QueryParameter,
    SortKey,
    SqlQuery,
    SystemCall,
    SystemConnection,
)
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import AuthenticationRefused, EntityNotFound, InvalidValue
from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.systems import manifests, open_rest
from openplaybook.connectors.settings import ConnectionSettings, Destination, UserPassword
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import Resolver
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.jsonvalues import JsonObject
from tests.kit.wordpress import USER, WordpressSite, running_wordpress


@pytest.fixture(scope="module")
def site() -> Iterator[WordpressSite]:
    with running_wordpress() as running:
        yield running


def settings_of(site: WordpressSite) -> ConnectionSettings:
    return ConnectionSettings(
        "projects/p/locations/l/connections/blog",
        "wordpress",
        config={"site": "blog.example.com"},
        authentication=UserPassword(USER, site.password),
        destinations={"host": Destination("http://127.0.0.1", site.port)},
    )


@pytest.fixture
async def access() -> AsyncIterator[SystemAccess]:
    transport = HttpTransport(AddressPolicy(parse_allow("127.0.0.0/8")))
    yield SystemAccess(transport, cast("Resolver", None))
    await transport.aclose()


@pytest.fixture
async def blog(site: WordpressSite, access: SystemAccess) -> SystemConnection:
    return await open_rest(settings_of(site), access)


async def listed(blog: SystemConnection, entity_type: str, condition: str = "", **more: object) -> list[JsonObject]:
    query = EntityQuery(entity_type, parsed_condition(condition) if condition else None)
    query = replace(query, **more)
    rows: list[JsonObject] = []
    while True:
        page = await blog.list(query, SystemCall())
        rows += [each.fields for each in page.entities]
        if not page.next_page_token:
            return rows
        query = replace(query, page_token=page.next_page_token)


NEW: dict[str, tuple[JsonObject, JsonObject]] = {
    "posts": (
        {"title": "First & <b>bold</b>", "content": "Text", "status": "publish", "tags": []},
        {"title": "Second", "sticky": True},
    ),
    "pages": ({"title": "About", "status": "draft"}, {"slug": "about-us"}),
    "comments": (
        {"post": 1, "content": "Nice", "author_name": "A", "author_email": "a@example.com"},
        {"content": "Good"},
    ),
    "categories": ({"name": "News", "description": "d"}, {"name": "Old news"}),
    "tags": ({"name": "blue"}, {"slug": "very-blue"}),
    "users": (
        {"username": "ann", "email": "ann@example.com", "password": "pass-Word-1"},
        {"first_name": "Ann", "roles": ["author"]},
    ),
}


@pytest.mark.parametrize("entity_type", list(NEW))
async def test_entities_are_created_got_changed_and_deleted(blog: SystemConnection, entity_type: str) -> None:
    call = SystemCall()
    first, change = NEW[entity_type]
    made = await blog.create(entity_type, first, call)
    assert {key: made.fields[key] for key in first if key != "password"} == {
        key: value for key, value in first.items() if key != "password"
    }
    changed = await blog.update(entity_type, made.key, change, call)
    assert {key: changed.fields[key] for key in change} == change
    assert (await blog.get(entity_type, made.key, ["id"], call)).fields["id"] == int(made.key)
    assert int(made.key) in [each["id"] for each in await listed(blog, entity_type)]
    if EntityOperation.DELETE in (await blog.entity_type(entity_type, call)).operations:
        await blog.delete(entity_type, made.key, call)
        assert int(made.key) not in [each["id"] for each in await listed(blog, entity_type)]


async def test_conditions_are_tried_by_the_site_and_pages_follow_each_other(blog: SystemConnection) -> None:
    call = SystemCall()
    for number in range(5):
        await blog.create("posts", {"title": f"P{number}", "status": "draft" if number % 2 else "publish"}, call)
    drafts = await listed(blog, "posts", "status = 'draft'", fields=("title",), sort=(SortKey("title"),), page_size=1)
    assert drafts == [{"title": "P1"}, {"title": "P3"}]
    last = call.exchanges[-1] if call.exchanges else None
    assert last is None or "Authorization" not in last.address
    found = await listed(blog, "posts", "search = 'P4' AND status = 'publish'", fields=("title", "status"))
    assert found == [{"title": "P4", "status": "publish"}]
    local = await listed(blog, "posts", "title LIKE 'P%' AND NOT status = 'draft'", sort=(SortKey("title", True),))
    assert [each["title"] for each in local] == ["P4", "P2", "P0"]


async def test_comments_are_found_by_the_status_that_they_have(blog: SystemConnection) -> None:
    call = SystemCall()
    comment: JsonObject = {"post": 1, "content": "Wait", "author_name": "B", "author_email": "b@example.com"}
    made = await blog.create("comments", comment, call)
    for status in ("approved", "hold"):
        await blog.update("comments", made.key, {"status": status}, call)
        found = await listed(blog, "comments", f"author_name = 'B' AND status = '{status}'", fields=("status",))
        assert found == [{"status": status}]


async def test_chosen_fields_alone_are_asked_for(blog: SystemConnection) -> None:
    call = SystemCall()
    await blog.list(EntityQuery("posts", fields=("title",)), call)
    assert "_fields=id%2Ctitle" in call.exchanges[-1].address or "_fields=id,title" in call.exchanges[-1].address


async def test_many_are_changed_at_once_within_the_cap(blog: SystemConnection) -> None:
    call = SystemCall()
    for name in ("x1", "x2"):
        await blog.create("tags", {"name": name, "description": "many"}, call)
    report = await blog.update_where("tags", parsed_condition("name IN ('x1', 'x2')"), {"description": "done"}, call)
    assert report.count == 2
    rows = await listed(blog, "tags", "name LIKE 'x%'", fields=("name", "description"), sort=(SortKey("name"),))
    assert rows == [{"name": "x1", "description": "done"}, {"name": "x2", "description": "done"}]
    assert (await blog.delete_where("tags", parsed_condition("name IN ('x1', 'x2')"), call)).count == 2


async def test_sql_runs_over_its_entities(blog: SystemConnection) -> None:
    await blog.create("categories", {"name": "Counted"}, SystemCall())
    text = "SELECT COUNT(*) AS n FROM categories c WHERE c.name = ?"
    result = await blog.query(SqlQuery(text, (QueryParameter("Counted"),)), SystemCall())
    assert result.rows == ({"n": 1},)


async def test_what_the_site_refuses_is_told_with_the_field(blog: SystemConnection) -> None:
    with pytest.raises(InvalidValue, match="email"):
        await blog.create("users", {"username": "x", "email": "no address", "password": "p"}, SystemCall())
    with pytest.raises(EntityNotFound):
        await blog.get("posts", "99999", (), SystemCall())


async def test_a_wrong_password_is_not_taken(site: WordpressSite, access: SystemAccess) -> None:
    settings = settings_of(site)
    wrong = await open_rest(replace(settings, authentication=UserPassword(USER, "wrong")), access)
    with pytest.raises(AuthenticationRefused):
        await wrong.check(SystemCall())
    right = await open_rest(settings, access)
    await right.check(SystemCall())


def test_the_manifest_declares_what_was_tried() -> None:
    kinds = {
        entity.name: EntityForm(entity, entity.name, entity.fields).entity_type().operations
        for entity in manifests()["wordpress"].entities.values()
    }
    assert {name for name, operations in kinds.items() if EntityOperation.CREATE in operations} == set(NEW)
