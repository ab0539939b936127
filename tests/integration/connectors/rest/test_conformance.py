"""Each manifest does what it declares, and nothing that its vendor's document does not allow."""

import pytest

from openplaybook.connectors.rest.entity_form import EntityForm
from openplaybook.connectors.rest.systems import manifests
from tests.kit.vendor_mock.conformance import Conformance
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT
from tests.kit.vendor_mock.vendor_record import vendor_records

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)


@pytest.mark.parametrize("system", list(vendor_records()))
async def test_all_that_a_manifest_declares_is_done_without_a_violation(system: str) -> None:
    run = Conformance(vendor_records()[system], manifests()[system])
    assert await run.run() == []
    declared = set(run.manifest.actions)
    for entity in run.manifest.entities.values():
        kinds = EntityForm(entity, entity.name, entity.fields).entity_type().operations
        declared |= {f"{entity.name}.{kind.value.lower()}" for kind in kinds}
    assert declared <= run.executed
