"""Where the cluster is, and which pool."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from openplaybook.sandbox.remote import settings_text

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
"""Where a pod finds the token and the authority of its cluster."""
RUNTIME_PORT = 8888
_NAMES = ("router", "port", "ready", "api", "credentials")
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True, kw_only=True)
class KubernetesSettings:
    """What the executor is told of a cluster."""

    namespace: str
    pool: str
    api: str
    """URL of the Kubernetes API."""
    credentials: Path = SERVICE_ACCOUNT
    """Folder with `token`, which is read for each request, since it is replaced there, and `ca.crt`."""
    router: str = ""
    """URL of the sandbox router; empty: the pod's own address."""
    port: int = RUNTIME_PORT
    """Of the runtime in the pod."""
    ready_s: float = 60.0
    """How long a claim may take to get its pod."""


def kubernetes_settings(text: str, environment: Mapping[str, str]) -> KubernetesSettings:
    """The settings in `NAMESPACE/WARMPOOL[,router=URL][,port=8888][,ready=60][,api=URL][,credentials=FOLDER]`.

    Raises `ValueError` with words.
    """
    place, named = settings_text.parsed(text, _NAMES)
    namespace, _, pool = place.partition("/")
    if not _LABEL.fullmatch(namespace) or not _LABEL.fullmatch(pool):
        raise ValueError(f"{place!r} is not NAMESPACE/WARMPOOL, both of small letters, digits and hyphens")
    router = named.get("router", "")
    return KubernetesSettings(
        namespace=namespace,
        pool=pool,
        api=settings_text.url("api", named["api"]) if "api" in named else _own_cluster(environment),
        credentials=Path(named.get("credentials", SERVICE_ACCOUNT)),
        router=settings_text.url("router", router) if router else "",
        port=settings_text.whole_number("port", named.get("port", str(RUNTIME_PORT)), 1, 65535),
        ready_s=settings_text.whole_number("ready", named.get("ready", "60"), 1, 600),
    )


def _own_cluster(environment: Mapping[str, str]) -> str:
    """The API as Kubernetes tells its pods (Kubernetes documentation, "Accessing the API from a Pod")."""
    host, port = environment.get("KUBERNETES_SERVICE_HOST", ""), environment.get("KUBERNETES_SERVICE_PORT", "443")
    if not host:
        raise ValueError(
            "this is not a pod of a cluster (KUBERNETES_SERVICE_HOST is not set); name the API with api=https://… "
            "and the "
            "folder of token and ca.crt with credentials=FOLDER"
        )
    return f"https://[{host}]:{port}" if ":" in host else f"https://{host}:{port}"
