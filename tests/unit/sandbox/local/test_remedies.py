"""What is said to do about each wall that is missing."""

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from openplaybook.jsonvalues import JsonObject
from openplaybook.sandbox.base import ExecutorReport, Layer
from openplaybook.sandbox.local.host_machine import HostMachine, this_machine
from openplaybook.sandbox.local.probe import layers_of, unsupported
from openplaybook.sandbox.local.probe_child import ATTEMPTS
from openplaybook.sandbox.local.remedies import remedy

NOTHING: Mapping[str, str] = {}


def machine(within: str = "", settings: Mapping[str, str] = NOTHING, *, as_root: bool = False) -> HostMachine:
    return HostMachine(system="linux", processor="x86_64", within=within, settings=settings, as_root=as_root)


@pytest.mark.parametrize(
    ("layer", "number", "on", "said"),
    [
        ("user namespace", errno.EPERM, machine(settings={"kernel/unprivileged_userns_clone": "0"}), "userns_clone=1"),
        ("user namespace", errno.ENOSPC, machine(settings={"user/max_user_namespaces": "0"}), "namespaces=10000"),
        ("user namespace", errno.ENOSPC, machine(settings={"user/max_user_namespaces": "5"}), "raise `sysctl user.max"),
        ("user namespace", errno.EINVAL, machine(), "CONFIG_USER_NS"),
        ("user namespace", errno.EPERM, machine(), "SELinux or AppArmor"),
        ("user namespace", errno.EPERM, machine("docker"), "--security-opt seccomp=FILE"),
        ("user namespace", errno.EPERM, machine("podman"), "--security-opt seccomp=FILE"),
        ("user namespace", errno.EPERM, machine("systemd"), "RestrictNamespaces=no"),
        ("proc", errno.EPERM, machine("systemd"), "ProtectKernelTunables=no"),
        ("user namespace", errno.EPERM, machine("kubernetes"), "securityContext.seccompProfile"),
        (
            "user mapping",
            errno.EPERM,
            machine(settings={"kernel/apparmor_restrict_unprivileged_userns": "1"}),
            "apparmor_parser -r /etc/apparmor.d/openplaybook",
        ),
        ("mounts", errno.EACCES, machine(settings={"kernel/apparmor_restrict_unprivileged_userns": "1"}), "userns,"),
        ("mounts", errno.ENOSYS, machine(), "Linux 5.12"),
        ("mounts", errno.EPERM, machine(as_root=True), "start the server as an ordinary user"),
        ("mounts", errno.EPERM, machine("docker", as_root=True), "CAP_SYS_ADMIN"),
        ("pid namespace", errno.ENOSPC, machine(), "`sysctl user.max_pid_namespaces`"),
        ("network namespace", errno.EPERM, machine(settings={"user/max_net_namespaces": "0"}), "max_net_namespaces"),
        ("ipc namespace", errno.EINVAL, machine(), "the kernel has none"),
        ("uts namespace", errno.EPERM, machine("kubernetes"), "seccompProfile"),
        ("proc", errno.EPERM, machine(), "nothing mounted over it"),
        ("proc", errno.EPERM, machine("docker"), "systempaths=unconfined"),
        ("proc", errno.EPERM, machine("kubernetes"), "procMount: Unmasked"),
        ("Landlock", errno.ENOSYS, machine(), "Linux 5.13"),
        ("Landlock", errno.EPERM, machine("docker"), "seccomp=FILE"),
        ("seccomp", errno.EINVAL, machine(), "CONFIG_SECCOMP_FILTER"),
        ("no new privileges", errno.EINVAL, machine(), "CONFIG_SECCOMP_FILTER"),
        ("unprivileged user", errno.EPERM, machine(as_root=True), "CAP_SETUID"),
    ],
)
def test_each_cause_has_its_own_remedy(layer: str, number: int, on: HostMachine, said: str) -> None:
    assert said in remedy(layer, number, on)


@pytest.mark.parametrize("within", ["", "docker", "podman", "kubernetes", "systemd"])
@pytest.mark.parametrize("number", [0, errno.EPERM, errno.EACCES, errno.ENOSPC, errno.EINVAL, errno.ENOSYS])
@pytest.mark.parametrize("as_root", [False, True])
def test_no_failure_is_without_one(within: str, number: int, as_root: bool) -> None:
    on = machine(within, as_root=as_root)
    assert [layer for layer in ATTEMPTS if not remedy(layer, number, on)] == []


def found(missing: Mapping[str, int]) -> JsonObject:
    attempts: JsonObject = {
        name: {"ok": name not in missing, "errno": missing.get(name, 0), "detail": "as found"} for name in ATTEMPTS
    }
    return {"attempts": attempts, "settings": {"user/max_user_namespaces": "0"}}


def test_what_was_tried_is_told_in_order_and_all_of_it_is_required() -> None:
    layers = layers_of(found({}), machine())
    assert [layer.name for layer in layers] == ["platform", *ATTEMPTS]
    assert all(layer.ok and layer.required and layer.remedy == "" for layer in layers)
    assert ExecutorReport("forkserver", layers).ok


def test_without_user_namespaces_their_remedy_is_the_only_one() -> None:
    needing = [name for name in ATTEMPTS if name.endswith("namespace") or name in ("mounts", "tmpfs", "proc")]
    layers = layers_of(found(dict.fromkeys(needing, errno.EPERM)), machine())
    missing = {layer.name: layer for layer in layers if not layer.ok}
    assert list(missing) == needing
    assert missing.pop("user namespace").remedy == "`sysctl user.max_user_namespaces=10000`"
    assert {(layer.detail, layer.remedy) for layer in missing.values()} == {("needs a user namespace", "")}
    assert ExecutorReport("forkserver", layers).reason == (
        "user namespace: as found → `sysctl user.max_user_namespaces=10000`"
    )


def test_a_remedy_for_several_layers_is_told_once() -> None:
    layers = [Layer("mounts", False, "refused", remedy="allow it"), Layer("tmpfs", False, "refused", remedy="allow it")]
    assert ExecutorReport("forkserver", layers).reason == "mounts, tmpfs: refused → allow it"


def test_what_has_no_remedy_is_told_where_nothing_has_one() -> None:
    assert ExecutorReport("e2b", [Layer("E2B API", False, "silent")]).reason == "E2B API: silent"


@pytest.mark.parametrize(
    ("system", "processor", "said"),
    [
        ("darwin", "arm64", "there is no sandbox on darwin"),
        ("win32", "AMD64", "there is no sandbox on win32"),
        ("linux", "aarch64", "the filter of system calls for aarch64 was never tested"),
        ("linux", "riscv64", "there is no filter of system calls for riscv64"),
    ],
)
def test_where_no_sandbox_was_ever_run_there_is_none(system: str, processor: str, said: str) -> None:
    assert unsupported(HostMachine(system=system, processor=processor)) == Layer(
        "platform", False, said, remedy="name another executor for code with code_executor (kubernetes, e2b), or off"
    )


def test_where_it_was_run_it_is_tried() -> None:
    assert unsupported(machine()) is None


@pytest.mark.parametrize(
    ("environment", "within"),
    [
        ({"KUBERNETES_SERVICE_HOST": "10.0.0.1", "SYSTEMD_EXEC_PID": str(os.getpid())}, "kubernetes"),
        ({"SYSTEMD_EXEC_PID": str(os.getpid())}, "systemd"),
    ],
)
def test_what_restricts_the_server_is_told_by_its_environment(environment: Mapping[str, str], within: str) -> None:
    assert this_machine(environment).within == within


def test_a_terminal_that_a_service_opened_is_not_that_service() -> None:
    assert this_machine({"SYSTEMD_EXEC_PID": "1"}) == this_machine({})


def test_the_unit_is_told_what_its_drop_in_says() -> None:
    drop_in = (Path(__file__).parents[4] / "deploy/systemd/code-interpreter.conf").read_text()
    settings = [line for line in drop_in.splitlines() if re.match(r"[A-Z]\w+=.", line)]
    said = remedy("mounts", errno.EPERM, machine("systemd"))
    assert [setting for setting in settings if setting not in said] == [
        "ProtectControlGroups=no",
        "Delegate=memory pids",
    ]
