"""How an OpenAPI tool reaches its service: who we are to it, where it stands, what a call may cost."""

import time
from dataclasses import dataclass, field, replace

from openplaybook.credentials.authenticator_builder import client_certificate
from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.telemetry.redaction import is_secret_name
from openplaybook.tools.base import Failure, Outcome, ToolContext
from openplaybook.tools.openapi.answers.answer_outcome import outcome
from openplaybook.tools.openapi.answers.exchanges import SentRequest, exchange
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.operation_security import Security
from openplaybook.tools.openapi.tool_settings import ToolSettings

_UNAUTHORIZED, _FORBIDDEN = 401, 403
_NOT_WORTH_COUNTING_S = 0.05


@dataclass(frozen=True, slots=True)
class ServiceConnection:
    """Sends the requests of one tool."""

    transport: Transport
    sources: CredentialSources
    security: Security
    settings: ToolSettings = ToolSettings()
    ca_certificates: tuple[bytes, ...] = ()
    """Trusted instead of the system's certificates, when there are any."""
    service: str = ""
    """Service Directory name of where the service listens; empty: its host name is resolved."""
    agent: str = ""
    """Resource name of the agent on whose behalf requests are sent."""
    client_certificate: JsonObject = field(default_factory=dict[str, JsonValue])
    """The agent's `clientCertificateSettings`; empty when it has none."""

    async def send(self, operation: Operation, request: HttpRequest, context: ToolContext) -> Outcome:
        """Send a request and read the answer; a credential that turns out to be stale is replaced once."""
        timeout_s = min(context.timeout_s, self.settings.limits.total_s)
        secrets = [*context.secrets, *_credentials_in(request)]
        auth = AuthContext(context.parameters, secrets, timeout_s, self.agent)
        authenticator = self.security.of(operation.entry)
        ends_at = time.monotonic() + timeout_s
        try:
            reachable = await self._reachable(request)
            authenticated = await authenticator.apply(reachable, auth)
            sent = await self._exchange(authenticated, auth, context, ends_at)
            if _status(sent) == _UNAUTHORIZED:
                auth.challenge, auth.timeout_s = _challenge(sent), max(ends_at - time.monotonic(), 0.0)
                if authenticator.refused(authenticated, auth):
                    authenticated = await authenticator.apply(reachable, auth)
                    sent = await self._exchange(authenticated, auth, context, ends_at)
        except CredentialError as error:
            return Failure(error.code, str(error))
        answered = await outcome(operation, sent, context, self.settings)
        return _explained(answered, auth) if _status(sent) in (_UNAUTHORIZED, _FORBIDDEN) else answered

    async def _reachable(self, request: HttpRequest) -> HttpRequest:
        """`request` with what the connection itself needs: trust, who we are in TLS, endpoints in a private network."""
        if not self.ca_certificates and not self.client_certificate and not self.service:
            return request
        certificate, endpoints = None, ()
        if self.client_certificate:
            certificate = await client_certificate(self.client_certificate, self.sources.secrets)
        if self.service:
            endpoints = tuple(await self.sources.directory.endpoints(self.service))
        return replace(
            request,
            ca_certificates=self.ca_certificates,
            client_certificate=certificate,
            endpoints=endpoints,
        )

    async def _exchange(
        self, request: HttpRequest, auth: AuthContext, context: ToolContext, ends_at: float
    ) -> SentRequest:
        """One request and what came of it, which is then on the context's record."""
        try:
            result = await self.transport.send(request, self._limits(auth.timeout_s, ends_at))
        except EgressError as error:
            result = error
        sent = exchange(request, auth.secrets, result)
        context.exchanged.append(sent)
        return sent

    def _limits(self, allowed_s: float, ends_at: float) -> HttpLimits:
        """The tool's limits, within what is left of the call's time: tokens and second attempts count."""
        left = ends_at - time.monotonic()
        total_s = allowed_s if allowed_s - left < _NOT_WORTH_COUNTING_S else max(left, 0.0)
        limits = self.settings.limits
        return limits if total_s == limits.total_s else replace(limits, total_s=total_s)


def _credentials_in(request: HttpRequest) -> list[str]:
    """What parameters have put into headers for credentials, such as a token of the session into `Authorization`."""
    values = [value for name, value in request.headers if is_secret_name(name)]
    return [text for value in values for text in (value, value.rpartition(" ")[2])] if values else values


def _status(sent: SentRequest) -> int:
    return sent.result.status if isinstance(sent.result, HttpResponse) else 0


def _challenge(sent: SentRequest) -> str:
    if isinstance(sent.result, EgressError):
        return ""
    return ", ".join(value for name, value in sent.result.headers if name.lower() == "www-authenticate")


def _explained(answered: Outcome, auth: AuthContext) -> Outcome:
    """A refusal with what was sent as credential: who reads it has to know where to look."""
    if not isinstance(answered, Failure) or not auth.sent:
        return answered
    return replace(answered, message=f"{answered.message} (sent was {' and '.join(dict.fromkeys(auth.sent))})")
