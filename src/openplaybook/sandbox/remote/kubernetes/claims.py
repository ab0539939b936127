"""Claims: what is asked of the cluster, and what it says of them."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from openplaybook.jsonvalues import JsonObject, as_list, as_object

CLAIMS = "sandboxclaims"
MANAGER = "app.kubernetes.io/managed-by"
OURS = f"{MANAGER}=openplaybook"
_OVERDUE = timedelta(seconds=60)
_HOPELESS = frozenset(
    {
        "TemplateNotFound",
        "WarmPoolNotFound",
        "InvalidMetadata",
        "EnvVarsInjectionRejected",
        "VolumeClaimTemplatesError",
        "ClaimExpired",
        "SandboxExpired",
        "InvalidConfiguration",
        "PodFailed",
        "PodSucceeded",
    }
)
"""Reasons of `Ready=False` after which the controllers do not try again."""


@dataclass(frozen=True, slots=True)
class ClaimState:
    """What a claim's status says."""

    version: str
    sandbox: str
    addresses: Sequence[str]
    ready: bool
    reason: str
    message: str

    @property
    def hopeless(self) -> bool:
        """Whether it will never be ready."""
        return not self.ready and self.reason in _HOPELESS


def claim(pool: str, until: datetime) -> JsonObject:
    """A claim on a sandbox of a pool that the cluster itself deletes at `until`, whoever has died by then."""
    return {
        "apiVersion": "extensions.agents.x-k8s.io/v1beta1",
        "kind": "SandboxClaim",
        "metadata": {"name": f"openplaybook-{secrets.token_hex(8)}", "labels": {MANAGER: "openplaybook"}},
        "spec": {"warmPoolRef": {"name": pool}, **lifecycle(until)},
    }


def lifecycle(until: datetime) -> JsonObject:
    """The part of a claim's spec that says when it ends; with the default policy it would stay for ever, expired."""
    return {"lifecycle": {"shutdownTime": until.strftime("%Y-%m-%dT%H:%M:%SZ"), "shutdownPolicy": "Delete"}}


def state_of(document: JsonObject) -> ClaimState:
    """What a claim says of itself."""
    status = as_object(document.get("status"))
    sandbox = as_object(status.get("sandbox"))
    conditions = [as_object(each) for each in as_list(status.get("conditions"))]
    ready = next((each for each in conditions if each.get("type") == "Ready"), JsonObject())
    return ClaimState(
        version=str(as_object(document.get("metadata")).get("resourceVersion") or "0"),
        sandbox=str(sandbox.get("name") or ""),
        addresses=tuple(str(each) for each in as_list(sandbox.get("podIPs"))),
        ready=ready.get("status") == "True",
        reason=str(ready.get("reason") or ""),
        message=str(ready.get("message") or ""),
    )


def overdue(listed: JsonObject, now: datetime) -> Sequence[str]:
    """Names of the claims in a list that the cluster should have deleted a while ago."""
    return [
        str(as_object(each.get("metadata")).get("name"))
        for each in map(as_object, as_list(listed.get("items")))
        if (until := _until(each)) is not None and until + _OVERDUE < now
    ]


def _until(document: JsonObject) -> datetime | None:
    text = as_object(as_object(document.get("spec")).get("lifecycle")).get("shutdownTime")
    try:
        return datetime.fromisoformat(str(text)).astimezone(UTC)
    except ValueError:
        return None
