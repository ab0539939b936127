"""What the pool and its template say of the walls around code."""

from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.sandbox.base import Layer, SandboxUnavailable
from openplaybook.sandbox.remote.kubernetes.cluster_api import KubernetesApi, KubernetesRefused

_POOLS = "sandboxwarmpools"
_TEMPLATES = "sandboxtemplates"


async def layers_of(api: KubernetesApi) -> Sequence[Layer]:
    """The API, the warm pool, the kernel and the network of its pods; read with the rights of our service account."""
    try:
        pool = await api.read(_POOLS, api.settings.pool)
        template = await api.read(_TEMPLATES, _template_name(pool))
    except KubernetesRefused as refused:
        return [Layer("Kubernetes API", False, str(refused.unavailable("reading pool and template")))]
    except SandboxUnavailable as error:
        return [Layer("Kubernetes API", False, str(error))]
    spec = as_object(template.get("spec"))
    return [Layer("Kubernetes API", True, api.settings.api), _pool(pool, api), _kernel(spec), _network(spec)]


def _template_name(pool: JsonObject) -> str:
    return str(as_object(as_object(pool.get("spec")).get("sandboxTemplateRef")).get("name") or "")


def _pool(pool: JsonObject, api: KubernetesApi) -> Layer:
    status = as_object(pool.get("status"))
    ready, wanted = status.get("readyReplicas") or 0, as_object(pool.get("spec")).get("replicas", 1)
    return Layer(
        "warm pool",
        ready > 0,
        f"{api.settings.namespace}/{api.settings.pool}: {ready} of {wanted} ready",
        required=False,
        remedy="" if ready else "executions wait for a pod to start; look at kubectl describe sandboxwarmpool",
    )


def _kernel(spec: JsonObject) -> Layer:
    runtime = as_object(as_object(spec.get("podTemplate")).get("spec")).get("runtimeClassName")
    return Layer(
        "kernel of its own",
        bool(runtime),
        f"runtime class {runtime}" if runtime else "the pods share the node's kernel",
        required=False,
        remedy="" if runtime else "set runtimeClassName (gvisor or kata) in the SandboxTemplate",
    )


def _network(spec: JsonObject) -> Layer:
    policy = spec.get("networkPolicy")
    if spec.get("networkPolicyManagement") == "Unmanaged":
        return Layer("no network", False, "not managed by agent-sandbox; not checked", required=False)
    # The API server leaves an empty list out: a policy without `egress` allows none (SandboxTemplate's documentation).
    closed = isinstance(policy, dict) and not as_object(policy).get("egress")
    return Layer(
        "no network",
        closed,
        "egress is denied" if closed else "pods reach the Internet",
        required=False,
        remedy="" if closed else "give the SandboxTemplate a networkPolicy without egress",
    )
