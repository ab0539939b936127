"""What we report of a real document, beside what openapi-spec-validator reports of it."""

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from openapi_spec_validator import OpenAPIV2SpecValidator, OpenAPIV30SpecValidator, OpenAPIV31SpecValidator
from referencing.exceptions import Unresolvable

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.description_report import inspect
from tests.kit.openapi_corpus import Described

_VALIDATORS = {"2.0": OpenAPIV2SpecValidator, "3.0": OpenAPIV30SpecValidator, "3.1": OpenAPIV31SpecValidator}
_MOST_JUDGED = 15_000_000
"""Bytes of text; a document of 20 MB takes the validator minutes."""
_LEGAL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error that we report."""

    document: str
    operation: str
    """`GET /pets/{id}`; empty where it is of no single operation."""
    message: str
    is_shared: bool
    """Whether the validator too finds an error there, or in what all operations share."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The two judgements of one document."""

    operations: int
    """That we list."""
    callable_operations: int
    is_valid: bool | None
    """The validator's word; None when it failed or was not asked."""
    refusals: Sequence[Refusal]
    illegal_names: Sequence[str]
    """Names for the model that are not legal or not unique."""


def agreement(described: Described) -> Agreement:
    """Read and judge a document twice."""
    report = inspect(described.text(), described.id)
    places = _objected(described)
    actions: Sequence[JsonObject] = report["actions"]
    refusals = [
        Refusal(described.id, _named(action), problem["message"], _is_shared(places, action))
        for action in actions
        for problem in action["problems"]
        if problem["severity"] == "error"
    ]
    general = [each for each in report["problems"] if each["severity"] == "error"]
    of_operations = {refusal.message for refusal in refusals}
    refusals += [
        Refusal(described.id, "", each["message"], bool(places))
        for each in general
        if each["message"] not in of_operations
    ]
    refused = {refusal.operation for refusal in refusals}
    names = [str(action["name"]) for action in actions]
    return Agreement(
        operations=len(actions),
        callable_operations=sum(_named(action) not in refused for action in actions),
        is_valid=None if places is None else not places,
        refusals=refusals,
        illegal_names=[name for name in names if not _LEGAL_NAME.fullmatch(name) or names.count(name) > 1],
    )


def _named(action: JsonObject) -> str:
    return f"{action['method']} {action['path']}"


def _is_shared(places: Sequence[Sequence[str]] | None, action: JsonObject) -> bool:
    own = ("paths", action["path"], str(action["method"]).lower())
    return any(place[:1] != ["paths"] or tuple(place[:3]) == own[: len(place[:3])] for place in places or ())


def _objected(described: Described) -> Sequence[Sequence[str]] | None:
    """Where the validator finds errors, as steps into the document; None when it cannot tell."""
    if described.size > _MOST_JUDGED:
        return None
    places: list[Sequence[str]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for error in _VALIDATORS[described.minor](described.root()).iter_errors():
                places.append([str(step) for step in getattr(error, "absolute_path", ())])
        except (RecursionError, LookupError, TypeError, Unresolvable):
            # It stops at what it did not foresee; what it found before stands.
            return places or None
    return places
