"""The files in `deploy/` for code in sandboxes of a cluster. Neither they nor agent-sandbox are run here; its own kinds
are checked against what the server needs of them, not against their CRDs, which are not in this repository."""

from collections.abc import Sequence
from pathlib import Path

import kubernetes_validate
import pytest
import yaml

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import MAX_WALL_S
from openplaybook.sandbox.remote.base import START_S
from openplaybook.sandbox.remote.kubernetes.kubernetes_settings import RUNTIME_PORT, kubernetes_settings
from openplaybook.server.settings import Settings

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
MANIFESTS: Sequence[JsonObject] = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "code-sandbox.yaml").read_text()))
PATCH: JsonObject = yaml.safe_load((DEPLOY / "kubernetes" / "code-sandbox-patch.yaml").read_text())
SERVER: Sequence[JsonObject] = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "openplaybook.yaml").read_text()))


def of_kind(kind: str, manifests: Sequence[JsonObject] = MANIFESTS) -> JsonObject:
    (found,) = [each for each in manifests if each["kind"] == kind]
    return found


def template() -> JsonObject:
    return of_kind("SandboxTemplate")["spec"]


def variables(container: JsonObject) -> dict[str, str]:
    return {each["name"]: each.get("value", "") for each in container["env"]}


def as_kubernetes_reads_them() -> Sequence[JsonObject]:
    """The manifests of Kubernetes' own kinds, and what ours hold of such."""
    own = [each for each in MANIFESTS if "agents.x-k8s.io" not in each["apiVersion"]]
    name = {"name": "python", "namespace": "openplaybook-code"}
    policy = {"podSelector": {}, "policyTypes": ["Ingress", "Egress"], **template()["networkPolicy"]}
    return [
        *own,
        {"apiVersion": "v1", "kind": "Pod", "metadata": name, "spec": template()["podTemplate"]["spec"]},
        {"apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": name, "spec": policy},
    ]


@pytest.mark.parametrize("version", ["1.31", "1.34"])
@pytest.mark.parametrize("manifest", as_kubernetes_reads_them(), ids=lambda manifest: manifest["kind"])
def test_each_part_is_what_kubernetes_takes(manifest: JsonObject, version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_the_patched_deployment_is_what_kubernetes_takes() -> None:
    deployment = of_kind("Deployment", SERVER)
    pod = deployment["spec"]["template"]["spec"]
    patch = PATCH["spec"]["template"]["spec"]
    assert [each["name"] for each in patch["containers"]] == [each["name"] for each in pod["containers"]]
    container = pod["containers"][0]
    env = [*container["env"], *patch["containers"][0]["env"]]
    merged = {**pod, **patch, "containers": [{**container, "env": env}]}
    spec = {**deployment["spec"], "template": {**deployment["spec"]["template"], "spec": merged}}
    kubernetes_validate.validate({**deployment, "spec": spec}, "1.34", strict=True)
    assert merged["serviceAccountName"] == of_kind("ServiceAccount")["metadata"]["name"]


def test_the_patch_sets_settings_that_lead_to_the_pool() -> None:
    given = variables(PATCH["spec"]["template"]["spec"]["containers"][0])
    assert {name.removeprefix("OPENPLAYBOOK_").lower() for name in given} <= set(Settings.__dataclass_fields__)
    settings = kubernetes_settings(given["OPENPLAYBOOK_CODE_KUBERNETES"], {"KUBERNETES_SERVICE_HOST": "10.0.0.1"})
    pool = of_kind("SandboxWarmPool")
    assert (settings.namespace, settings.pool) == (pool["metadata"]["namespace"], pool["metadata"]["name"])
    assert pool["spec"]["sandboxTemplateRef"]["name"] == of_kind("SandboxTemplate")["metadata"]["name"]


def test_pods_have_a_kernel_of_their_own_no_network_and_no_token() -> None:
    pod = template()["podTemplate"]["spec"]
    assert (pod["runtimeClassName"], pod["automountServiceAccountToken"]) == ("gvisor", False)
    assert (template()["networkPolicyManagement"], template()["networkPolicy"]["egress"]) == ("Managed", [])
    assert pod["containers"][0]["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_only_the_server_s_pods_reach_the_runtime() -> None:
    ((rule,),) = [template()["networkPolicy"]["ingress"]]
    (source,) = rule["from"]
    deployment = of_kind("Deployment", SERVER)
    assert source["podSelector"]["matchLabels"] == deployment["spec"]["template"]["metadata"]["labels"]
    named = {"kubernetes.io/metadata.name": deployment["metadata"]["namespace"]}
    assert source["namespaceSelector"]["matchLabels"] == named
    assert rule["ports"] == [{"protocol": "TCP", "port": RUNTIME_PORT}]


def test_the_runtime_waits_longer_than_any_execution_takes() -> None:
    given = variables(template()["podTemplate"]["spec"]["containers"][0])
    assert float(given["SANDBOX_EXEC_TIMEOUT_SECONDS"]) > MAX_WALL_S + START_S


def test_the_service_account_may_do_what_the_executor_does_and_no_more() -> None:
    group = ["extensions.agents.x-k8s.io"]
    assert of_kind("Role")["rules"] == [
        {
            "apiGroups": group,
            "resources": ["sandboxclaims"],
            "verbs": ["create", "get", "list", "watch", "patch", "delete"],
        },
        {"apiGroups": group, "resources": ["sandboxwarmpools", "sandboxtemplates"], "verbs": ["get"]},
    ]
    assert of_kind("RoleBinding")["roleRef"]["name"] == of_kind("Role")["metadata"]["name"]


def test_the_image_copies_only_what_is_here() -> None:
    lines = (DEPLOY / "code-sandbox.Containerfile").read_text().splitlines()
    copied = [name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1]]
    assert [name for name in copied if not (DEPLOY.parent / name).exists()] == []
    assert copied == ["requirements/extra-code-interpreter.txt"]
