"""A sandbox of E2B: files through `envd` (`spec/envd/envd.yaml`), code through the code interpreter's server."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.sandbox.base import SandboxUnavailable
from openplaybook.sandbox.remote.base import FOLDER, ArchiveExit, MachineLost
from openplaybook.sandbox.remote.e2b.e2b_settings import E2bSettings
from openplaybook.sandbox.remote.e2b.platform_api import E2bApi, E2bRefused
from openplaybook.sandbox.remote.machine_http import Headers, MachineHttp, form_of, one_line

_LOG = logging.getLogger("openplaybook.sandbox")
ENVD_PORT = 49983
CODE_PORT = 49999
_HOME = "/home/user"
_USER = "user"
_ANSWER_S = 10.0
_MAX_ANSWER = 1_000_000
_PROGRAM = """\
import json, subprocess, sys
ran = subprocess.run(
    [sys.executable, {archive!r}], cwd={home!r}, stdin=subprocess.DEVNULL, capture_output=True, timeout={seconds!r}
)
print(json.dumps([ran.returncode, ran.stderr.decode(errors="replace")[-1000:]]))
"""
"""Runs an archive from the notebook's kernel, whose interpreter has the template's libraries."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A sandbox of ours."""

    name: str
    files: MachineHttp
    code: MachineHttp
    api: E2bApi

    async def put(self, name: str, data: bytes) -> None:
        """Write a file into `FOLDER`."""
        form, content_type = form_of(name, data)
        await self.files.send("POST", _place(name), body=form, content_type=content_type, repeatable=True)

    async def run(self, archive: str, seconds: float) -> ArchiveExit:
        """Run an archive of `FOLDER`."""
        program = _PROGRAM.format(archive=f"{FOLDER}/{archive}", home=_HOME, seconds=seconds)
        response = await self.code.send(
            "POST",
            "/execute",
            body=dumps({"code": program, "context_id": None, "language": None, "env_vars": None}),
            content_type="application/json",
            seconds=seconds + _ANSWER_S,
            most=_MAX_ANSWER,
        )
        try:
            return _ran(response.body)
        except (ValueError, TypeError) as error:
            raise MachineLost(f"sandbox {self.name} is lost: {error}") from error

    async def get(self, name: str, most: int) -> bytes:
        """Read a file of `FOLDER`."""
        return (await self.files.send("GET", _place(name), most=most, repeatable=True)).body

    async def keep(self, seconds: float) -> None:
        """Have the sandbox end so much later."""
        try:
            await self.api.keep(self.name, seconds)
        except (E2bRefused, SandboxUnavailable) as error:
            raise MachineLost(f"sandbox {self.name} cannot be kept: {error}") from error

    async def release(self) -> None:
        """Kill the sandbox."""
        await killed(self.api, self.name)


async def killed(api: E2bApi, sandbox: str) -> None:
    """Kill a sandbox; where that fails its timeout does."""
    try:
        await api.kill(sandbox)
    except (E2bRefused, SandboxUnavailable) as error:
        _LOG.warning("the sandbox %s is left to its timeout: %s", sandbox, error)


def way_to(document: JsonObject, settings: E2bSettings, port: int) -> tuple[str, Headers]:
    """The URL at which a port of a created sandbox is reached, and the headers that lead there and prove our right.

    Raises `SandboxUnavailable` for a document that names no sandbox.
    """
    sandbox, domain = document.get("sandboxID"), document.get("domain") or settings.domain
    if not isinstance(sandbox, str) or not isinstance(domain, str) or not sandbox:
        raise SandboxUnavailable("E2B created a sandbox and did not say which")
    headers = [("E2b-Sandbox-Id", sandbox), ("E2b-Sandbox-Port", str(port))]
    tokens = {"X-Access-Token": "envdAccessToken", "E2B-Traffic-Access-Token": "trafficAccessToken"}
    headers += [(header, str(document[field])) for header, field in tokens.items() if document.get(field)]
    return settings.sandbox or f"https://{port}-{sandbox}.{domain}", tuple(headers)


def _place(name: str) -> str:
    return "/files?" + urlencode({"path": f"{_HOME}/{FOLDER}/{name}", "username": _USER})


def _ran(lines: bytes) -> ArchiveExit:
    """What `_PROGRAM` says, from the server's JSON lines; raises `ValueError` or `TypeError` with words."""
    output, ended = "", False
    for line in filter(None, lines.splitlines()):
        message = as_object(loads(line))
        kind = message.get("type")
        if kind == "stdout":
            output += str(message.get("text") or "")
        elif kind in ("error", "unexpected_end_of_execution"):
            raise ValueError(one_line([str(kind), str(message.get("name") or ""), str(message.get("value") or "")]))
        ended = ended or kind == "end_of_execution"
    if not ended:
        raise ValueError("its answer breaks off")
    result: Sequence[object] = loads(output)
    exit_code, stderr = result
    if not isinstance(exit_code, int):
        raise TypeError("its answer has no exit status")
    return ArchiveExit(exit_code, str(stderr))
