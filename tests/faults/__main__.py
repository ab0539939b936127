"""`python -m tests.faults serve …`: the command `openplaybook`, with the fault that `TESTED_FAULT` asks for."""

import os

from openplaybook.cli.main import main
from tests.faults.faults import fault_of
from tests.faults.points import arm_server

if __name__ == "__main__":
    if (fault := fault_of(os.environ)) is not None:
        arm_server(fault)
    main()
