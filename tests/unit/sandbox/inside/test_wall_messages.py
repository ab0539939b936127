from dataclasses import asdict

from openplaybook.sandbox.base import DEFAULT_LIMITS
from openplaybook.sandbox.inside.wall_messages import GuestProgram, MonitorRequest


def test_a_request_crosses_the_wall_in_two_parts() -> None:
    request = MonitorRequest(limits=DEFAULT_LIMITS, files=[("a", 3)], program=7, tools=True, kept=False)
    program = GuestProgram(code="print('\ud800ü')", tools=["add"], context={"a": [1]}, limits=DEFAULT_LIMITS, kept=True)

    assert asdict(MonitorRequest.read(request.written())) == asdict(request) | {"files": [["a", 3]]}
    assert GuestProgram.read(program.written()) == program
