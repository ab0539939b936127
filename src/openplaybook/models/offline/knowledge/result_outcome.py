"""What a function result says, whichever kind of tool it comes from."""

import re
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.models.base import FunctionResult

_STATUS = re.compile(r"[1-5]\d\d|default")
_EXIT_CODE = re.compile(r"exit code -?\d+")
_FOR_OPERATORS = re.compile(
    r"(?:CREDENTIAL|SECRET|SEALED|MASTER_KEY|SERVICE_ACCOUNT|INVALID_AUTHENTICATION|INVALID_BACKEND|INVALID_SCHEMA"
    r"|ADDRESS_REFUSED|EGRESS_FAILED|CONNECTION_FAILED|TLS_FAILED|CIRCUIT_OPEN|BAD_RESPONSE|TOO_MANY_REDIRECTS"
    r"|BROKEN_OPERATION|TOOL_UNUSABLE|NOT_MOCKED|NO_SUCH_|NO_CODE|CODE_UNAVAILABLE|SANDBOX_FAILED|UNIMPLEMENTED)\w*"
)
"""Codes of failures whose messages say what an operator or the author of the agent has to mend."""
_MESSAGES = ("message", "detail", "error_description", "description", "title", "reason", "error")


@dataclass(frozen=True, slots=True)
class ResultOutcome:
    """A result taken apart."""

    status: str
    """`200` and the like for an OpenAPI tool; empty for others."""
    is_error: bool
    body: JsonValue
    """What the other side answered."""
    message: str
    """Why it failed, in the other side's words or else the tool's, as far as that is for users; empty for a success."""


def read_outcome(result: FunctionResult) -> ResultOutcome:
    """Take a result apart: the response code, the body, and the message of a failure."""
    output = result.output
    ran = _ran(output)
    if not result.is_error and ran:
        error = str(ran.get("execution_error") or "")
        return ResultOutcome("", bool(error), ran.get("execution_result"), _telling_line(error))
    if not result.is_error:
        status, body = _unwrapped(output)
        failed = status[:1] in ("4", "5")
        return ResultOutcome(status, failed, body, message_in(body) if failed else "")
    report = as_object(output)
    status, body = _unwrapped(report.get("output"))
    is_for_operators = _FOR_OPERATORS.fullmatch(str(as_object(report.get("error")).get("code") or ""))
    return ResultOutcome(status, True, body, message_in(body) or ("" if is_for_operators else message_in(report)))


def _ran(output: JsonValue) -> JsonObject:
    """What code gave that a code interpreter ran, in Google's documented form; empty for other outputs."""
    members = as_object(output)
    inner = as_object(next(iter(members.values()))) if len(members) == 1 else {}
    return inner if {"execution_result", "execution_error"} <= inner.keys() else {}


def _telling_line(error: str) -> str:
    """Of a traceback, the line that names the error; empty where there is none."""
    lines = [line.strip() for line in error.splitlines() if line.strip() and not _EXIT_CODE.fullmatch(line.strip())]
    return lines[-1] if lines else error.strip()


def _unwrapped(output: JsonValue) -> tuple[str, JsonValue]:
    members = as_object(output)
    if len(members) == 1:
        ((key, body),) = members.items()
        if _STATUS.fullmatch(key):
            return key, body
    return "", output


def message_in(body: JsonValue, depth: int = 3) -> str:
    """The sentence that an error body holds, searched under the usual names; empty when there is none."""
    if isinstance(body, str):
        return body.strip()
    members = as_object(body)
    for name in _MESSAGES if depth else ():
        if name in members and (message := message_in(members[name], depth - 1)):
            return message
    errors = as_list(members.get("errors"))
    return message_in(errors[0], depth - 1) if errors and depth else ""


def answer_in(outcome: ResultOutcome) -> str | None:
    """The answer that a search gave, which may be empty; None for the results of anything else."""
    body = as_object(outcome.body)
    if outcome.is_error or body.keys() != {"answer", "snippets"}:
        return None
    return str(body["answer"] or "")


def found_nothing(outcome: ResultOutcome) -> bool:
    """Whether a search gave no more than words in place of an answer: nothing that was found stands beside them."""
    return answer_in(outcome) is not None and not as_object(outcome.body)["snippets"]


def items_in(body: JsonValue) -> list[JsonValue] | None:
    """The list that a body is, or the one list of objects that it holds; None when it is about one thing."""
    if isinstance(body, list):
        return as_list(body)
    lists = [as_list(value) for value in as_object(body).values() if isinstance(value, list)]
    if len(lists) != 1:
        return None
    items = lists[0]
    scalars = [value for value in as_object(body).values() if not isinstance(value, dict | list)]
    is_of_objects = bool(items) and all(isinstance(item, dict) for item in items)
    return items if is_of_objects or (not items and len(scalars) <= 1) else None
