"""A fault in a manifest, such as whoever writes one may make, is noticed by the conformance suite."""

import pytest

from tests.kit.vendor_mock.conformance import Conformance
from tests.kit.vendor_mock.seeded_faults import seeded_faults
from tests.kit.vendor_mock.vendor_document import CORPUS, LEFT_OUT
from tests.kit.vendor_mock.vendor_record import vendor_records

pytestmark = pytest.mark.skipif(not CORPUS, reason=LEFT_OUT)

LEAST_FAULTS = 10
LEAST_NOTICED = 0.95


@pytest.mark.parametrize("system", list(vendor_records()))
async def test_of_the_faults_seeded_in_a_manifest_95_in_100_are_noticed(system: str) -> None:
    record = vendor_records()[system]
    faults = seeded_faults(system)
    missed = [
        fault.name
        for fault in faults
        if fault.manifest is not None and not await Conformance(record, fault.manifest).run(fault.part)
    ]
    assert len(faults) >= LEAST_FAULTS
    assert len(missed) <= (1 - LEAST_NOTICED) * len(faults), f"{len(missed)} of {len(faults)} were missed: {missed}"
