"""Runs generated samples against a server: their own code, with clients that lead there and names of things that exist.

A sample is not touched. The module it imports is stood in for, so that `ces_v1.AgentServiceClient()` gives a client of
ours; what the sample puts into a request as a placeholder (`name_value`) is replaced when it makes the call.
"""

import traceback
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module

from google.api_core.exceptions import GoogleAPICallError
from google.protobuf import json_format

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.api import Method
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.generated_samples import Sample

_PATIENCE_S = 30.0
_NO_OBJECTS: Mapping[str, JsonObject] = {}

ClientMaker = Callable[[str], ApiMessage]
"""From the name of a client's class to a client."""


@dataclass(frozen=True)
class World:
    """What exists on the server, for samples to name."""

    ids: Mapping[str, str]
    """By collection, such as `agents`; by two, `playbooks/versions`, where one would not do."""
    values: Mapping[str, str]
    """By the name of a field, for fields that stand in no path: `tool`, `time_zone`."""
    missing: Mapping[str, JsonObject] = field(default_factory=lambda: _NO_OBJECTS)
    """What requests need and samples leave out, by `Service.Method`."""

    def path(self, pattern: str) -> str:
        """A name that fits a pattern such as `projects/*/locations/*`; `x` for what does not exist."""
        found: list[str] = []
        for segment in pattern.split("/"):
            found.append(self._id(found[0::2]) if segment.startswith("*") else segment)
        return "/".join(found)

    def _id(self, collections: list[str]) -> str:
        pair = "/".join(collections[-2:])
        return self.ids.get(pair, self.ids.get(collections[-1], "x"))


@dataclass(frozen=True)
class Outcome:
    """What a sample came to."""

    status: str
    """`OK`, or the name of the code it was refused with."""
    message: str = ""
    types: frozenset[str] = frozenset()
    """Full names of the messages that it printed."""


@dataclass
class Runner:
    """Runs samples in one world over one transport."""

    world: World
    client: ClientMaker

    def run(self, sample: Sample) -> Outcome:
        """What a blocking sample comes to; an error that is not Google's form of a refusal is raised."""
        printed: list[ApiMessage] = []
        function = self._function(sample, printed)
        try:
            function()
        except GoogleAPICallError as error:
            return _refused(error)
        except AttributeError as error:
            return self.run(_without_line(sample, error))
        return Outcome("OK", types=_types(printed))

    async def run_asyncio(self, sample: Sample) -> Outcome:
        """The same of an asyncio sample."""
        printed: list[ApiMessage] = []
        function = self._function(sample, printed)
        try:
            await function()
        except GoogleAPICallError as error:
            return _refused(error)
        except AttributeError as error:
            return await self.run_asyncio(_without_line(sample, error))
        return Outcome("OK", types=_types(printed))

    def _function(self, sample: Sample, printed: list[ApiMessage]) -> ApiMessage:
        namespace: dict[str, ApiMessage] = {"__name__": "sample", "print": printed.append}
        exec(compile(sample.code, sample.name, "exec"), namespace)
        namespace[sample.library] = _Library(sample, self)
        return namespace[sample.function]

    def filled(self, sample: Sample, request: ApiMessage) -> ApiMessage:
        """The request with what exists in place of the sample's placeholders."""
        message: ApiMessage = type(request).pb(request)
        _replace(message, {"display_name": sample.method.name, "name": sample.method.name, **self.world.values})
        missing = self.world.missing.get(sample.name)
        if missing is not None:
            json_format.ParseDict(missing, message)
        for variable, pattern in _variables(sample.method):
            *outer, last = variable.split(".")
            target = message
            for name in outer:
                target = getattr(target, name)
            setattr(target, last, self.world.path(pattern))
        return request


def expected_types(method: Method) -> frozenset[str]:
    """Full names of what a sample of the method may print: its answer, its operation's result, or listed items."""
    if method.lro_result:
        return frozenset([method.lro_result])
    listed = [each.message_type.full_name for each in method.output.fields if each.message_type is not None]
    is_page = "next_page_token" in method.output.fields_by_name
    return frozenset(listed if is_page else [method.output.full_name])


def _without_line(sample: Sample, error: AttributeError) -> Sample:
    """The sample without a line of its own that fails: some set a field of a list as if it were one thing."""
    innermost = traceback.extract_tb(error.__traceback__)[-1]
    if innermost.filename != sample.name or innermost.lineno is None:
        raise error
    lines = sample.code.splitlines(keepends=True)
    lines[innermost.lineno - 1] = "\n"
    return replace(sample, code="".join(lines))


def _refused(error: GoogleAPICallError) -> Outcome:
    status = error.grpc_status_code
    return Outcome(status.name if status is not None else type(error).__name__, str(error.message))


def _types(printed: Iterable[ApiMessage]) -> frozenset[str]:
    messages = [each for each in printed if not isinstance(each, str) and each is not None]
    return frozenset(
        (each if hasattr(each, "DESCRIPTOR") else type(each).pb(each)).DESCRIPTOR.full_name for each in messages
    )


def _variables(method: Method) -> Iterator[tuple[str, str]]:
    """The request's fields that stand in its path, with their patterns; of a method without one, its session's."""
    for binding in method.bindings[:1]:
        for piece in binding.template.split("{")[1:]:
            variable, _, pattern = piece.partition("}")[0].partition("=")
            yield variable, pattern or "*"
    if not method.bindings and method.name == "BidiRunSession":
        yield "config.session", "projects/*/locations/*/apps/*/sessions/*"
    if not method.bindings and method.name == "StreamingDetectIntent":
        yield "session", "projects/*/locations/*/agents/*/sessions/*"


def _replace(message: ApiMessage, values: Mapping[str, str]) -> None:
    for descriptor, value in message.ListFields():
        if descriptor.message_type is not None:
            for inner in value if isinstance(value, Iterable) else [value]:
                if hasattr(inner, "ListFields"):
                    _replace(inner, values)
        elif descriptor.name in values and value == f"{descriptor.name}_value":
            setattr(message, descriptor.name, values[descriptor.name])
        elif descriptor.name in values and f"{descriptor.name}_value1" in value:
            value[:] = [values[descriptor.name]]


class _Library:
    """The module that a sample imports, with other clients in it."""

    def __init__(self, sample: Sample, runner: Runner) -> None:
        self._sample, self._runner = sample, runner
        self._module = import_module(f"google.cloud.{sample.library}")

    def __getattr__(self, name: str) -> ApiMessage:
        found = getattr(self._module, name)
        if name.endswith("Request"):
            return lambda **given: found(**{key: _as_field(found, key, value) for key, value in given.items()})
        if not name.endswith("Client"):
            return found
        return lambda: _Client(self._sample, self._runner, self._runner.client(name))


def _as_field(request: ApiMessage, name: str, value: ApiMessage) -> ApiMessage:
    """The value of a field, as a list where the field is one: samples forget that."""
    is_list = request.meta.fields[name].repeated and not isinstance(value, list)
    return [value] if is_list else value


class _Client:
    """A client whose calls name what exists."""

    def __init__(self, sample: Sample, runner: Runner, client: ApiMessage) -> None:
        self._sample, self._runner, self._client = sample, runner, client

    def __getattr__(self, name: str) -> Callable[..., ApiMessage]:
        called = getattr(self._client, name)

        def call(
            request: ApiMessage = None, requests: "Iterable[ApiMessage] | None" = None
        ) -> "ApiMessage | Awaitable[ApiMessage]":
            given: JsonObject = {"timeout": _PATIENCE_S}
            if requests is None:
                given["request"] = self._runner.filled(self._sample, request)
            elif self._sample.is_asyncio:
                given["requests"] = _one_by_one(self._runner.filled(self._sample, each) for each in requests)
            else:
                given["requests"] = (self._runner.filled(self._sample, each) for each in requests)
            answered = called(**given)
            return _Listed(answered) if self._sample.is_asyncio else answered

        return call


async def _one_by_one(requests: Iterable[ApiMessage]) -> AsyncIterator[ApiMessage]:
    for each in requests:
        yield each


class _Listed:
    """What an asyncio client's method gives: samples of lists forget to await it."""

    def __init__(self, call: Awaitable[ApiMessage]) -> None:
        self._call = call

    def __await__(self) -> Iterator[ApiMessage]:
        return self._call.__await__()

    async def __aiter__(self) -> AsyncIterator[ApiMessage]:
        pages: AsyncIterable[ApiMessage] = await self._call
        async for each in pages:
            yield each
