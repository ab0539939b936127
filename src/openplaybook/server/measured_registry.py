"""RPCs, counted, timed and logged, whichever port they came in by."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass

from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest

from openplaybook.server.access.principals import current_client, current_principal
from openplaybook.telemetry.log_lines import log_context, log_rpc, trace_id_of
from openplaybook.telemetry.metrics import Metrics
from openplaybook.telemetry.own_paths import without_own_paths
from openplaybook.wire.api import Api, Method
from openplaybook.wire.bytes_in_flight import Aside, at_once
from openplaybook.wire.context import Limits, RpcContext, unlimited
from openplaybook.wire.errors import Code, RpcError
from openplaybook.wire.messages import ApiMessage
from openplaybook.wire.registry import Registry

_LONGEST_SESSION = 500
"""Characters of a session's name in the log: what is no name may be as long as a request."""


@dataclass(slots=True)
class _CallFacts:
    """What the access log tells of a call beside its outcome."""

    session: str = ""
    response_id: str = ""

    def request(self, message: ApiMessage) -> None:
        """A request, or the first of a stream."""
        self.session = self.session or _text(message, "session")[:_LONGEST_SESSION]

    def response(self, message: ApiMessage) -> None:
        """A response, or the latest of a stream."""
        inner = _member(message, "detect_intent_response")
        self.response_id = _text(message if inner is None else inner, "response_id") or self.response_id


class MeasuredRegistry(Registry):
    """A registry that reports every call it answers."""

    def __init__(self, api: Api, metrics: Metrics, limits: Limits = unlimited, aside: Aside = at_once) -> None:
        super().__init__(api, limits, aside)
        self._metrics = metrics

    async def call(self, method: Method, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """As `Registry.call`."""
        with log_context(rpc=method.full_name), self._measured(method, context) as facts:
            facts.request(request)
            response = await super().call(method, request, context)
            facts.response(response)
            return response

    async def call_streaming(
        self, method: Method, request: ApiMessage, context: RpcContext
    ) -> AsyncGenerator[ApiMessage, None]:
        """As `Registry.call_streaming`; timed until the stream has ended."""
        with self._measured(method, context) as facts:
            facts.request(request)
            async with aclosing(super().call_streaming(method, request, context)) as responses:
                async for response in responses:
                    facts.response(response)
                    yield response

    async def call_bidi(
        self, method: Method, requests: AsyncIterator[ApiMessage], context: RpcContext
    ) -> AsyncGenerator[ApiMessage, None]:
        """As `Registry.call_bidi`; timed until the stream has ended."""
        with self._measured(method, context) as facts:

            async def noted() -> AsyncIterator[ApiMessage]:
                async for request in requests:
                    facts.request(request)
                    yield request

            async with aclosing(super().call_bidi(method, noted(), context)) as responses:
                async for response in responses:
                    facts.response(response)
                    yield response

    @contextmanager
    def _measured(self, method: Method, context: RpcContext) -> Generator[_CallFacts, None, None]:
        begun, code, facts = time.perf_counter(), Code.OK, _CallFacts()
        try:
            yield facts
        except RpcError as error:
            code = error.code
            raise without_paths(error) from error.__cause__
        except (asyncio.CancelledError, GeneratorExit):
            # The client is gone; an answer that is still worked on is kept for when it asks again.
            code = Code.CANCELLED
            raise
        finally:
            context.warnings[:] = map(without_own_paths, context.warnings)
            seconds = time.perf_counter() - begun
            principal = current_principal()
            self._metrics.rpc_ended(method.full_name, code.name, seconds)
            log_rpc(
                rpc=method.full_name,
                code=code.name,
                seconds=seconds,
                transport=context.transport,
                session=facts.session,
                response_id=facts.response_id,
                trace=trace_id_of(context.metadata.get("traceparent", "")),
                principal="" if principal is None else principal.name,
                principal_kind="" if principal is None else principal.kind.value,
                client=current_client(),
            )


def _member(message: ApiMessage, name: str) -> ApiMessage | None:
    return getattr(message, name) if name in message.DESCRIPTOR.fields_by_name else None


def _text(message: ApiMessage, name: str) -> str:
    value = _member(message, name)
    return value if isinstance(value, str) else ""


def without_paths(error: RpcError) -> RpcError:
    """The same error without paths of the server; itself where it names none."""
    message = without_own_paths(error.message)
    details = [_cleaned(detail) for detail in error.details]
    if message == error.message and details == list(error.details):
        return error
    return RpcError(error.code, message, details, error.headers)


def _cleaned(detail: Message) -> Message:
    if not isinstance(detail, BadRequest):
        return detail
    cleaned = BadRequest()
    cleaned.CopyFrom(detail)
    for violation in cleaned.field_violations:
        violation.description = without_own_paths(violation.description)
    return cleaned
