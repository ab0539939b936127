"""Finds out which walls of a sandbox this machine lets us build, by building each of them once."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.sandbox.base import Layer
from openplaybook.sandbox.local.host_machine import RUN_ON, WRITTEN_FOR, HostMachine, this_machine
from openplaybook.sandbox.local.interpreters import NoAnswer, answer_of
from openplaybook.sandbox.local.remedies import remedy

_SOURCES = str(Path(__file__).parents[3])
_CHILD = "openplaybook.sandbox.local.probe_child"
# Not imported here: it is made of calls that only Linux has.
_PROGRAM = f"import sys; sys.path.append(sys.argv[1]); from {_CHILD} import main; main()"
COMMAND = (sys.executable, "-I", "-S", "-c", _PROGRAM, _SOURCES)
"""Isolated and without site-packages, it starts in 20 ms and sees nothing of our surroundings."""
_NEEDS_USER_NAMESPACE = (
    "mounts",
    "tmpfs",
    "pid namespace",
    "proc",
    "network namespace",
    "ipc namespace",
    "uts namespace",
    "cgroup namespace",
)
_UNSUPPORTED = "name another executor for code with code_executor (kubernetes, e2b), or off"


async def probe() -> Sequence[Layer]:
    """Each layer as it is here, in a fixed order; takes about 0.1 s."""
    machine = this_machine(os.environ)
    refused = unsupported(machine)
    if refused is not None:
        return [refused]
    try:
        return layers_of(as_object(loads(await answer_of(COMMAND, environment={}))), machine)
    except NoAnswer as error:
        # What cannot even be tried is not there.
        return [
            Layer("probe", False, f"its process {error}", remedy="let the server start processes with its own Python")
        ]


def unsupported(machine: HostMachine) -> Layer | None:
    """The one layer that is missing where this kind of machine has no sandbox at all."""
    if machine.system != "linux":
        return Layer("platform", False, f"there is no sandbox on {machine.system}", remedy=_UNSUPPORTED)
    if machine.processor in RUN_ON:
        return None
    reason = f"the filter of system calls for {machine.processor} was never tested"
    if machine.processor not in WRITTEN_FOR:
        reason = f"there is no filter of system calls for {machine.processor}"
    return Layer("platform", False, reason, remedy=_UNSUPPORTED)


def layers_of(tried: JsonObject, machine: HostMachine) -> Sequence[Layer]:
    """What the child found, in words."""
    settings = {name: str(value) for name, value in as_object(tried["settings"]).items()}
    machine = replace(machine, settings=settings)
    attempts = {name: as_object(attempt) for name, attempt in as_object(tried["attempts"]).items()}
    has_users = bool(attempts["user namespace"]["ok"]) and bool(attempts["user mapping"]["ok"])
    platform = Layer("platform", True, f"Linux on {machine.processor}")
    return [platform, *(_layer(name, attempt, machine, has_users=has_users) for name, attempt in attempts.items())]


def _layer(name: str, attempt: Mapping[str, object], machine: HostMachine, *, has_users: bool) -> Layer:
    if attempt["ok"]:
        return Layer(name, True, str(attempt["detail"]))
    if not has_users and name in _NEEDS_USER_NAMESPACE:
        return Layer(name, False, "needs a user namespace")
    number = attempt["errno"]
    return Layer(
        name, False, str(attempt["detail"]), remedy=remedy(name, number if isinstance(number, int) else 0, machine)
    )
