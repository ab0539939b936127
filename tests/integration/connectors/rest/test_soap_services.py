"""A system that speaks SOAP, over real HTTP, strict by the schema of its WSDL."""

import pytest

from openplaybook.connectors.base import EntityQuery, Rehearsed, SystemCall
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    ConnectorError,
    EntityNotFound,
    InvalidValue,
    OperationUnsupported,
    PermissionRefused,
    SystemFault,
    UnknownName,
    WriteInDoubt,
    WriteRefused,
)
from openplaybook.connectors.settings import AccessToken, UserPassword
from openplaybook.jsonvalues import JsonObject
from tests.integration.connectors.rest.people_services import PASSWORD, WSDL, people
from tests.kit.http_peer import answer

ANNA: JsonObject = {
    "service": "People",
    "operation": "Put_Person",
    "request": {"Person": {"Name": "Anna", "Salary": 7}},
}
TOKEN = "token-0123456789"


async def test_entities_are_listed_by_pages_and_read_by_their_key() -> None:
    async with people(["Anna", "Bert", "Cleo"]) as register:
        connection = register.connection()
        first = await connection.list(EntityQuery("Person", page_size=2), SystemCall())
        again = EntityQuery("Person", page_size=2, page_token=first.next_page_token)
        second = await connection.list(again, SystemCall())
        assert [each.fields["name"] for each in (*first.entities, *second.entities)] == ["Anna", "Bert", "Cleo"]
        assert second.next_page_token == ""
        found = await connection.get("Person", "2", (), SystemCall())
        assert found.fields == {"id": "2", "name": "Bert", "salary": "1234567890123456.50"}
        assert register.mock.fetched == 1


async def test_what_is_written_is_there_afterwards() -> None:
    async with people() as register:
        connection = register.connection()
        done = await connection.execute("CallService", ANNA, SystemCall())
        assert done.rows == ({"Reference": {"ID": [{"type": "WID", "value": "1"}]}},)
        await connection.execute("AddPerson", {"name": "Bert", "salary": "0.25"}, SystemCall())
        read = {"service": "People", "operation": "Get_People", "request": {"Reference": [{"WID": "2"}]}}
        told = await connection.execute("ReadService", read, SystemCall())
        assert told.rows[0]["Record"] == [
            {"Name": "Bert", "Salary": "0.25", "Reference": {"ID": [{"type": "WID", "value": "2"}]}}
        ]


async def test_operations_are_found_and_described() -> None:
    async with people() as register:
        connection = register.connection()
        found = await connection.execute("FindOperations", {"service": "People", "words": "ADDS person"}, SystemCall())
        assert found.rows == (
            {"operation": "Put_Person", "readOnly": False, "description": "Adds a person, or changes one."},
        )
        asked = {"service": "People", "operation": "Put_Person", "part": "input", "path": "Person"}
        (told,) = (await connection.execute("DescribeOperation", asked, SystemCall())).rows
        schema = told["input"]
        assert told["readOnly"] is False
        assert "output" not in told
        assert schema["required"] == ["Name"]
        assert schema["description"] == "only one of Salary, Hourly_Rate"
        assert schema["properties"]["Grade"] == {"type": "string", "enum": ["junior", "senior"]}
        assert schema["properties"]["Manager"]["properties"] == {
            "Person_ID": {"type": "string"},
            "WID": {"type": "string"},
        }
        # No request was sent for it beyond that of the description.
        assert register.mock.requests == []


@pytest.mark.parametrize(
    ("action", "parameters", "kind", "said"),
    [
        ("ReadService", ANNA, InvalidValue, "Put_Person changes something"),
        ("CallService", {**ANNA, "operation": "Put_People"}, UnknownName, "there are: Get_People, Put_Person"),
        ("CallService", {**ANNA, "request": {"Persons": 1}}, UnknownName, "there are: Reference, Person"),
        ("CallService", {**ANNA, "request": {}}, InvalidValue, "Person: is required"),
        ("CallService", {**ANNA, "service": "Nothing"}, EntityNotFound, "404"),
        ("CallService", {**ANNA, "service": "../People"}, InvalidValue, "service"),
        ("CallService", {**ANNA, "version": "v1/../x"}, InvalidValue, "version"),
        (
            "DescribeOperation",
            {**ANNA, "part": "input", "path": "Person.X", "request": None},
            UnknownName,
            "no member 'X'",
        ),
        (
            "AddPerson",
            {"name": "Anna", "salary": "1"},
            InvalidValue,
            "/p:Put_Person_Request/p:Person/p:Name: .*is taken",
        ),
        ("AddPerson", {"name": "Nobody", "salary": "1"}, PermissionRefused, "not authorized"),
        ("AddPerson", {"name": "Broken", "salary": "1"}, WriteInDoubt, "It broke"),
    ],
)
async def test_what_is_wrong_is_told(
    action: str, parameters: JsonObject, kind: type[ConnectorError], said: str
) -> None:
    parameters = {name: each for name, each in parameters.items() if each is not None}
    async with people(["Anna"]) as register:
        with pytest.raises(kind, match=said):
            await register.connection().execute(action, parameters, SystemCall())
        assert len(register.rows) == 1


async def test_a_key_that_nothing_has_is_not_found() -> None:
    async with people(["Anna"]) as register:
        with pytest.raises(EntityNotFound, match="no such person"):
            await register.connection().get("Person", "9", (), SystemCall())


async def test_a_wrong_password_is_refused_and_a_bearer_token_taken() -> None:
    async with people(["Anna"], token=TOKEN) as register:
        with pytest.raises(AuthenticationRefused, match="invalid username or password"):
            await register.connection(UserPassword("isu", "other")).check(SystemCall())
        await register.connection(AccessToken(TOKEN)).get("Person", "1", (), SystemCall())
        assert b"UsernameToken" not in (register.mock.requests[-1].body or b"")
        await register.connection().check(SystemCall())
        assert b"UsernameToken" in (register.mock.requests[-1].body or b"")


async def test_user_and_password_of_services_are_sent_nowhere_else() -> None:
    async with people() as register:
        with pytest.raises(OperationUnsupported, match="SOAP services only"):
            await register.connection().list(EntityQuery("Note"), SystemCall())
        assert register.peer.requests == []


async def test_a_read_only_connection_reads_and_sends_no_write() -> None:
    async with people(["Anna"]) as register:
        connection = register.connection(read_only=True)
        with pytest.raises(WriteRefused, match="read-only"):
            await connection.execute("CallService", ANNA, SystemCall())
        read = {"service": "People", "operation": "Get_People", "request": {}}
        assert (await connection.execute("CallService", read, SystemCall())).rows[0]["Total_Pages"] == 1
        assert [each.method for each in register.mock.requests] == ["POST"]


async def test_a_rehearsal_shows_the_envelope_without_the_password() -> None:
    async with people() as register:
        call = SystemCall(is_rehearsal=True)
        with pytest.raises(Rehearsed):
            await register.connection().execute("AddPerson", {"name": "Anna", "salary": "1"}, call)
        shown = call.exchanges[-1]
        assert ">Anna<" in shown.request
        assert ">isu@acme<" in shown.request
        assert "wörd" not in str(call.exchanges)
        assert "p&lt;" not in str(call.exchanges)
        assert register.mock.requests == []


async def test_no_exchange_that_is_kept_holds_the_password() -> None:
    async with people(["Anna"]) as register:
        call = SystemCall()
        # What a system echoes is masked as well.
        register.mock.password = "other"
        with pytest.raises(AuthenticationRefused):
            await register.connection().check(call)
        body = register.mock.requests[-1].body or b""
        assert b"p&lt;&amp;ss" in body
        assert PASSWORD not in str(call.exchanges)
        assert "p&lt;&amp;ss" not in str(call.exchanges)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"<html>oops</html>", "200 OK"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "200 OK"),
        (b"<a>" * 5_000, "200 OK"),
        (b"", "200 OK"),
        (b"{}", "200 OK"),
    ],
)
async def test_a_reply_that_nobody_can_read_is_a_fault_of_a_read_and_leaves_a_write_in_doubt(
    body: bytes, status: str
) -> None:
    async with people(["Anna"]) as register:
        connection = register.connection()
        await connection.check(SystemCall())
        register.answers = [answer(body, status, "text/xml")]
        with pytest.raises(SystemFault, match="the system's reply"):
            await connection.get("Person", "1", (), SystemCall())
        register.answers = [answer(body, status, "text/xml")]
        with pytest.raises(WriteInDoubt):
            await connection.execute("AddPerson", {"name": "Bert", "salary": "1"}, SystemCall())


async def test_a_header_that_the_description_gives_cannot_make_another_request() -> None:
    wsdl = WSDL.replace(b'"urn:put"', b'"urn:&#13;&#10;X-Evil: 1&#13;&#10;&quot;put"', 1)
    async with people(wsdl=wsdl) as register:
        await register.connection().execute("CallService", ANNA, SystemCall())
        sent = dict(register.peer.requests[-1].headers)
        assert sent["SOAPAction"] == '"urn:X-Evil:1put"'
        assert "X-Evil" not in sent


async def test_a_write_whose_reply_is_lost_is_in_doubt_and_sent_once() -> None:
    async with people() as register:
        connection = register.connection()
        await connection.execute("FindOperations", {"service": "People"}, SystemCall())
        register.answers = [None]
        with pytest.raises(WriteInDoubt):
            await connection.execute("AddPerson", {"name": "Anna", "salary": "1"}, SystemCall())
        assert [each.method for each in register.peer.requests] == ["GET", "POST"]


@pytest.mark.parametrize(
    ("wsdl", "said"),
    [
        (b"<html/>", "is no WSDL 1.1"),
        (b"not found", "is no XML"),
        (WSDL.replace(b"?>", b'?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', 1), "document type"),
        (WSDL.replace(b"<wsdl:types>", b"<wsdl:types>" + b"<x>" * 300 + b"</x>" * 300), "within each other"),
        (b" " * 40_000_001, "longer than 40,000,000 bytes"),
    ],
    ids=["html", "text", "entity", "deep", "long"],
)
async def test_a_description_that_cannot_be_read_is_a_fault_and_nothing_is_called(wsdl: bytes, said: str) -> None:
    async with people(wsdl=wsdl) as register:
        with pytest.raises(SystemFault, match=said):
            await register.connection().execute("AddPerson", {"name": "Anna", "salary": "1"}, SystemCall())
        assert register.mock.requests == []
