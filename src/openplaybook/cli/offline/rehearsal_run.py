"""Rehearsing the examples of an agent for a command: where the agent comes from, and which playbooks it has."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from openplaybook.cli.access import server_api
from openplaybook.cli.errors import CommandError
from openplaybook.cli.output import harmless, progress
from openplaybook.cli.package_transfer import export_package
from openplaybook.cli.resource_lookup import find_agent
from openplaybook.encoders.encoder_registry import small_encoder
from openplaybook.jsonvalues import as_object, loads
from openplaybook.models.offline.rehearsals.rehearsal import Rehearsal, Rehearser
from openplaybook.models.offline.tool_meanings import ToolMeanings
from openplaybook.recordings.replay import ReplayStage
from openplaybook.server.errors import AgentUnusable
from openplaybook.server.replay_stage import staged
from openplaybook.server.settings import Settings
from openplaybook.services.openplaybook.rehearsed_agents import rehearsals_of
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.agent.snapshot_store import Snapshots

UNREADABLE = 2
"""Exit code."""
_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class RehearsalRun:
    """What came of all examples of an agent, in order."""

    agent: str
    """Display name."""
    shipped: Sequence[Rehearsal]
    """With everything that the playbooks have."""
    held_out: Sequence[Rehearsal] | None = None
    """Each without the example itself; None where nobody asked."""

    @property
    def judged(self) -> Sequence[Rehearsal]:
        """Those that were asked for."""
        return self.shipped if self.held_out is None else self.held_out


def rehearsed(agent: str, settings: Settings, *, held_out: bool) -> RehearsalRun:
    """What comes of the examples of an agent or app of the server, or of a package. Raises `CommandError`."""
    package = _package(agent, settings)
    try:
        return asyncio.run(_on_stage(package, settings, held_out=held_out))
    except AgentUnusable as error:
        raise CommandError(str(error), exit_code=UNREADABLE) from error


def _package(agent: str, settings: Settings) -> bytes | Path:
    path = Path(agent)
    if path.exists():
        return path
    try:
        with server_api(data_dir=settings.data_dir) as api:
            return export_package(api, str(find_agent(api, agent)["name"]))
    except CommandError as error:
        raise CommandError(str(error), exit_code=UNREADABLE) from error


async def _on_stage(package: bytes | Path, settings: Settings, *, held_out: bool) -> RehearsalRun:
    async with staged(package, settings, live_tools=False) as stage:
        snapshot = await Snapshots(stage.store, stage.tools).current(stage.agent)
        language = snapshot.language_code or await _language(stage)
        meanings = ToolMeanings(small_encoder)
        try:
            shipped = await _rehearsals(snapshot, language, Rehearser(meanings=meanings), held_out=False)
            rest = (
                await _rehearsals(snapshot, language, Rehearser(meanings=meanings), held_out=True) if held_out else None
            )
        finally:
            await meanings.aclose()
    return RehearsalRun(stage.display_name, shipped, rest)


async def _language(stage: ReplayStage) -> str:
    record = await stage.store.get(stage.agent)
    document = {} if record is None else as_object(loads(record.body))
    return str(document.get("defaultLanguageCode") or _LANGUAGE)


async def _rehearsals(
    snapshot: AgentSnapshot, language: str, rehearser: Rehearser, *, held_out: bool
) -> Sequence[Rehearsal]:
    rehearsals: list[Rehearsal] = []
    total = sum(len(view.examples) for view in snapshot.playbooks.values())
    with progress() as tell:
        async for _, each in rehearsals_of(snapshot, language, rehearser, held_out=held_out):
            tell(f"{len(rehearsals) + 1} of {total}: {harmless(each.example)}")
            rehearsals.append(each)
    return rehearsals
