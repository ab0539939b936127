"""The client of one fork server: starts it, sends it requests, ends it. What it talks to is in `sandbox/inside`."""

import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from openplaybook.sandbox.base import Execution, Request, SandboxFailed, SandboxUnavailable, ToolCaller
from openplaybook.sandbox.inside.root_filesystem import PROGRAMS
from openplaybook.sandbox.inside.wall_messages import Launch, Warmth
from openplaybook.sandbox.local.interpreters import program_output
from openplaybook.sandbox.local.local_settings import PRELOAD
from openplaybook.sandbox.local.monitor_conversation import MonitorConversation

_START_S = 60.0
_LAUNCHER = "import sys; sys.path.insert(0, sys.argv[1]); from inside.launcher import main; main(int(sys.argv[2]))"
INSIDE = Path(__file__).parent.parent / "inside"
"""The code that runs beyond the wall."""
_SYSTEM = ("/lib", "/lib64", "/lib32", "/bin", "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/mime.types")
_SYSTEM_PREFIXES = ("/usr", "/usr/local")
_PARTS = ("bin", "lib", "lib64", "lib32", "share", "pyvenv.cfg")
"""Of a prefix; what else lies there, such as a project around its virtual environment, is nobody's business."""
_ENVIRONMENT = f"{PROGRAMS}/environment"
_ASK = "import json, sys; print(json.dumps([sys.prefix, sys.base_prefix, sys.executable]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkServerConfig:
    """What a fork server is made of."""

    python: str = sys.executable
    """The interpreter whose environment the code sees."""
    preload: Sequence[str] = PRELOAD
    """Imported once, before any request; those that are not installed are passed over."""
    ready: int = 2
    """Guests that are kept waiting, so that an execution finds its walls in place."""
    uid: int = 65534
    gid: int = 65534
    """Taken when started as root: a user and a group that own nothing."""
    cgroup: str = ""
    """A folder of cgroup v2 that all of it runs in; empty: that of the server."""
    sessions: int = 16
    """Kept at once; the least recently used one goes."""
    session_idle_s: float = 900.0


class KeptSessions:
    """Sessions whose guests are kept between executions, by name, the least recently used first; each ends when nobody
    asks for it for a while."""

    def __init__(self, most: int, idle_s: float) -> None:
        self._most, self._idle_s = most, idle_s
        self._conversations: dict[str, tuple[MonitorConversation, asyncio.TimerHandle]] = {}

    def take(self, session: str) -> MonitorConversation | None:
        """The guest of a session, which is the caller's now; None when there is none, or no more."""
        conversation, timer = self._conversations.pop(session, (None, None))
        if timer is not None:
            timer.cancel()
        if conversation is None or conversation.is_open:
            return conversation
        # Its monitor is gone; our end of the socket is not.
        conversation.close()
        return None

    def put(self, session: str, conversation: MonitorConversation) -> None:
        """Keep a guest for the next execution of a session."""
        self._end(session)
        timer = asyncio.get_running_loop().call_later(self._idle_s, self._end, session)
        self._conversations[session] = conversation, timer
        while len(self._conversations) > self._most:
            self._end(next(iter(self._conversations)))

    def close(self) -> None:
        """End all of them."""
        for session in list(self._conversations):
            self._end(session)

    def _end(self, session: str) -> None:
        conversation = self.take(session)
        if conversation is not None:
            conversation.close()


class ForkServer:
    """A warm interpreter behind walls, from which executions are forked. For one tenant: executions share the layout of
    memory and the libraries that lie in it, and nothing else."""

    def __init__(self, process: asyncio.subprocess.Process, control: socket.socket, config: ForkServerConfig) -> None:
        """Use `start`."""
        self.started_at = time.monotonic()
        self.executions = 0
        self._process, self._control = process, control
        self._kept = KeptSessions(config.sessions, config.session_idle_s)
        self._running: set[MonitorConversation] = set()
        self._death = asyncio.ensure_future(process.wait())

    @classmethod
    async def start(cls, config: ForkServerConfig) -> "ForkServer":
        """Raises `SandboxUnavailable` with the reason."""
        around = await surroundings(config.python)
        try:
            process, ours = await _launched()
        except OSError as error:
            raise SandboxUnavailable(f"the sandbox did not start: {error.strerror}") from error
        launch = Launch(python=around.python, paths=around.paths, uid=config.uid, gid=config.gid, cgroup=config.cgroup)
        warmth = Warmth(preload=list(config.preload), ready=config.ready, readable=around.readable)
        try:
            # What ended already has said why.
            with suppress(ConnectionError):
                ours.send(json.dumps(asdict(launch)).encode())
                ours.send(json.dumps(asdict(warmth)).encode())
            async with asyncio.timeout(_START_S):
                answer = await _answer(ours)
            _check(answer)
        except BaseException as error:
            ours.close()
            await asyncio.shield(process.wait())
            if isinstance(error, OSError | TimeoutError):
                raise SandboxUnavailable(f"the sandbox did not start: {error or 'no answer'}") from error
            raise
        return cls(process, ours, config)

    @property
    def alive(self) -> bool:
        """Whether it takes executions."""
        return not self._death.done() and self._control.fileno() >= 0

    async def execute(self, request: Request, caller: ToolCaller | None = None) -> Execution:
        """Run a request; raises `InvalidRequest`, `SandboxUnavailable`, `SandboxFailed`, and what `caller` raises."""
        self.executions += 1
        conversation = self._kept.take(request.session) if request.session else None
        fresh = conversation is None
        if conversation is None:
            conversation = await self._open()
        self._running.add(conversation)
        try:
            result = await conversation.run(request, caller, fresh=fresh)
        except BaseException:
            conversation.close()
            raise
        finally:
            self._running.discard(conversation)
        if result.is_kept and self.alive:
            self._kept.put(request.session, conversation)
        else:
            conversation.close()
        return result.execution

    async def dies(self, within_s: float) -> bool:
        """Whether it is dead or dies in this time: after `SandboxFailed`, whether more than one execution broke."""
        await asyncio.wait([self._death], timeout=within_s)
        return not self.alive

    async def aclose(self) -> None:
        """End it, and all that runs in it."""
        self._kept.close()
        for conversation in self._running:
            conversation.close()
        self._control.close()
        await asyncio.shield(self._death)

    async def _open(self) -> MonitorConversation:
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise SandboxUnavailable(f"there is no room for another execution: {error.strerror}") from error
        ours.setblocking(False)
        with theirs:
            try:
                # A zygote takes them at once; that there is no room means that it does nothing any more.
                socket.send_fds(self._control, [b"\0"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise SandboxFailed(f"the fork server takes no executions: {error.strerror}") from error
        try:
            return await MonitorConversation.over(ours)
        except BaseException:
            # Cancelled in between: the monitor must read the end of its socket.
            ours.close()
            raise


async def _launched() -> tuple[asyncio.subprocess.Process, socket.socket]:
    """A launcher, and our end of its control socket. `OSError` where the system has no room for them."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    with theirs:
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", "-B", "-c", _LAUNCHER, str(INSIDE.parent), str(theirs.fileno()),
                pass_fds=(theirs.fileno(),),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                cwd="/",
                env={},
            )  # fmt: skip
        except BaseException:
            ours.close()
            raise
    return process, ours


async def _answer(control: socket.socket) -> bytes:
    """What the sandbox says when it stands or does not; empty when it says nothing."""
    loop = asyncio.get_running_loop()
    try:
        return await loop.sock_recv(control, 65536)
    except ConnectionResetError:
        # Told of once: the other side left without reading all. Behind it is what that side said before.
        return await loop.sock_recv(control, 65536)


def _check(answer: bytes) -> None:
    if not answer:
        raise SandboxUnavailable("the sandbox did not start: it ended before it said why")
    document = json.loads(answer)
    if "failed" in document:
        raise SandboxUnavailable(f"the sandbox did not start: {document['failed']}")


@dataclass(frozen=True, slots=True)
class SandboxSurroundings:
    """What of this machine a sandbox shows: an interpreter, its environment, the system's libraries."""

    python: str
    """The interpreter, as the sandbox shows it."""
    paths: list[list[str]]
    """Sources and targets."""

    @property
    def readable(self) -> list[str]:
        """What a guest may read."""
        return [target for _, target in self.paths]


async def surroundings(python: str) -> SandboxSurroundings:
    """Of an interpreter. `SandboxUnavailable` when it does not run."""
    own = python == sys.executable
    return _of(
        *((sys.prefix, sys.base_prefix, sys.executable) if own else json.loads(await program_output(python, _ASK)))
    )


def _of(prefix: str, base: str, executable: str) -> SandboxSurroundings:
    paths = [[path, path] for path in _SYSTEM if os.path.lexists(path)]
    # The base by its name in pyvenv.cfg, and by that which links to programs may have.
    own = dict.fromkeys([*_SYSTEM_PREFIXES, base, os.path.realpath(base)])
    prefixes = {path: path for path in own}
    if prefix not in prefixes:
        # A virtual environment may lie anywhere; it is shown at a place of its own.
        prefixes[prefix] = _ENVIRONMENT
        executable = f"{_ENVIRONMENT}/{os.path.relpath(executable, prefix)}"
    for source, target in prefixes.items():
        paths += [[f"{source}/{part}", f"{target}/{part}"] for part in _PARTS if os.path.lexists(f"{source}/{part}")]
    return SandboxSurroundings(executable, [*paths, [str(INSIDE), f"{PROGRAMS}/inside"]])
