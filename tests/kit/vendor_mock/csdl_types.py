"""Types of an OData service, read from the CSDL (version 4) or EDMX (versions 2 and 3) that its vendor publishes."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from openplaybook.jsonvalues import JsonObject

_COLLECTION = re.compile(r"Collection\((.+)\)")
_SAP = {"creatable": "Insertable", "updatable": "Updatable", "deletable": "Deletable"}
_FORBIDDEN = {"InsertRestrictions": "Insertable", "UpdateRestrictions": "Updatable", "DeleteRestrictions": "Deletable"}


@dataclass(frozen=True, slots=True)
class CsdlProperty:
    """A property, a navigation property, or a parameter."""

    name: str
    type: str
    """Its full name, without `Collection(…)`."""
    is_collection: bool = False
    is_nullable: bool = True
    is_read_only: bool = False
    is_navigation: bool = False
    is_required: bool = False
    is_filterable: bool = True
    is_sortable: bool = True


@dataclass(slots=True)
class CsdlType:
    """An entity type or a complex type."""

    name: str
    base: str = ""
    is_open: bool = False
    keys: list[str] = field(default_factory=list[str])
    properties: dict[str, CsdlProperty] = field(default_factory=dict[str, CsdlProperty])


@dataclass(frozen=True, slots=True)
class CsdlOperation:
    """An action or a function."""

    name: str
    is_action: bool
    bound: CsdlProperty | None
    parameters: dict[str, CsdlProperty]
    returned: CsdlProperty | None


@dataclass(slots=True)
class CsdlModel:
    """All that a service describes."""

    types: dict[str, CsdlType] = field(default_factory=dict[str, CsdlType])
    enumerations: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    sets: dict[str, CsdlProperty] = field(default_factory=dict[str, CsdlProperty])
    """Entity sets and singletons."""
    operations: list[CsdlOperation] = field(default_factory=list[CsdlOperation])
    forbidden: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """`Type/navigation` or the name of a set, and what cannot be done with it: `Insertable`, `Updatable`, …"""

    def members(self, type_name: str) -> dict[str, CsdlProperty]:
        """Properties of a type, inherited ones too."""
        found = self.types.get(type_name)
        return {} if found is None else self.members(found.base) | found.properties

    def keys(self, type_name: str) -> list[str]:
        """Names of the properties that make up the key."""
        found = self.types.get(type_name)
        return [] if found is None else found.keys or self.keys(found.base)

    def lineage(self, type_name: str) -> Iterator[str]:
        """A type and what it is derived from."""
        while type_name:
            yield type_name
            type_name = self.types[type_name].base if type_name in self.types else ""


def read_model(*files: Path) -> CsdlModel:
    """The model of files, which belong to one service; those that end with `.gz` are compressed."""
    model = CsdlModel()
    for file in files:
        data = file.read_bytes()
        root = ElementTree.fromstring(gzip.decompress(data) if file.suffix == ".gz" else data)
        schemas = [each for each in root.iter() if _local(each) == "Schema"]
        aliases = {each.get("Alias", ""): each.get("Namespace", "") for each in schemas}
        ends = _association_ends(schemas)
        for schema in schemas:
            _SchemaReader(model, schema, aliases, ends).read()
    return model


def _local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _association_ends(schemas: list[ElementTree.Element]) -> dict[tuple[str, str], tuple[str, str]]:
    """Association and role → type and multiplicity (version 2)."""
    ends: dict[tuple[str, str], tuple[str, str]] = {}
    for schema in schemas:
        for each in schema:
            if _local(each) == "Association":
                name = f"{schema.get('Namespace')}.{each.get('Name')}"
                for end in each:
                    if _local(end) == "End":
                        ends[name, end.get("Role", "")] = (end.get("Type", ""), end.get("Multiplicity", ""))
    return ends


class _SchemaReader:
    def __init__(
        self,
        model: CsdlModel,
        schema: ElementTree.Element,
        aliases: dict[str, str],
        ends: dict[tuple[str, str], tuple[str, str]],
    ) -> None:
        self._model = model
        self._schema = schema
        # Several schemas may call themselves by the same alias.
        self._aliases = aliases | {schema.get("Alias", ""): schema.get("Namespace", "")}
        self._ends = ends
        self._namespace = schema.get("Namespace", "")

    def read(self) -> None:
        for each in self._schema:
            kind = _local(each)
            if kind in ("EntityType", "ComplexType"):
                self._type(each)
            elif kind == "EnumType":
                names = [member.get("Name", "") for member in each if _local(member) == "Member"]
                self._model.enumerations[f"{self._namespace}.{each.get('Name')}"] = names
            elif kind in ("Action", "Function"):
                self._operation(each)
            elif kind == "EntityContainer":
                self._container(each)
            elif kind == "Annotations":
                self._annotations(each)

    def _full(self, name: str) -> str:
        prefix, _, last = name.rpartition(".")
        return f"{self._aliases[prefix]}.{last}" if prefix and prefix in self._aliases else name

    def _property(self, element: ElementTree.Element, type_name: str, *, is_navigation: bool = False) -> CsdlProperty:
        found = _COLLECTION.fullmatch(type_name)
        given = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
        is_fixed = given.get("creatable") == "false" and given.get("updatable") == "false"
        computed = [each for each in element if each.get("Term") == "Org.OData.Core.V1.Computed"]
        return CsdlProperty(
            given.get("Name", ""),
            self._full(found[1] if found else type_name),
            is_collection=found is not None,
            is_nullable=given.get("Nullable") != "false",
            is_read_only=is_fixed or any(each.get("Bool", "true") == "true" for each in computed),
            is_navigation=is_navigation,
            is_required=given.get("required") == "true" and not is_navigation,
            is_filterable=given.get("filterable") != "false",
            is_sortable=given.get("sortable") != "false",
        )

    def _type(self, element: ElementTree.Element) -> None:
        name = f"{self._namespace}.{element.get('Name')}"
        made = self._model.types.setdefault(name, CsdlType(name))
        made.base = self._full(element.get("BaseType", ""))
        made.is_open = element.get("OpenType") == "true"
        for each in element:
            kind = _local(each)
            if kind == "Key":
                made.keys = [reference.get("Name", "") for reference in each]
            elif kind == "Property":
                made.properties[each.get("Name", "")] = self._property(each, each.get("Type", ""))
            elif kind == "NavigationProperty":
                made.properties[each.get("Name", "")] = self._navigation(each)

    def _navigation(self, element: ElementTree.Element) -> CsdlProperty:
        type_name = element.get("Type", "")
        if not type_name:
            end = self._ends.get((element.get("Relationship", ""), element.get("ToRole", "")), ("", ""))
            type_name = f"Collection({end[0]})" if end[1] == "*" else end[0]
        return self._property(element, type_name, is_navigation=True)

    def _operation(self, element: ElementTree.Element) -> None:
        parameters = [self._property(each, each.get("Type", "")) for each in element if _local(each) == "Parameter"]
        returned = [self._property(each, each.get("Type", "")) for each in element if _local(each) == "ReturnType"]
        bound = parameters.pop(0) if element.get("IsBound") == "true" else None
        self._model.operations.append(
            CsdlOperation(
                element.get("Name", ""),
                _local(element) == "Action",
                bound,
                {each.name: each for each in parameters},
                returned[0] if returned else None,
            )
        )

    def _container(self, element: ElementTree.Element) -> None:
        for each in element:
            kind = _local(each)
            name, type_name = each.get("Name", ""), self._full(each.get("EntityType") or each.get("Type") or "")
            if kind in ("EntitySet", "Singleton"):
                self._model.sets[name] = CsdlProperty(name, type_name, is_collection=kind == "EntitySet")
                self._restrict(name, each)
                for attribute, word in _SAP.items():
                    if any(key.endswith(f"}}{attribute}") and said == "false" for key, said in each.attrib.items()):
                        self._model.forbidden.add((name, word))

    def _annotations(self, element: ElementTree.Element) -> None:
        owner, _, name = element.get("Target", "").partition("/")
        owner = self._full(owner)
        if owner.endswith(".GraphService") and name:
            self._restrict(name, element)
        elif name and owner in self._model.types and name in self._model.types[owner].properties:
            self._restrict(f"{owner}/{name}", element)
            if any(each.get("Term") == "Org.OData.Core.V1.Computed" for each in element):
                old = self._model.types[owner].properties[name]
                made = CsdlProperty(old.name, old.type, old.is_collection, old.is_nullable, True, old.is_navigation)
                self._model.types[owner].properties[name] = made

    def _restrict(self, what: str, element: ElementTree.Element) -> None:
        for each in element:
            word = _FORBIDDEN.get(str(each.get("Term")).rpartition(".")[2])
            for value in each.iter() if word else ():
                if value.get("Property") == word and value.get("Bool") == "false":
                    self._model.forbidden.add((what, str(word)))


PRIMITIVES: dict[str, JsonObject] = {
    "Edm.String": {"type": "string"},
    "Edm.Boolean": {"type": "boolean"},
    "Edm.Byte": {"type": "integer"},
    "Edm.SByte": {"type": "integer"},
    "Edm.Int16": {"type": "integer"},
    "Edm.Int32": {"type": "integer"},
    "Edm.Int64": {"type": "integer", "format": "int64"},
    "Edm.Single": {"type": "number"},
    "Edm.Double": {"type": "number"},
    "Edm.Decimal": {"type": "number"},
    "Edm.Guid": {"type": "string", "pattern": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"},
    "Edm.Date": {"type": "string", "format": "date", "pattern": r"^\d{4}-\d\d-\d\d$"},
    "Edm.DateTimeOffset": {
        "type": "string",
        "format": "date-time",
        "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$",
    },
    "Edm.Duration": {"type": "string"},
    "Edm.TimeOfDay": {"type": "string"},
    "Edm.Binary": {"type": "string"},
}
"""Type → JSON Schema of its values, as version 4 writes them."""
