"""`OPENPLAYBOOK_CORPUS=… python -m tests.kit.vendor_mock SYSTEM …` prints what is wrong with manifests."""

import asyncio
import sys

from openplaybook.connectors.rest.systems import manifests
from tests.kit.vendor_mock.conformance import Conformance
from tests.kit.vendor_mock.vendor_record import vendor_records


def main(names: list[str]) -> int:
    """The number of problems of these systems, which are printed."""
    count = 0
    for name in names or list(vendor_records()):
        run = Conformance(vendor_records()[name], manifests()[name])
        problems = list(dict.fromkeys(asyncio.run(run.run())))
        count += len(problems)
        sys.stdout.write("\n".join([f"{name}: {len(problems)} problems, {len(run.executed)} done", *problems, ""]))
    return count


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 99))
