"""Which of the readers a query is for, once the words around what is to be computed are taken away."""

import re

from openplaybook.tools.code_interpreter.without_model.algebra import read_algebra
from openplaybook.tools.code_interpreter.without_model.arithmetic import read_arithmetic
from openplaybook.tools.code_interpreter.without_model.base import OutOfReach, Plan
from openplaybook.tools.code_interpreter.without_model.code_blocks import read_code
from openplaybook.tools.code_interpreter.without_model.written_lists import read_list

_MAX_CLAIMED = 20_000
_MAX_NUMBER = 40
_LIKE_A_NUMBER = re.compile(r"[\d\s.+/:-]*|\S*[\d)][-/.:]\S*")
"""A number, a date, a telephone number, a version: arithmetic perhaps, but hardly meant so."""
_BEFORE = re.compile(
    r"(?:(?:please|kindly|can you|could you|now)[,\s]+)*"
    r"(?:(?:what(?:'s|\s+is|\s+are)|how\s+much\s+is|calculate|compute|evaluate|work\s+out|find|give\s+me|tell\s+me"
    r"|determine)\s*:?\s+)?"
    r"(?:the\s+(?:result|value)\s+of\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_AFTER = re.compile(r"(?:[\s,]+please)?[\s?.]*", re.IGNORECASE)
_MAX_AFTER = 20
_TYPOGRAPHY = str.maketrans({"×": "*", "÷": "/", "−": "-", "·": "*", "“": '"', "”": '"', "’": "'"})


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
    answer = read_code(query)
    if answer is None:
        core = bare(query)
        answer = read_arithmetic(core.removesuffix("=")) or read_list(core) or read_algebra(core)
    if answer is None:
        raise OutOfReach("")
    return answer


def bare(query: str) -> str:
    """What is left of a query when the words around it are taken away, typographic signs written as Python's."""
    text = query.strip().translate(_TYPOGRAPHY)
    before = _BEFORE.match(text)
    text = text[before.end() :] if before else text
    after = next(
        filter(None, (_AFTER.fullmatch(text, at) for at in range(max(len(text) - _MAX_AFTER, 0), len(text)))), None
    )
    return text[: after.start()] if after else text
