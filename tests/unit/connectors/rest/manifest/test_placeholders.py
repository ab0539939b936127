"""Values in addresses stay one segment, and never reach scheme or host."""

import pytest

from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest
from openplaybook.connectors.rest.manifest.placeholders import filled, filled_path, filled_value
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.jsonvalues import dumps


@pytest.mark.parametrize(
    ("value", "segment"),
    [
        ("a1", "a1"),
        ("a/b", "a%2Fb"),
        ("..a/admin", "..a%2Fadmin"),
        ("a?b=c#d", "a%3Fb%3Dc%23d"),
        ("a b", "a%20b"),
        ("ü", "%C3%BC"),
        ("%2e%2e", "%252e%252e"),
        ("a\r\nX: y", "a%0D%0AX%3A%20y"),
        ("{id}", "%7Bid%7D"),
        ("...", "..."),
        ("@evil.example", "%40evil.example"),
    ],
)
def test_a_value_in_a_path_is_one_encoded_segment(value: str, segment: str) -> None:
    assert filled_path("/items/{id}/parts", {"id": value}) == f"/items/{segment}/parts"


@pytest.mark.parametrize("value", ["", ".", "..", "../../users/1", "a/..", "..\\x", "a/./b", "x" * 1_001])
def test_a_value_that_would_lead_elsewhere_is_refused(value: str) -> None:
    with pytest.raises(InvalidValue, match="id"):
        filled_path("/items/{id}", {"id": value})


def test_a_text_is_filled_in_one_pass() -> None:
    assert filled("{a}-{b}", {"a": "{b}", "b": "x"}) == "{b}-x"


def test_a_template_keeps_types_and_leaves_out_what_has_no_value() -> None:
    template = {"transition": {"id": "{id}"}, "note": {"text": "{note}"}, "list": ["{list}"], "fixed": [], "n": 3}
    assert filled_value(template, {"id": 7, "list": {"a": 1}}) == {
        "transition": {"id": 7},
        "list": [{"a": 1}],
        "fixed": [],
        "n": 3,
    }


def manifest(**more: object) -> str:
    base = {"id": "acme", "title": "Acme", "evidence_note": "None.", "auth": [{"kind": "none"}]}
    return dumps(base | more).decode()


@pytest.mark.parametrize(
    ("url", "config", "reason"),
    [
        ("https://{config.site}.acme.example", [{"key": "site"}], "needs a `pattern`"),
        ("https://{config.site}.acme.example", [], "names {config.site}"),
        ("https://{id}.acme.example", [], "names {id}"),
        ("{config.site}", [{"key": "site", "pattern": "x"}], "must begin with https"),
        ("ftp://acme.example", [], "must begin with https"),
    ],
)
def test_a_base_url_whose_host_could_be_anything_is_refused(url: str, config: list[object], reason: str) -> None:
    with pytest.raises(InvalidManifest, match=reason):
        manifest_of(manifest(base_url=url, config=config), "acme")


@pytest.mark.parametrize(
    ("entity", "reason"),
    [
        ({"list": "FETCH /a"}, r"acme.entities.a.list.http: is 'FETCH /a'"),
        ({"get": "GET /a/{id}"}, r"acme.entities.a.fields: has no key, which get needs"),
        ({"fields": {"id": "key"}, "get": "GET /a/{no}"}, r"names \{no\}, which is no field: id"),
        ({"fields": {"id": "keys"}}, r"acme.entities.a.fields.id: has the type 'keys'; one of string, text"),
        ({"fields": {"id": "string rw"}}, r"has the flag 'rw'; one of key, ro"),
        ({"list": "GET /a", "paging": {"kind": "cursor", "param": "c"}}, r"a.*paging.next: is required"),
        ({"list": "GET /a", "filter": {"language": "sql"}}, r"filter.language: is 'sql'; one of jql"),
        ({"list": "GET /a", "filter": {"params": {"id is": "x"}}}, r"has the operator 'is'"),
        ({"lst": "GET /a"}, r"acme.entities.a: has no key 'lst'; there are: crud, ops, list, "),
        ({"ops": ["get"]}, r"acme.entities.a.ops: has 'get', which the entity does not describe"),
        ({"list": "GET files:/a"}, r"names the host 'files'; `hosts` has: none"),
    ],
)
def test_a_manifest_that_is_wrong_says_where_and_what_is_allowed(entity: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidManifest, match=reason):
        manifest_of(manifest(base_url="https://acme.example", entities={"a": entity}), "acme")


def test_a_manifest_is_named_as_its_file() -> None:
    with pytest.raises(InvalidManifest, match="must be 'other'"):
        manifest_of(manifest(base_url="https://acme.example"), "other")
    with pytest.raises(InvalidManifest, match="is no YAML"):
        manifest_of("{", "acme")
