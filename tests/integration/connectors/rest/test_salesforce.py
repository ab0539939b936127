"""The manifest of Salesforce, against an organisation in memory with the objects of the vendor's WSDL."""

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
from openplaybook.connectors.conditions.evaluation import meets
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.definitions import SystemAccess
from openplaybook.connectors.errors import (
    AuthenticationRefused,
    EntityNotFound,
    InvalidValue,
    UnknownName,
    UnsuitedColumn,
)
from openplaybook.connectors.rest.systems import manifests, open_rest
from openplaybook.connectors.settings import AccessToken, ConnectionSettings
from openplaybook.egress.base import Resolver
from openplaybook.jsonvalues import JsonObject
from tests.kit.salesforce_org import HOST, PAGE, SalesforceOrg, described_objects
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)

NEW: dict[str, tuple[JsonObject, JsonObject]] = {
    "Account": ({"Name": "O'Hara & \\ Sons", "NumberOfEmployees": 7, "AnnualRevenue": 12.5}, {"BillingCity": "Ulm"}),
    "Contact": ({"LastName": "Ann", "Email": "ann@example.com"}, {"Title": None}),
    "Lead": ({"LastName": "Bob", "Company": "B"}, {"Status": "Working"}),
    "Opportunity": ({"Name": "Deal", "StageName": "New", "CloseDate": "2026-12-24"}, {"Amount": 10.0}),
    "Case": ({"Subject": "Broken"}, {"Status": "Closed"}),
    "Task": ({"Subject": "Call", "ActivityDate": "2026-11-30"}, {"Status": "Done"}),
}
CITIES = ("Bern", "Ulm", None, "Bern's", "a\\b")


@pytest.fixture
def org() -> SalesforceOrg:
    return SalesforceOrg(described_objects())


def settings_of(token: str = "good") -> ConnectionSettings:
    return ConnectionSettings(
        "projects/p/locations/l/connections/crm",
        "salesforce",
        config={"instance": HOST},
        authentication=AccessToken(token),
    )


@pytest.fixture
async def crm(org: SalesforceOrg) -> SystemConnection:
    return await open_rest(settings_of(), SystemAccess(org, cast("Resolver", None)))


async def rows(crm: SystemConnection, query: EntityQuery) -> list[JsonObject]:
    found: list[JsonObject] = []
    while True:
        page = await crm.list(query, SystemCall())
        found += [each.fields for each in page.entities]
        if not page.next_page_token:
            return found
        query = replace(query, page_token=page.next_page_token)


@pytest.mark.parametrize("entity_type", list(NEW))
async def test_entities_are_created_got_changed_and_deleted(crm: SystemConnection, entity_type: str) -> None:
    call = SystemCall()
    first, change = NEW[entity_type]
    made = await crm.create(entity_type, first, call)
    assert {key: made.fields[key] for key in first} == first
    changed = await crm.update(entity_type, made.key, change, call)
    assert {key: changed.fields[key] for key in change} == change
    assert (await crm.get(entity_type, made.key, ["Id"], call)).fields == {"Id": made.key}
    assert [each["Id"] for each in await rows(crm, EntityQuery(entity_type))] == [made.key]
    await crm.delete(entity_type, made.key, call)
    with pytest.raises(EntityNotFound):
        await crm.get(entity_type, made.key, (), call)


def test_all_that_can_be_made_was_tried() -> None:
    named = {name for name, each in manifests()["salesforce"].entities.items() if each.create is not None}
    assert named - {"*", "User"} == set(NEW)


@pytest.mark.parametrize(
    "text",
    [
        "BillingCity = 'Bern'",
        "BillingCity <> 'Bern'",
        "NOT BillingCity = 'Bern'",
        "BillingCity IS NULL",
        "BillingCity IS NOT NULL AND NumberOfEmployees >= 3",
        "BillingCity IN ('Ulm', 'Bern''s') OR NumberOfEmployees < 2",
        "NOT BillingCity IN ('Ulm')",
        "BillingCity LIKE 'B%' AND NOT (NumberOfEmployees BETWEEN 2 AND 3)",
        "BillingCity LIKE '%''s'",
        "BillingCity = 'a\\b'",
        "AnnualRevenue > 1.5 AND AnnualRevenue <= 4",
        "Name = 'x'' OR Name != '''",
        "Description = 'hidden from filters is tried here'",
    ],
)
async def test_conditions_mean_in_soql_what_they_mean_here(crm: SystemConnection, text: str) -> None:
    for number in range(6):
        city = CITIES[number % len(CITIES)]
        values: JsonObject = {"Name": f"A{number}", "NumberOfEmployees": number, "AnnualRevenue": number * 0.75}
        await crm.create("Account", values if city is None else {**values, "BillingCity": city}, SystemCall())
    everything = await rows(crm, EntityQuery("Account"))
    if "Description" in text:
        with pytest.raises(UnsuitedColumn, match="the column 'Description' cannot be filtered by; these can be: Id"):
            await rows(crm, EntityQuery("Account", parsed_condition(text)))
        return
    condition = parsed_condition(text)
    found = await rows(crm, EntityQuery("Account", condition, sort=(SortKey("Name"),)))
    assert [each["Name"] for each in found] == [each["Name"] for each in everything if meets(condition, each)]


async def test_pages_follow_the_systems_next_url(crm: SystemConnection, org: SalesforceOrg) -> None:
    for number in range(2 * PAGE + 1):
        await crm.create("Task", {"Subject": f"T{number}"}, SystemCall())
    found = await rows(crm, EntityQuery("Task", fields=("Subject",), sort=(SortKey("Subject", True),), page_size=2))
    assert [each["Subject"] for each in found] == [f"T{number}" for number in reversed(range(2 * PAGE + 1))]
    assert set(org.queries) == {"SELECT Id, Subject FROM Task ORDER BY Subject DESC LIMIT 2000"}
    assert any("/query/" in each.url for each in org.asked)


async def test_objects_that_the_manifest_does_not_name_are_there_as_the_organisation_has_them(
    crm: SystemConnection,
) -> None:
    call = SystemCall()
    names = await crm.entity_names(call)
    assert set(NEW) < set(names)
    assert "Campaign" in names
    campaign = await crm.entity_type("Campaign", call)
    assert campaign.operations == frozenset(EntityOperation)
    made = await crm.create("Campaign", {"Name": "Spring", "IsActive": True, "StartDate": "2027-03-01"}, call)
    [found] = await rows(crm, EntityQuery("Campaign", parsed_condition("IsActive = TRUE AND StartDate > '2027-01-01'")))
    assert (found["Id"], found["Name"], found["IsActive"]) == (made.key, "Spring", True)
    with pytest.raises(UnknownName, match="there is no"):
        await crm.entity_type("NoSuchObject", call)


async def test_queries_run_in_soql_with_their_values_quoted(crm: SystemConnection) -> None:
    await crm.create("Account", {"Name": "x' OR Name != '"}, SystemCall())
    text = "SELECT Id, Name FROM Account WHERE Name = ?"
    result = await crm.query(SqlQuery(text, (QueryParameter("x' OR Name != '"),)), SystemCall())
    assert [each["Name"] for each in result.rows] == ["x' OR Name != '"]
    assert "attributes" not in result.rows[0]
    assert (await crm.query(SqlQuery(text, (QueryParameter("' OR Name != '"),)), SystemCall())).rows == ()


async def test_what_is_refused_is_told_with_its_field(crm: SystemConnection, org: SalesforceOrg) -> None:
    with pytest.raises(InvalidValue, match="Company"):
        await crm.create("Lead", {"LastName": "x"}, SystemCall())
    stale = await open_rest(settings_of("stale"), SystemAccess(org, cast("Resolver", None)))
    with pytest.raises(AuthenticationRefused):
        await stale.check(SystemCall())
    await crm.check(SystemCall())


async def test_many_are_changed_by_a_condition(crm: SystemConnection) -> None:
    for number in range(4):
        await crm.create("Case", {"Subject": "same", "Priority": "Low" if number else "High"}, SystemCall())
    report = await crm.update_where("Case", parsed_condition("Priority = 'Low'"), {"Status": "Closed"}, SystemCall())
    assert (report.count, report.failures) == (3, {})
    closed = await rows(crm, EntityQuery("Case", parsed_condition("Status = 'Closed'")))
    assert {each["Priority"] for each in closed} == {"Low"}
