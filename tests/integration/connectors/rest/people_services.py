"""A register of people that speaks SOAP on a loopback socket, its manifest, and connections to it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tests.kit.soap
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.connectors.settings import Authentication, ConnectionSettings, UserPassword
from openplaybook.egress.address_policy import AddressPolicy, parse_allow
from openplaybook.egress.base import HttpLimits, HttpRequest
from openplaybook.egress.http_transport import HttpTransport
from openplaybook.egress.resilient_transport import ResilientTransport
from tests.kit.egress import Names
from tests.kit.http_peer import HttpPeer, Received, answer, http_peer
from tests.kit.soap.soap_mock import SoapFault, SoapMock, WsdlDocument
from tests.kit.soap.xsd_samples import ETREE

MANIFEST = """
id: people
title: People
evidence: compiled only
evidence_note: It is made for tests.
base_url: https://people.example/api
hosts: {soap: "http://127.0.0.1:PORT/services"}
soap: {version: v1.0, reads: Get_}
auth: [{kind: username_token, user: "{auth.user}@acme"}, {kind: bearer}]
errors: {message: ["fault.detail.Validation_Fault.Validation_Error[*].Message", fault.message], code: fault.code,
  field: "fault.detail.Validation_Fault.Validation_Error[0].Xpath", failed: fault,
  codes: {invalid: [Client, Client.validationError], authentication: Client.authenticationError},
  words: {permission: not authorized, not_found: no such person}}
entities:
  Person:
    fields: {id: {type: key, path: "Reference.ID[type=WID].value"}, name: {type: string ro, path: Name},
      salary: {type: decimal ro nofilter, path: Salary}}
    list: "POST soap:/People/Get_People"
    items: Record
    get: {http: "POST soap:/People/Get_People", item: "Record[0]", params: {Reference.WID: "{id}"}}
    filter: {params: {id: Reference.WID}}
    paging: {kind: page, param: Filter.Page, pages: Total_Pages, size: {param: Filter.Count, max: 2}}
  Note: {fields: {id: key}, list: GET /notes}
actions:
  AddPerson: {description: Add a person., http: "POST soap:/People/Put_Person", parameters: {
    name: {type: string, sent_as: Person.Name}, salary: {type: decimal, sent_as: Person.Salary}}}
"""
PASSWORD = 'p<&ss"wörd-0123'
P = "{urn:example:people}"
WSDL = Path(tests.kit.soap.__file__).with_name("people.wsdl").read_bytes()


@dataclass
class People:
    """What tests see of it."""

    peer: HttpPeer
    access: SystemAccess
    mock: SoapMock
    rows: list[Any] = field(default_factory=list[Any])
    """Elements of persons, by their ids from 1 on."""
    answers: list[bytes | None] = field(default_factory=list[bytes | None])
    """What comes instead of the next replies; None closes the connection."""

    def connection(self, authentication: Authentication = None, **config: str | bool) -> RestConnection:
        """To it, with user and password unless told otherwise."""
        given = authentication or UserPassword("isu", PASSWORD)
        settings = ConnectionSettings("projects/p/locations/l/connections/c", "people", config, given)
        text = MANIFEST.replace("PORT", str(self.peer.port))
        return RestConnection(manifest_of(text, "people"), settings, self.access)

    def get_people(self, request: Any) -> Any:
        """The records that were asked for."""
        wanted = [int(each.text) for each in request.iter(f"{P}ID")]
        found = [number for number in wanted or range(1, len(self.rows) + 1) if number <= len(self.rows)]
        if wanted and not found:
            raise SoapFault("Client.validationError", "no such person")
        size = int(request.findtext(f"{P}Filter/{P}Count", "10"))
        start = (int(request.findtext(f"{P}Filter/{P}Page", "1")) - 1) * size
        reply = ETREE.Element(f"{P}Get_People_Response", nsmap={"p": P[1:-1]})
        ETREE.SubElement(reply, f"{P}Total_Pages").text = str(-(-len(found) // size))
        for number in found[start : start + size]:
            record = ETREE.SubElement(reply, f"{P}Record")
            record.extend(ETREE.fromstring(ETREE.tostring(self.rows[number - 1])))
            record.append(_reference(number))
        return reply

    def put_person(self, request: Any) -> Any:
        """Keep a person; no two have the same name."""
        person = request.find(f"{P}Person")
        if person.findtext(f"{P}Name") in [each.findtext(f"{P}Name") for each in self.rows]:
            detail = ETREE.Element(f"{P}Validation_Fault")
            error = ETREE.SubElement(detail, f"{P}Validation_Error")
            ETREE.SubElement(error, f"{P}Message").text = "The name is taken."
            ETREE.SubElement(error, f"{P}Xpath").text = "/p:Put_Person_Request/p:Person/p:Name"
            raise SoapFault("Client.validationError", "Validation error occurred.", detail)
        if person.findtext(f"{P}Name") == "Nobody":
            raise SoapFault("Server.processingError", "The task submitted is not authorized.")
        if person.findtext(f"{P}Name") == "Broken":
            raise SoapFault("Server", "It broke.")
        self.rows.append(person)
        reply = ETREE.Element(f"{P}Put_Person_Response", nsmap={"p": P[1:-1]})
        reply.append(_reference(len(self.rows)))
        return reply

    async def reply(self, received: Received) -> bytes | None:
        """What comes back for a request."""
        if self.answers:
            return self.answers.pop(0)
        request = HttpRequest(received.method, f"http://h{received.target}", received.headers, received.body)
        made = await self.mock.send(request, HttpLimits())
        status = {200: "200 OK", 404: "404 Not Found"}.get(made.status, "500 Internal Server Error")
        return answer(made.body, status, "text/xml; charset=utf-8")


def _reference(number: int) -> Any:
    made = ETREE.Element(f"{P}Reference")
    identity = ETREE.SubElement(made, f"{P}ID")
    identity.set(f"{P}type", "WID")
    identity.text = str(number)
    return made


@asynccontextmanager
async def people(names: Sequence[str] = (), token: str = "", wsdl: bytes = WSDL) -> AsyncGenerator[People]:
    """The register with some people, running while the block does."""
    document = WsdlDocument(WSDL)
    mock = SoapMock({"People": document}, user="isu@acme", password=PASSWORD, token=token)
    document.data = wsdl
    systems: list[People] = []
    transport = ResilientTransport(HttpTransport(AddressPolicy(parse_allow("127.0.0.1")), Names({})))
    async with http_peer(lambda received: systems[0].reply(received)) as peer:
        made = People(peer, SystemAccess(transport, Names({})), mock)
        systems.append(made)
        mock.answers = {"Get_People_Request": made.get_people, "Put_Person_Request": made.put_person}
        for name in names:
            person = ETREE.Element(f"{P}Person")
            ETREE.SubElement(person, f"{P}Name").text = name
            ETREE.SubElement(person, f"{P}Salary").text = "1234567890123456.50"
            made.rows.append(person)
        try:
            yield made
        finally:
            await transport.aclose()
