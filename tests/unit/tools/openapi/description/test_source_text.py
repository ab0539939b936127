import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.jsonvalues import JsonValue
from openplaybook.tools.base import Problem
from openplaybook.tools.openapi.description import source_text
from openplaybook.tools.openapi.description.source_text import load_document, with_lines


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


YAML = """openapi: 3.0.3
servers:
  - url: /v1
paths:
  /pets/v1.0:
    get: &get
      parameters:
        - name: a
        - {name: b, in: query}
    "put": *get
  '/more': {get: {}}
  200:
    x: 1
"""
JSON = """{"openapi": "3.0.3",
 "servers": [{"url": "/v1"}, 5, [true]],
 "paths": {
  "/pets/v1.0": {"get": {
     "parameters": [{"name": "{[\\"x\\": "},
       {"name": "b"}]},
    "put": {}},
  "\\u002fmore": {
    "get": null},
  "200": {"x": 1}
}}"""


def line(path: str, text: str) -> int | None:
    (problem,) = with_lines([Problem(path, "m")], text)
    assert (problem.path, problem.message) == (path, "m")
    return problem.line


@pytest.mark.proves("O11")
@pytest.mark.parametrize(
    ("path", "in_yaml", "in_json"),
    [
        ("$.openapi", 1, 1),
        ("$.servers", 2, 2),
        ("$.paths", 4, 3),
        ("$.paths./pets/v1.0", 5, 4),
        ("$.paths./pets/v1.0.get", 6, 4),
        ("$.paths./pets/v1.0.get.parameters", 7, 5),
        ("$.paths./pets/v1.0.get.parameters[1].name", 9, 6),
        ("$.paths./pets/v1.0.get.parameters[1]", 9, 6),
        ("$.paths./pets/v1.0.get.parameters[1].gone", 9, 6),
        ("$.paths./pets/v1.0.get.parameters[2]", 7, 5),
        ("$.paths./pets/v1.0.put", 10, 7),
        ("$.paths./more", 11, 8),
        ("$.paths./more.get", 11, 9),
        ("$.paths.200.x", 13, 10),
        ("$.paths./pets/v1.0.get.requestBody", 6, 4),
        ("$.paths./pets/v1.0.patch", 5, 4),
        ("$.gone.at.all", None, None),
        ("$", None, None),
    ],
)
def test_a_problem_has_the_line_of_its_place_or_of_what_would_hold_it(
    path: str, in_yaml: int | None, in_json: int | None
) -> None:
    assert (line(path, YAML), line(path, JSON)) == (in_yaml, in_json)


def test_lines_that_are_known_stay() -> None:
    known = Problem("$.paths", "m", 99)
    assert with_lines([known, Problem("$.servers", "n")], YAML) == [known, Problem("$.servers", "n", 2)]


def test_what_comes_before_a_fault_of_the_text_is_found() -> None:
    assert line("$.openapi", "openapi: 1\npaths: [") == 1
    assert line("$.paths", "openapi: 1\npaths: [") == 2


@pytest.mark.parametrize("text", [YAML, JSON])
def test_a_text_that_is_too_large_is_not_searched(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_text, "MAX_JSON", 10)
    monkeypatch.setattr(source_text, "MAX_YAML", 10)
    assert line("$.paths", text) is None


@given(st.text(alphabet=st.sampled_from(list('{}[]:,-&*"\\ \n$.ab1')), max_size=60))
def test_any_text_is_searched_without_a_failure(text: str) -> None:
    found: JsonValue = line("$.a.b", text)
    assert found is None or 1 <= found <= text.count("\n") + 1


def test_texts_without_an_end_are_searched_in_one_pass() -> None:
    # Each of them would be looked for up to the end of the text, were the search not given up at the first.
    text = "{paths: '" + '\\"' * 90_000 + "'}"
    assert line("$.paths", text) == 1


def test_objects_within_texts_and_texts_within_objects_are_passed_by() -> None:
    inner = '{"a": ["}", {"b": "]\\"{"}, [[]], {}, [{"c": [1, "x"]}]], "d": {"e": {}}}'
    assert line("$.z", f'{{"y": {inner},\n "x": [{inner}, {inner}],\n "z": 1}}') == 3
