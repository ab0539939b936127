"""Checking a tool with a long description in a process of its own: it takes seconds of Python, in which turns would
wait for their share of it.

What reads foreign texts reads this one first, so the process meets only JSON that can be read, and no secret.
"""

import copy
from collections.abc import Sequence
from dataclasses import astuple
from functools import lru_cache

from openplaybook.credentials.base import CredentialSources
from openplaybook.credentials.secret_fields import secret_places
from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.parser_process import ParserLimits, json_of
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps, loads
from openplaybook.tools.base import InvalidTool, Problem
from openplaybook.tools.openapi.tool_builder import build, remarks, unreadable, unusable_credentials
from openplaybook.tools.tool_kind import ToolParts
from openplaybook.workers.child_processes import ChildProcesses
from openplaybook.workers.errors import WorkEnded, WorkTimedOut

AT_ONCE = 100_000
"""Characters of a description that is checked where it is met: some hundredths of a second."""

_MIB = 1024 * 1024
_LARGE = 1_000_000
"""Characters of a description from which on one is checked at a time."""
_MEMORY, _LARGE_MEMORY = 768 * _MIB, 2048 * _MIB
_MAX_ANSWER = 64 * _MIB
_SECONDS, _PATIENCE_S = 25.0, 20.0
_HIDDEN = "hidden"
"""In place of a secret: whether it can be sent is judged by who has it."""


def is_apart(resource: JsonObject) -> bool:
    """Whether a stored tool is one to be checked in a process of its own: its description is long, and nothing else
    that it needs is there alone."""
    spec = resource.get("openApiSpec")
    if not isinstance(spec, dict) or "toolFakeConfig" in resource:
        return False
    settings, text = as_object(as_object(spec).get("settings")), as_object(spec).get("textSchema")
    needs_more = settings.get("documents") or as_object(spec).get("securitySchemeAuthentications")
    return isinstance(text, str) and len(text) > AT_ONCE and not needs_more


def check_apart(resource: JsonObject, parts: ToolParts) -> Sequence[Problem]:
    """Everything wrong with such a tool, without lines. Blocks.

    Raises `WorkersBusy` or `WorkTimedOut` when too much waits to be read or checked.
    """
    spec = as_object(resource["openApiSpec"])
    text = str(spec["textSchema"])
    try:
        data = json_of(text, parts.parser, parts.text)
    except UnreadableDocument as error:
        return unreadable(spec, parts, error)
    order = dumps(_without_text(resource, spec)) + b"\n"
    is_large = len(text) > _LARGE
    try:
        answer = _children(is_large=is_large).run([order, data], seconds=_SECONDS, patience=_PATIENCE_S)
    except WorkTimedOut as error:
        if not error.was_begun:
            raise
        return [_unchecked(f"takes more than {_SECONDS:g} s")]
    except WorkEnded:
        memory = _LARGE_MEMORY if is_large else _MEMORY
        return [_unchecked(f"takes more than {_SECONDS:g} s or {memory // _MIB} MB")]
    problems = [Problem(*each) for each in as_list(loads(answer))]
    known = {problem.path for problem in problems}
    unusable = [each for each in unusable_credentials(spec, parts) if each.path not in known]
    # As everywhere: where there are errors in the tool, remarks on its document are not yet of use.
    return [*unusable, *(each for each in problems if each.is_error)] if unusable else problems


def check(job: bytearray) -> bytes:
    """The child's part: the problems of a tool, which comes as a line of JSON with its description behind it."""
    end = job.index(b"\n")
    resource = as_object(loads(memoryview(job)[:end]))
    spec = as_object(resource["openApiSpec"])
    spec["textSchema"] = bytes(memoryview(job)[end + 1 :]).decode("utf-8")
    nothing = _NoTransport()
    limits = ParserLimits(max_in_process=len(job))
    try:
        tool = build(resource, spec, ToolParts(nothing, CredentialSources(nothing), parser=limits))
        problems = remarks(tool, spec)
    except InvalidTool as error:
        problems = error.problems
    return dumps([astuple(problem) for problem in problems])


class _NoTransport:
    """A check sends nothing."""

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """Never asked for."""
        raise NotImplementedError

    async def aclose(self) -> None:
        """There is nothing to close."""


def _without_text(resource: JsonObject, spec: JsonObject) -> JsonObject:
    """The tool without its description, and without secrets."""
    rest = {name: value for name, value in spec.items() if name != "textSchema"}
    names = ("name", "displayName")
    tool = {name: resource[name] for name in names if name in resource} | {"openApiSpec": copy.deepcopy(rest)}
    for place in secret_places(tool):
        if place.is_secret:
            place.holder[place.field.key] = _HIDDEN
    return tool


def _unchecked(why: str) -> Problem:
    return Problem("$.openApiSpec.textSchema", f"checking the description {why}: divide it into several tools")


@lru_cache(2)
def _children(*, is_large: bool) -> ChildProcesses:
    most, memory = (1, _LARGE_MEMORY) if is_large else (2, _MEMORY)
    return ChildProcesses(f"{__name__}:{check.__name__}", most=most, memory=memory, waiting=16, max_answer=_MAX_ANSWER)
