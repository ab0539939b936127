"""Every manifest that is shipped can be read, meets the published schema, and is as small as manifests should be."""

import json
import re
import statistics
from pathlib import Path

import jsonschema_rs
import pytest
import yaml12

from openplaybook.connectors.definitions import Evidence
from openplaybook.connectors.rest.manifest.manifest_node import InvalidManifest
from openplaybook.connectors.rest.systems import (
    FOLDER,
    definitions,
    manifest_of,
    manifests,
    manifests_in,
    unreadable_manifests,
)
from openplaybook.jsonvalues import JsonObject, JsonValue, as_object
from tests.kit.vendor_mock.vendor_record import vendor_records

GUIDE = Path(__file__).parents[4] / "docs" / "connectors" / "adding.md"
SCHEMA: JsonObject = json.loads((FOLDER / "manifest.schema.json").read_text("utf-8"))
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_manifest_meets_the_schema_and_can_be_read(file: Path) -> None:
    value = yaml12.parse_yaml(file.read_text("utf-8"))
    assert [error.message for error in jsonschema_rs.validator_for(SCHEMA).iter_errors(value)] == []
    assert manifests()[file.stem].definition.id == file.stem


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_manifest_keeps_to_120_lines_of_120_columns(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) <= 120
    assert [line for line in lines if len(line) > 120] == []


def test_the_median_of_the_manifests_is_at_most_70_lines_once_there_are_many() -> None:
    lengths = [len(file.read_text("utf-8").splitlines()) for file in FILES]
    assert len(FILES) < 20 or statistics.median(lengths) <= 70


def test_a_manifest_that_cannot_be_read_leaves_the_others_alone_and_is_named(tmp_path: Path) -> None:
    good = (FOLDER / "trello.yaml").read_text("utf-8")
    (tmp_path / "trello.yaml").write_text(good)
    (tmp_path / "other.yaml").write_text(good)
    (tmp_path / "torn.yaml").write_text("id: [")
    (tmp_path / "latin.yaml").write_bytes("title: é".encode("latin-1"))
    read, unreadable = manifests_in(tmp_path)
    assert list(read) == ["trello"]
    assert {name: str(error).partition(": ")[0] for name, error in unreadable.items()} == {
        "latin": "latin",
        "other": "other.id",
        "torn": "torn",
    }


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ({"config": [{"key": "site", "pattern": "(["}]}, r"acme\.config\[0\]\.pattern"),
        ({"errors": {"words": {"not_found": "*"}}}, r"acme\.errors\.words\.not_found"),
    ],
)
def test_an_expression_that_could_never_be_searched_is_refused_at_once(part: JsonObject, place: str) -> None:
    with pytest.raises(InvalidManifest, match=f"{place}: is no regular expression"):
        manifest_of(json.dumps(whole() | part), "acme")


def test_there_is_a_definition_for_each_manifest() -> None:
    assert unreadable_manifests() == {}
    assert [each.id for each in definitions()] == [file.stem for file in FILES]
    assert {"read_only", "write_cap"} <= {template.key for template in definitions()[0].config}


def test_the_manifest_of_the_guide_can_be_read_and_meets_the_schema() -> None:
    text = (
        GUIDE.read_text("utf-8").partition("## The smallest manifest")[2].partition("```yaml\n")[2].partition("```")[0]
    )
    assert manifest_of(text, "acme").entities["customers"].update is not None
    jsonschema_rs.validator_for(SCHEMA).validate(yaml12.parse_yaml(text))


def test_each_system_with_a_vendors_document_has_a_record_for_its_test() -> None:
    documented = (Evidence.VENDOR_DOCUMENT, Evidence.THIRD_PARTY_DOCUMENT)
    own_tests = {"salesforce"}
    assert {each.id for each in definitions() if each.evidence in documented} <= set(vendor_records()) | own_tests


PLACES: list[tuple[str, str]] = [
    ("", "properties"),
    ("config[0]", "config"),
    ("auth[0]", "auth"),
    ("errors", "errors"),
    ("errors.codes", "errors.codes"),
    ("discover", "discover"),
    ("soap", "soap"),
    ("entities.a", "entity"),
    ("entities.a.list", "listRequest"),
    ("entities.a.get", "request"),
    ("entities.a.paging", "paging"),
    ("entities.a.filter", "filter"),
    ("entities.a.filter.syntax", "filter.syntax"),
    ("entities.a.select", "select"),
    ("entities.a.sort", "sort"),
    ("entities.a.schema", "schema"),
    ("entities.a.schema.describe", "describe"),
    ("actions.Do", "action"),
    ("query", "query"),
]


def whole() -> JsonObject:
    """A manifest with every mapping that there is."""
    line = {"http": "GET /a"}
    return {
        "id": "acme",
        "title": "Acme",
        "evidence_note": "None.",
        "base_url": "https://acme.example",
        "config": [{"key": "site"}],
        "auth": [{"kind": "two_step", "token_url": "https://acme.example/token"}],
        "errors": {"codes": {}},
        "discover": dict(line),
        "hosts": {"soap": "https://acme.example/services"},
        "soap": {"reads": "Get_"},
        "entities": {
            "a": {
                "fields": {"id": "key"},
                "list": dict(line),
                "get": dict(line),
                "paging": {"kind": "none"},
                "filter": {"language": "search", "param": "q", "syntax": {}},
                "select": {},
                "sort": {},
                "schema": {"describe": dict(line)},
            }
        },
        "actions": {"Do": {"http": "POST /do", "description": "Do it."}},
        "query": {"language": "SQL", "http": "GET /q", "param": "q"},
    }


def known_to_schema(name: str) -> set[str]:
    first, _, rest = name.partition(".")
    found = SCHEMA if first == "properties" else SCHEMA["$defs"][first]
    found = found if "properties" in found else next(each for each in found["oneOf"] if "properties" in each)
    found = found["properties"][rest] if rest else found
    return set(found["properties"])


@pytest.mark.parametrize(("place", "name"), PLACES)
def test_the_reader_and_the_schema_know_the_same_keys(place: str, name: str) -> None:
    value = whole()
    target: JsonValue = value
    for step in re.findall(r"[^.\[\]]+", place):
        target = target[int(step)] if step.isdigit() else as_object(target)[step]
    target["no such key"] = 1
    with pytest.raises(InvalidManifest, match="has no key 'no such key'") as caught:
        manifest_of(json.dumps(value), "acme")
    asked = set(str(caught.value).partition("there are: ")[2].split(", "))
    # What only another kind or another transport reads is not asked for here.
    optional = {"token", "user", "password", "odata", "graphql", "component"}
    assert known_to_schema(name) - optional == asked - optional
