"""Reading a package of an app, as Google exports it, as people keep it under version control, and as we write it."""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, as_object
from openplaybook.packages.ces.app_layout import (
    AGENTS,
    APP,
    COLLECTIONS,
    ENVIRONMENT,
    EXAMPLES,
    GUARDRAILS,
    TOOLS,
    TOOLSETS,
    AppContents,
    looks_like_path,
    sort_files,
    stem_of,
)
from openplaybook.packages.ces.app_names import AppNames
from openplaybook.packages.ces.app_package import AppPackage, Layout
from openplaybook.packages.ces.environment_file import key_of, put, read_environment, value_at, values_of
from openplaybook.packages.ces.kept_features import note_kept
from openplaybook.packages.ces.resource_places import Place, json_path, reference_places, rewritten, text_places
from openplaybook.packages.package_files import read_files
from openplaybook.packages.package_formats import APP as APP_FORMAT
from openplaybook.packages.package_secrets import missing_secrets
from openplaybook.packages.private_fields import FieldLookup, every_field, split_private
from openplaybook.packages.report import Notes, Report
from openplaybook.packages.resource_files import read_document, read_text
from openplaybook.packages.unique_names import distinct_names, refuse_equal_ids
from openplaybook.resources.ces.system_tools import SYSTEM_TOOLS
from openplaybook.resources.names import is_valid_id

_API = "google.cloud.ces.v1beta."
MESSAGES = {
    APP: f"{_API}App",
    AGENTS: f"{_API}Agent",
    TOOLS: f"{_API}Tool",
    TOOLSETS: f"{_API}Toolset",
    EXAMPLES: f"{_API}Example",
    GUARDRAILS: f"{_API}Guardrail",
}
"""Full names of the messages that the resources of each collection are."""
_WITH_UNIQUE_NAMES = (AGENTS, TOOLS, TOOLSETS, GUARDRAILS)
_PLAIN_ID = re.compile(r"[A-Za-z0-9_][\w.-]{0,127}", re.ASCII)
_ID_NAMESPACE = uuid.UUID("2a2b1c0e-9d0a-4b57-8f6e-6b1e7c3f5a90")


def read_app(source: bytes | Path, app_name: str, fields: FieldLookup = every_field) -> tuple[AppPackage, Report]:
    """The app in a zip archive (bytes or path) or a folder, as the app of resource name `app_name`.

    References by display name, by id or by full names of another app become full names below `app_name`; paths of
    files become the texts in them. `fields` says what the API's messages can hold; the rest stays with the layouts.
    Reads and unpacks: not for the event loop. Raises `PackageError`, and then nothing of the package was used.
    """
    files = read_files(source, APP_FORMAT)
    return _Reading(files, app_name, fields).package()


def derived_id(file: str) -> str:
    """The id of a resource whose file gives none: the file's name where it can be one."""
    stem = stem_of(file)
    return stem if _PLAIN_ID.fullmatch(stem) else str(uuid.uuid5(_ID_NAMESPACE, file))


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A resource as its file has it, texts in place of files; its `name` is the bare id, none for the app."""

    collection: str
    value: JsonObject
    layout: Layout

    @property
    def id(self) -> str:
        return str(self.value["name"])


class _Reading:
    """One package on its way; notes are collected and files ticked off as it goes."""

    def __init__(self, files: Mapping[str, bytes], app_name: str, fields: FieldLookup) -> None:
        self._files = files
        self._names = AppNames(app_name)
        self._app_name = app_name
        self._fields = fields
        self._notes = Notes()
        self._used: set[str] = set()

    def package(self) -> tuple[AppPackage, Report]:
        """The package, and what there is to tell of it."""
        contents = sort_files(self._files)
        app = self._app(contents)
        below = {collection: self._collection(collection, contents) for collection in COLLECTIONS}
        for collection, resources in below.items():
            for resource in resources:
                stem = resource.layout.file.split("/")[1]
                self._names.add(collection, resource.id, str(resource.value.get("displayName", "")), stem)
        app, below = self._with_environment(app, below)
        layouts: dict[str, Layout] = {}
        finished = {
            collection: tuple(self._finish(each, f"{collection}/{each.id}", layouts) for each in resources)
            for collection, resources in below.items()
        }
        package = AppPackage(
            app={**self._finish(app, APP, layouts), "name": self._app_name},
            agents=finished[AGENTS],
            tools=finished[TOOLS],
            toolsets=finished[TOOLSETS],
            examples=finished[EXAMPLES],
            guardrails=finished[GUARDRAILS],
            other_files={path: content for path, content in self._files.items() if path not in self._used},
            layouts=layouts,
        )
        note_kept(package, self._notes)
        return package, self._notes.report()

    def _app(self, contents: AppContents) -> _Loaded:
        app = self._load(APP, contents.app)
        if not isinstance(app.value.get("displayName"), str):
            self._notes.problem(contents.app, "has no displayName")
        return app

    def _collection(self, collection: str, contents: AppContents) -> list[_Loaded]:
        loaded = [self._identified(self._load(collection, file)) for file in contents.resources[collection]]
        refuse_equal_ids((each.layout.file, each.id) for each in loaded)
        if collection in _WITH_UNIQUE_NAMES:
            called = [(each.layout.file, str(each.value["displayName"])) for each in loaded]
            names = distinct_names(called, self._notes.problem)
            return [
                replace(each, value={**each.value, "displayName": name})
                for each, name in zip(loaded, names, strict=True)
            ]
        return loaded

    def _load(self, collection: str, file: str) -> _Loaded:
        self._used.add(file)
        value = read_document(file, self._files[file])
        members, texts = tuple(value), dict[str, str]()
        for pattern in text_places(collection):
            value = rewritten(value, pattern, lambda at, text: self._text(file, at, text, texts))
        return _Loaded(collection, value, Layout(file, members, texts))

    def _text(self, file: str, at: Place, text: str, texts: dict[str, str]) -> str:
        if not looks_like_path(text):
            return text
        content = self._files.get(text)
        if content is None:
            self._notes.missing_file(f"{file} {json_path(at)}", f"the package has no file {text}; the path is kept")
            return text
        self._used.add(text)
        texts[json_path(at)] = text
        return read_text(text, content)

    def _identified(self, loaded: _Loaded) -> _Loaded:
        """With the bare id as name, and with a display name."""
        file, name = loaded.layout.file, loaded.value.get("name")
        resource_id = name.rsplit("/", 1)[-1] if isinstance(name, str) else derived_id(file)
        if not is_valid_id(resource_id):
            resource_id = derived_id(file)
            self._notes.problem(file, f"its name {name!r} cannot be an id; its id is {resource_id}")
        value = {**loaded.value, "name": resource_id}
        if not isinstance(value.get("displayName"), str) or not value["displayName"]:
            value["displayName"] = _inner_name(value) or resource_id
        return replace(loaded, value=value)

    def _with_environment(
        self, app: _Loaded, below: dict[str, list[_Loaded]]
    ) -> tuple[_Loaded, dict[str, list[_Loaded]]]:
        for each in values_of(read_environment(self._files)):
            if each.collection == APP:
                app = _placed(app, each.at, each.value)
                continue
            full_name = self._names.resolve(each.collection, each.resource)
            if full_name is None:
                message = f"there is nothing called {each.resource!r} among the {each.collection}"
                self._notes.problem(f"{ENVIRONMENT} {json_path(each.place)}", message)
                continue
            resource_id = full_name.rsplit("/", 1)[-1]
            below[each.collection] = [
                _placed(one, each.at, each.value) if one.id == resource_id else one for one in below[each.collection]
            ]
        return app, below

    def _finish(self, loaded: _Loaded, own: str, layouts: dict[str, Layout]) -> JsonObject:
        value = loaded.value
        for pattern, collection in reference_places(loaded.collection).items():
            value = rewritten(value, pattern, self._resolver(loaded.layout.file, collection))
        known, private = split_private(value, MESSAGES[loaded.collection], self._fields)
        if own == APP and "name" in known:
            # The app gets another name; the one in the file is written back.
            private = {"name": known["name"], **private}
        unknown = [key for key in private if not key.startswith("_") and not (own == APP and key in ("name", "tools"))]
        if unknown:
            self._notes.kept(loaded.layout.file, f"the API does not know {', '.join(unknown)}; kept, and of no effect")
        for secret in missing_secrets(known):
            self._notes.missing_secret(f"{loaded.layout.file} {secret.path}", f"{secret.field.key} is not given")
        layouts[own] = replace(loaded.layout, private=private)
        return known if own == APP else {**known, "name": f"{self._app_name}/{own}"}

    def _resolver(self, file: str, collection: str) -> Callable[[Place, str], str]:
        def resolve(at: Place, reference: str) -> str:
            if not reference:
                return reference
            if collection == TOOLS and reference in SYSTEM_TOOLS and self._names.resolve(TOOLS, reference) is None:
                return reference
            full_name = self._names.resolve(collection, reference)
            if full_name is None:
                message = f"there is nothing called {reference!r} among the {collection}"
                self._notes.problem(f"{file} {json_path(at)}", message)
                return reference
            return full_name

        return resolve


def _placed(loaded: _Loaded, at: Place, value: object) -> _Loaded:
    before = value_at(loaded.value, at)
    layout = replace(loaded.layout, placeholders={**loaded.layout.placeholders, key_of(at): before})
    return replace(loaded, value=put(loaded.value, at, value), layout=layout)


def _inner_name(tool: JsonObject) -> str:
    """The name that a tool has in the member of its kind."""
    names = (as_object(member).get("name") for member in tool.values() if isinstance(member, dict))
    return next((name for name in names if isinstance(name, str) and name), "")
