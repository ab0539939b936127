"""An app as one value: what a package of CX Agent Studio holds, also under other names."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.ces.app_layout import AGENTS, APP, EXAMPLES, GUARDRAILS, TOOLS, TOOLSETS
from openplaybook.packages.ces.resource_places import reference_places, rewritten


@dataclass(frozen=True, slots=True)
class Layout:
    """How a resource stood in its package, so that it can be written back as it was."""

    file: str
    """Path of its file."""
    members: tuple[str, ...] = ()
    """Names of its top-level members, in the order of the file."""
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Files of its texts by JSON path."""
    private: JsonObject = field(default_factory=dict[str, object])
    """What it holds beyond the API (see `packages.private_fields`)."""
    placeholders: JsonObject = field(default_factory=dict[str, object])
    """By JSON path, what stood in the file where `environment.json` gives the value; null: nothing."""

    @classmethod
    def from_json(cls, stored: JsonObject) -> "Layout":
        """The layout that `as_json` gave, or an earlier version did: a member that is not there has its default."""
        return cls(
            file=str(stored["file"]),
            members=tuple(map(str, as_list(stored.get("members")))),
            texts={place: str(file) for place, file in as_object(stored.get("texts")).items()},
            private=as_object(stored.get("private")),
            placeholders=as_object(stored.get("placeholders")),
        )

    def as_json(self) -> JsonObject:
        """What the store keeps of it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class AppPackage:
    """An app and everything below it.

    Resources are JSON in the shape of the v1beta API, with full resource names and with texts in place of files.
    """

    app: JsonObject
    """Its `name` is the app's resource name; all names in the package are below it."""
    agents: tuple[JsonObject, ...] = ()
    tools: tuple[JsonObject, ...] = ()
    toolsets: tuple[JsonObject, ...] = ()
    examples: tuple[JsonObject, ...] = ()
    guardrails: tuple[JsonObject, ...] = ()
    other_files: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Files that are nothing of the above (evaluations, the environment, …), by path, byte for byte."""
    layouts: Mapping[str, Layout] = field(default_factory=dict[str, Layout])
    """By the resource's name below the app, such as `agents/ID`; `app` for the app itself."""

    def collections(self) -> dict[str, tuple[JsonObject, ...]]:
        """The resources below the app by their collection."""
        return {
            AGENTS: self.agents,
            TOOLS: self.tools,
            TOOLSETS: self.toolsets,
            EXAMPLES: self.examples,
            GUARDRAILS: self.guardrails,
        }

    def resources(self) -> Iterator[tuple[str, JsonObject]]:
        """Every resource with its collection; the app first, as of the collection `app`."""
        yield APP, self.app
        for collection, resources in self.collections().items():
            for resource in resources:
                yield collection, resource


def own_key(resource: JsonObject) -> str:
    """A resource's name below its app, `app` for the app: the key of `AppPackage.layouts`."""
    return "/".join(str(resource["name"]).split("/")[6:]) or APP


def renamed(package: AppPackage, names: Mapping[str, str]) -> AppPackage:
    """The package with resources of these full names under others, wherever they are named, for an app that already has
    some of them."""

    def changed(collection: str, resource: JsonObject) -> JsonObject:
        for pattern in reference_places(collection):
            resource = rewritten(resource, pattern, lambda _, name: names.get(name, name))
        return {**resource, "name": names.get(resource["name"], resource["name"])}

    own = {own_key({"name": before}): own_key({"name": after}) for before, after in names.items()}
    return replace(
        package,
        app=changed("app", package.app),
        layouts={own.get(key, key): layout for key, layout in package.layouts.items()},
        **{
            collection: tuple(changed(collection, resource) for resource in resources)
            for collection, resources in package.collections().items()
        },
    )
