"""What holds for every system of a plugin, whatever it speaks."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from openplaybook.connectors.base import Entity, EntityOperation, EntityQuery, Rehearsed, SortKey, SystemConnection
from openplaybook.connectors.conditions.evaluation import meets
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    SystemUnavailable,
    UnknownName,
    WriteRefused,
)
from openplaybook.connectors.settings import AccessToken, UserPassword
from tests.kit.plugin_peers import PluginPeer, call, silent_server

NAMES = ["ada", "bob", "cid", "dan", "eve", "in/ann", "in/zoe"]


async def _all(connection: SystemConnection, query: EntityQuery) -> list[Entity]:
    return [each async for each in _each(connection, query)]


async def _each(connection: SystemConnection, query: EntityQuery) -> AsyncIterator[Entity]:
    while True:
        page = await connection.list(query, call())
        for entity in page.entities:
            yield entity
        if not page.next_page_token:
            return
        query = replace(query, page_token=page.next_page_token)


async def test_a_good_credential_is_proved(connection: SystemConnection) -> None:
    told = call()
    await connection.check(told)
    assert told.exchanges


async def test_entity_types_are_told(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    assert peer.entity_type in await connection.entity_names(call())
    entity_type = await connection.entity_type(peer.entity_type, call())
    assert entity_type.field(entity_type.key) is not None
    assert entity_type.field(peer.sort_field) is not None
    with pytest.raises(UnknownName, match=peer.entity_type):
        await connection.entity_type("Elsewhere", call())


async def test_conditions_find_what_their_meaning_says(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    everything = await _all(connection, EntityQuery(peer.entity_type))
    assert len(everything) >= len(NAMES)
    for text in peer.conditions:
        condition = parsed_condition(text)
        found = await _all(connection, EntityQuery(peer.entity_type, condition))
        assert [each.key for each in found] == [each.key for each in everything if meets(condition, each.fields)], text


async def test_pages_hold_everything_once_though_entities_come_and_go(
    peer: PluginPeer, connection: SystemConnection
) -> None:
    await peer.add(NAMES)
    keys = [each.key for each in await _all(connection, EntityQuery(peer.entity_type))]
    query = EntityQuery(peer.entity_type, page_size=2)
    first = await connection.list(query, call())
    await connection.delete(peer.entity_type, first.entities[1].key, call())
    await peer.add(["aaa", "zzz"])
    rest = await _all(connection, replace(query, page_token=first.next_page_token))
    found = [*(each.key for each in first.entities), *(each.key for each in rest)]
    assert len(found) == len(set(found))
    assert set(keys) <= set(found)


async def test_pages_in_another_order_hold_everything_once(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    query = EntityQuery(peer.entity_type, sort=(SortKey(peer.sort_field, is_descending=True),), page_size=2)
    found = await _all(connection, query)
    values = [each.fields[peer.sort_field] for each in found if each.fields[peer.sort_field] is not None]
    assert values == sorted(values, key=str, reverse=True)
    assert len({each.key for each in found}) == len(found) >= len(NAMES)


async def test_a_page_token_is_good_for_its_own_query(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    page = await connection.list(EntityQuery(peer.entity_type, page_size=2), call())
    other = EntityQuery(peer.entity_type, parsed_condition(peer.conditions[0]), page_token=page.next_page_token)
    with pytest.raises(InvalidValue, match="pageToken"):
        await connection.list(other, call())


async def test_only_chosen_fields_come(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    query = EntityQuery(peer.entity_type, parsed_condition(peer.conditions[0]), fields=("name",))
    found = await _all(connection, query)
    assert found
    assert all(set(each.fields) == {"name"} for each in found)
    one = await connection.get(peer.entity_type, found[0].key, ("name",), call())
    assert one == found[0]


async def test_unknown_names_are_refused_with_those_there_are(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    for query in (
        EntityQuery("Elsewhere"),
        EntityQuery(peer.entity_type, fields=("pin",)),
        EntityQuery(peer.entity_type, parsed_condition("pin = 1")),
        EntityQuery(peer.entity_type, sort=(SortKey("pin"),)),
    ):
        with pytest.raises(UnknownName):
            await connection.list(query, call())
    with pytest.raises(UnknownName):
        await connection.execute("Explode", {}, call())


async def test_an_entity_goes_and_is_not_there_any_more(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    found = await _all(connection, EntityQuery(peer.entity_type, parsed_condition("name = 'bob'")))
    await connection.delete(peer.entity_type, found[0].key, call())
    assert "bob" not in peer.held()
    with pytest.raises(EntityNotFound):
        await connection.get(peer.entity_type, found[0].key, (), call())
    with pytest.raises(EntityNotFound):
        await connection.delete(peer.entity_type, found[0].key, call())


async def test_entities_are_made_and_changed(peer: PluginPeer, connection: SystemConnection) -> None:
    if peer.new is None or peer.change is None:
        with pytest.raises(OperationUnsupported):
            await connection.create(peer.entity_type, {"name": "x"}, call())
        return
    await peer.add(NAMES)
    made = await connection.create(peer.entity_type, peer.new, call())
    assert {name: made.fields[name] for name in peer.new} == peer.new
    changed = await connection.update(peer.entity_type, made.key, peer.change, call())
    assert {name: changed.fields[name] for name in peer.change} == peer.change
    unchanged = set(peer.new) - set(peer.change)
    assert {name: changed.fields[name] for name in unchanged} == {name: peer.new[name] for name in unchanged}
    assert await connection.get(peer.entity_type, made.key, (), call()) == changed
    with pytest.raises(EntityNotFound):
        await connection.update(peer.entity_type, f"{made.key[:-1]}~", peer.change, call())


async def test_writes_by_condition_stay_below_the_cap(peer: PluginPeer) -> None:
    await peer.add(NAMES)
    connection = await peer.opened(peer.configured(write_cap=2))
    before = dict(peer.held())
    with pytest.raises(WriteRefused, match="more than 2"):
        await connection.delete_where(peer.entity_type, parsed_condition("name LIKE '%'"), call())
    assert peer.held() == before
    report = await connection.delete_where(peer.entity_type, parsed_condition("name IN ('ada', 'bob')"), call())
    assert report.count == 2
    assert set(before) - set(peer.held()) == {"ada", "bob"}


async def test_entities_are_changed_by_condition(peer: PluginPeer, connection: SystemConnection) -> None:
    if peer.change is None:
        return
    await peer.add(NAMES)
    before = len(peer.held())
    condition = parsed_condition("name IN ('ada', 'bob') AND price >= 0")
    report = await connection.update_where(peer.entity_type, condition, peer.change, call())
    assert (report.count, report.failures) == (2, {})
    for key in report.keys:
        fields = (await connection.get(peer.entity_type, key, (), call())).fields
        assert {name: fields[name] for name in peer.change} == peer.change
    assert len(peer.held()) == before


async def test_nothing_is_changed_where_a_connection_only_reads(peer: PluginPeer) -> None:
    await peer.add(NAMES)
    connection = await peer.opened(peer.configured(read_only=True))
    entity_type = await connection.entity_type(peer.entity_type, call())
    assert entity_type.operations <= {EntityOperation.LIST, EntityOperation.GET}
    assert all(each.is_read_only for each in await connection.actions(call()))
    before, asked = dict(peer.held()), peer.asked()
    with pytest.raises(WriteRefused):
        await connection.delete(peer.entity_type, peer.key("ada"), call())
    with pytest.raises(WriteRefused):
        await connection.delete_where(peer.entity_type, parsed_condition("name = 'ada'"), call())
    with pytest.raises(WriteRefused):
        await connection.update(peer.entity_type, peer.key("ada"), {"name": "x"}, call())
    with pytest.raises(WriteRefused):
        await connection.create(peer.entity_type, {"name": "x"}, call())
    for action in await (await peer.opened()).actions(call()):
        if not action.is_read_only and action.name != "ExecuteCustomQuery":
            with pytest.raises(WriteRefused):
                await connection.execute(action.name, {}, call())
    assert (peer.held(), peer.asked()) == (before, asked)


async def test_a_rehearsal_tells_what_would_be_sent(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    await connection.entity_type(peer.entity_type, call())
    before, asked = dict(peer.held()), peer.asked()
    told = replace(call(), is_rehearsal=True)
    with pytest.raises(Rehearsed):
        await connection.delete(peer.entity_type, peer.key("ada"), told)
    with pytest.raises(Rehearsed):
        await connection.list(EntityQuery(peer.entity_type), told)
    assert len(told.exchanges) == 2
    assert (peer.held(), peer.asked()) == (before, asked)


async def test_a_wrong_credential_is_told_apart_and_hidden(peer: PluginPeer) -> None:
    wrong = "wr0ng-w0rd"
    login = (
        AccessToken(wrong) if isinstance(peer.settings.authentication, AccessToken) else UserPassword("clerk", wrong)
    )
    connection = await peer.opened(peer.with_login(login))
    told = call()
    with pytest.raises(AuthenticationRefused) as refused:
        await connection.list(EntityQuery(peer.entity_type), told)
    assert wrong not in f"{refused.value} {told.exchanges}"


@pytest.mark.parametrize("hangs_up", [False, True])
async def test_a_server_that_is_silent_or_gone_is_unavailable(peer: PluginPeer, *, hangs_up: bool) -> None:
    async with silent_server(hangs_up=hangs_up) as port:
        if peer.gone is not None:
            peer.gone(hangs_up)
        connection = await peer.opened(peer.configured(port=port) if peer.gone is None else None)
        with pytest.raises(SystemUnavailable):
            await connection.check(call(20.0 if hangs_up else 0.2))


async def test_an_entity_is_found_by_its_key_among_any_number(peer: PluginPeer, connection: SystemConnection) -> None:
    await peer.add(NAMES)
    [bob] = await _all(connection, EntityQuery(peer.entity_type, parsed_condition("name = 'bob'")))
    key = (await connection.entity_type(peer.entity_type, call())).key
    found = await connection.list(EntityQuery(peer.entity_type, parsed_condition(f"{key} = '{bob.key}'")), call())
    assert found.entities == (bob,)
    for text in (f"{key} = '{bob.key}' AND name = 'ada'", f"{key} = '{bob.key[:-1]}~'", f"{key} = '../x'"):
        page = await connection.list(EntityQuery(peer.entity_type, parsed_condition(text)), call())
        assert (page.entities, page.next_page_token) == ((), ""), text
