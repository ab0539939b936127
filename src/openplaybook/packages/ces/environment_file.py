"""`environment.json` of a package: values of the resources that differ from place to place, such as a URL.

It mirrors the resources: `{"toolsets": {"Orders": {"openApiToolset": {"url": …}}}, "app": {…}}`. The resource's own
file has `$env_var` there, or nothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from openplaybook.packages.ces.app_layout import APP, COLLECTIONS, ENVIRONMENT
from openplaybook.packages.ces.resource_places import Place, json_path, with_value
from openplaybook.packages.errors import MalformedFile
from openplaybook.packages.resource_files import read_object, write_object

_IDENTITY = ("name", "displayName")
"""Members by which the files of a package know each other's resources."""


@dataclass(frozen=True, slots=True)
class EnvironmentValue:
    """One value of the environment."""

    collection: str
    """Of the resource it is for; `app`: the app itself."""
    resource: str
    """What the environment calls it; empty for the app."""
    at: Place
    """Where in the resource."""
    value: JsonValue
    place: Place
    """Where in the environment."""


def read_environment(files: Mapping[str, bytes]) -> JsonObject:
    """The environment of a package; empty where there is none. Raises `MalformedFile`."""
    return read_object(ENVIRONMENT, files[ENVIRONMENT]) if ENVIRONMENT in files else {}


def values_of(environment: JsonObject) -> Iterator[EnvironmentValue]:
    """Every value in it. Raises `MalformedFile` where it would make one resource another."""
    for at, value in _leaves(as_object(environment.get(APP)), ()):
        yield EnvironmentValue(APP, "", at, value, (APP, *at))
    for collection in COLLECTIONS:
        for name, resource in as_object(environment.get(collection)).items():
            for at, value in _leaves(as_object(resource), ()):
                if at[0] in _IDENTITY:
                    place = json_path((collection, name, *at))
                    raise MalformedFile(ENVIRONMENT, f"{place} cannot differ from place to place")
                yield EnvironmentValue(collection, name, at, value, (collection, name, *at))


def key_of(at: Place) -> str:
    """A place in a resource as a key of `Layout.placeholders`."""
    return ".".join(map(str, at))


def value_at(resource: JsonObject, at: Place) -> JsonValue:
    """What a resource has at a place of keys; None where there is nothing."""
    value: JsonValue = resource
    for key in at:
        value = as_object(value).get(str(key))
    return value


def put(resource: JsonObject, at: Place, value: JsonValue) -> JsonObject:
    """The resource with a value at a place of keys; None takes it away, with objects that it leaves empty."""
    if value is not None:
        return as_object(with_value(resource, at, value))
    key, rest = str(at[0]), at[1:]
    inner = put(as_object(resource.get(key)), rest, None) if rest else {}
    return {**resource, key: inner} if inner else {name: each for name, each in resource.items() if name != key}


def write_environment(environment: JsonObject) -> bytes:
    """The file of an environment."""
    return write_object(environment)


def _leaves(value: JsonObject, at: Place) -> Iterator[tuple[Place, JsonValue]]:
    for key, member in value.items():
        if isinstance(member, dict) and member:
            yield from _leaves(as_object(member), (*at, key))
        elif member is not None:
            yield (*at, key), member
