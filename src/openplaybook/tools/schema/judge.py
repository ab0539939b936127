"""What a judging process does: it judges one value by one schema, and knows the latest schemas."""

import marshal
import time
from functools import lru_cache
from struct import Struct

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps, is_deep, loads
from openplaybook.tools.schema.checked_formats import FORMATS
from openplaybook.tools.schema.compilation import Compiled, compile_schema
from openplaybook.tools.schema.effort import MAX_DEPTH, TOLD_AT_ONCE, checks, measure
from openplaybook.tools.schema.errors import InvalidSchema
from openplaybook.tools.schema.expansion import survey
from openplaybook.tools.schema.faults import FaultSearch, at_once
from openplaybook.tools.schema.patterns import backtracking_patterns, gives_up
from openplaybook.tools.schema.sentences import GIVEN_UP, sentences

HEAD = Struct("!?Q")
"""Before a job: whether formats are checked, and the bytes of the schema. The value follows, or nothing."""

_KEPT = 16
_SEARCH_S = 1.0
"""For finding out what is wrong with a large value, when it is known not to fit."""
_DEEP = f"the value is nested more than {MAX_DEPTH} levels"


def travelling(value: JsonValue) -> bytes:
    """A schema or value on its way to `judge`. `ValueError` for one that is nested too deeply, or no JSON."""
    try:
        return marshal.dumps(value)
    except ValueError:
        pass  # it may hold a `Decimal`, which the fast form lacks
    try:
        return marshal.dumps(dumps(value))
    except TypeError as error:
        raise ValueError(str(error)) from error


def _arrived(data: bytes | memoryview) -> JsonValue:
    value: JsonValue = marshal.loads(data)
    return loads(value) if isinstance(value, bytes) else value


def judge(job: bytearray) -> bytes:
    """The answer to a job as JSON: `{"problems": [...]}`, or `{"invalid": "..."}` when the schema cannot be used."""
    has_formats, size = HEAD.unpack_from(job)
    view = memoryview(job)
    try:
        judged_by = _judge(has_formats, bytes(view[HEAD.size : HEAD.size + size]))
    except InvalidSchema as error:
        return dumps({"invalid": str(error)})
    text = view[HEAD.size + size :]
    return dumps({"problems": judged_by.problems(_arrived(text)) if text else ()})


class _Judge:
    """A schema, compiled for values that may take long."""

    def __init__(self, schema: JsonObject, *, has_formats: bool) -> None:
        self._schema = schema
        self._found = survey(schema)
        self._formats = FORMATS if has_formats else None
        self._compiled = self._compile_part(schema)

    def problems(self, value: JsonValue) -> tuple[str, ...]:
        """As `Validator.problems`."""
        if is_deep(value, MAX_DEPTH):
            return (_DEEP,)
        is_valid = self._compiled.is_valid(value)
        if self._found.gives_up_unheard and gives_up(backtracking_patterns(self._schema), value):
            return (f"the value {GIVEN_UP}",)
        if is_valid:
            return ()
        size = measure(value)
        if size is not None and checks(self._found, size) <= TOLD_AT_ONCE:
            return sentences(at_once(self._compiled, value), self._schema, value)
        search = FaultSearch(self._schema, self._compile_part, time.monotonic() + _SEARCH_S)
        found = sentences(search.faults(value), self._schema, value)
        return found or ("the value does not fit its schema",)

    def _compile_part(self, schema: JsonObject) -> Compiled:
        return compile_schema(schema, self._formats, self._found, patient=True)


@lru_cache(maxsize=_KEPT)
def _judge(has_formats: bool, text: bytes) -> _Judge:
    return _Judge(_arrived(text), has_formats=has_formats)
