"""How an OpenAPI tool reaches its service: who we are to it, where it stands, what a call may cost."""

from dataclasses import dataclass, replace

from openplaybook.credentials.base import AuthContext, CredentialSources
from openplaybook.credentials.errors import CredentialError
from openplaybook.egress.base import HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.tools.base import Failure, InDoubt, Outcome, ToolContext
from openplaybook.tools.openapi.exchanges import exchange, without_long
from openplaybook.tools.openapi.operation import Operation
from openplaybook.tools.openapi.response import outcome
from openplaybook.tools.openapi.security import Security
from openplaybook.tools.openapi.settings import ToolSettings

_UNAUTHORIZED = 401


@dataclass(frozen=True, slots=True)
class Connection:
    """Sends the requests of one tool."""

    transport: Transport
    sources: CredentialSources
    security: Security
    settings: ToolSettings = ToolSettings()
    ca_certificates: tuple[bytes, ...] = ()
    """Trusted instead of the system's certificates, when there are any."""
    service: str = ""
    """Service Directory name of where the service listens; empty: its host name is resolved."""

    async def send(self, operation: Operation, request: HttpRequest, context: ToolContext) -> Outcome:
        """Send a request and read the answer; a credential that turns out to be stale is replaced once."""
        auth = AuthContext(context.parameters, timeout_s=context.timeout_s)
        authenticator = self.security.of(operation.entry)
        try:
            reachable = await self._reachable(replace(request, repeatable=operation.safe_to_repeat))
            authenticated = await authenticator.apply(reachable, auth)
            result = await self._exchange(authenticated, auth, context)
            if _is_refused(result) and authenticator.refused(authenticated, auth):
                authenticated = await authenticator.apply(reachable, auth)
                result = await self._exchange(authenticated, auth, context)
        except CredentialError as error:
            return Failure(error.code, str(error))
        if isinstance(result, EgressError):
            return _failed(operation, result)
        # A service that echoes the request must not carry our credential to the model.
        if auth.secrets:
            result = replace(result, body=without_long(result.body, auth.secrets))
        return outcome(operation, result)

    async def _reachable(self, request: HttpRequest) -> HttpRequest:
        """`request` with what the connection itself needs: trust, and endpoints in a private network."""
        if self.ca_certificates:
            request = replace(request, ca_certificates=self.ca_certificates)
        if self.service:
            request = replace(request, endpoints=tuple(await self.sources.directory.endpoints(self.service)))
        return request

    async def _exchange(
        self, request: HttpRequest, auth: AuthContext, context: ToolContext
    ) -> HttpResponse | EgressError:
        """What came of one request, which is then on the context's record."""
        limits = replace(self.settings.limits, total_s=min(context.timeout_s, self.settings.limits.total_s))
        try:
            result = await self.transport.send(request, limits)
        except EgressError as error:
            result = error
        context.exchanges.append(exchange(request, auth.secrets, result))
        return result


def _is_refused(result: HttpResponse | EgressError) -> bool:
    return isinstance(result, HttpResponse) and result.status == _UNAUTHORIZED


def _failed(operation: Operation, error: EgressError) -> Outcome:
    """A failure, or a doubt where the service may have acted and must not be asked to act again."""
    if error.sent and not operation.safe_to_repeat:
        return InDoubt(f"it is unknown whether {operation.entry.operation_id} was carried out: {error}")
    return Failure(error.code, str(error))
