"""Programs that a sandbox must withstand, as data: the corpus' JSON lines and our own TOML files."""

import json
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from openplaybook.sandbox.base import MIB, Ended, ExecutionLimits

CORPUS = os.environ.get("OPENPLAYBOOK_CORPUS", "")
LEFT_OUT = "OPENPLAYBOOK_CORPUS names no folder of hostile programs: those of the corpus are not run"
OWN = Path(__file__).parents[2] / "integration/sandbox/hostile"
_SLACK_S = 4.0
_ENDINGS = {"timeout": Ended.TIME.value, "killed": Ended.EXIT.value}
_RENAMED = {
    "max_wall_s": "within_s",
    "output_files_not": "files_not",
    "output_count_max": "files_max",
    "output_total_max": "files_bytes_max",
}
"""The corpus' words for ours; the others are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program and what must hold when it runs. Placeholders in it are those of `canaries.Canaries`."""

    id: str
    category: str
    title: str
    must_hold: str
    """In words."""
    code: str = field(repr=False)
    wall_s: float = 4.0
    cpu_s: float = 4.0
    memory_mib: int = 256
    disk_mib: int = 64
    within_s: float = 0.0
    """The answer must be there by then; 0: by the wall limit and a little."""
    ended_in: Sequence[str] = ()
    """Allowed values of `Ended`; empty: any."""
    exit_code: int | None = None
    stdout_regex: str = ""
    stdout_max_bytes: int = 4 * MIB
    files_not: str = ""
    """No file given back has a name in which this is found."""
    files_max: int = 1000
    files_bytes_max: int = 64 * MIB
    concurrent: str = field(default="", repr=False)
    """Runs at the same time, as another conversation's."""
    concurrent_stdout: str = ""
    follow_up: str = field(default="", repr=False)
    """Runs afterwards, as another conversation's."""
    follow_up_stdout: str = ""
    follow_up_differs: bool = False
    """No word that the one prints may be printed by the other."""
    guest_port_closed: bool = False
    soft: bool = False
    """A line `ESCAPED-shell` is no fault."""
    warm: bool = False
    """Attacks what only a sandbox has, such as its warm interpreter: a plain process proves nothing there."""

    @property
    def latest_s(self) -> float:
        """Seconds after which the answer is late."""
        return self.within_s or self.wall_s + _SLACK_S

    def limits(self, *, processes: bool) -> ExecutionLimits:
        """What its execution may use."""
        return ExecutionLimits(
            wall_s=self.wall_s,
            cpu_s=self.cpu_s,
            memory_bytes=self.memory_mib * MIB,
            disk_bytes=self.disk_mib * MIB,
            processes=24 if processes else 0,
        )


def own_cases() -> Sequence[Case]:
    """Ours, in the order of their files."""
    return [case for file in sorted(OWN.glob("*.toml")) for case in _from_toml(file)]


def _from_toml(file: Path) -> Sequence[Case]:
    known = {each.name for each in fields(Case)}
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["case"]
    for table in tables:
        if set(table) - known:
            raise ValueError(f"{file.name}: {table.get('id')}: no such fields: {sorted(set(table) - known)}")
        table["category"] = file.stem
    return [Case(**table) for table in tables]


def corpus_cases(wall_s: float = 10.0) -> Sequence[Case]:
    """The hostile programs of the corpus."""
    lines = (Path(CORPUS) / "sandbox/abuse.jsonl").read_text(encoding="utf-8").splitlines()
    return [_from_corpus(line, wall_s) for line in lines]


def _from_corpus(line: str, wall_s: float) -> Case:
    told = json.loads(line)
    same = {each.name for each in fields(Case)}
    renamed = {str(_RENAMED.get(name, name)): value for name, value in told.items()}
    values = {name: value for name, value in renamed.items() if name in same}
    values["ended_in"] = [_ENDINGS.get(status, status) for status in told.get("status_in", [])]
    values["guest_port_closed"] = "guest_port_closed" in told.get("host_probe", [])
    values.update(wall_s=wall_s, cpu_s=wall_s, memory_mib=1024)
    return Case(**values)
