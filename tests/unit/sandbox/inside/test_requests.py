from dataclasses import asdict, fields

from openplaybook.sandbox import base
from openplaybook.sandbox.inside.limits import Limits
from openplaybook.sandbox.inside.requests import Ask, Program

LIMITS = Limits(**asdict(base.DEFAULT_LIMITS))


def test_limits_are_the_same_on_both_sides_of_the_wall() -> None:
    assert [each.name for each in fields(Limits)] == [each.name for each in fields(base.ExecutionLimits)]


def test_a_request_crosses_the_wall_in_two_parts() -> None:
    ask = Ask(limits=LIMITS, files=[("a", 3)], program=7, tools=True, kept=False)
    program = Program(code="print('\ud800ü')", tools=["add"], context={"a": [1]}, limits=LIMITS, kept=True)

    assert asdict(Ask.read(ask.written())) == asdict(ask) | {"files": [["a", 3]]}
    assert Program.read(program.written()) == program
