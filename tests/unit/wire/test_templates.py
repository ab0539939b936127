"""Path templates."""

import pytest

from openplaybook.wire.templates import TemplateError, Variable, parse_template


def test_a_template_has_segments_variables_and_a_verb() -> None:
    template = parse_template("/v3/{tool.name=projects/*/tools/*}/parts/{part}:execute")

    assert template.segments == ("v3", "projects", "*", "tools", "*", "parts", "*")
    assert template.variables == (Variable(("tool", "name"), 1, 5), Variable(("part",), 6, 7))
    assert template.verb == "execute"
    assert template.path("a b") == "/v3/projects/a%20b/tools/a%20b/parts/a%20b:execute"


def test_a_double_star_takes_what_is_left() -> None:
    template = parse_template("/v1/{name=operations/**}")

    assert template.variables[0].value(["v1", "operations", "a", "b"]) == "operations/a/b"


def test_a_verb_may_stand_after_a_literal() -> None:
    assert parse_template("/v1/openplaybook:doctor").verb == "doctor"


@pytest.mark.parametrize(
    ("segments", "value"),
    [
        (["v3", "projects", "a%20%C3%A9"], "projects/a é"),
        (["v3", "projects", "a%2Fb%2fc"], "projects/a%2Fb%2fc"),
        (["v3", "projects", "a%3Ab"], "projects/a:b"),
    ],
)
def test_several_segments_are_decoded_but_for_the_slash(segments: list[str], value: str) -> None:
    assert parse_template("/v3/{name=projects/*}").variables[0].value(segments) == value


def test_one_segment_is_decoded_whole() -> None:
    assert parse_template("/v3/{name}").variables[0].value(["v3", "a%2Fb"]) == "a/b"


def test_percent_codes_that_are_no_utf_8_are_an_error() -> None:
    with pytest.raises(UnicodeDecodeError):
        parse_template("/v3/{name}").variables[0].value(["v3", "%ff"])


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 1),
        ("v3", 1),
        ("/", 1),
        ("/v3/", 4),
        ("/v3/{name", 4),
        ("/v3/{name=}", 4),
        ("/v3/{Name}", 4),
        ("/v3/{name=a//b}", 16),
        ("/v3/{name=**}/more", 14),
        ("/v3:", 4),
        ("/v3:exe/cute", 4),
    ],
)
def test_a_malformed_template_is_refused(text: str, position: int) -> None:
    with pytest.raises(TemplateError) as caught:
        parse_template(text)

    assert str(caught.value) == f"{text}: not a path template at character {position}"
