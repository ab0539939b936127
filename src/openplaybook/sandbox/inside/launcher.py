"""The first process of a fork server: makes the outer walls, then becomes the interpreter that others are forked from.

Started with a clean environment and one descriptor, the control socket. Nothing of a caller is known here.

    launcher              waits for the end of the one or of the other: of the sandbox, of the server
    └ builder             as root only: a pid namespace whose /proc makes that of the inner one mountable
      └ zygote            pid 1 of the sandbox; all in it dies with it
"""

import json
import os
import select
import signal
import socket
from collections.abc import Mapping

from . import kernel, root_filesystem
from .root_filesystem import ShownPath
from .wall_messages import Launch

_SANDBOX = (
    kernel.NEW_USER
    | kernel.NEW_MOUNTS
    | kernel.NEW_PIDS
    | kernel.NEW_NETWORK
    | kernel.NEW_IPC
    | kernel.NEW_UTS
    | kernel.NEW_CGROUP
)
ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/bin:/bin",
    "HOME": root_filesystem.WORKSPACE,
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "TMPDIR": root_filesystem.TEMPORARY,
    "MPLBACKEND": "Agg",
    "MPLCONFIGDIR": f"{root_filesystem.TEMPORARY}/mpl",
    # One thread: a fork copies no other, and what those held would stay locked.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}
CODE = (
    f"import sys; sys.path.insert(0, {root_filesystem.PROGRAMS!r}); "
    "from inside.zygote import main; main(int(sys.argv[1]))"
)


def main(control: int) -> None:
    """Never returns."""
    try:
        with socket.socket(fileno=os.dup(control)) as stream:
            launch = Launch(**json.loads(stream.recv(65536)))
        _launch(launch, control)
    except OSError as error:
        os.write(control, json.dumps({"failed": str(error)}).encode())
    os._exit(1)


def _launch(launch: Launch, control: int) -> None:
    if launch.cgroup:
        with open(f"{launch.cgroup}/cgroup.procs", "w", encoding="ascii") as processes:
            processes.write("0")
    paths = [ShownPath(*each) for each in launch.paths]
    as_root = os.getuid() == 0
    if as_root:
        _be_child_in(kernel.NEW_MOUNTS | kernel.NEW_PIDS, control)
        root_filesystem.build(paths)
        _drop_to(launch.uid, launch.gid)
    _be_child_in(_SANDBOX, control)
    if as_root:
        root_filesystem.mount_proc()
    else:
        root_filesystem.build(paths)
    socket.sethostname("sandbox")
    os.set_inheritable(control, True)
    # -I: no variable and no folder of a user decides what is imported.
    os.execve(launch.python, [launch.python, "-I", "-B", "-c", CODE, str(control)], dict(ENVIRONMENT))


def _drop_to(uid: int, gid: int) -> None:
    """Before any code or data of a caller is there: from root to a user that owns nothing."""
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    # Who changes the user is hidden from /proc, where the maps are written, and outlives its parent.
    kernel.set_option(kernel.PR_SET_DUMPABLE, 1)
    kernel.set_option(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def _be_child_in(namespaces: int, control: int) -> None:
    """Go on as a child in new namespaces; the parent stays, to end with the child and to end it with the server."""
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(namespaces)
    if namespaces & kernel.NEW_USER:
        map_user(uid, gid, inner=0)
    child = os.fork()
    if child == 0:
        kernel.set_option(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        return
    os.closerange(3, control)
    os.closerange(control + 1, 1024)
    poll = select.poll()
    poll.register(os.pidfd_open(child), select.POLLIN)
    poll.register(control, select.POLLRDHUP)
    poll.poll()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os._exit(0)


def map_user(uid: int, gid: int, *, inner: int) -> None:
    """Map the one user and the one group that there are into this new user namespace."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{inner} {uid} 1"), ("gid_map", f"{inner} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as written:
            written.write(text)
