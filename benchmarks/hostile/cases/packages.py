"""Packages of agents and apps that mean harm."""

import base64
import functools
import json
import uuid
from collections.abc import Callable

from benchmarks.hostile.cases import zips
from benchmarks.hostile.cases.base import Cases
from benchmarks.hostile.prey import LOCATION, Prey

case = Cases()


async def _restored(prey: Prey, content: bytes) -> None:
    body = b'{"agentContent":"' + base64.b64encode(content) + b'"}'
    await prey.ends(await prey.rest("POST", f"/v3/{prey.agent}:restore", body), "v3")


async def _imported(prey: Prey, content: bytes) -> None:
    head = json.dumps({"appId": f"i{uuid.uuid4().hex}", "displayName": uuid.uuid4().hex})[:-1].encode()
    body = head + b',"appContent":"' + base64.b64encode(content) + b'"}'
    await prey.ends(await prey.rest("POST", f"/v1beta/{LOCATION}/apps:importApp", body), "v1beta")


def _named(count: int) -> dict[str, bytes]:
    return {f"tools/t{n}/t{n}.json": b"{}" for n in range(count)}


PACKAGES: tuple[tuple[str, str, Callable[[], bytes], Callable[[], bytes]], ...] = (
    (
        "package-yaml-colons",
        "a package whose tool's schema is 15 kB of `: `",
        lambda: zips.dialogflow(zips.dialogflow_tool(b": " * 7_500)),
        lambda: zips.studio(zips.studio_toolset(b": " * 7_500)),
    ),
    (
        "package-yaml-questions",
        "the same with `? `",
        lambda: zips.dialogflow(zips.dialogflow_tool(b"? " * 7_500)),
        lambda: zips.studio(zips.studio_toolset(b"? " * 7_500)),
    ),
    (
        "package-many-schemas",
        "300 tools with a schema of 2 kB of `- ` each",
        lambda: zips.dialogflow(
            {
                path: content
                for n in range(300)
                for path, content in zips.dialogflow_tool(b"- " * 1_000, f"t{n}").items()
            }
        ),
        lambda: zips.studio(
            {path: content for n in range(300) for path, content in zips.studio_toolset(b"- " * 1_000, f"t{n}").items()}
        ),
    ),
    (
        "package-bomb",
        "a package of 1 MB that inflates to 1 GB",
        lambda: zips.bomb("agent.json", 1000),
        lambda: zips.bomb("app/app.json", 1000),
    ),
    (
        "package-lying-bomb",
        "the same, said to be of 10 bytes",
        lambda: zips.bomb("agent.json", 1000, claimed=10),
        lambda: zips.bomb("app/app.json", 1000, claimed=10),
    ),
    (
        "package-json-bomb",
        "150 kB that inflate to 28 MB of `[`",
        lambda: zips.bomb("agent.json", 28, b"[" * 2**20),
        lambda: zips.bomb("app/app.json", 28, b"[" * 2**20),
    ),
    (
        "package-many-files",
        "21,000 empty files",
        lambda: zips.package({f"a{n}": b"" for n in range(21_000)}),
        lambda: zips.package({f"app/a{n}": b"" for n in range(21_000)}),
    ),
    (
        "package-15000-tools",
        "15,000 tools that are empty objects",
        lambda: zips.dialogflow(_named(15_000)),
        lambda: zips.studio(_named(15_000)),
    ),
    (
        "package-deep-json",
        "a playbook nested 50,000 deep",
        lambda: zips.dialogflow({"playbooks/a/a.json": b'{"a":' * 50_000 + b"1" + b"}" * 50_000}),
        lambda: zips.studio({"agents/a/a.json": b'{"a":' * 50_000 + b"1" + b"}" * 50_000}),
    ),
    (
        "package-yaml-app",
        "an app whose app.yaml is 15 kB of `? `",
        lambda: zips.package({"agent.yaml": b"? " * 7_500}),
        lambda: zips.package({"app/app.yaml": b"? " * 7_500}),
    ),
    (
        "package-paths",
        "paths that lead out, and paths of 60,000 characters",
        lambda: zips.package({"../../etc/x": b"{}", "/etc/x": b"{}", "a" * 60_000: b"{}"}),
        lambda: zips.package({"app/../../x": b"{}", "app/" + "a/" * 30_000 + "x": b"{}"}),
    ),
    (
        "package-no-zip",
        "20 MB that are no archive",
        lambda: b"PK\x03\x04" + bytes(20_000_000),
        lambda: b"PK\x05\x06" * 5_000_000,
    ),
    (
        "package-large-text",
        "an instruction of 50 MB",
        lambda: zips.dialogflow({"playbooks/a/a.json": b'{"displayName":"a","goal":"' + b"ab ${" * 10_000_000 + b'"}'}),
        lambda: zips.studio({"agents/desk/instruction.txt": b"ab {@" * 10_000_000}),
    ),
)
"""A package for Dialogflow, and one for CX Agent Studio."""


def _both(name: str, sentence: str, agent: Callable[[], bytes], app: Callable[[], bytes]) -> None:
    async def attack(prey: Prey) -> None:
        await _restored(prey, agent())
        await _imported(prey, app())

    case.add(name, sentence, attack)


for _name, _sentence, _agent, _app in PACKAGES:
    _both(_name, _sentence, functools.cache(_agent), functools.cache(_app))


@case
async def package_eight_at_once(prey: Prey) -> None:
    """Eight imports of 15 kB of `: ` at once."""
    content = zips.studio(zips.studio_toolset(b": " * 7_500))
    await prey.together(8, lambda: _imported(prey, content))


@case
async def package_playbook(prey: Prey) -> None:
    """A playbook and a flow imported from bytes that are JSON 100,000 deep."""
    deep = base64.b64encode(b"[" * 100_000 + b"]" * 100_000).decode()
    await prey.rest("POST", f"/v3/{prey.agent}/playbooks:import", {"playbookContent": deep})
    await prey.rest("POST", f"/v3beta1/{prey.agent}/tools:import", {"toolsContent": {"toolContent": deep}})


@case
async def exported_again_and_again(prey: Prey) -> None:
    """Twenty exports of an agent and an app at once."""
    await prey.together(10, lambda: prey.rest("POST", f"/v3/{prey.agent}:export", {}))
    await prey.together(10, lambda: prey.rest("POST", f"/v1beta/{prey.app}:exportApp", {"exportFormat": "JSON"}))


@case
async def operations_asked_for(prey: Prey) -> None:
    """Fifty operations begun, all listed by a filter, and a hundred that are not there cancelled."""
    for _ in range(5):
        await prey.together(10, lambda: prey.rest("POST", f"/v3/{prey.agent}:export", {}))
    await prey.rest("GET", f"/v3/{LOCATION}/operations?pageSize=1000&filter=" + "NOT%20" * 1_000)
    name = f"{LOCATION}/operations/{uuid.uuid4()}"
    await prey.together(100, lambda: prey.rest("POST", f"/v3/{name}:cancel", {}))
