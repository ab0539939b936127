"""The probe on this machine, and on one that really lacks a wall."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from openplaybook.sandbox.base import Layer
from openplaybook.sandbox.local.probe import probe
from openplaybook.sandbox.local.probe_child import ATTEMPTS
from tests.kit.sandbox.ordinary import as_ordinary, is_root

SOURCES = Path(__file__).parents[4] / "src"
PROBE = (
    sys.executable,
    "-c",
    f"""
import asyncio, json, sys
from dataclasses import asdict
sys.path.insert(0, {str(SOURCES)!r})
from openplaybook.sandbox.local.probe import probe
print(json.dumps([asdict(layer) for layer in asyncio.run(probe())]))
""",
)
FILTERED = (
    sys.executable,
    "-c",
    f"""
import os, struct, sys
sys.path.insert(0, {str(SOURCES)!r})
from openplaybook.sandbox.inside import kernel
def step(operation, value, if_true=0, if_false=0):
    return struct.pack("=HBBI", operation, if_true, if_false, value)
call, answer = int(sys.argv[1]), int(sys.argv[2])
kernel.set_option(kernel.PR_SET_NO_NEW_PRIVS, 1)
kernel.filter_system_calls(step(0x20, 0) + step(0x15, call, 0, 1) + step(0x06, answer) + step(0x06, 0x7FFF0000))
os.execv(sys.argv[3], sys.argv[3:])
""",
)
"""Runs the command that follows where one system call is answered by a filter."""
MOUNT, UNSHARE, MOUNT_SETATTR, LANDLOCK_CREATE_RULESET = 165, 272, 442, 444
ERROR, KILL = 0x0005_0000, 0x8000_0000

needs_root = pytest.mark.skipif(not is_root(), reason="takes rights away, which only root has")


def probed(*before: str, environment: Mapping[str, str] | None = None) -> dict[str, Layer]:
    """What the probe finds when these commands have prepared its surroundings."""
    ran = subprocess.run(
        [*before, *PROBE], capture_output=True, text=True, timeout=30, env={**os.environ, **(environment or {})}
    )
    assert ran.returncode == 0, ran.stderr
    return {each["name"]: Layer(**each) for each in json.loads(ran.stdout)}


def filtered(call: int, answer: int) -> Sequence[str]:
    return [*FILTERED, str(call), str(answer)]


def missing(layers: Mapping[str, Layer]) -> dict[str, str]:
    return {name: layer.detail for name, layer in layers.items() if not layer.ok}


async def test_every_wall_can_be_built_here() -> None:
    layers = await probe()
    assert [(layer.name, layer.ok, layer.remedy) for layer in layers] == [
        (name, True, "") for name in ("platform", *ATTEMPTS)
    ]


@needs_root
def test_every_wall_can_be_built_by_an_ordinary_user() -> None:
    layers = probed(*as_ordinary([]))
    assert missing(layers) == {}
    assert layers["unprivileged user"].detail == "started as uid 61234"


def test_the_probe_leaves_nothing_behind() -> None:
    before = Path("/proc/self/mountinfo").read_text(), os.listdir("/proc/self/fd")
    probed()
    assert (Path("/proc/self/mountinfo").read_text(), os.listdir("/proc/self/fd")) == before


@needs_root
def test_where_unsharing_is_filtered_as_in_a_container_there_is_no_sandbox() -> None:
    layers = probed(
        *as_ordinary(filtered(UNSHARE, ERROR | errno.EPERM)), environment={"KUBERNETES_SERVICE_HOST": "10.0.0.1"}
    )
    assert layers["user namespace"].detail == "unshare: Operation not permitted (EPERM)"
    assert "securityContext.seccompProfile" in layers["user namespace"].remedy
    assert missing(layers)["network namespace"] == "needs a user namespace"
    assert {"seccomp", "Landlock", "no new privileges"} & set(missing(layers)) == set()


@needs_root
def test_where_user_namespaces_are_switched_off_the_setting_is_named() -> None:
    off = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    in_user_namespace = ["unshare", "--user", "--map-user=61234", "--map-group=61234", "--keep-caps"]
    layers = probed(*as_ordinary([*in_user_namespace, "sh", "-ec", off, "sh"]))
    assert layers["user namespace"].detail == "unshare: No space left on device (ENOSPC)"
    assert layers["user namespace"].remedy == "`sysctl user.max_user_namespaces=10000`"


@needs_root
def test_where_parts_of_proc_are_masked_as_in_a_container_it_is_said() -> None:
    masked = ["unshare", "--mount", "sh", "-ec", 'mount --bind /dev/null /proc/meminfo && exec "$@"', "sh"]
    layers = probed(*masked, *as_ordinary([]))
    assert missing(layers) == {"proc": "mount /proc: Operation not permitted (EPERM)"}
    assert "all of /proc" in layers["proc"].remedy


@needs_root
def test_root_that_may_not_mount_is_told_to_be_an_ordinary_user() -> None:
    layers = probed("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin")
    assert missing(layers) == dict.fromkeys(("mounts", "proc"), "unshare: Operation not permitted (EPERM)")
    assert "start the server as an ordinary user" in layers["mounts"].remedy


@pytest.mark.parametrize(
    ("call", "answer", "name", "detail"),
    [
        (LANDLOCK_CREATE_RULESET, ERROR | errno.ENOSYS, "Landlock", "this kernel has no Landlock"),
        (MOUNT_SETATTR, ERROR | errno.ENOSYS, "mounts", "mount_setattr /mnt/usr: Function not implemented (ENOSYS)"),
        (MOUNT_SETATTR, KILL, "mounts", "ended with -31"),
    ],
)
def test_a_single_wall_that_is_missing_is_found(call: int, answer: int, name: str, detail: str) -> None:
    layers = probed(*filtered(call, answer))
    assert list(missing(layers)) == [name]
    assert detail in missing(layers)[name]
    assert layers[name].remedy != ""


@needs_root
def test_a_filter_that_forbids_mounts_is_seen_in_each_wall_that_needs_them() -> None:
    layers = probed(*as_ordinary(filtered(MOUNT, ERROR | errno.EPERM)))
    assert set(missing(layers)) == {"mounts", "tmpfs", "proc"}


@needs_root
def test_a_probe_that_cannot_be_run_is_no_sandbox() -> None:
    layers = probed(*as_ordinary(["prlimit", "--nproc=0"]))
    assert {name: layer.ok for name, layer in layers.items()} == {"probe": False}
