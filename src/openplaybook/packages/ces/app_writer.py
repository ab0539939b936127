"""Writing the package of an app: as it was read where it has not changed, else in the layout of Google's exports."""

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.packages.ces.app_layout import APP, ENVIRONMENT, looks_like_path, safe_stem, text_path
from openplaybook.packages.ces.app_names import AppNames
from openplaybook.packages.ces.app_package import AppPackage, Layout, own_key
from openplaybook.packages.ces.app_reader import derived_id
from openplaybook.packages.ces.environment_file import (
    key_of,
    put,
    read_environment,
    value_at,
    values_of,
    write_environment,
)
from openplaybook.packages.ces.resource_places import Place, json_path, reference_places, rewritten, text_places
from openplaybook.packages.errors import DuplicateName
from openplaybook.packages.package_files import check_path, zip_of
from openplaybook.packages.package_secrets import withheld, without_secrets
from openplaybook.packages.private_fields import merge_private
from openplaybook.packages.report import Report
from openplaybook.packages.resource_files import write_document

OUTPUT_ONLY = frozenset({"createTime", "updateTime", "etag", "deploymentCount", "validationErrors", "generatedSummary"})
"""Members that a server gives: different at each export, and only written where the package had them."""


def write_app(package: AppPackage, *, yaml: bool = False) -> bytes:
    """The zip archive of an app, in one folder named after it; the same package always gives the same bytes.

    `yaml`: files of resources are YAML instead of JSON. Secrets are left out (`withheld_secrets` lists them). Packs:
    not for the event loop. Raises `PackageError` for a file among `other_files` whose path is unsafe or taken.
    """
    folder = _folder_of(package.app)
    return zip_of({f"{folder}/{path}": content for path, content in app_files(package, yaml=yaml).items()})


def app_files(package: AppPackage, *, yaml: bool = False) -> dict[str, bytes]:
    """The files of the package by path."""
    return _Writing(package, ".yaml" if yaml else ".json").files()


def withheld_secrets(package: AppPackage) -> Report:
    """What `write_app` leaves out because it is a secret."""
    return withheld((*package.tools, *package.toolsets))


class _Writing:
    """The resources of one package, brought into the form of its files."""

    def __init__(self, package: AppPackage, ending: str) -> None:
        self._package = package
        self._ending = ending
        self._folder = _folder_of(package.app)
        self._paths = self._main_files()
        self._main = frozenset(self._paths.values())
        self._names = self._name_table()
        self._environment = read_environment(package.other_files)
        self._files: dict[str, bytes] = {}

    def files(self) -> dict[str, bytes]:
        """Every file; for one call."""
        for path, content in self._package.other_files.items():
            check_path(path)
            self._files[path] = content
        for collection, resource in self._package.resources():
            self._write(collection, resource)
        if ENVIRONMENT in self._files and self._environment != read_environment(self._package.other_files):
            self._files[ENVIRONMENT] = write_environment(self._environment)
        return dict(sorted(self._files.items()))

    def _write(self, collection: str, resource: JsonObject) -> None:
        own = own_key(resource)
        file, layout = self._paths[own], self._package.layouts.get(own, Layout(""))
        value = self._without_environment(collection, own, without_secrets(resource), layout)
        value = {key: each for key, each in value.items() if key not in OUTPUT_ONLY or key in layout.members}
        for pattern, referred in reference_places(collection).items():
            value = rewritten(
                value, pattern, lambda _, name, to=referred: self._names.refer(to, name) if name else name
            )
        folder = "" if own == APP else file.rpartition("/")[0]
        for pattern in text_places(collection):
            value = rewritten(value, pattern, lambda at, text: self._text(folder, at, text, layout))
        if file in self._files:
            raise DuplicateName(file, "is the path of a file that the app itself has")
        self._files[file] = write_document(file, self._named(own, file, value, layout))

    def _named(self, own: str, file: str, value: JsonObject, layout: Layout) -> JsonObject:
        """In the order of the file, with the name that stands in files, and with private members."""
        resource_id = own.rsplit("/", 1)[-1]
        is_plain = layout.file and "name" not in layout.members and resource_id == derived_id(file)
        named = {key: member for key, member in value.items() if key != "name"}
        if own == APP and not layout.file:
            named = {"name": self._folder, **named}
        elif own != APP and not is_plain:
            named = {"name": resource_id, **named}
        merged = merge_private(named, layout.private)
        ordered = {key: merged[key] for key in layout.members if key in merged}
        return {**ordered, **merged}

    def _text(self, folder: str, at: Place, text: str, layout: Layout) -> str:
        """The path of the file that now has the text; the text itself where it stays in place."""
        content = text.encode()
        known = layout.texts.get(json_path(at))
        if known is None and (not text or (looks_like_path(text) and text not in self._package.other_files)):
            return text
        for path in (known, text_path(folder, at)):
            if path and self._files.get(path, content) == content and path not in self._main:
                self._files[path] = content
                return path
        return text

    def _without_environment(self, collection: str, own: str, resource: JsonObject, layout: Layout) -> JsonObject:
        """The resource with its placeholders, its values now in the environment."""
        for each in values_of(self._environment):
            name = APP if each.collection == APP else self._names.resolve(each.collection, each.resource)
            if each.collection != collection or name not in (APP, resource["name"]):
                continue
            self._environment = put(self._environment, each.place, value_at(resource, each.at))
            placeholder: JsonValue = layout.placeholders.get(key_of(each.at))
            if placeholder is not None or value_at(resource, each.at) is not None:
                resource = put(resource, each.at, placeholder)
        return resource

    def _main_files(self) -> dict[str, str]:
        """The path of each resource's file: where it was, or after its display name."""
        layouts = self._package.layouts
        paths: dict[str, str] = {}
        for _, resource in self._package.resources():
            own = own_key(resource)
            if own in layouts:
                paths[own] = _with_ending(layouts[own].file, self._ending)
        taken = {path.rpartition("/")[0].casefold() for path in (*paths.values(), *self._package.other_files)}
        for collection, resource in self._package.resources():
            own = own_key(resource)
            if own not in paths:
                paths[own] = f"{APP}{self._ending}" if own == APP else self._new_file(collection, resource, taken)
        return paths

    def _new_file(self, collection: str, resource: JsonObject, taken: set[str]) -> str:
        name = str(resource.get("displayName", ""))
        wanted = safe_stem(name) or safe_stem(own_key(resource).rsplit("/", 1)[-1]) or collection
        stem, number = wanted, 1
        while f"{collection}/{stem}".casefold() in taken:
            number += 1
            stem = f"{wanted}_{number}"
        taken.add(f"{collection}/{stem}".casefold())
        return f"{collection}/{stem}/{stem}{self._ending}"

    def _name_table(self) -> AppNames:
        names = AppNames(str(self._package.app["name"]))
        for collection, resource in self._package.resources():
            if collection != APP:
                own = own_key(resource)
                stem = self._paths[own].split("/")[1]
                names.add(collection, own.rsplit("/", 1)[-1], str(resource.get("displayName", "")), stem)
        return names


def _folder_of(app: JsonObject) -> str:
    """The name of the folder that the app is in, which new packages have as the app's name, as `cxas` wants it."""
    return safe_stem(str(app.get("displayName", ""))) or APP


def _with_ending(file: str, ending: str) -> str:
    """The same file in the form that is asked for; `.yml` stays."""
    stem, _, old = file.rpartition(".")
    return file if f".{old}" == ending or (ending == ".yaml" and old == "yml") else f"{stem}{ending}"
