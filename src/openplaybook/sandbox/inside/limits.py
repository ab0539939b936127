"""What one execution may use, as the inside sees it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The fields of `openplaybook.sandbox.base.Limits`, which cannot be imported here."""

    wall_s: float
    cpu_s: float
    memory_bytes: int
    processes: int
    threads: int
    open_files: int
    disk_bytes: int
    inodes: int
    stdout_bytes: int
    stderr_bytes: int
    files: int
    file_bytes: int
    files_bytes: int
