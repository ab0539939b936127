"""The result of a call as a model reads it: delimited and capped, because it comes from outside."""

from openplaybook.jsonvalues import dumps
from openplaybook.models.base import FunctionResult

MAX_RESULT_CHARS = 20_000
"""Characters of one result that a model is shown."""


def result_text(result: FunctionResult) -> str:
    """The content of the tool message for `result`; no data in it can close its delimiter."""
    data = harmless(dumps(result.output).decode())
    status = ' status="error"' if result.is_error else ""
    if len(data) <= MAX_RESULT_CHARS:
        return f"<tool_result{status}>{data}</tool_result>"
    note = f"Only the first {MAX_RESULT_CHARS} of {len(data)} characters are shown."
    return f"<tool_result{status}>{data[:MAX_RESULT_CHARS]}</tool_result>\n{note}"


def harmless(data: str) -> str:
    r"""Data that holds no closing tag: `</` becomes `<\/`, which in JSON means the same."""
    return data.replace("</", "<\\/")
