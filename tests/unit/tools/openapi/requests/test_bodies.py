"""Which media type a body is sent in, what is asked of the model for it, and that any value is read as it was given."""

import json
from base64 import b64encode
from decimal import Decimal
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.formparser import parse_form_data
from werkzeug.test import EnvironBuilder

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps
from openplaybook.tools.openapi.requests.bodies import Body, body_of, is_json
from openplaybook.tools.openapi.requests.parameter_places import InvalidArguments
from openplaybook.tools.openapi.schemas.definitions import Definitions
from openplaybook.tools.schema.dialect import Direction

FORM, FORM_DATA = "application/x-www-form-urlencoded", "multipart/form-data"
FILE: JsonObject = {"type": "string", "format": "binary"}
UPLOAD: JsonObject = {"type": "object", "properties": {"file": FILE}}


def body(source: JsonValue, root: JsonObject | None = None) -> Body | None:
    root = root or {}
    return body_of(root, {"requestBody": source}, Definitions(root, Direction.INPUT))


def with_media(root: JsonObject | None = None, **contents: JsonObject) -> Body:
    made = body({"content": contents}, root)
    assert made is not None
    return made


def with_types(*media_types: str) -> Body:
    return with_media(**{media_type: {"schema": {"title": media_type}} for media_type in media_types})


@pytest.mark.parametrize(
    ("media_type", "expected"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("text/json", True),
        ("application/problem+json", True),
        ("application/vnd.api+JSON", True),
        ("application/jsonl", False),
        ("application/xml", False),
        ("*/*", False),
        ("", False),
    ],
)
def test_json_is_known_by_its_type_or_suffix(media_type: str, expected: bool) -> None:
    assert is_json(media_type) is expected


@pytest.mark.parametrize(
    ("declared", "chosen", "sent"),
    [
        (["application/xml", "application/json"], "application/json", "application/json"),
        (["text/plain", FORM], FORM, FORM),
        ([FORM, "*/*"], "*/*", "application/json"),
        (["*/*", "application/vnd.x+json"], "application/vnd.x+json", "application/vnd.x+json"),
        (["application/*"], "application/*", "application/json"),
        (["application/json; charset=utf-8"], "application/json; charset=utf-8", "application/json; charset=utf-8"),
        (["text/plain", "application/xml"], "application/xml", "application/xml"),
        (["text/csv", FORM_DATA], FORM_DATA, FORM_DATA),
        ([FORM_DATA, FORM], FORM, FORM),
        (["multipart/*"], "multipart/*", FORM_DATA),
        (["text/*"], "text/*", "text/plain"),
        (["application/*+json"], "application/*+json", "application/json"),
        (["application/x-ndjson"], "application/x-ndjson", "application/x-ndjson"),
        (["image/png", "application/octet-stream"], "application/octet-stream", "application/octet-stream"),
        (["image/png", "text/csv"], "text/csv", "text/csv"),
        (["chemical/*"], "chemical/*", "application/octet-stream"),
        (["application/jwt"], "application/jwt", "application/jwt"),
        ([""], "", "application/json"),
        (["junk"], "junk", "application/json"),
    ],
)
async def test_what_json_can_stand_for_is_preferred(declared: list[str], chosen: str, sent: str) -> None:
    made = with_types(*declared)
    assert (made.schema["title"], made.media_type) == (chosen, chosen)
    assert (await made.write("text", None)).media_type.partition("; boundary")[0] == sent if sent != FORM_DATA else True


@pytest.mark.parametrize("other", ["application/json", FORM])
def test_where_files_are_to_be_sent_the_media_type_that_carries_them_is_chosen(other: str) -> None:
    assert with_media(**{other: {"schema": UPLOAD}, FORM_DATA: {"schema": UPLOAD}}).media_type == FORM_DATA
    assert with_media(**{other: {"schema": {}}, FORM_DATA: {"schema": {}}}).media_type == other
    assert with_media(**{other: {"schema": UPLOAD}}).media_type == other


@pytest.mark.parametrize("source", [None, {}, {"content": {}}, {"content": None}])
def test_an_operation_may_have_no_body(source: JsonValue) -> None:
    assert body(source) is None


def test_a_body_may_be_a_reference_and_its_description_goes_to_the_schema() -> None:
    shared: JsonObject = {"required": "true", "description": "A pet", "content": {"application/json": {"schema": {}}}}
    made = body({"$ref": "#/components/requestBodies/Pet"}, {"components": {"requestBodies": {"Pet": shared}}})
    assert made is not None
    assert (made.required, made.schema) == (True, {"description": "A pet"})
    own = body({"description": "A pet", "content": {"application/json": {"schema": {"description": "own"}}}})
    assert own is not None
    assert (own.required, own.schema) == (False, {"description": "own"})


ACCEPTED = (
    'A file: {"name", "contents" (base64), "mimeType"}, the handle of a file of this conversation, or {"file": handle}'
)
TEXT_TOO = f"{ACCEPTED}; the contents of a text file may be given as a plain text"


def told(schema: JsonObject) -> tuple[JsonValue, JsonValue]:
    """The types a schema allows, and what it says."""
    forms = [form["type"] for form in schema["anyOf"]] if "anyOf" in schema else schema.get("type")
    return forms, schema.get("description")


FORMS = ["string", "object", "object"]


@pytest.mark.proves("O6")
@pytest.mark.parametrize(
    ("described", "expected"),
    [
        (FILE, (FORMS, TEXT_TOO)),
        ({**FILE, "description": "A photo"}, (FORMS, f"A photo\n{TEXT_TOO}")),
        ({"$ref": "#/components/schemas/Blob"}, (FORMS, TEXT_TOO)),
        ({"contentMediaType": "image/png"}, (FORMS, TEXT_TOO)),
        ({"type": "string", "contentMediaType": "application/octet-stream"}, (FORMS, TEXT_TOO)),
        ({"type": ["string", "null"], "format": "binary"}, ([*FORMS, "null"], TEXT_TOO)),
        ({"anyOf": [FILE, {"type": "null"}]}, ([*FORMS, "null"], TEXT_TOO)),
        ({"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"}, ("string", None)),
        ({"type": "string", "contentMediaType": "text/html"}, ("string", None)),
        ({"type": "string", "format": "byte"}, ("string", None)),
        ({"type": "object", "format": "binary"}, ("object", None)),
    ],
)
def test_a_member_that_is_raw_bytes_is_asked_for_as_a_file(described: JsonObject, expected: JsonValue) -> None:
    root: JsonObject = {"components": {"schemas": {"Blob": FILE}}}
    schema = with_media(root, **{FORM_DATA: {"schema": {"type": "object", "properties": {"f": described}}}}).schema
    assert told(schema["properties"]["f"]) == expected


def test_files_are_found_in_arrays_and_in_what_a_schema_is_composed_of() -> None:
    root: JsonObject = {
        "components": {
            "schemas": {"Upload": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["more"]}]},
                        "Base": {"type": "object", "properties": {"more": {"type": "array", "items": FILE}}},
                        "Other": {"type": "object"}}
        }
    }  # fmt: skip
    made = with_media(root, **{FORM_DATA: {"schema": {"$ref": "#/components/schemas/Upload"}}})
    base = made.schema["allOf"][0]
    assert told(base["properties"]["more"]["items"]) == (FORMS, TEXT_TOO)
    assert made.schema["allOf"][1] == {"required": ["more"]}
    assert made.references == ()
    plain = with_media(root, **{FORM_DATA: {"schema": {"$ref": "#/components/schemas/Other"}}})
    assert (plain.schema, plain.references) == ({"$ref": "#/$defs/Other"}, ("Other",))


def test_an_encoding_that_names_a_binary_type_makes_a_text_a_file() -> None:
    schema: JsonObject = {"type": "object", "properties": {"f": {"type": "string"}, "g": {"type": "string"}}}
    encoding: JsonObject = {"f": {"contentType": "image/png, image/jpeg"}, "g": {"contentType": "text/csv"}}
    properties = with_media(**{FORM_DATA: {"schema": schema, "encoding": encoding}}).schema["properties"]
    assert [told(properties[name]) for name in "fg"] == [(FORMS, TEXT_TOO), ("string", None)]


@pytest.mark.parametrize(
    ("media_type", "schema", "description"),
    [
        ("application/octet-stream", {}, TEXT_TOO),
        ("image/png", FILE, ACCEPTED),
        ("audio/*", {"type": "string"}, ACCEPTED),
        ("application/vnd.ms-excel", FILE, TEXT_TOO),
        ("*/*", FILE, TEXT_TOO),
        ("text/csv", FILE, TEXT_TOO),
        (FORM_DATA, FILE, TEXT_TOO),
        ("application/json", FILE, None),
        ("application/vnd.custom", {"type": "object"}, None),
        ("text/csv", {"type": "string"}, None),
    ],
)
def test_a_body_of_raw_bytes_is_asked_for_as_a_file(
    media_type: str, schema: JsonObject, description: str | None
) -> None:
    assert with_media(**{media_type: {"schema": schema}}).schema.get("description") == description


@pytest.mark.parametrize(
    ("declared", "fixed", "asked"),
    [
        ({"schema": {"default": 5}}, "5", None),
        ({"schema": {"const": "a"}}, "a", None),
        ({"schema": {"enum": ["a"]}}, "a", None),
        ({"$ref": "#/components/headers/Limit"}, None, {"type": "integer", "description": "most"}),
        ({"schema": {"type": "string"}}, None, {"type": "string"}),
    ],
)
async def test_headers_of_parts_are_written_where_they_are_fixed_and_asked_for_else(
    declared: JsonObject, fixed: str | None, asked: JsonObject | None
) -> None:
    root: JsonObject = {"components": {"headers": {"Limit": {"description": "most", "schema": {"type": "integer"}}}}}
    media: JsonObject = {"schema": UPLOAD, "encoding": {"file": {"headers": {"X-A": declared, "Content-Type": {}}}}}
    made = with_media(root, **{FORM_DATA: media})
    headers = made.schema["properties"].get("partHeaders", {}).get("properties", {}).get("file", {}).get("properties")
    assert headers == (None if asked is None else {"X-A": asked})
    written = (await made.write({"file": "text"}, None)).data
    assert (f"\r\nX-A: {fixed}\r\n".encode() in written) is (fixed is not None)


PETS: JsonObject = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("xml", "items_xml", "written"),
    [
        # The examples of OpenAPI 3.1.1 §4.8.26.2.
        (None, None, "<animals>a</animals><animals>b</animals>"),
        ({"name": "aliens"}, {"name": "animal"}, "<animal>a</animal><animal>b</animal>"),
        ({"wrapped": True}, None, "<animals><animals>a</animals><animals>b</animals></animals>"),
        ({"wrapped": True}, {"name": "animal"}, "<animals><animal>a</animal><animal>b</animal></animals>"),
        (
            {"name": "aliens", "wrapped": True},
            {"name": "animal"},
            "<aliens><animal>a</animal><animal>b</animal></aliens>",
        ),
        ({"name": "aliens", "wrapped": True}, None, "<aliens><aliens>a</aliens><aliens>b</aliens></aliens>"),
        ({"name": "aliens"}, None, "<animals>a</animals><animals>b</animals>"),
    ],
)
async def test_arrays_are_written_as_the_specification_shows(
    xml: JsonObject | None, items_xml: JsonObject | None, written: str
) -> None:
    items: JsonObject = {"type": "string", **({"xml": items_xml} if items_xml else {})}
    animals: JsonObject = {"type": "array", "items": items, **({"xml": xml} if xml else {})}
    schema: JsonObject = {"type": "object", "xml": {"name": "z"}, "properties": {"animals": animals}}
    payload = await with_media(**{"application/xml": {"schema": schema}}).write({"animals": ["a", "b"]}, None)
    assert payload.data.decode() == f'<?xml version="1.0" encoding="UTF-8"?><z>{written}</z>'


@pytest.mark.parametrize(
    ("schema", "value", "written"),
    [
        ({"type": "object"}, {}, "<root/>"),
        ({"$ref": "#/components/schemas/Pets"}, ["a"], "<Pets><Pets>a</Pets></Pets>"),
        (
            {"xml": {"namespace": "http://x/", "prefix": "s"}},
            {"a": None, "b": ""},
            '<s:root xmlns:s="http://x/"><b/></s:root>',
        ),
        ({"xml": {"namespace": 'a"b'}}, {"a": [1, {"b": 2}]}, "<root xmlns='a\"b'><a>1</a><a><b>2</b></a></root>"),
        ({"allOf": [{"properties": {"a": {"xml": {"attribute": True}}}}]}, {"a": '<"\n'}, "<root a='&lt;\"&#10;'/>"),
        ({}, {"a": "x\ry"}, "<root><a>x&#13;y</a></root>"),
        ({}, 5, "<root>5</root>"),
        ({"additionalProperties": {"xml": {"name": "n"}}}, {"a": 1}, "<root><n>1</n></root>"),
    ],
)
async def test_elements_have_the_names_and_namespaces_of_their_schemas(
    schema: JsonObject, value: JsonValue, written: str
) -> None:
    root: JsonObject = {"components": {"schemas": {"Pets": PETS}}}
    payload = await with_media(root, **{"text/xml": {"schema": schema}}).write(value, None)
    assert payload.data.decode() == f'<?xml version="1.0" encoding="UTF-8"?>{written}'


LONG: JsonObject = {"z": 10**30, "f": Decimal("0.12345678901234567890"), "a": [2**63, Decimal("1e400")], "o": -(2**70)}
FINE = "0.12345678901234567890"


async def test_long_numbers_are_written_in_full_in_every_kind_of_body() -> None:
    """Members in their order."""
    digits = [("z", str(10**30)), ("f", FINE), ("a", str(2**63)), ("a", "1E+400"), ("o", str(-(2**70)))]
    xml = await with_types("application/xml").write(LONG, None)
    assert [(child.tag, child.text) for child in ElementTree.fromstring(xml.data.decode())] == digits
    attribute: JsonObject = {"properties": {"f": {"xml": {"attribute": True}}}}
    beside = await with_media(**{"application/xml": {"schema": attribute}}).write(LONG, None)
    assert ElementTree.fromstring(beside.data.decode()).attrib == {"f": FINE}
    form = await with_types(FORM).write(LONG, None)
    assert parse_qsl(form.data.decode()) == digits
    parts = await with_types(FORM_DATA).write({key: LONG[key] for key in ("z", "f", "o")}, None)
    assert decoded(parts.media_type, parts.data)[0] == {key: [text] for key, text in digits if key != "a"}
    as_json: JsonObject = {"schema": {"type": "object"}, "encoding": {"n": {"contentType": "application/json"}}}
    nested = await with_media(**{FORM: as_json}).write({"n": LONG}, None)
    assert parse_qsl(nested.data.decode()) == [("n", dumps(LONG).decode())]
    for plain in ("text/plain", "application/x-ndjson"):
        alone = await with_types(plain).write(10**30, None)
        assert alone.data.decode().strip() == str(10**30)


async def test_xml_nested_without_end_is_refused() -> None:
    value: JsonValue = 1
    for _ in range(100):
        value = {"a": value}
    with pytest.raises(InvalidArguments, match="nested more than 64 levels"):
        await with_types("application/xml").write(value, None)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NAMES = st.text("abcXYZ09", min_size=1, max_size=5).map(lambda name: f"n{name}")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**80), 2**80) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def decoded(media_type: str, data: bytes) -> tuple[dict[str, list[str]], dict[str, list[tuple[str | None, bytes]]]]:
    """Fields and files of a form, as werkzeug reads them."""
    environ = EnvironBuilder(method="POST", data=data, content_type=media_type).get_environ()
    _, form, files = parse_form_data(environ)
    read: dict[str, list[tuple[str | None, bytes]]] = {}
    for name, each in files.lists():
        for file in each:
            read.setdefault(name, []).append((file.filename, file.read()))
            file.close()
    return {name: list(values) for name, values in form.lists()}, read


@given(st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS, min_size=1, max_size=3), max_size=5))
async def test_any_form_is_read_as_it_was_given(members: dict[str, JsonValue]) -> None:
    expected = {name: value if isinstance(value, list) else [value] for name, value in members.items()}
    payload = await with_types(FORM).write(members, None)
    assert decoded(payload.media_type, payload.data) == (expected, {})


@given(st.dictionaries(NAMES, TEXTS | st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=5))
async def test_any_multipart_form_is_read_as_it_was_given(members: dict[str, JsonValue]) -> None:
    expected = {name: value if isinstance(value, list) else [value] for name, value in members.items()}
    payload = await with_types(FORM_DATA).write(members, None)
    assert decoded(payload.media_type, payload.data) == (expected, {})


@given(st.binary(max_size=200), TEXTS)
async def test_any_file_is_read_as_it_was_given(data: bytes, text: str) -> None:
    files: JsonObject = {"type": "object", "properties": {"f": {"type": "array", "items": FILE}}}
    made = with_media(**{FORM_DATA: {"schema": files}})
    contents: JsonObject = {"name": "a.bin", "contents": b64encode(data).decode()}
    payload = await made.write({"f": [contents, text], "note": text}, None)
    assert decoded(payload.media_type, payload.data) == (
        {"note": [text]},
        {"f": [("a.bin", data), ("f", text.encode())]},
    )


@given(VALUES)
async def test_any_value_comes_back_from_json(value: JsonValue) -> None:
    assert json.loads((await with_types("application/json").write(value, None)).data) == value


XML_TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=8)


@given(st.dictionaries(NAMES, XML_TEXTS, max_size=4), st.dictionaries(NAMES, XML_TEXTS, max_size=4))
async def test_any_xml_is_read_as_it_was_given(attributes: dict[str, str], members: dict[str, str]) -> None:
    schema: JsonObject = {"properties": {f"_{name}": {"xml": {"attribute": True, "name": name}} for name in attributes}}
    value = {**{f"_{name}": text for name, text in attributes.items()}, **members}
    payload = await with_media(**{"application/xml": {"schema": schema}}).write(value, None)
    root = ElementTree.fromstring(payload.data.decode())
    assert (root.attrib, [(child.tag, child.text or "") for child in root]) == (attributes, list(members.items()))
