"""What OData asks of requests besides their paths: how a change is sent, and where the next page may be."""

import pytest

from openplaybook.connectors.base import EntityQuery, SystemCall
from openplaybook.connectors.errors import SystemFault
from openplaybook.jsonvalues import JsonObject
from tests.kit.vendor_mock.conformance import Conformance
from tests.kit.vendor_mock.mock import fault
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT
from tests.kit.vendor_mock.vendor_record import vendor_records

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)


async def test_a_change_in_version_2_is_a_merge_that_says_only_what_changes() -> None:
    record = vendor_records()["sap-successfactors"]
    run = Conformance(record, record.manifest)
    await run.connection.update("Employees", "userId1", {"hireDate": "2026-11-26"}, SystemCall())
    sent = next(each for each in run.mock.requests if each.method == "POST")
    assert (sent.method, sent.url.partition("/odata/v2")[2]) == ("POST", "/User('userId1')")
    assert dict(sent.headers)["X-HTTP-Method"] == "MERGE"
    assert sent.body == b'{"hireDate":"/Date(1795651200000)/"}'


async def test_a_key_of_several_parts_stands_in_the_address_with_their_types() -> None:
    record = vendor_records()["sap-successfactors"]
    run = Conformance(record, record.manifest)
    await run.connection.get("JobInformation", '["ann","2026-11-27","1001"]', ("jobTitle",), SystemCall())
    path = run.mock.requests[-1].url.partition("/odata/v2")[2].partition("?")[0]
    assert path == "/EmpJob(userId='ann',startDate=datetime'2026-11-27T00:00:00',seqNumber=1001L)"


async def test_a_next_link_to_another_host_is_not_followed() -> None:
    record = vendor_records()["azure-ad"]
    run = Conformance(record, record.manifest)
    stolen: JsonObject = {"value": [{"id": "1"}], "@odata.nextLink": "https://graph.example/v1.0/users?$skiptoken=x"}
    run.mock.faults.append(fault(200, stolen))
    with pytest.raises(SystemFault, match="leads to another host"):
        await run.connection.list(EntityQuery("users", fields=("id",)), SystemCall())
    assert len(run.mock.requests) == 1
