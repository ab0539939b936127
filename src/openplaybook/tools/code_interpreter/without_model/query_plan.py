"""Which of the readers a query is for."""

import re

from openplaybook.tools.code_interpreter.without_model.algebra import read_algebra
from openplaybook.tools.code_interpreter.without_model.arithmetic import read_arithmetic
from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan
from openplaybook.tools.code_interpreter.without_model.code_blocks import read_code
from openplaybook.tools.code_interpreter.without_model.frames import bare
from openplaybook.tools.code_interpreter.without_model.written_lists import read_list

_MAX_CLAIMED = 20_000
_MAX_NUMBER = 40
_LIKE_A_NUMBER = re.compile(r"[\d\s.+/:-]*|\S*[\d)][-/.:]\S*")
"""A number, a date, a telephone number, a version: arithmetic perhaps, but hardly meant so."""


def is_task(words: str) -> bool:
    """Whether words of a conversation are beyond doubt to be computed: `4 + 4`, but no date."""
    if len(words) > _MAX_CLAIMED or _is_like_a_number(words.strip()):
        return False
    try:
        plan(words)
    except OutOfReach:
        return False
    return True


def _is_like_a_number(words: str) -> bool:
    if len(words) > _MAX_NUMBER or _LIKE_A_NUMBER.fullmatch(words) is None:
        return False
    return re.search(r"\d\s+[-+/]\s", words) is None


def plan(query: str) -> Plan:
    """How a query is answered without a model.

    Raises `OutOfReach` where it takes one.
    """
    found = read_code(query)
    if found is None:
        core = bare(query)
        found = read_arithmetic(core.removesuffix("=")) or read_list(core) or read_algebra(core)
    if found is None:
        raise OutOfReach("")
    return found
