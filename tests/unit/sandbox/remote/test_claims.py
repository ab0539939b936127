"""What a claim asks for, and what its status says."""

from datetime import UTC, datetime

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.remote.e2b.e2b_settings import e2b_settings
from openplaybook.sandbox.remote.e2b.sandbox import way_to as way_to_e2b
from openplaybook.sandbox.remote.kubernetes.claims import ClaimState, claim, overdue, state_of
from openplaybook.sandbox.remote.kubernetes.kubernetes_settings import kubernetes_settings
from openplaybook.sandbox.remote.kubernetes.pod import way_to

NOON = datetime(2026, 1, 1, 12, 0, 0, 999_999, UTC)


def test_a_claim_names_its_pool_and_its_end() -> None:
    made = claim("python", NOON)
    assert made["metadata"].pop("name").startswith("openplaybook-")
    assert made == {
        "apiVersion": "extensions.agents.x-k8s.io/v1beta1",
        "kind": "SandboxClaim",
        "metadata": {"labels": {"app.kubernetes.io/managed-by": "openplaybook"}},
        "spec": {
            "warmPoolRef": {"name": "python"},
            "lifecycle": {"shutdownTime": "2026-01-01T12:00:00Z", "shutdownPolicy": "Delete"},
        },
    }


def test_two_claims_have_two_names() -> None:
    assert claim("python", NOON)["metadata"]["name"] != claim("python", NOON)["metadata"]["name"]


def test_a_ready_claim_says_where() -> None:
    document: JsonObject = {
        "metadata": {"resourceVersion": "7"},
        "status": {
            "conditions": [
                {"type": "Other", "status": "False", "reason": "PodFailed"},
                {"type": "Ready", "status": "True", "reason": "DependenciesReady", "message": "Pod is Ready"},
            ],
            "sandbox": {"name": "python-x", "podIPs": ["10.1.2.3"]},
        },
    }
    state = state_of(document)
    assert state == ClaimState("7", "python-x", ("10.1.2.3",), True, "DependenciesReady", "Pod is Ready")
    assert not state.hopeless


@pytest.mark.parametrize(
    "document",
    [{}, {"status": None}, {"status": {"conditions": None, "sandbox": []}}, {"metadata": 7, "status": {"sandbox": {}}}],
)
def test_a_claim_that_says_nothing_yet_is_not_ready(document: JsonObject) -> None:
    assert state_of(document) == ClaimState("0", "", (), False, "", "")


@pytest.mark.parametrize(
    ("reason", "hopeless"), [("SandboxNotReady", False), ("AdoptionPending", False), ("PodFailed", True)]
)
def test_only_some_reasons_are_without_hope(reason: str, hopeless: bool) -> None:
    assert ClaimState("1", "", (), False, reason, "").hopeless is hopeless


def test_claims_are_overdue_a_minute_after_their_end() -> None:
    def ending(name: str, at: object) -> JsonObject:
        return {"metadata": {"name": name}, "spec": {"lifecycle": {"shutdownTime": at}}}

    listed = [
        ending("long ago", "2026-01-01T11:58:59Z"),
        ending("other zone", "2026-01-01T13:58:59+02:00"),
        ending("just now", "2026-01-01T11:59:30Z"),
        ending("later", "2026-01-01T12:30:00Z"),
        ending("never", None),
        ending("garbage", "tomorrow"),
    ]
    assert overdue({"items": listed}, NOON) == ["long ago", "other zone"]


@pytest.mark.parametrize(
    ("address", "url"), [("10.1.2.3", "http://10.1.2.3:8888"), ("fd00::7", "http://[fd00::7]:8888")]
)
def test_without_a_router_the_pod_s_own_address_is_taken(address: str, url: str) -> None:
    settings = kubernetes_settings("a/b,api=https://k8s", {})
    assert way_to(ClaimState("1", "s", (address,), True, "", ""), settings) == (url, ())


def test_the_router_is_told_which_sandbox() -> None:
    settings = kubernetes_settings("a/b,api=https://k8s,router=http://router:8080,port=99", {})
    assert way_to(ClaimState("1", "s", ("10.1.2.3",), True, "", ""), settings) == (
        "http://router:8080",
        (
            ("X-Sandbox-ID", "s"),
            ("X-Sandbox-Namespace", "a"),
            ("X-Sandbox-Port", "99"),
            ("X-Sandbox-Pod-IP", "10.1.2.3"),
        ),
    )


def test_a_sandbox_of_e2b_has_a_host_name_for_each_port() -> None:
    settings = e2b_settings("", {"E2B_API_KEY": "k"})
    made = {"sandboxID": "i7x", "domain": None, "envdAccessToken": "e", "trafficAccessToken": "t"}
    assert way_to_e2b(made, settings, 49999) == (
        "https://49999-i7x.e2b.app",
        (
            ("E2b-Sandbox-Id", "i7x"),
            ("E2b-Sandbox-Port", "49999"),
            ("X-Access-Token", "e"),
            ("E2B-Traffic-Access-Token", "t"),
        ),
    )
    assert way_to_e2b({"sandboxID": "i7x", "domain": "eu.example"}, settings, 1)[0] == "https://1-i7x.eu.example"
