"""XML of strangers: what is read of it, and what is refused before it costs anything."""

import tracemalloc

import pytest

from openplaybook.connectors.rest.soap.xml_elements import UnreadableXml, parsed_xml

LAUGHS = b'<!DOCTYPE a [<!ENTITY b "lol">' + b"".join(
    b'<!ENTITY c%d "%s">' % (n, (b"&c%d;" % (n - 1) if n else b"&b;") * 10) for n in range(9)
)


def test_names_are_expanded_and_texts_joined_whatever_stands_between() -> None:
    root = parsed_xml(b'<a xmlns="urn:x" xmlns:y="urn:y" y:k="1">one<!-- no --><b/><?no no?>two</a>', most_elements=9)
    assert (root.name, root.text) == ("{urn:x}a", "onetwo")
    assert root.attributes == {"{urn:y}k": "1"}
    assert [each.name for each in root.children] == ["{urn:x}b"]
    assert (root.expanded("y:t"), root.expanded("t"), root.expanded("z:t")) == ("{urn:y}t", "{urn:x}t", "t")


def test_what_is_left_out_is_not_kept_with_all_that_is_in_it() -> None:
    root = parsed_xml(b"<a><b><c>1</c></b><d>2</d></a>", most_elements=9, left_out=frozenset({"b"}))
    assert [(each.name, each.text) for each in root.children] == [("d", "2")]


def test_prefixes_that_many_declare_do_not_cost_their_product() -> None:
    around = b" ".join(b'xmlns:p%d="u%d"' % (n, n) for n in range(2_000))
    inner = b"".join(b'<b xmlns:q="%d"/>' % n for n in range(2_000))
    tracemalloc.start()
    root = parsed_xml(b"<a " + around + b">" + inner + b"</a>", most_elements=9_000)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert root.children[7].expanded("p1:x") == "{u1}x"
    assert root.children[7].expanded("q:x") == "{7}x"
    assert most < 8_000_000


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (LAUGHS + b"]><a>&c8;</a>", "document type"),
        (b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', "document type"),
        (b'<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>', "document type"),
        (b"<a>&b;</a>", "is no XML"),
        (b"<a>" * 200 + b"</a>" * 200, "within each other"),
        (b"<a>" + b"<b/>" * 2_000 + b"</a>", "more than 1,000 elements"),
        (b"<a><b " + b" ".join(b'a%d="%d"' % (n, n) for n in range(40_000)) + b"/></a>", "a tag of more than"),
        (b"<a><b></a>", "is no XML"),
        (b"<a>", "is no XML"),
        (b"", "is no XML"),
        (b'{"json": true}', "is no XML"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', "encoding"),
    ],
    ids=["laughs", "file", "dtd", "entity", "deep", "many", "long", "crossed", "cut", "empty", "json", "encoding"],
)
def test_what_is_hostile_or_no_xml_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableXml, match=said):
        parsed_xml(data, most_elements=1_000)
