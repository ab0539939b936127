"""The settings of remote executors, each one text."""

from pathlib import Path

import pytest

from openplaybook.sandbox.remote.e2b.e2b_settings import E2bSettings, e2b_settings
from openplaybook.sandbox.remote.kubernetes.kubernetes_settings import (
    SERVICE_ACCOUNT,
    KubernetesSettings,
    kubernetes_settings,
)

IN_A_POD = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "6443"}
KEYED = {"E2B_API_KEY": "e2b_abc"}


def test_in_a_pod_namespace_and_pool_are_enough() -> None:
    assert kubernetes_settings("sandboxes/python", IN_A_POD) == KubernetesSettings(
        namespace="sandboxes",
        pool="python",
        api="https://10.0.0.1:6443",
        credentials=SERVICE_ACCOUNT,
        router="",
        port=8888,
        ready_s=60,
    )


def test_everything_can_be_said() -> None:
    text = "a/b, router=http://router:8080/ , port=80,ready=5,api=https://k8s.example:6443,credentials=/etc/k8s"
    assert kubernetes_settings(text, {}) == KubernetesSettings(
        namespace="a",
        pool="b",
        api="https://k8s.example:6443",
        credentials=Path("/etc/k8s"),
        router="http://router:8080",
        port=80,
        ready_s=5,
    )


def test_a_cluster_of_ipv6_addresses_has_a_url() -> None:
    settings = kubernetes_settings("a/b", {"KUBERNETES_SERVICE_HOST": "fd00::1"})
    assert settings.api == "https://[fd00::1]:443"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is not NAMESPACE/WARMPOOL"),
        ("python", "'python' is not NAMESPACE/WARMPOOL"),
        ("a/b/c", "'a/b/c' is not NAMESPACE/WARMPOOL"),
        ("A/b", "'A/b' is not NAMESPACE/WARMPOOL"),
        ("a/b,colour=red", "'colour=red' is not one of router=…, port=…"),
        ("a/b,router=router:8080", "router=router:8080 must start with http"),
        ("a/b,port=0", "port=0 must be a whole number from 1 to 65535"),
        ("a/b,ready=soon", "ready=soon must be a whole number from 1 to 600"),
    ],
)
def test_what_cannot_be_used_is_told(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        kubernetes_settings(text, IN_A_POD)


def test_outside_a_cluster_the_api_has_to_be_named() -> None:
    with pytest.raises(ValueError, match=r"KUBERNETES_SERVICE_HOST is not set.*api=https://"):
        kubernetes_settings("a/b", {})


def test_a_key_is_enough_for_e2b() -> None:
    assert e2b_settings("", KEYED) == E2bSettings(
        template="code-interpreter-v1", api_key="e2b_abc", domain="e2b.app", api="https://api.e2b.app", sandbox=""
    )


def test_e2b_can_be_another_installation() -> None:
    text = "mine,domain=e2b.example,sandbox=http://proxy:3002"
    assert e2b_settings(text, {**KEYED, "OPENPLAYBOOK_E2B_API_KEY": "ours"}) == E2bSettings(
        template="mine",
        api_key="ours",
        domain="e2b.example",
        api="https://api.e2b.example",
        sandbox="http://proxy:3002",
    )


@pytest.mark.parametrize("environment", [{}, {"E2B_API_KEY": ""}])
def test_without_a_key_there_is_no_e2b(environment: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="E2B needs an API key in the variable OPENPLAYBOOK_E2B_API_KEY"):
        e2b_settings("", environment)


def test_a_key_is_never_shown() -> None:
    with pytest.raises(ValueError, match="holds characters that no key has") as told:
        e2b_settings("", {"E2B_API_KEY": "e2b_secret\n"})
    assert "e2b_secret" not in str(told.value) + repr(e2b_settings("", {"E2B_API_KEY": "e2b_secret"}))
