"""An organisation of Salesforce in memory, at the wire: sObject REST resources and SOQL over the objects that the
vendor's WSDL describes. It takes no query that SOQL's grammar does not have, and no field that the WSDL does not name.

https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/ and, for queries,
https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/
"""

import gzip
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.etree import ElementTree as Xml

from openplaybook.egress.base import HttpLimits, HttpRequest, HttpResponse
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps, loads
from tests.kit.vendor_mock.vendor_document import CORPUS

HOST = "acme.my.salesforce.com"
BASE = "/services/data/v60.0"
PAGE = 3
"""Records on a page of a query (a real one has 2,000)."""
_XSD = "{http://www.w3.org/2001/XMLSchema}"
_TYPES = {
    **{name: name for name in ("string", "double", "boolean", "int", "date", "time")},
    "dateTime": "datetime",
    "ID": "id",
    "base64Binary": "base64",
}
_SYSTEM = ("Id", "CreatedDate", "LastModifiedDate", "SystemModstamp", "CaseNumber", "IsWon", "IsClosed", "IsConverted")
_REQUIRED = {
    "Account": ("Name",),
    "Contact": ("LastName",),
    "Lead": ("LastName", "Company"),
    "Opportunity": ("Name", "StageName", "CloseDate"),
}
_QUERY = re.compile(
    r"SELECT (?P<fields>[\w, ]+) FROM (?P<object>\w+)(?: WHERE (?P<where>.+?))?"
    r"(?: ORDER BY (?P<order>[\w, ]+?))?(?: LIMIT (?P<limit>\d+))?",
    re.DOTALL,
)
_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^'\\]|\\['\"\\nrtbf_%])*')|(?P<moment>\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?)"
    r"|(?P<number>[+-]?\d+(?:\.\d+)?)|(?P<sign>!=|<=|>=|=|<|>|\(|\)|,)|(?P<name>[A-Za-z]\w*))"
)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_WORDS = frozenset({"AND", "OR", "NOT", "IN", "LIKE", "NULL", "TRUE", "FALSE"})


def described_objects() -> Mapping[str, Mapping[str, str]]:
    """Object → field → type of `describe`, from the enterprise WSDL."""
    file = Path(CORPUS) / "vendor-apis" / "salesforce" / "enterprise.wsdl.gz"
    root = Xml.fromstring(gzip.decompress(file.read_bytes()))
    objects: dict[str, Mapping[str, str]] = {}
    for kind in root.iter(f"{_XSD}complexType"):
        extension = kind.find(f"{_XSD}complexContent/{_XSD}extension")
        if extension is not None and str(extension.get("base")).endswith(":sObject"):
            elements = [(str(each.get("name")), str(each.get("type"))) for each in extension.iter(f"{_XSD}element")]
            fields = {
                name: _TYPES[kind.partition(":")[2]] for name, kind in elements if kind.partition(":")[2] in _TYPES
            }
            objects[str(kind.get("name"))] = {"Id": "id", **fields}
    return objects


class SalesforceFault(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: str, message: str, fields: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.body: JsonValue = [{"message": message, "errorCode": code, "fields": list(fields)}]


@dataclass
class SalesforceOrg:
    """Answers requests; stands in the place of the way out."""

    objects: Mapping[str, Mapping[str, str]]
    asked: list[HttpRequest] = field(default_factory=list[HttpRequest])
    queries: list[str] = field(default_factory=list[str])
    made: int = 0

    def __post_init__(self) -> None:
        self._database = sqlite3.connect(":memory:", isolation_level=None)
        for name, fields in self.objects.items():
            self._database.execute(f'CREATE TABLE "{name}" ({", ".join(map(_quoted, fields))})')

    async def send(self, request: HttpRequest, limits: HttpLimits) -> HttpResponse:
        """The answer to a request with a bearer token."""
        self.asked.append(request)
        parts = urlsplit(request.url)
        token = next((value for name, value in request.headers if name == "Authorization"), "")
        try:
            if not token.startswith("Bearer good"):
                raise SalesforceFault(401, "INVALID_SESSION_ID", "Session expired or invalid")
            assert (parts.scheme, parts.netloc) == ("https", HOST)
            status, value = self._answer(request, unquote(parts.path).removeprefix(BASE), dict(parse_qsl(parts.query)))
        except SalesforceFault as fault:
            status, value = fault.status, fault.body
        body = b"" if value is None else dumps(value)
        return HttpResponse(status, (("Content-Type", "application/json"),), body, truncated=False, elapsed_s=0.0)

    async def aclose(self) -> None:
        """Forget everything."""
        self._database.close()

    def _answer(self, request: HttpRequest, path: str, query: Mapping[str, str]) -> tuple[int, JsonValue]:
        body = as_object(loads(request.body)) if request.body else {}
        match request.method, path.strip("/").split("/"):
            case "GET", ["limits"]:
                return 200, {"DailyApiRequests": {"Max": 100, "Remaining": 99}}
            case "GET", ["sobjects"]:
                listed = [
                    {"name": each, "label": each, "queryable": True, "retrieveable": True} for each in self.objects
                ]
                return 200, {"sobjects": listed}
            case "GET", ["sobjects", name, "describe"]:
                return 200, {"name": name, "fields": self._described(name)}
            case "GET", ["query"]:
                return 200, self._queried(query["q"], 0)
            case "GET", ["query", cursor]:
                number, _, offset = cursor.partition("-")
                return 200, self._queried(self.queries[int(number)], int(offset), int(number))
            case "POST", ["sobjects", name]:
                return 201, {"id": self._create(name, body), "success": True, "errors": []}
            case "GET", ["sobjects", name, key]:
                return 200, self._record(name, key, query.get("fields", ""))
            case "PATCH", ["sobjects", name, key]:
                self._change(name, key, body)
                return 204, None
            case "DELETE", ["sobjects", name, key]:
                self._record(name, key, "Id")
                self._database.execute(f'DELETE FROM "{name}" WHERE Id = ?', [key])
                return 204, None
            case _:
                raise SalesforceFault(404, "NOT_FOUND", "The requested resource does not exist")

    def _fields(self, name: str) -> Mapping[str, str]:
        if name not in self.objects:
            raise SalesforceFault(404, "NOT_FOUND", "The requested resource does not exist")
        return self.objects[name]

    def _described(self, name: str) -> list[JsonValue]:
        return [
            {"name": each, "type": kind, "label": each, "updateable": each not in _SYSTEM, "picklistValues": [],
             "referenceTo": []}
            for each, kind in self._fields(name).items()
        ]  # fmt: skip

    def _create(self, name: str, body: JsonObject) -> str:
        missing = [each for each in _REQUIRED.get(name, ()) if body.get(each) in (None, "")]
        if missing:
            text = f"Required fields are missing: [{', '.join(missing)}]"
            raise SalesforceFault(400, "REQUIRED_FIELD_MISSING", text, missing)
        self._check(name, body)
        self.made += 1
        key = f"0010000000{self.made:05}AAA"
        now = f"2026-11-26T10:00:{self.made % 60:02}.000+0000"
        system: JsonObject = {"Id": key, "CreatedDate": now, "LastModifiedDate": now}
        row = {**body, **{each: value for each, value in system.items() if each in self._fields(name)}}
        names, places = ", ".join(map(_quoted, row)), ", ".join("?" * len(row))
        self._database.execute(f'INSERT INTO "{name}" ({names}) VALUES ({places})', list(row.values()))
        return key

    def _change(self, name: str, key: str, body: JsonObject) -> None:
        self._record(name, key, "Id")
        self._check(name, body)
        sets = ", ".join(f"{_quoted(each)} = ?" for each in body)
        self._database.execute(f'UPDATE "{name}" SET {sets} WHERE Id = ?', [*body.values(), key])

    def _check(self, name: str, body: JsonObject) -> None:
        for each, value in body.items():
            kind = self._fields(name).get(each)
            if kind is None:
                text = f"No such column '{each}' on sobject of type {name}"
                raise SalesforceFault(400, "INVALID_FIELD", text, [each])
            if each in _SYSTEM:
                text = f"Unable to create/update fields: {each}."
                raise SalesforceFault(400, "INVALID_FIELD_FOR_INSERT_UPDATE", text, [each])
            fits = {"boolean": bool, "double": (int, float), "int": int}.get(kind, str)
            if value is not None and not isinstance(value, fits):
                raise SalesforceFault(400, "JSON_PARSER_ERROR", f"Cannot deserialize {each} from {value!r}", [each])

    def _record(self, name: str, key: str, fields: str) -> JsonObject:
        known = self._fields(name)
        names = [each for each in fields.split(",") if each] or list(known)
        self._known(name, names)
        row = self._database.execute(
            f'SELECT {", ".join(map(_quoted, names))} FROM "{name}" WHERE Id = ?', [key]
        ).fetchone()
        if row is None:
            raise SalesforceFault(404, "NOT_FOUND", "Provided external ID field does not exist or is not accessible")
        return self._shown(name, names, row)

    def _known(self, name: str, names: Sequence[str]) -> None:
        for each in names:
            if each not in self._fields(name):
                text = f"No such column '{each}' on entity '{name}'"
                raise SalesforceFault(400, "INVALID_FIELD", text)

    def _shown(self, name: str, names: Sequence[str], row: Sequence[object]) -> JsonObject:
        kinds = self.objects[name]
        values: JsonObject = dict(zip(names, row, strict=True))
        shown = {
            each: bool(value) if kinds[each] == "boolean" and value is not None else value
            for each, value in values.items()
        }
        return {"attributes": {"type": name, "url": f"{BASE}/sobjects/{name}/{values.get('Id')}"}, **shown}

    def _queried(self, text: str, offset: int, number: int | None = None) -> JsonObject:
        if number is None:
            self.queries.append(text)
            number = len(self.queries) - 1
        found = _QUERY.fullmatch(text)
        if found is None or found["object"] not in self.objects:
            raise SalesforceFault(400, "MALFORMED_QUERY", f"unexpected token in {text!r}")
        name, names = found["object"], [each.strip() for each in found["fields"].split(",")]
        self._known(name, names)
        where = f" WHERE {self._condition(name, found['where'])}" if found["where"] else ""
        order = f" ORDER BY {self._order(name, found['order'])}" if found["order"] else " ORDER BY Id"
        rows = self._database.execute(
            f'SELECT {", ".join(map(_quoted, names))} FROM "{name}"{where}{order} LIMIT {found["limit"] or 2000}'
        ).fetchall()
        page = [self._shown(name, names, row) for row in rows[offset : offset + PAGE]]
        is_done = offset + PAGE >= len(rows)
        more: JsonObject = {} if is_done else {"nextRecordsUrl": f"{BASE}/query/{number}-{offset + PAGE}"}
        return {"totalSize": len(rows), "done": is_done, **more, "records": list[JsonValue](page)}

    def _order(self, name: str, text: str) -> str:
        keys: list[str] = []
        for each in text.split(","):
            parts = re.fullmatch(r"(\w+)(?: (ASC|DESC))?(?: (NULLS (?:FIRST|LAST)))?", each.strip(), re.IGNORECASE)
            if parts is None:
                raise SalesforceFault(400, "MALFORMED_QUERY", f"unexpected token: {each}")
            self._known(name, [parts[1]])
            keys.append(f"{_quoted(parts[1])} {parts[2] or 'ASC'} {parts[3] or ''}")
        return ", ".join(keys)

    def _condition(self, name: str, text: str) -> str:
        pieces: list[str] = []
        position = 0
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None:
                raise SalesforceFault(400, "MALFORMED_QUERY", f"unexpected token: {text[position:][:20]!r}")
            position = token.end()
            pieces.append(self._piece(name, token, pieces))
            while text[position : position + 1].isspace():
                position += 1
        return " ".join(pieces)

    def _piece(self, name: str, token: "re.Match[str]", before: Sequence[str]) -> str:
        if token["name"]:
            word = token["name"]
            if word.upper() not in _WORDS:
                self._known(name, [word])
                return _quoted(word)
            if word.upper() == "NULL":
                assert before[-1] in ("IS", "IS NOT"), "null is compared with = and != alone"
                return "NULL"
            return {"TRUE": "1", "FALSE": "0"}.get(word.upper(), word.upper())
        if token["text"]:
            plain = re.sub(
                r"\\(.)", lambda each: {"n": "\n", "r": "\r", "t": "\t"}.get(each[1], each[1]), token["text"][1:-1]
            )
            return "'" + plain.replace("'", "''") + "'"
        if token["moment"]:
            return (
                f"'{token['moment'].replace('Z', '.000+0000')}'" if "T" in token["moment"] else f"'{token['moment']}'"
            )
        return token["number"] or {"=": "IS", "!=": "IS NOT"}.get(token["sign"], token["sign"])


def _quoted(name: str) -> str:
    return f'"{name}"'
