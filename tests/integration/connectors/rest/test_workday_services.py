"""Workday's SOAP services: every operation of the vendor's WSDLs, and what the manifest makes of some of them."""

import gzip
from functools import cache
from pathlib import Path

import pytest

from openplaybook.connectors.base import EntityQuery, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.soap.message_reader import MessageReader
from openplaybook.connectors.rest.soap.message_writer import MessageWriter
from openplaybook.connectors.rest.soap.schema_model import SoapService
from openplaybook.connectors.rest.soap.wsdl_reader import read_wsdl
from openplaybook.connectors.rest.soap.xml_elements import parsed_xml
from openplaybook.connectors.rest.systems import manifests
from openplaybook.connectors.settings import ConnectionSettings, UserPassword
from tests.kit.soap.soap_mock import SoapMock, WsdlDocument
from tests.kit.soap.xsd_samples import ETREE
from tests.kit.vendor_mock.conformance import NoResolver
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
SERVICES = {"Human_Resources": 148, "Staffing": 45}
PARTS = 16
"""Into which the operations of each service are divided."""
PASSWORD = "p<&ss0123456789"


@cache
def service(name: str) -> tuple[WsdlDocument, SoapService]:
    """The vendor's document as the mock has it, and as it is read here."""
    data = gzip.decompress((Path(CORPUS) / "vendor-apis" / "workday" / f"{name}.wsdl.gz").read_bytes())
    return WsdlDocument(data), read_wsdl(data)


def parts(element: object) -> list[tuple[str, dict[str, str], str]]:
    """Everything that an element is, for comparison."""
    found: list[tuple[str, dict[str, str], str]] = []
    for each in ETREE.fromstring(element).iter():
        found.append((each.tag, dict(each.attrib), "" if len(each) else each.text or ""))
    return found


def connection(mock: SoapMock) -> RestConnection:
    config = {"host": "wd2-impl-services1.workday.com", "tenant": "acme"}
    name = "projects/p/locations/l/connections/c"
    settings = ConnectionSettings(name, "workday", config, UserPassword("isu", PASSWORD))
    return RestConnection(manifests()["workday"], settings, SystemAccess(mock, NoResolver()))


@pytest.mark.parametrize("name", list(SERVICES))
def test_all_operations_are_read(name: str) -> None:
    document, read = service(name)
    assert {
        each: (f"{{{document.namespace}}}{ends[0]}", f"{{{document.namespace}}}{ends[1]}")
        for each, ends in document.operations.items()
        if ends[1]
    } == {each.name: (each.input, each.output) for each in read.operations.values() if each.output}
    assert len(read.operations) == SERVICES[name]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", list(SERVICES))
def test_messages_of_each_operation_are_written_as_the_schema_has_them_and_read_without_loss(
    name: str, part: int
) -> None:
    document, read = service(name)
    samples = document.samples
    for operation in list(document.operations)[part::PARTS]:
        for samples.turn in range(3):
            for samples.is_full in (True, False):
                for element in filter(None, document.operations[operation]):
                    sample = ETREE.tostring(samples.element(element))
                    document.schema.assertValid(ETREE.fromstring(sample))
                    value = MessageReader(read.schema).read(parsed_xml(sample, most_elements=100_000))
                    written = MessageWriter(read.schema).written(f"{{{document.namespace}}}{element}", value)
                    document.schema.assertValid(ETREE.fromstring(written))
                    assert parts(written) == parts(sample), operation


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", list(SERVICES))
async def test_each_operation_is_described_called_and_answered(name: str, part: int) -> None:
    document, read = service(name)
    mock = SoapMock({name: document}, user="isu@acme", password=PASSWORD)
    called = connection(mock)
    document.samples.turn, document.samples.is_full = 0, True
    for operation in list(document.operations)[part::PARTS]:
        chosen = {"service": name, "operation": operation}
        (told,) = (await called.execute("DescribeOperation", chosen, SystemCall())).rows
        assert told["input"]["type"] == "object"
        reads = operation.startswith(("Get_", "Find_"))
        assert told["readOnly"] is reads
        element = document.operations[operation][0]
        sample = parsed_xml(ETREE.tostring(document.samples.element(element)), most_elements=100_000)
        request = MessageReader(read.schema).read(sample)
        action = "ReadService" if reads else "CallService"
        result = await called.execute(action, {**chosen, "request": request}, SystemCall())
        assert len(result.rows) == 1
    assert len(mock.messages) == len(list(document.operations)[part::PARTS])


async def test_records_are_read_with_the_credential_of_an_integration_system_user() -> None:
    mock = SoapMock({each: service(each)[0] for each in SERVICES}, user="isu@acme", password=PASSWORD)
    read = connection(mock)
    await read.check(SystemCall())
    for name, text in {
        "WorkerRecords": "employee_id = '21001' AND active_only = true AND as_of = '2026-01-01' AND organization = 'S'",
        "Organizations": "reference_id = 'R1' AND kind = 'COST_CENTER'",
    }.items():
        form = await read.entity_type(name, SystemCall())
        condition = parsed_condition(text, [each.name for each in form.fields])
        await read.list(EntityQuery(name, condition, page_size=2), SystemCall())
        await read.get(name, "0e44c92412d34b01ace61e80a47aaf6d", (), SystemCall())
    workers, worker = (each for each in mock.messages[-4:-2])
    w = f"{{{mock.services['Staffing'].namespace}}}"
    assert workers.findtext(f"{w}Request_References/{w}Worker_Reference/{w}ID") == "21001"
    assert workers.findtext(f"{w}Response_Filter/{w}Count") == "2"
    assert worker.find(f"{w}Request_References/{w}Worker_Reference/{w}ID").get(f"{w}type") == "WID"
    # The mock held each of them against the schema.
    assert len(mock.messages) == len(mock.requests) == 5


async def test_an_employment_is_ended_as_the_schema_has_it() -> None:
    mock = SoapMock({each: service(each)[0] for each in SERVICES}, user="isu@acme", password=PASSWORD)
    given = {"employee_id": "21001", "date": "2026-12-31", "reason": "Terminate_Employee_Voluntary_Better_Job"}
    done = await connection(mock).execute("TerminateEmployee", given, SystemCall())
    assert "Event_Reference" in done.rows[0]
    w = f"{{{mock.services['Staffing'].namespace}}}"
    assert mock.messages[0].findtext(f".//{w}Termination_Date") == "2026-12-31"
