"""What is told and what is tried again when a system fails, for each manifest."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from openplaybook.connectors.base import EntityQuery, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    RateLimited,
    SystemFault,
    SystemUnavailable,
    WriteInDoubt,
)
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.manifest.kinds import PagingKind
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.egress.resilient_transport import ResilientTransport
from tests.kit.vendor_mock.conformance import Conformance, NoResolver
from tests.kit.vendor_mock.mock import VendorMock, fault, oversize, silence
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT
from tests.kit.vendor_mock.vendor_record import VendorRecord, vendor_records

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
SYSTEMS = list(vendor_records())


def listed(record: VendorRecord) -> EntityQuery:
    """A list of the first entity that has one."""
    entity = next(each for each in record.manifest.entities.values() if each.list is not None)
    condition = record.conditions.get(entity.name, "")
    return EntityQuery(entity.name, parsed_condition(condition) if condition else None, page_size=2)


async def connected(record: VendorRecord) -> tuple[VendorMock, RestConnection]:
    """A system, and a connection that knows its fields already."""
    mock = record.mock()
    connection = RestConnection(
        record.manifest, record.settings(), SystemAccess(ResilientTransport(mock), NoResolver())
    )
    await connection.entity_type(listed(record).entity_type, SystemCall())
    mock.requests.clear()
    return mock, connection


def has_lists(name: str) -> bool:
    return any(each.list is not None for each in vendor_records()[name].manifest.entities.values())


LISTED = [name for name in SYSTEMS if has_lists(name)]


@pytest.mark.parametrize("system", LISTED)
async def test_a_system_that_asks_to_wait_is_asked_again(system: str) -> None:
    mock, connection = await connected(vendor_records()[system])
    mock.faults = [fault(429, None, Retry_After="0"), fault(503, None, Retry_After="0")]
    await connection.list(listed(vendor_records()[system]), SystemCall())
    assert [each.url for each in mock.requests[:3]] == [mock.requests[0].url] * 3
    assert mock.violations == []


@pytest.mark.parametrize("system", LISTED)
@pytest.mark.parametrize(
    ("answered", "error"),
    [
        (fault(429, None, Retry_After="3600"), RateLimited),
        (fault(401), AuthenticationRefused),
        (fault(500), SystemFault),
        (silence, SystemUnavailable),
        (oversize, SystemFault),
    ],
)
async def test_a_read_that_fails_says_why(
    system: str, answered: Callable[[HttpRequest, HttpLimits], HttpResponse], error: type[ConnectorError]
) -> None:
    mock, connection = await connected(vendor_records()[system])
    mock.faults = [answered]
    call = SystemCall()
    with pytest.raises(error):
        await connection.list(listed(vendor_records()[system]), call)
    assert len(mock.requests) == 1
    assert len(call.exchanges) == 1


@pytest.mark.parametrize("system", LISTED)
async def test_a_page_that_is_cut_off_is_a_fault_of_the_system(system: str) -> None:
    mock, connection = await connected(vendor_records()[system])
    mock.after = lambda response: replace(response, body=response.body[: len(response.body) // 2])
    with pytest.raises(SystemFault, match="not JSON"):
        await connection.list(listed(vendor_records()[system]), SystemCall())


@pytest.mark.parametrize("system", LISTED)
async def test_a_cursor_that_is_lost_ends_the_listing_and_one_that_stays_the_same_is_a_fault(system: str) -> None:
    record = vendor_records()[system]
    query = listed(record)
    entity = record.manifest.entities[query.entity_type]
    assert entity.list is not None
    paging = entity.list.paging
    if paging.kind is not PagingKind.CURSOR or paging.next.startswith(("last_item", "header.")):
        return
    mock, connection = await connected(record)
    page = await connection.list(query, SystemCall())
    assert page.next_page_token
    mock.after = lambda response: replace(response, body=json.dumps(_told_again(json.loads(response.body))).encode())
    with pytest.raises(SystemFault, match="twice"):
        await connection.list(replace(query, page_token=page.next_page_token), SystemCall())


def _told_again(value: object) -> object:
    """A reply with the cursor of the page before."""
    if isinstance(value, dict):
        return {name: _told_again(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_told_again(each) for each in value]
    return "cursor2" if isinstance(value, str) and value.startswith("cursor") else value


@pytest.mark.parametrize("system", SYSTEMS)
async def test_a_write_whose_reply_is_lost_is_in_doubt_and_sent_once(system: str) -> None:
    record = vendor_records()[system]
    run = Conformance(record, record.manifest)
    creatable = next((each for each in record.manifest.entities.values() if each.create is not None), None)
    if creatable is None:
        return
    await run.connection.entity_type(creatable.name, SystemCall())
    run.mock.requests.clear()
    run.mock.faults = [silence]
    with pytest.raises(WriteInDoubt):
        await run.create(creatable.name)
    assert len(run.mock.requests) == 1
