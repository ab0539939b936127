"""Verdicts on the playbooks of a stored agent, or on the agents of a stored app: for reports of imports."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.models.model_directory import ModelDirectory
from openplaybook.packages.report import Note, NoteKind, Report
from openplaybook.resources.ces.agent_dependencies import AppDocuments, dependencies_of_agents
from openplaybook.resources.ces.app_directory import directory_of
from openplaybook.resources.ces.toolbox_forms import toolbox_documents
from openplaybook.resources.names import (
    AGENTS,
    APP_AGENTS,
    APP_GUARDRAILS,
    APP_TOOLS,
    APP_TOOLSETS,
    APPS,
    PLAYBOOKS,
    TOOLS,
)
from openplaybook.resources.playbook_dependencies import dependencies_of_playbooks
from openplaybook.services.parts import ServiceParts
from openplaybook.storage.base import Record
from openplaybook.tools.base import ToolBuilder
from openplaybook.turns.agent.snapshot_store import bundle_of, compile_snapshot
from openplaybook.turns.agent.verdicts import PlaybookVerdict, verdicts
from openplaybook.workers.errors import WorkError, WorkTimedOut
from openplaybook.workers.lanes import LARGE_AGENTS

MOST_S = 20.0
"""How long an import may be judged. A timeout alone would not end the work, and large agents have one thread."""

_Documents = Mapping[str, Mapping[str, JsonObject]]
"""By kind of record and by name."""


async def with_verdicts(parts: ServiceParts, root: str, report: Report) -> Report:
    """The report on an import into the agent, or the app, of that name, with a verdict on each of its playbooks.

    Where the agent is too large to be judged in time, a note says so.
    """
    if parts.models is None:
        return report
    records = await parts.store.scan(root)
    try:
        bundle, by_kind = await LARGE_AGENTS.run(partial(_read, records))
        unmet = await _unmet(parts, by_kind)
        judged = await LARGE_AGENTS.run(partial(_judged, root, bundle, by_kind, unmet, parts.toolbox, parts.models))
    except WorkError as error:
        note = Note(NoteKind.PROBLEM, "", f"it was not found out which playbooks run: {error}")
        return Report((*report.notes, note))
    return Report(report.notes, tuple(judged))


def _read(records: Sequence[Record]) -> tuple[list[list[JsonValue]], _Documents]:
    bundle = bundle_of(records)
    by_kind: dict[str, dict[str, JsonObject]] = {}
    for kind, name, document in bundle:
        by_kind.setdefault(str(kind), {})[str(name)] = as_object(document)
    return bundle, by_kind


async def _unmet(parts: ServiceParts, by_kind: _Documents) -> dict[str, list[str]]:
    """What tools need and have not, by their names."""
    messages: dict[str, list[str]] = {}
    for name, tool in (await LARGE_AGENTS.run(partial(_tools, by_kind))).items():
        # Tools are many: others have their turn between two of them.
        await asyncio.sleep(0)
        if problems := await parts.toolbox.unmet(tool):
            messages[name] = [problem.message for problem in problems]
    return messages


def _tools(by_kind: _Documents) -> dict[str, JsonObject]:
    """Tools and toolsets as the toolbox takes them, by name."""
    of_app = {**by_kind.get(APP_TOOLS.kind, {}), **by_kind.get(APP_TOOLSETS.kind, {})}
    return {**by_kind.get(TOOLS.kind, {}), **toolbox_documents(of_app)}


def _judged(
    root: str,
    bundle: list[list[JsonValue]],
    by_kind: _Documents,
    unmet: Mapping[str, Sequence[str]],
    toolbox: ToolBuilder,
    models: ModelDirectory,
) -> list[PlaybookVerdict]:
    snapshot = compile_snapshot(root, "", bundle, toolbox)
    language = by_kind.get(AGENTS.kind, {}).get(root, {}).get("defaultLanguageCode", "")
    checkpoint = _deadline(MOST_S)
    leanings = _leanings(root, by_kind, checkpoint)
    return verdicts(snapshot, leanings, unmet, models, str(language), checkpoint)


def _deadline(seconds: float) -> Callable[[], None]:
    """Raises `WorkTimedOut` when it is called that many seconds from now, or later."""
    end = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() >= end:
            raise WorkTimedOut(f"judging its playbooks takes more than {seconds:g} s", seconds)

    return check


def _leanings(root: str, by_kind: _Documents, checkpoint: Callable[[], None]) -> dict[str, list[str]]:
    if not APPS.fits(root):
        playbooks, tools = by_kind.get(PLAYBOOKS.kind, {}), by_kind.get(TOOLS.kind, {})
        return dependencies_of_playbooks(root, playbooks, tools, checkpoint)
    directory = directory_of((kind, name, each) for kind, named in by_kind.items() for name, each in named.items())
    return dependencies_of_agents(
        AppDocuments(
            document=by_kind.get(APPS.kind, {}).get(root, {}),
            agents=by_kind.get(APP_AGENTS.kind, {}),
            tools={**by_kind.get(APP_TOOLS.kind, {}), **by_kind.get(APP_TOOLSETS.kind, {})},
            guardrails=by_kind.get(APP_GUARDRAILS.kind, {}),
            directory=directory,
        )
    )
