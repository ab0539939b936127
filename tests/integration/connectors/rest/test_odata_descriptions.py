"""An OData service tells its own entity sets and their fields, once a day."""

import gzip
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from openplaybook.connectors.base import DataType, EntityQuery, Rehearsed, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import SystemFault, UnknownName
from openplaybook.connectors.rest.connection import RestConnection
from openplaybook.connectors.rest.systems import manifests
from openplaybook.connectors.settings import AccessToken, ConnectionSettings
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, dumps
from tests.kit.vendor_mock.conformance import NoResolver
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT
from tests.kit.vendor_mock.vendor_record import vendor_records

DATAVERSE = Path(__file__).parents[3] / "kit" / "vendor_mock" / "dataverse.xml"
BASE = "https://acme.crm4.dynamics.com/api/data/v9.2"
KEY = "123e4567-e89b-12d3-a456-426614174000"


@dataclass
class Environment:
    """Answers as a Dataverse environment does."""

    metadata: bytes = field(default_factory=DATAVERSE.read_bytes)
    is_cut: bool = False
    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.requests.append(request)
        path = request.url.removeprefix(BASE).partition("?")[0]
        if path == "/$metadata":
            return HttpResponse(200, (("Content-Type", "application/xml"),), self.metadata, self.is_cut, 0.001)
        sets: JsonObject = {"value": [{"name": name} for name in ("accounts", "knowledgearticles")]}
        article: JsonObject = {"knowledgearticleid": KEY, "title": "How to", "rating": 4.5}
        found = sets if path == "/" else article if path.endswith(")") else {"value": [article]}
        return HttpResponse(200, (), dumps(found), False, 0.001)

    async def aclose(self) -> None:
        """Nothing is held."""

    def paths(self) -> list[str]:
        return [each.url.removeprefix(BASE).partition("?")[0] for each in self.requests]


def connection_to(environment: Environment) -> RestConnection:
    settings = ConnectionSettings(
        "projects/p/locations/l/connections/c",
        "dynamics-365",
        {"environment": "acme.crm4.dynamics.com"},
        AccessToken("token-0123456789"),
    )
    return RestConnection(manifests()["dynamics-365"], settings, SystemAccess(environment, NoResolver()))


async def test_a_table_that_no_manifest_names_is_used_with_its_own_key_and_types() -> None:
    environment = Environment()
    connection = connection_to(environment)
    assert "knowledgearticles" in await connection.entity_names(SystemCall())
    condition = parsed_condition("createdon > '2026-11-26' AND isinternal = TRUE")
    query = EntityQuery("knowledgearticles", condition, ("title", "rating"), page_size=2)
    page = await connection.list(query, SystemCall())
    assert [(each.key, each.fields) for each in page.entities] == [(KEY, {"title": "How to", "rating": "4.5"})]
    sent = environment.requests[-1]
    assert sent.url.endswith(
        "/knowledgearticles?$select=knowledgearticleid,title,rating"
        "&$filter=createdon%20gt%202026-11-26T00:00:00Z%20and%20isinternal%20eq%20true"
    )
    assert dict(sent.headers)["Prefer"] == "odata.maxpagesize=2"
    await connection.get("knowledgearticles", KEY, ("title",), SystemCall())
    assert environment.paths()[-1] == f"/knowledgearticles({KEY})"


async def test_a_service_is_asked_once_for_all_its_types() -> None:
    environment = Environment()
    connection = connection_to(environment)
    for name in ("accounts", "contacts", "knowledgearticles", "accounts"):
        assert (await connection.entity_type(name, SystemCall())).fields
    assert environment.paths() == ["/$metadata", "/"]


async def test_columns_that_a_customer_has_added_are_there() -> None:
    own = b'<EntityType Name="account" BaseType="mscrm.crmbaseentity">'
    added = own + b'<Property Name="new_region" Type="Edm.String" />'
    environment = Environment(DATAVERSE.read_bytes().replace(own, added))
    found = await connection_to(environment).entity_type("accounts", SystemCall())
    assert found.field("new_region") is not None
    assert found.key == "accountid"


async def test_a_rehearsal_reads_the_description_and_sends_nothing_else() -> None:
    environment = Environment()
    call = SystemCall(is_rehearsal=True)
    with pytest.raises(Rehearsed):
        await connection_to(environment).create("accounts", {"name": "Acme"}, call)
    assert environment.paths() == ["/$metadata"]
    assert call.exchanges[-1].request == '{"name":"Acme"}'


async def test_a_description_that_is_too_long_is_refused() -> None:
    with pytest.raises(SystemFault, match="longer than 40,000,000 bytes"):
        await connection_to(Environment(is_cut=True)).entity_type("accounts", SystemCall())


async def test_a_table_that_the_service_does_not_name_is_unknown() -> None:
    with pytest.raises(UnknownName, match="'passwords'"):
        await connection_to(Environment()).entity_type("passwords", SystemCall())


async def test_a_change_never_makes_what_is_not_there() -> None:
    environment = Environment()
    await connection_to(environment).update("accounts", KEY, {"name": "Acme"}, SystemCall())
    changed = next(each for each in environment.requests if each.method == "PATCH")
    assert dict(changed.headers)["If-Match"] == "*"


@dataclass
class Employees:
    """Answers as SuccessFactors does, whose `$metadata` is asked for set by set."""

    requests: list[HttpRequest] = field(default_factory=list[HttpRequest])
    status: int = 200

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        self.requests.append(request)
        if request.url.endswith("/User/$metadata"):
            file = Path(CORPUS) / "vendor-apis" / "sap-successfactors" / "PLTUserManagement.edmx.gz"
            return HttpResponse(self.status, (), gzip.decompress(file.read_bytes()), False, 0.001)
        found: JsonObject = {"d": {"results": [{"userId": "ann", "hireDate": "/Date(1795651200000)/"}]}}
        return HttpResponse(200, (), dumps(found), False, 0.001)

    async def aclose(self) -> None:
        """Nothing is held."""


def employees_of(system: Employees) -> RestConnection:
    record = vendor_records()["sap-successfactors"]
    return RestConnection(record.manifest, record.settings(), SystemAccess(system, NoResolver()))


@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
async def test_fields_of_version_2_that_no_manifest_lists_are_read_when_they_are_chosen() -> None:
    system = Employees()
    connection = employees_of(system)
    found = await connection.entity_type("Employees", SystemCall())
    own = found.field("custom01")
    assert own is not None
    assert (own.data_type, own.is_read_only) == (DataType.STRING, False)
    await connection.list(EntityQuery("Employees", fields=("custom01", "hireDate"), page_size=2), SystemCall())
    assert "$select=userId,custom01,hireDate&" in system.requests[-1].url
    assert len(system.requests) == 2


@pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)
async def test_who_may_not_read_the_description_has_the_fields_of_the_manifest() -> None:
    connection = employees_of(Employees(status=403))
    found = await connection.entity_type("Employees", SystemCall())
    assert found.field("custom01") is None
    assert found.field("hireDate") is not None
