"""An OData service as a vendor's document: what a URL and a method may be is told by its CSDL or EDMX."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from tests.kit.vendor_mock.csdl_types import PRIMITIVES, CsdlModel, CsdlOperation, CsdlProperty, read_model
from tests.kit.vendor_mock.odata_filters import option_faults
from tests.kit.vendor_mock.vendor_document import CORPUS, VendorDocument, VendorOperation, VendorParameter

_SEGMENT = re.compile(r"([\w.$]+)(?:\((.*)\))?", re.DOTALL)
_TEXT: JsonObject = {"type": "string"}
_OPTIONS_OF_ONE = ("$select", "$expand")
_OPTIONS_OF_MANY = (*_OPTIONS_OF_ONE, "$filter", "$orderby", "$search")
_COUNTS = ("$top", "$skip")
_MOST_DERIVED = 12
_ANYTHING = re.compile(".*", re.DOTALL)
_LITERALS = {
    "Edm.String": re.compile(r"'(?:[^']|'')*'"),
    "Edm.Guid": re.compile(r"(guid')?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'?"),
    "Edm.Int64": re.compile(r"-?\d+L?"),
    "Edm.Int32": re.compile(r"-?\d+"),
    "Edm.DateTime": re.compile(r"datetime'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d'"),
}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a URL leads."""

    type: str = ""
    is_collection: bool = False
    name: str = ""
    """Of the set, or `Type/navigation`."""
    operation: CsdlOperation | None = None
    is_reference: bool = False
    is_root: bool = False


class CsdlDocument(VendorDocument):
    """A service below one path of its host."""

    def __init__(self, model: CsdlModel, base: str, version: int) -> None:
        super().__init__([])
        self.model = model
        self._base = base
        self.version = version

    @property
    def tells_replies(self) -> bool:
        """It does."""
        return True

    def find(self, method: str, path: str) -> VendorOperation | None:
        """The operation for a method and the path of a URL."""
        place = self._place(path)
        return None if place is None else self._operation(method, place)

    def methods(self, path: str) -> list[str]:
        """The methods that a path takes."""
        return [each for each in ("GET", "POST", "PATCH", "PUT", "DELETE") if self.find(each, path) is not None]

    def resolved(self, schema: JsonValue) -> JsonObject:
        """A schema without its reference."""
        members = as_object(schema)
        target = members.get("$ref")
        if not isinstance(target, str):
            return members
        type_name, _, use = target.partition("#")
        return self._object(type_name, is_new=use == "new", is_change=use == "change")

    def _place(self, path: str) -> _Place | None:
        if not path.startswith(self._base + "/"):
            return None
        place = _Place(is_root=True)
        for segment in path.removeprefix(self._base + "/").split("/"):
            found = self._step(place, unquote(segment))
            if found is None:
                return None
            place = found
        return place

    def _step(self, place: _Place, segment: str) -> _Place | None:
        if place.operation is not None or place.is_reference:
            return None
        found = _SEGMENT.fullmatch(segment)
        name, arguments = (found[1], found[2]) if found else (segment, None)
        if place.is_root:
            known = self.model.sets.get(name)
            if known is None:
                return self._bound(place, name, arguments)
            return self._behind(_Place(known.type, known.is_collection, name), arguments)
        if name == "$ref" and arguments is None:
            return _Place(place.type, place.is_collection, place.name, is_reference=True)
        bound = self._bound(place, name, arguments)
        if bound is not None:
            return bound
        if name in self.model.types and place.type in self.model.lineage(name):
            return _Place(name, place.is_collection, place.name)
        if place.is_collection:
            # Microsoft Graph takes keys as segments.
            return _Place(place.type, False, place.name) if self.version == 4 and segment else None
        member = self.model.members(place.type).get(name)
        if member is None:
            return None
        return self._behind(
            _Place(member.type, member.is_collection, f"{self._owner(place.type, name)}/{name}"), arguments
        )

    def _owner(self, type_name: str, member: str) -> str:
        owners = [each for each in self.model.lineage(type_name) if member in self.model.types[each].properties]
        return owners[0] if owners else type_name

    def _behind(self, place: _Place, arguments: str | None) -> _Place | None:
        """The place of a key in brackets."""
        if arguments is None:
            return place
        if not place.is_collection or not self._is_key(place.type, arguments):
            return None
        return _Place(place.type, False, place.name)

    def _is_key(self, type_name: str, text: str) -> bool:
        members = self.model.members(type_name)
        keys = self.model.keys(type_name)
        parts = re.split(r",(?=\w+=)", text)
        if len(keys) == 1:
            return self._is_literal(members[keys[0]], text.removeprefix(f"{keys[0]}="))
        given = {part.partition("=")[0]: part.partition("=")[2] for part in parts}
        return set(given) == set(keys) and all(self._is_literal(members[key], given[key]) for key in keys)

    def _is_literal(self, member: CsdlProperty, text: str) -> bool:
        return _LITERALS.get(member.type, _ANYTHING).fullmatch(text) is not None

    def _bound(self, place: _Place, name: str, arguments: str | None) -> _Place | None:
        kinds = set(self.model.lineage(place.type))
        given = sorted(part.partition("=")[0].strip() for part in arguments.split(",")) if arguments else []
        for each in self.model.operations:
            if each.name != name.rpartition(".")[2] or (each.bound is None) != place.is_root:
                continue
            if each.bound is not None and (
                each.bound.type not in kinds or each.bound.is_collection != place.is_collection
            ):
                continue
            if each.is_action or sorted(each.parameters) == given:
                return _Place(operation=each)
        return None

    def _operation(self, method: str, place: _Place) -> VendorOperation | None:
        if place.operation is not None:
            return self._called(method, place.operation)
        if place.is_reference:
            bodies: dict[str, JsonObject] = {"application/json": {"type": "object", "properties": {"@odata.id": _TEXT}}}
            taken = ("POST", "DELETE") if place.is_collection else ("PUT", "DELETE")
            return self._made(method, "", {}, bodies if method != "DELETE" else {}, None) if method in taken else None
        if place.type not in self.model.types:
            return self._made(method, place.type, {}, {}, _TEXT) if method == "GET" and place.type else None
        one: JsonObject = {"$ref": f"{place.type}#"}
        if place.is_collection:
            if method == "GET":
                return self._made(method, place.type, self._options(_OPTIONS_OF_MANY, _COUNTS), {}, self._list(one))
            if method == "POST" and (place.name, "Insertable") not in self.model.forbidden:
                new: JsonObject = {"$ref": f"{place.type}#new"}
                return self._made(
                    method, place.type, self._options(_OPTIONS_OF_ONE), {"application/json": new}, self._one(one)
                )
            return None
        if method == "GET":
            return self._made(method, place.type, self._options(_OPTIONS_OF_ONE), {}, self._one(one))
        word = "Deletable" if method == "DELETE" else "Updatable"
        change = "PATCH" if self.version == 4 else "POST"
        if method not in (change, "DELETE") or (place.name, word) in self.model.forbidden:
            return None
        changed: JsonObject = {"$ref": f"{place.type}#change"}
        return self._made(
            method,
            place.type,
            self._options(_OPTIONS_OF_ONE) if method != "DELETE" else {},
            {"application/json": changed} if method != "DELETE" else {},
            one if method != "DELETE" and self.version == 4 else None,
        )

    def _list(self, one: JsonObject) -> JsonObject:
        many: JsonObject = {"type": "array", "items": one}
        if self.version == 4:
            return _object({"value": many, "@odata.nextLink": _TEXT, "@odata.count": {"type": "integer"}})
        return _object({"d": _object({"results": many, "__next": _TEXT, "__count": _TEXT})})

    def _one(self, one: JsonObject) -> JsonObject:
        return one if self.version == 4 else _object({"d": one})

    def _called(self, method: str, operation: CsdlOperation) -> VendorOperation | None:
        if method != ("POST" if operation.is_action else "GET"):
            return None
        properties = {each.name: self._schema(each, "new") for each in operation.parameters.values()}
        needed: list[JsonValue] = [each.name for each in operation.parameters.values() if not each.is_nullable]
        bodies = {"application/json": _object(properties, needed)} if properties and operation.is_action else {}
        returned = operation.returned
        reply: JsonObject | None = None
        options: dict[str, VendorParameter] = {}
        if returned is not None:
            inner = self._schema(returned, "")
            reply = self._list(as_object(inner["items"])) if returned.is_collection else inner
            options = self._options(_OPTIONS_OF_MANY, _COUNTS) if returned.is_collection else {}
        kind = returned.type if returned else ""
        return self._made(method, kind, options, bodies, reply, is_bodiless=not needed)

    def _made(
        self,
        method: str,
        type_name: str,
        query: dict[str, VendorParameter],
        bodies: dict[str, JsonObject],
        reply: JsonObject | None,
        *,
        is_bodiless: bool = False,
    ) -> VendorOperation:
        needs = bool(bodies) and not is_bodiless
        return VendorOperation(
            method,
            "",
            _ANYTHING,
            query,
            bodies,
            needs,
            reply,
            check=lambda options: option_faults(self.model, type_name, self.version, options),
        )

    def _options(self, texts: tuple[str, ...], counts: tuple[str, ...] = ()) -> dict[str, VendorParameter]:
        made = {name: VendorParameter(name, _TEXT) for name in texts}
        made |= {name: VendorParameter(name, {"type": "integer", "minimum": 0, "maximum": 5000}) for name in counts}
        if counts and self.version == 4:
            made["$count"] = VendorParameter("$count", {"type": "boolean"})
        if self.version == 2:
            made["$format"] = VendorParameter("$format", {"type": "string", "enum": ["json"]})
        return made

    def _schema(self, member: CsdlProperty, use: str) -> JsonObject:
        inner: JsonObject = (
            {"$ref": f"{member.type}#{use}"}
            if member.type in self.model.types
            else {"type": "string", "enum": list(self.model.enumerations[member.type])}
            if member.type in self.model.enumerations
            else dict(self._primitive(member.type))
        )
        if member.is_collection:
            return {"type": "array", "items": inner}
        return inner | {"nullable": True} if "$ref" not in inner and member.is_nullable else inner

    def _primitive(self, type_name: str) -> JsonObject:
        if self.version == 2 and type_name in ("Edm.DateTime", "Edm.DateTimeOffset"):
            return {"type": "string", "pattern": r"^/Date\(-?\d+([+-]\d{4})?\)/$"}
        if self.version == 2 and type_name in ("Edm.Int64", "Edm.Decimal", "Edm.Double"):
            return {"type": "string", "pattern": r"^-?\d+(\.\d+)?$"}
        return PRIMITIVES.get(type_name, {})

    def _object(self, type_name: str, *, is_new: bool, is_change: bool) -> JsonObject:
        use = "new" if is_new else "change" if is_change else ""
        properties: JsonObject = dict(self._properties(type_name, use))
        members = self.model.members(type_name)
        required: list[JsonValue] = [each.name for each in members.values() if is_new and each.is_required]
        made = _object(properties, required)
        if self.model.types[type_name].is_open and len(members) < 3:
            made["additionalProperties"] = True
        return made

    def _members(self, type_name: str) -> dict[str, CsdlProperty]:
        """Properties of a type and of the few that are derived from it, one of which an object may be."""
        derived = [each.name for each in self.model.types.values() if each.base == type_name]
        made = self.model.members(type_name)
        for each in derived if len(derived) <= _MOST_DERIVED else ():
            made = self.model.members(each) | made
        return made

    def _properties(self, type_name: str, use: str) -> Iterator[tuple[str, JsonObject]]:
        keys = self.model.keys(type_name)
        for name, each in self._members(type_name).items():
            is_fixed = each.is_read_only or (name in keys and (use == "change" or self.version == 4))
            if use and is_fixed:
                yield name, {"type": "string", "readOnly": True}
            elif each.is_navigation and use and not each.is_collection:
                yield name, self._schema(each, use)
                yield f"{name}@odata.bind", _TEXT
            else:
                yield name, self._schema(each, use)
                if each.is_navigation and use:
                    yield f"{name}@odata.bind", {"type": "array", "items": _TEXT}
        yield "@odata.type", _TEXT
        if not use:
            yield "@odata.etag", _TEXT
            yield "@microsoft.graph.downloadUrl", _TEXT


def _object(properties: JsonObject, required: list[JsonValue] | None = None) -> JsonObject:
    return {"type": "object", "properties": properties, "required": required or []}


@cache
def csdl_document(base: str, *names: str) -> CsdlDocument:
    """The service that files describe, at a path: below `vendor-apis` of the corpus, with `./` beside this one."""
    folders = [Path(__file__).parent if name.startswith("./") else Path(CORPUS) / "vendor-apis" for name in names]
    files = [folder / name for folder, name in zip(folders, names, strict=True)]
    return CsdlDocument(read_model(*files), base, 2 if names[0].endswith(".edmx.gz") else 4)
