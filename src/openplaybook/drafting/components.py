"""Shapes that several places share, named once among the components."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from openplaybook.drafting.acceptance import acceptance
from openplaybook.drafting.api_words import pascal, singular_words
from openplaybook.drafting.document_tree import section
from openplaybook.drafting.samples import decoded
from openplaybook.drafting.schema_inference import SeenValue, is_map, items, members
from openplaybook.drafting.text_formats import is_version
from openplaybook.drafting.widener import Widener
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.tools.schema.dialect import Direction

_PREFIX = "#/components/schemas/"
_LIKE = 0.5
"""Share of keys that objects must have in common to be taken for one kind of thing."""

_MIN_PROPERTIES = 2
_MAX_REPEATED = 50


@dataclass(frozen=True, slots=True)
class BodySchema:
    """A new schema of a body."""

    media: JsonObject
    """The Media Type Object whose `schema` it is."""
    path: str
    kind: str
    """`Input`, `Patch`, `Error`, or empty for an answer that is no error."""
    seen: Sequence[SeenValue]


@dataclass
class _Cluster:
    """Places that hold the same kind of thing."""

    keys: set[str]
    places: list[tuple[JsonObject, str]] = field(default_factory=list[tuple[JsonObject, str]])
    """The object in which the schema stands, and its key there."""
    seen: list[SeenValue] = field(default_factory=list[SeenValue])


def name_shared(root: JsonObject, places: Sequence[BodySchema], widener: Widener) -> None:
    """Replace what several places share by references to components with speaking names.

    First come the things that paths are about, whose answers and lists are taken together, and for which a component
    may be there already; then any object that occurs more than once with the very same shape.
    """
    known = frozenset(as_object(as_object(root.get("components")).get("schemas")))
    for name, cluster in _clusters(places):
        if name in known and _holds(root, name, cluster, widener):
            reference = {"$ref": _PREFIX + name}
        elif len(cluster.places) > 1:
            reference = _refer(root, name, widener.new(cluster.seen, name))
        else:
            continue
        for holder, key in cluster.places:
            holder[key] = dict(reference)
    _name_repeated(root, places)


def _holds(root: JsonObject, name: str, cluster: _Cluster, widener: Widener) -> bool:
    """Whether a component that people wrote describes a kind of thing; then it learns what it lacks."""
    schemas = as_object(root["components"]["schemas"])
    keys = set(as_object(as_object(schemas[name]).get("properties")))
    if not keys or not _are_alike(keys, cluster.keys):
        return False
    if not all(map(acceptance(root, schemas[name], Direction.OUTPUT), (value for _, value in cluster.seen))):
        return False
    schemas[name] = widener.widen(schemas[name], cluster.seen, _PREFIX + name, name)
    return True


def _clusters(places: Sequence[BodySchema]) -> Iterator[tuple[str, _Cluster]]:
    clusters: dict[str, list[_Cluster]] = {}
    for place in places:
        spot = _thing(place)
        if spot is None:
            continue
        holder, key, seen = spot
        keys = set(members(seen))
        alike = clusters.setdefault(_thing_name(place), [])
        cluster = next((each for each in alike if _are_alike(each.keys, keys)), None)
        if cluster is None:
            cluster = _Cluster(set(keys))
            alike.append(cluster)
        cluster.keys |= keys
        cluster.places.append((holder, key))
        cluster.seen.extend(seen)
    for name, alike in clusters.items():
        yield from ((name, cluster) for cluster in alike)


def _are_alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) >= _LIKE * len(one | other)


def _thing(place: BodySchema) -> tuple[JsonObject, str, list[SeenValue]] | None:
    """The object schema a body is about, by its holder and key, and its values.

    That is the body itself, the items of an array, or the items of the only array of objects in the body.
    """
    schema = as_object(place.media.get("schema"))
    thing = _object_in(place.media, "schema", list(place.seen))
    if thing is None or schema.get("type") != "object":
        return thing
    lists = {
        name: values
        for name, values in members(place.seen).items()
        if as_object(as_object(schema.get("properties")).get(name)).get("type") == "array"
    }
    inner = [_object_in(as_object(schema["properties"]), name, values) for name, values in lists.items()]
    inner = [each for each in inner if each is not None]
    # A list with its frame: the one thing in it, and paging beside it.
    return inner[0] if len(inner) == 1 and not place.kind and not place.path.endswith("}") else thing


def _object_in(holder: JsonObject, key: str, seen: list[SeenValue]) -> tuple[JsonObject, str, list[SeenValue]] | None:
    schema = as_object(holder.get(key))
    if schema.get("type") == "array":
        values = [each for each in seen if isinstance(each[1], list)]
        return _object_in(schema, "items", items(values))
    is_plain = schema.get("type") == "object" and not schema.get("nullable")
    properties = members(seen) if is_plain else {}
    return (holder, key, seen) if len(properties) >= _MIN_PROPERTIES and not is_map(properties) else None


def _thing_name(place: BodySchema) -> str:
    if place.kind == "Error":
        return "Error"
    names = [decoded(each) for each in place.path.strip("/").split("/") if each and "{" not in each]
    names = [name for name in names if not is_version(name)]
    return pascal([*singular_words(names[-1] if names else "thing"), *([place.kind.lower()] if place.kind else [])])


def _name_repeated(root: JsonObject, places: Sequence[BodySchema]) -> None:
    """Name objects of one shape that stand in several places, the outer ones first."""
    for _ in range(_MAX_REPEATED):
        met: dict[bytes, list[tuple[JsonObject, str, str]]] = {}
        for place in places:
            for spot in _objects(place.media, "schema", _thing_name(place)):
                met.setdefault(dumps(spot[0][spot[1]]), []).append(spot)
        spots = next((spots for spots in met.values() if len(spots) > 1), None)
        if spots is None:
            return
        holder, key, name = spots[0]
        reference = _refer(root, name, holder[key])
        for holder, key, _ in spots:
            holder[key] = dict(reference)


def _objects(holder: JsonObject, key: str, name: str) -> Iterator[tuple[JsonObject, str, str]]:
    """Every object schema with members worth a name, outer ones before those in them."""
    schema = as_object(holder.get(key))
    properties = as_object(schema.get("properties"))
    if len(properties) >= _MIN_PROPERTIES:
        yield holder, key, name
    for child in properties:
        yield from _objects(properties, child, pascal(singular_words(child)) or name)
    for child in schema.keys() & {"items", "additionalProperties"}:
        yield from _objects(schema, child, name)


def _refer(root: JsonObject, name: str, schema: JsonValue) -> JsonObject:
    """A reference to a component of that schema: one that is there already, or a new one."""
    schemas = section(root, "schemas")
    base = "".join(char for char in name if char.isascii() and char.isalnum()) or "Thing"
    for candidate in (base, *(f"{base}{number}" for number in range(2, len(schemas) + 3))):
        if candidate not in schemas:
            schemas[candidate] = schema
            return {"$ref": _PREFIX + candidate}
        if schemas[candidate] == schema:
            return {"$ref": _PREFIX + candidate}
    raise AssertionError("more names are tried than there are")
