"""Each column that a manifest says an OData system can try is one that its CSDL or EDMX lets conditions name."""

import pytest

from openplaybook.connectors.base import EntityQuery, SystemCall
from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.errors import ConnectorError
from openplaybook.connectors.rest.manifest.list_model import FilterManifest
from openplaybook.connectors.rest.manifest.model import EntityManifest, RestField
from openplaybook.connectors.rest.systems import manifests
from tests.kit.vendor_mock.conformance import Conformance, plain_sample
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT
from tests.kit.vendor_mock.vendor_record import VendorRecord, vendor_records

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)

TEXTS = ("VARCHAR", "LONGVARCHAR")
SYSTEMS = ["azure-ad", "microsoft-teams", "onedrive", "sharepoint", "sap-successfactors", "dynamics-365"]


def tried_columns(entity: EntityManifest, filtering: FilterManifest) -> list[RestField]:
    only = [each.partition(" ")[0] for each in filtering.only]
    given = {each.column for each in filtering.parameters}
    return [
        each
        for each in entity.fields
        if each.field.is_filterable and not each.is_scope and each.name not in given and (not only or each.name in only)
    ]


def conditions(column: RestField, filtering: FilterManifest) -> list[str]:
    value = plain_sample(column)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    quoted = text if isinstance(value, bool | int | float) else f"'{text}'"
    made = [f"{column.name} = {quoted}", f"{column.name} IN ({quoted}, {quoted})", f"{column.name} IS NOT NULL"]
    if column.field.data_type.value in TEXTS and not column.field.values:
        likes = {"prefix": "a%", "suffix": "%a", "contains": "%a%"}
        made += [f"{column.name} LIKE '{like}'" for kind, like in likes.items() if kind not in filtering.lacks]
    elif not isinstance(value, bool) and not column.field.values:
        made += [f"{column.name} > {quoted}", f"NOT {column.name} <= {quoted}"]
    return made


async def refusals(record: VendorRecord) -> list[str]:
    run = Conformance(record, record.manifest)
    found: list[str] = []
    for entity in record.manifest.entities.values():
        if entity.list is None or entity.list.filter.language not in ("odata", "odata2"):
            continue
        scope = record.conditions.get(entity.name, "")
        for column in tried_columns(entity, entity.list.filter):
            for text in conditions(column, entity.list.filter):
                both = f"{text} AND {scope}" if scope else text
                query = EntityQuery(entity.name, parsed_condition(both), page_size=2)
                try:
                    page = await run.connection.list(query, SystemCall())
                except ConnectorError as error:
                    found.append(f"{entity.name} where {text}: {error}")
                else:
                    found += [f"{entity.name} where {text}: was tried here"] if page.notes else []
    return found + run.mock.violations


@pytest.mark.parametrize("system", SYSTEMS)
async def test_each_column_that_is_said_to_be_tried_by_the_system_can_be(system: str) -> None:
    assert manifests()[system].transport == "odata"
    assert await refusals(vendor_records()[system]) == []
