"""Firestore in memory, as its REST API shows it."""

from dataclasses import dataclass, field

from openplaybook.connectors.plugins.firestore_values import json_value
from openplaybook.egress.base import HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.strict_google import GoogleAsked, error, reply

ROOT = "projects/p-1/databases/(default)/documents"


def native(value: JsonValue) -> JsonObject:
    """A value as Firestore writes it."""
    if value is None:
        return {"nullValue": None}
    if isinstance(value, bool):
        return {"booleanValue": value}
    if isinstance(value, int):
        return {"integerValue": str(value)}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [native(each) for each in as_list(value)]}}
    if isinstance(value, dict):
        return {"mapValue": {"fields": {name: native(each) for name, each in as_object(value).items()}}}
    return {"doubleValue": value}


def _name(path: str) -> str:
    """Of a path of one name."""
    return path[1:-1].replace("\\`", "`").replace("\\\\", "\\") if path.startswith("`") else path


@dataclass(slots=True)
class HeldDocuments:
    """Collections of documents by their ids."""

    collections: dict[str, dict[str, JsonObject]] = field(default_factory=dict[str, dict[str, JsonObject]])
    queries: list[JsonObject] = field(default_factory=list[JsonObject])
    made: int = 0

    def put(self, collection: str, key: str, values: JsonObject) -> None:
        """A document of JSON values."""
        self.collections[collection][key] = {name: native(each) for name, each in values.items()}

    def answer(self, asked: GoogleAsked) -> HttpResponse:
        """A reply."""
        local = "/".join(asked.path[1:]).removeprefix(ROOT).strip("/")
        if local == ":listCollectionIds":
            return reply({"collectionIds": list(self.collections)})
        if local == ":runQuery":
            return self._found(as_object(asked.json["structuredQuery"]))
        collection, _, key = local.partition("/")
        documents = self.collections.setdefault(collection, {})
        if asked.method == "POST":
            return self._created(collection, asked)
        if key not in documents:
            return error(404, f"No document: {key}")
        if asked.method == "DELETE":
            assert asked.query["currentDocument.exists"] == "true"
            del documents[key]
            return reply({})
        if asked.method == "PATCH":
            given = as_object(asked.json["fields"])
            assert {_name(each) for each in asked.fields} == set(given)
            documents[key] |= given
            return reply(self._shown(collection, key, []))
        return reply(self._shown(collection, key, [str(each) for each in asked.fields]))

    def _created(self, collection: str, asked: GoogleAsked) -> HttpResponse:
        self.made += 1
        key = asked.query.get("documentId", f"made{self.made}")
        if key in self.collections[collection]:
            return error(409, "Document already exists")
        self.collections[collection][key] = as_object(asked.json["fields"])
        return reply(self._shown(collection, key, []))

    def _shown(self, collection: str, key: str, fields: list[str]) -> JsonObject:
        members = self.collections[collection][key]
        names = [_name(each) for each in fields]
        kept = {name: each for name, each in members.items() if not names or name in names}
        return {"name": f"{ROOT}/{collection}/{key}", "fields": kept, "createTime": "2026-11-26T10:00:00Z"}

    def _found(self, query: JsonObject) -> HttpResponse:
        self.queries.append(query)
        [selector] = as_list(query["from"])
        collection = str(as_object(selector)["collectionId"])
        behind = ""
        if "startAt" in query:
            [value] = as_list(as_object(query["startAt"])["values"])
            behind = str(as_object(value)["referenceValue"]).rpartition("/")[2]
        documents = self.collections.get(collection, {})
        keys = [key for key in sorted(documents) if key > behind and self._meets(documents[key], query.get("where"))]
        fields = [str(as_object(each)["fieldPath"]) for each in as_list(as_object(query.get("select")).get("fields"))]
        shown = [{"document": self._shown(collection, key, fields), "readTime": "x"} for key in keys[: query["limit"]]]
        return reply(list(shown) or [{"readTime": "2026-11-26T10:00:00Z"}])

    def _meets(self, document: JsonObject, filter: JsonValue) -> bool:
        members = as_object(filter)
        if not members:
            return True
        if "compositeFilter" in members:
            inner = as_object(members["compositeFilter"])
            assert inner["op"] == "AND"
            return all(self._meets(document, each) for each in as_list(inner["filters"]))
        one = as_object(members["fieldFilter"])
        value = json_value(document.get(str(as_object(one["field"])["fieldPath"])) or native(None))
        wanted = json_value(one["value"])
        return value in as_list(wanted) if one["op"] == "IN" else one["op"] == "EQUAL" and value == wanted
