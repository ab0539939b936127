import pytest

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.tools.openapi.description.source_text import load_document


def refusal(text: str) -> UnreadableDocument:
    with pytest.raises(UnreadableDocument) as caught:
        load_document(text)
    return caught.value


@pytest.mark.proves("O1")
@pytest.mark.parametrize("text", ['{"openapi": "3.0.3", "paths": {}}', "openapi: 3.0.3\npaths: {}\n"])
def test_json_and_yaml_are_read_alike(text: str) -> None:
    document = load_document(text)
    assert (document.root, document.version) == ({"openapi": "3.0.3", "paths": {}}, "3.0.3")


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert load_document('\ufeff{"openapi": "3.1.0"}').version == "3.1.0"


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("", "the text is empty", None),
        ("openapi: 3.0.0\npaths: [\n", "the YAML is malformed at line 3", 3),
        ("openapi: 3.0.0\n\tpaths: {}\n", "the YAML is malformed at line 2", 2),
        ('{"openapi": "3.0.0",\n "a": 1 "b": 2}', "the JSON is malformed at line 2 column 9", 2),
        ("- a\n- b\n", "an OpenAPI description is an object", None),
        ("just words", "an OpenAPI description is an object", None),
        ("swagger: '1.2'\npaths: {}", "the member swagger says '1.2'; it must be 2.0", None),
        ("info: {}", "the member openapi is missing", None),
        ("openapi: 4.0.0", "the member openapi says '4.0.0'", None),
        ("a: " + "[" * 1000, "the YAML is nested too deeply", 1),
        ("a: &a [*a]", "the YAML contains an alias to a value that it is part of", None),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, message: str, line: int | None) -> None:
    error = refusal(text)
    assert str(error).startswith(message)
    assert error.line == line


@pytest.mark.parametrize("levels", [200, 201, 900])
def test_nesting_in_json_has_the_same_limit(levels: int) -> None:
    text = '{"openapi": "3.0.0", "x-deep": ' + '{"a":' * (levels - 1) + "1" + "}" * levels
    if levels > 200:
        assert str(refusal(text)) == "objects and arrays are nested more than 200 levels deep"
    else:
        assert load_document(text).version == "3.0.0"


@pytest.mark.proves("O11")
@pytest.mark.parametrize("text", ["swagger: 2.0\npaths: {}", "swagger: '2.0'\n", '{"swagger": "2.0"}', "swagger: 2"])
def test_openapi_2_is_read(text: str) -> None:
    assert load_document(text).version == "2.0"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[1]", "this is a list"),
        ("3", "this is 3"),
        ("https://api.example/openapi.json", "this is an address: give the text that is there"),
        ("Not a description at all, but a letter to you", "begins 'Not a description at all, but a letter t'"),
    ],
)
def test_what_is_no_description_is_called_by_its_name(text: str, what: str) -> None:
    with pytest.raises(UnreadableDocument) as caught:
        load_document(text)
    assert str(caught.value).endswith(what)
