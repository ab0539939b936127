"""Everything of an app at once: gathered for an export, written by an import."""

import dataclasses
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.ces.app_layout import AGENTS, APP, EXAMPLES, GUARDRAILS, TOOLS, TOOLSETS
from openplaybook.packages.ces.app_package import AppPackage, Layout, own_key, renamed
from openplaybook.packages.ces.app_reader import read_app
from openplaybook.packages.private_fields import fields_in
from openplaybook.packages.report import Note, NoteKind, Report
from openplaybook.resources.ces.app_directory import AppDirectory, directory_of
from openplaybook.resources.ces.conversation_examples import CallLookups, tools_called
from openplaybook.resources.ces.resource_checks import problems
from openplaybook.resources.ces.toolbox_forms import ces_path, toolbox_resource, toolset_resource
from openplaybook.resources.findings import Severity
from openplaybook.resources.names import APP_VERSIONS, APPS, LOCATIONS, ResourceName, new_id
from openplaybook.resources.stored_form import from_body
from openplaybook.services.ces.changelog import IMPORT, Changes
from openplaybook.services.collection import Collection
from openplaybook.services.errors import not_found
from openplaybook.services.example_tools import example_calls
from openplaybook.services.kept_secrets import CarriedSecrets, StoredSecrets, notes_on_secrets
from openplaybook.services.locations import remember_location
from openplaybook.services.package_records import PackageRest, body_of, put_of, unmet_by
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP as APP_KIND
from openplaybook.services.resource_kinds import (
    APP_AGENT,
    APP_EXAMPLE,
    APP_GUARDRAIL,
    APP_TOOL,
    APP_TOOLSET,
    APP_VERSION,
    ResourceKind,
)
from openplaybook.services.stored_records import retried
from openplaybook.storage.base import Change, Delete, Put, Record
from openplaybook.turns.agent.ces_apps import call_lookups
from openplaybook.workers.lanes import AT_ONCE, PACKAGES

_KINDS: Mapping[str, ResourceKind] = {
    AGENTS: APP_AGENT,
    TOOLS: APP_TOOL,
    TOOLSETS: APP_TOOLSET,
    EXAMPLES: APP_EXAMPLE,
    GUARDRAILS: APP_GUARDRAIL,
}


async def gather_app(parts: ServiceParts, app: str, version: str = "") -> AppPackage:
    """The app of that name with all that belongs to it, or as one of its versions holds it. NOT_FOUND, `InvalidName`.

    Versions, deployments and conversations are no part of it.
    """
    records = await parts.store.scan(str(APPS.parse(app)))
    own = next((record for record in records if record.name == app), None)
    if own is None:
        raise not_found(APP_KIND.noun, app)
    version_record = await _version(parts, app, version) if version else None
    work = partial(_gathered, records, own, version_record)
    # Beside the event loop, unless it is small.
    size = sum(len(record.body) for record in (*records, *filter(None, [version_record])))
    return await PACKAGES.run(work) if size > AT_ONCE else work()


def _gathered(records: Sequence[Record], own: Record, version: Record | None) -> AppPackage:
    rest = PackageRest.among(records)
    resources = {APP: [body_of(own)], **_by_collection(records)} if version is None else _snapshot(version)
    return AppPackage(
        app={**(resources[APP] or [{}])[0], "name": own.name},
        agents=tuple(resources[AGENTS]),
        tools=tuple(resources[TOOLS]),
        toolsets=tuple(resources[TOOLSETS]),
        examples=tuple(resources[EXAMPLES]),
        guardrails=tuple(resources[GUARDRAILS]),
        other_files=rest.files,
        layouts={
            key: Layout.from_json(as_object(layout)) for key, layout in as_object(rest.more.get("layouts")).items()
        },
    )


async def write_imported(
    parts: ServiceParts, app: ResourceName, source: bytes | Path, *, merge: bool = False, display_name: str = ""
) -> Report:
    """Make the app of that name, new or not, what a package holds: all of it or nothing.

    What the app had is gone, but for versions, deployments and conversations, and for secrets that stand in tools
    themselves (`services.kept_secrets`). With `merge` only resources of the same display names are replaced, and all
    others stay. `display_name` takes the place of the package's. Raises `PackageError`, and INVALID_ARGUMENT for a
    resource that is not what the API says.
    """
    async with parts.whole_agents.imported:
        package, report = await PACKAGES.run(partial(read_app, source, str(app), fields_in(parts.api.pool)))
        if display_name:
            package = dataclasses.replace(package, app={**package.app, "displayName": display_name})
        carried = await retried(lambda: _write(parts, app, package, merge=merge))
        places = {note.place for note in report.notes}
        more = [note async for note in _unmet_and_wrong(parts, package) if note.place not in places]
        return Report((*notes_on_secrets(report.notes, carried), *more))


async def _write(
    parts: ServiceParts, app: ResourceName, package: AppPackage, *, merge: bool
) -> Mapping[str, CarriedSecrets]:
    """What became of secrets, by the file that each resource was read from."""
    records = await parts.store.scan(str(app))
    before = next((record for record in records if record.name == str(app)), None)
    kinds_within = {kind.record for kind in _KINDS.values()}
    there = [record for record in records if record.kind in kinds_within]
    rest = PackageRest.among(records) if merge else PackageRest()
    if merge:
        package = renamed(package, _names_to_take(package, there))
    versions = {record.name: record.version for record in there} if merge else {}
    inherited = {} if before is None else {"displayName": body_of(before).get("displayName", "")}
    # A secret that is set meanwhile must not give way to the one that was read here.
    changes: list[Change] = [] if merge else [Delete(record.name, expect=record.version) for record in there]
    version = 0 if before is None else before.version
    own = put_of(parts, APP_KIND, {**inherited, **package.app}, expect=version, file=_file_of(package, package.app))
    changes += [own, await _entry(parts, before, own)]
    # In a thread: an app of thousands of resources takes a second.
    below, carried = await PACKAGES.run(lambda: _below(parts, package, versions, there))
    changes += [*below, _rest(app, package, rest)]
    if before is None:
        changes += await remember_location(parts.store, LOCATIONS.parse(app.parent))
    await parts.store.apply(changes)
    return carried


def _below(
    parts: ServiceParts, package: AppPackage, versions: Mapping[str, int], there: Sequence[Record]
) -> tuple[list[Put], Mapping[str, CarriedSecrets]]:
    """Everything in the app; `versions` are those of the records that are replaced, `there` all that were there."""
    puts: list[Put] = []
    carried: dict[str, CarriedSecrets] = {}
    for collection, resources in package.collections().items():
        kind = _KINDS[collection]
        stored = StoredSecrets((body_of(each) for each in there if each.kind == kind.record), parts.inline_secrets)
        names = frozenset(str(resource["name"]) for resource in resources)
        for resource in resources:
            expect, file = versions.get(resource["name"], 0), _file_of(package, resource)
            carried[file] = each = stored.into(resource, names)
            puts.append(put_of(parts, kind, each.resource, expect=expect, file=file))
    return puts, carried


def _rest(app: ResourceName, package: AppPackage, before: PackageRest) -> Put:
    """What the package holds beyond resources, with what was there before."""
    layouts = {key: layout.as_json() for key, layout in package.layouts.items()}
    more = {"layouts": {**as_object(before.more.get("layouts")), **layouts}}
    return PackageRest({**before.files, **package.other_files}, more).put(str(app))


def _file_of(package: AppPackage, resource: JsonObject) -> str:
    """The file that a resource was read from; empty where there is none."""
    layout = package.layouts.get(own_key(resource))
    return "" if layout is None else layout.file


async def _entry(parts: ServiceParts, before: Record | None, after: Put) -> Change:
    """The import's entry in the app's changelog."""
    apps = Collection(APP_KIND, parts)
    message = from_body(after.body, apps.new(), parts.api.codec)
    return await Changes(parts).entry(None if before is None else apps.message_of(before), message, IMPORT)


def _names_to_take(package: AppPackage, there: Sequence[Record]) -> dict[str, str]:
    """For resources of a package the names of those that they replace; a fresh one where another has theirs."""
    taken = {record.name for record in there}
    by_title = {(record.kind, body_of(record).get("displayName")): record.name for record in there}
    names: dict[str, str] = {}
    for collection, resources in package.collections().items():
        for resource in resources:
            name = resource["name"]
            same = by_title.get((_KINDS[collection].record, resource.get("displayName")))
            if same is not None:
                names[name] = same
            elif name in taken:
                names[name] = f"{name.rpartition('/')[0]}/{new_id()}"
    return {before: after for before, after in names.items() if before != after}


def _by_collection(records: Sequence[Record]) -> dict[str, list[JsonObject]]:
    return {
        collection: [body_of(record) for record in records if record.kind == kind.record]
        for collection, kind in _KINDS.items()
    }


async def _version(parts: ServiceParts, app: str, version: str) -> Record:
    """A version of the app; NOT_FOUND."""
    name = APP_VERSIONS.parse(version)
    record = await parts.store.get(str(name))
    if record is None or record.kind != APP_VERSIONS.kind or name.root != app:
        raise not_found(APP_VERSION.noun, version)
    return record


def _snapshot(record: Record) -> dict[str, list[JsonObject]]:
    """The resources that a version of the app holds, by collection."""
    snapshot = as_object(body_of(record).get("snapshot"))
    below = {collection: [as_object(one) for one in as_list(snapshot.get(collection))] for collection in _KINDS}
    return {APP: [as_object(snapshot.get("app"))], **below}


async def _unmet_and_wrong(parts: ServiceParts, package: AppPackage) -> AsyncIterator[Note]:
    """What tools need and have not, and what is wrong with resources that the reader did not see."""
    # In a thread: thousands of tools and examples take seconds.
    tools, directory, documents = await PACKAGES.run(partial(_translated, package))
    for tool, translated in tools:

        def place(path: str, tool: JsonObject = tool) -> str:
            return f"{_file(package, tool)} {ces_path(tool, path)}"

        async for note in unmet_by(parts, translated, place):
            yield note
    calls = call_lookups(directory, await example_calls(parts.toolbox, documents))
    for note in await PACKAGES.run(lambda: [*_problems(parts, package, tools), *_findings(package, directory, calls)]):
        yield note


def _translated(
    package: AppPackage,
) -> tuple[list[tuple[JsonObject, JsonObject]], AppDirectory, dict[str, JsonObject]]:
    """Tools, each with what it is to the toolbox; the directory; and what examples call of the latter, by name."""
    tools = [
        (tool, translated)
        for collection, tool in package.resources()
        if (translated := _TRANSLATIONS.get(collection, _no_tool)(tool)) is not None
    ]
    directory = _directory(package)
    called = {name for example in package.examples for name in tools_called(example, directory)}
    return tools, directory, {tool["name"]: translated for tool, translated in tools if tool["name"] in called}


def _no_tool(resource: JsonObject) -> JsonObject | None:
    return None


_TRANSLATIONS: Mapping[str, Callable[[JsonObject], JsonObject | None]] = {
    TOOLS: toolbox_resource,
    TOOLSETS: toolset_resource,
}


def _problems(
    parts: ServiceParts, package: AppPackage, tools: Iterable[tuple[JsonObject, JsonObject]]
) -> Iterator[Note]:
    """What the toolbox finds wrong with tools, each with what it is to the toolbox."""
    for tool, translated in tools:
        for problem in parts.toolbox.check(translated):
            if problem.is_error:
                line = f" (line {problem.line})" if problem.line is not None else ""
                place = f"{_file(package, tool)} {ces_path(tool, problem.path)}{line}"
                yield Note(NoteKind.PROBLEM, place, problem.message)


_KINDS_OF: Mapping[str, str] = {APP: APPS.kind, **{collection: kind.record for collection, kind in _KINDS.items()}}


def _directory(package: AppPackage) -> AppDirectory:
    return directory_of(
        (_KINDS_OF[collection], str(resource["name"]), resource) for collection, resource in package.resources()
    )


def _findings(package: AppPackage, directory: AppDirectory, calls: CallLookups) -> list[Note]:
    """What leads nowhere in the texts and lists of an app, and what examples show that could not be done."""
    return [
        Note(NoteKind.PROBLEM, f"{_file(package, resource)} {finding.path}", finding.message)
        for collection, resource in package.resources()
        for finding in problems(_KINDS_OF[collection], resource, directory, package.app, calls)
        if finding.severity is not Severity.REMARK
    ]


def _file(package: AppPackage, resource: JsonObject) -> str:
    return package.layouts[own_key(resource)].file
