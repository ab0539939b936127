"""The mock of Dropbox reads the vendor's interface language as it is meant."""

from openplaybook.jsonvalues import JsonValue
from tests.kit.vendor_mock.stone_document import stone_document
from tests.kit.vendor_mock.strict_schema import StrictSchema
from tests.kit.vendor_mock.vendor_document import VendorDocument

TEXT = """namespace files
    "Everything about files; struct Odd is no struct here."

alias Name = String(max_length=5, pattern="[a-z]+")

union Mode
    first # the usual
    other
        "Another."

union Where extends Mode
    at String
    in Folder

struct Own
    union
        file File
        folder Folder

    name Name
    example default
        name = "a"

struct File extends Own
    size UInt64 = 0
    tags List(Name, max_items=3)?

struct Folder extends Own
    shared Boolean

route put:2 (PutArg, Own, Error)
    "Puts."
    attrs
        auth = "user"

route ping (Void, Void, Void)

struct PutArg
    name Name
    where Where = first
    size UInt64(max_value=9)?
"""
DOCUMENT = VendorDocument([stone_document(TEXT)])


def faults(body: JsonValue) -> list[str]:
    found = DOCUMENT.find("POST", "/2/files/put_v2")
    assert found is not None
    return StrictSchema(DOCUMENT).faults(found.bodies["application/json"], body, "body")


def test_a_version_is_part_of_an_address_and_nothing_is_sent_where_nothing_is_taken() -> None:
    ping = DOCUMENT.find("POST", "/2/files/ping")
    assert ping is not None
    assert ping.bodies == {}
    assert ping.reply is None


def test_members_without_a_default_are_required_and_held_to_their_types() -> None:
    assert faults({"name": "a", "size": 9}) == []
    assert faults({}) == ["body.name: is required"]
    assert faults({"name": "abcdef"}) == ["body.name: is longer than 5"]
    assert faults({"name": "a", "size": 10}) == ["body.size: 10 is more than 9"]
    assert len(faults({"name": "a", "nam": "a"})) == 1


def test_one_of_several_is_a_name_or_an_object_with_a_tag() -> None:
    for where in ("other", {".tag": "first"}, {".tag": "at", "at": "x"}, {".tag": "in", "name": "a", "shared": True}):
        assert faults({"name": "a", "where": where}) == []
    assert len(faults({"name": "a", "where": "at"})) == 1
    assert len(faults({"name": "a", "where": {".tag": "nowhere"}})) == 1


def test_a_reply_is_of_one_of_the_subtypes_with_what_they_share() -> None:
    found = DOCUMENT.find("POST", "/2/files/put_v2")
    assert found is not None
    strict = StrictSchema(DOCUMENT)
    assert strict.faults(found.reply, {".tag": "file", "name": "a", "size": 1, "tags": ["b"]}, "reply") == []
    assert strict.faults(found.reply, {".tag": "folder", "name": "a", "shared": True}, "reply") == []
    assert len(strict.faults(found.reply, {".tag": "folder", "name": "a", "shared": "yes"}, "reply")) == 1
