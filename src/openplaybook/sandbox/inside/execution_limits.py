"""What one execution may use: the one definition for both sides of the wall."""

from dataclasses import dataclass

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionLimits:
    """What one execution may use."""

    wall_s: float = 30.0
    """From the request to the answer, calls of tools included."""
    cpu_s: float = 30.0
    """Of all its processes together."""
    memory_bytes: int = 1024 * _MIB
    """Resident memory of all its processes, shared memory and its file systems together, beyond the interpreter's."""
    processes: int = 0
    """Child processes it may have at once; 0 forbids them (threads are never counted here)."""
    threads: int = 48
    """Threads and processes together."""
    open_files: int = 256
    disk_bytes: int = 64 * _MIB
    """Of its workspace, and as much again of /tmp."""
    inodes: int = 4096
    stdout_bytes: int = _MIB
    stderr_bytes: int = _MIB // 4
    files: int = 32
    """Files that are given back."""
    file_bytes: int = 16 * _MIB
    """Largest of them."""
    files_bytes: int = 32 * _MIB
    """All of them."""
