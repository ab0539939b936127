"""Whether the vendor's document has in its replies what a manifest looks for there."""

import re
from dataclasses import replace

from openplaybook.connectors.rest.manifest.list_model import ListManifest, RequestLine
from openplaybook.connectors.rest.manifest.model import EntityManifest, OperationManifest, SystemManifest
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from tests.kit.vendor_mock.strict_schema import StrictSchema
from tests.kit.vendor_mock.vendor_document import VendorDocument
from tests.kit.vendor_mock.vendor_record import VendorRecord


def member_schema(document: VendorDocument, schema: JsonValue, path: str) -> JsonObject | None:
    """The schema of what a path leads to; None where the document knows of none, `{}` where anything may be."""
    strict = StrictSchema(document)
    found = strict.merged(document.resolved(schema))
    if not path:
        return found
    if not found:
        return {}
    path = re.sub(r"\[\w+=[^\]]*\]", "[0]", path).replace("[", ".").replace("]", "")
    first, _, rest = path.partition(".") if path not in as_object(found.get("properties")) else (path, "", "")
    choices = [*as_list(found.get("oneOf")), *as_list(found.get("anyOf"))]
    if choices and "properties" not in found:
        inner = [member_schema(document, each, path) for each in choices]
        return next((each for each in inner if each is not None), None)
    if found.get("type") == "array" and (first.isdigit() or first == "*"):
        return member_schema(document, found.get("items"), rest)
    properties = as_object(found.get("properties"))
    if first in properties:
        return member_schema(document, properties[first], rest)
    others = found.get("additionalProperties")
    is_open = not properties or others is True or isinstance(others, dict)
    if isinstance(others, dict) and others:
        return member_schema(document, others, rest)
    return {} if is_open and found.get("type") in ("object", None) else None


def shape_problems(record: VendorRecord, manifest: SystemManifest, part: str = "") -> list[str]:
    """What the manifest finds in replies and the vendor's document does not have there."""
    document = record.document()
    found: list[str] = []
    for entity in manifest.entities.values():
        if part not in ("", entity.name):
            continue
        for what, listing in (("list", entity.list), ("search", entity.search)):
            if listing is not None:
                found += _list_shape(record, document, entity, listing, f"{entity.name}.{what}")
        for what, operation in (("get", entity.get), ("create", entity.create), ("update", entity.update)):
            if operation is not None:
                schema = _reply_schema(record, document, entity, operation.http)
                item = member_schema(document, schema, operation.item) if schema is not None else {}
                if item is None:
                    found.append(f"{entity.name}.{what}: the reply has no {operation.item}")
                elif what == "get" and operation.http.method != "GET" and _is_safe(record, document, entity, operation):
                    found.append(f"{entity.name}.get: is a {operation.http.method} where a GET would do")
                elif what == "get":
                    found += _field_shape(record, document, entity, item, f"{entity.name}.{what}")
    return found


def _is_safe(
    record: VendorRecord, document: VendorDocument, entity: EntityManifest, operation: OperationManifest
) -> bool:
    return _reply_schema(record, document, entity, replace(operation.http, method="GET")) is not None


def _list_shape(
    record: VendorRecord, document: VendorDocument, entity: EntityManifest, listing: ListManifest, what: str
) -> list[str]:
    schema = _reply_schema(record, document, entity, listing.http)
    if not schema:
        return []
    found: list[str] = []
    array, each, rest = listing.items.partition("[*]")
    items = member_schema(document, schema, array)
    if each and items is not None:
        items = {"type": "array", "items": member_schema(document, items.get("items"), rest.removeprefix("."))}
    if items is None or (items and items.get("type") not in ("array", None)):
        return [f"{what}: the reply has no array {listing.items or '(the reply itself)'}"]
    paging = listing.paging
    for path in (paging.next, paging.more, paging.last, paging.total, paging.pages):
        if path in record.unknown_paths:
            continue
        if path and not path.startswith(("header.", "last_item")) and member_schema(document, schema, path) is None:
            found.append(f"{what}: the reply has no {path}")
    if entity.get is None and items.get("items"):
        found += _field_shape(record, document, entity, as_object(items["items"]), what)
    return found


def _field_shape(
    record: VendorRecord, document: VendorDocument, entity: EntityManifest, schema: JsonObject, what: str
) -> list[str]:
    found: list[str] = []
    allowed = record.unknown_fields.get(entity.name, [])
    if "*" in allowed or not document.resolved(schema):
        return []
    for each in entity.fields:
        if each.is_scope or each.is_write_only or each.name in allowed:
            continue
        flatten = entity.flatten or entity.flatten_read
        inner = member_schema(document, schema, flatten) if flatten and not each.is_outside else None
        places = [place for place in (inner, schema) if place is not None]
        if all(member_schema(document, place, each.path) is None for place in places):
            found.append(f"{what}: the reply has no {each.path} (field {each.name})")
    return found


def _reply_schema(
    record: VendorRecord, document: VendorDocument, entity: EntityManifest, line: RequestLine
) -> JsonObject | None:
    path = line.path
    for key, value in record.config.items():
        path = path.replace(f"{{config.{key}}}", value)
    filled = re.sub(r"\{[\w.]+\}", "1", path.replace("{entity}", entity.path))
    vendor = document.find(line.method, record.base_of(line.host) + filled)
    return vendor.reply if vendor is not None else None
