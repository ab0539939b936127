"""The few calls of the Kubernetes API that claims need."""

import math
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse, Transport
from openplaybook.egress.errors import EgressError
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, loads
from openplaybook.sandbox.base import SandboxUnavailable
from openplaybook.sandbox.remote.kubernetes.kubernetes_settings import KubernetesSettings
from openplaybook.sandbox.remote.machine_http import one_line

GROUP = "extensions.agents.x-k8s.io"
VERSION = "v1beta1"
_CALL_S = 15.0
_MAX_ANSWER = 4_000_000
_REMEDIES = {
    401: "the token of the service account is not valid for this cluster",
    403: "see the message; the Role of the service account is in deploy/kubernetes/code-sandbox.yaml",
    404: "are agent-sandbox and its extensions installed (kubectl get crd sandboxclaims.extensions.agents.x-k8s.io)?",
}


class KubernetesRefused(Exception):
    """The API answered with an error; the message is the API's own."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    def unavailable(self, what: str) -> SandboxUnavailable:
        """The same for who wants to run code."""
        remedy = _REMEDIES.get(self.status)
        return SandboxUnavailable(
            f"Kubernetes refused {what} ({self.status}): {self}" + (f"; {remedy}" if remedy else "")
        )


@dataclass(frozen=True, slots=True)
class KubernetesApi:
    """Objects of agent-sandbox in one namespace.

    Calls raise `KubernetesRefused`, or `SandboxUnavailable` when there is no answer."""

    settings: KubernetesSettings
    transport: Transport = field(repr=False)

    async def create(self, kind: str, document: JsonObject) -> JsonObject:
        """Create an object whose name is ours alone: where it exists already, an answer was lost on its way."""
        try:
            return await self._call("POST", self._path(kind), document)
        except KubernetesRefused as refused:
            if refused.status != 409:
                raise
            return await self.read(kind, document["metadata"]["name"])

    async def read(self, kind: str, name: str) -> JsonObject:
        """An object."""
        return await self._call("GET", self._path(kind, name))

    async def list(self, kind: str, labels: str) -> JsonObject:
        """The objects with these labels, some hundreds at most."""
        return await self._call("GET", f"{self._path(kind)}?{urlencode({'labelSelector': labels, 'limit': 500})}")

    async def patch(self, kind: str, name: str, document: JsonObject) -> JsonObject:
        """Merge `document` into an object (RFC 7386)."""
        return await self._call("PATCH", self._path(kind, name), document, "application/merge-patch+json")

    async def delete(self, kind: str, name: str) -> None:
        """Delete an object and what it owns; one that is gone is as good."""
        try:
            await self._call("DELETE", self._path(kind, name), {"propagationPolicy": "Background"})
        except KubernetesRefused as refused:
            if refused.status != 404:
                raise

    async def changed(self, kind: str, name: str, version: str, seconds: float) -> bool:
        """Wait until an object is no longer as at `version`, so long at most; whether something has come.

        The watch says only that there is news, and is ended by its first byte; what the news is, a `read` says.
        """
        query = {
            "watch": "true",
            "fieldSelector": f"metadata.name={name}",
            "resourceVersion": version,
            "timeoutSeconds": max(math.ceil(seconds), 1),
        }
        limits = HttpLimits(read_s=seconds + 2, total_s=seconds + 2, max_bytes=0)
        try:
            response = await self.transport.send(self._request("GET", f"{self._path(kind)}?{urlencode(query)}"), limits)
        except EgressError:
            return False
        return response.status == 200 and response.truncated

    async def _call(
        self, method: str, path: str, document: JsonObject | None = None, content_type: str = "application/json"
    ) -> JsonObject:
        request = self._request(method, path, document, content_type)
        try:
            response = await self.transport.send(
                request, HttpLimits(read_s=_CALL_S, total_s=_CALL_S, max_bytes=_MAX_ANSWER)
            )
        except EgressError as error:
            raise SandboxUnavailable(f"the Kubernetes API does not respond: {error}") from error
        answer = _document(response)
        if response.status >= 300:
            raise KubernetesRefused(response.status, one_line([str(answer.get("message") or "no reason given")]))
        return answer

    def _request(
        self, method: str, path: str, document: JsonObject | None = None, content_type: str = ""
    ) -> HttpRequest:
        folder = self.settings.credentials
        try:
            # Read each time: the cluster replaces the token long before it expires.
            token = (folder / "token").read_text(encoding="ascii").strip()
            authority = (folder / "ca.crt").read_bytes()
        except (OSError, ValueError) as error:
            raise SandboxUnavailable(
                f"{folder} has no readable token and ca.crt ({type(error).__name__}); does the pod mount its service "
                "account (automountServiceAccountToken)?"
            ) from error
        headers = (("Authorization", f"Bearer {token}"), ("Accept", "application/json"))
        body = None if document is None else dumps(document)
        return HttpRequest(
            method,
            self.settings.api + path,
            headers if body is None else (*headers, ("Content-Type", content_type)),
            body,
            ca_certificates=(authority,) if self.settings.api.startswith("https:") else (),
            # Also creating: the name is ours, and a second one of it is refused.
            repeatable=True,
        )

    def _path(self, kind: str, name: str = "") -> str:
        path = f"/apis/{GROUP}/{VERSION}/namespaces/{self.settings.namespace}/{kind}"
        return f"{path}/{quote(name, safe='')}" if name else path


def _document(response: HttpResponse) -> JsonObject:
    try:
        value: JsonValue = loads(response.body)
    except ValueError:
        value = None
    if response.status < 300 and (not isinstance(value, dict) or response.truncated):
        raise SandboxUnavailable("the Kubernetes API responded with something that is not one of its objects")
    return as_object(value)
