"""Replaying files for a command: where the agents come from, and how outcomes are shown."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from openplaybook.cli.access import server_api
from openplaybook.cli.errors import CommandError
from openplaybook.cli.output import harmless, print_json, progress
from openplaybook.cli.package_transfer import export_package
from openplaybook.cli.resource_lookup import find_agent
from openplaybook.models.base import Model
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_registry import create_model
from openplaybook.recordings.errors import UnreadableRecording
from openplaybook.recordings.form import Recording
from openplaybook.recordings.junit import junit
from openplaybook.recordings.matchers import WordMatch
from openplaybook.recordings.recording_yaml import read_recording, write_recording
from openplaybook.recordings.replay import Replays, updated_recording
from openplaybook.recordings.replay_outcomes import ReplayOutcome, ReplayVerdict, report
from openplaybook.server.errors import AgentUnusable
from openplaybook.server.replay_stage import staged
from openplaybook.server.settings import Settings

DIFFERENT, UNREADABLE = 1, 2
"""Exit codes."""

_ENDINGS = frozenset({".yaml", ".yml"})
_COLOURS = {"-": "red", "+": "green"}
_VERDICTS = {ReplayVerdict.SAME: "green", ReplayVerdict.DIFFERENT: "red", ReplayVerdict.UNREADABLE: "red"}


@dataclass(frozen=True, slots=True)
class ReplayRun:
    """What is asked for."""

    settings: Settings
    agent: str | None
    """Name or package of the agent; None: as each recording says."""
    model: str
    """Empty: the recorded one."""
    live_tools: bool
    words: WordMatch | None
    update: bool

    def outcomes(self, paths: Sequence[Path]) -> list[ReplayOutcome]:
        """What came of each file, in their order. Raises `CommandError` for an agent or model that cannot be used."""
        outcomes: dict[Path, ReplayOutcome] = {}
        recordings: dict[Path, Recording] = {}
        files = _files(paths)
        for file in files:
            try:
                recordings[file] = read_recording(file)
            except UnreadableRecording as error:
                outcomes[file] = ReplayOutcome(str(file), problem=str(error))
        for agent in dict.fromkeys(self.agent or each.agent for each in recordings.values()):
            chosen = {file: each for file, each in recordings.items() if agent == (self.agent or each.agent)}
            try:
                outcomes |= asyncio.run(self._on_stage(self._package(agent), chosen))
            except (AgentUnusable, ModelNotConfigured) as error:
                raise CommandError(str(error), exit_code=UNREADABLE) from error
        return [outcomes[file] for file in files]

    def _package(self, agent: str) -> bytes | Path:
        """The package of an agent or app: a path that is there, or the export of one of the server's."""
        path = Path(agent)
        if agent and path.exists():
            return path
        if not agent:
            raise CommandError("a recording names no agent: name one with --agent", exit_code=UNREADABLE)
        try:
            with server_api(data_dir=self.settings.data_dir) as api:
                return export_package(api, str(find_agent(api, agent)["name"]))
        except CommandError as error:
            raise CommandError(f"{error}; --agent takes a package, too", exit_code=UNREADABLE) from error

    async def _on_stage(self, package: bytes | Path, recordings: dict[Path, Recording]) -> dict[Path, ReplayOutcome]:
        model: Model | None = create_model(self.model, os.environ) if self.model else None
        replays = Replays(model, self.live_tools, self.words)
        outcomes: dict[Path, ReplayOutcome] = {}
        try:
            with progress() as tell:
                async with staged(package, self.settings, live_tools=self.live_tools) as stage:
                    for number, (file, recording) in enumerate(recordings.items(), 1):
                        tell(f"{number} of {len(recordings)}: {harmless(str(file))}")
                        outcomes[file] = await replays.run(str(file), recording, stage)
                        if self.update:
                            _update(file, outcomes[file])
        finally:
            if model is not None:
                await model.aclose()
        return outcomes


def show(outcomes: Sequence[ReplayOutcome], *, as_json: bool) -> None:
    """Print what came of the files."""
    if as_json:
        print_json({"files": [outcome.to_json() for outcome in outcomes]})
        return
    for outcome in outcomes:
        for line in report(outcome):
            is_verdict = line.mark == "!"
            colour = _VERDICTS[outcome.verdict] if is_verdict else _COLOURS.get(line.mark)
            typer.secho(harmless(line.text), fg=colour, bold=is_verdict)


def write_junit(path: Path, outcomes: Sequence[ReplayOutcome]) -> None:
    """Write the JUnit report. Raises `CommandError`."""
    try:
        path.write_bytes(junit(outcomes))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}", exit_code=UNREADABLE) from error


def exit_code(outcomes: Sequence[ReplayOutcome]) -> int:
    """The worst of all."""
    verdicts = {outcome.verdict for outcome in outcomes}
    if ReplayVerdict.UNREADABLE in verdicts:
        return UNREADABLE
    return DIFFERENT if ReplayVerdict.DIFFERENT in verdicts else 0


def _files(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and those in folders by name."""
    files: list[Path] = []
    for path in paths:
        inside = sorted(each for each in path.rglob("*") if each.suffix in _ENDINGS) if path.is_dir() else [path]
        if not inside:
            raise CommandError(f"{path} contains no recordings: no file ends in .yaml", exit_code=UNREADABLE)
        files.extend(inside)
    return list(dict.fromkeys(files))


def _update(file: Path, outcome: ReplayOutcome) -> None:
    if outcome.recording is None or outcome.happened is None or outcome.verdict is ReplayVerdict.SAME:
        return
    text = write_recording(updated_recording(outcome.recording, outcome.happened, outcome.turns))
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}", exit_code=UNREADABLE) from error
