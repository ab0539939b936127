import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.guardrails import compile_guardrail
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.guardrails import REFUSAL, GenerativeAnswer, Guardrail, RespondImmediately, TransferAgent

NO = {"respondImmediately": {"responses": [{"text": "off", "disabled": True}, {"text": "No."}, {"text": "Never."}]}}


def of(match_type: str = "SIMPLE_STRING_MATCH", action: JsonObject = NO, **contents: object) -> Guardrail:
    content_filter = {"matchType": match_type, **contents}
    compiled = compile_guardrail(
        {"name": "g", "displayName": "Words", "enabled": True, "action": action, "contentFilter": content_filter}
    )
    assert compiled is not None
    return compiled


@pytest.mark.parametrize(
    ("match_type", "banned", "text", "is_banned"),
    [
        ("SIMPLE_STRING_MATCH", "cat", "a catalogue", True),
        ("SIMPLE_STRING_MATCH", "cat", "A CAT", True),
        ("SIMPLE_STRING_MATCH", "c.t", "a cat", False),
        ("WORD_BOUNDARY_STRING_MATCH", "cat", "a catalogue", False),
        ("WORD_BOUNDARY_STRING_MATCH", "cat", "my Cat!", True),
        ("WORD_BOUNDARY_STRING_MATCH", "bad cat", "a bad cat.", True),
        ("WORD_BOUNDARY_STRING_MATCH", "c++", "I like c++ much", True),
        ("REGEXP_MATCH", r"\d{3}-\d{4}", "call 555-1234 now", True),
        ("REGEXP_MATCH", r"^\d+$", "call 5", False),
        ("REGEXP_MATCH", "cat", "CAT", False),
        ("REGEXP_MATCH", "(?i)cat", "CAT", True),
    ],
)
def test_banned_content_is_found_as_its_match_type_says(
    match_type: str, banned: str, text: str, is_banned: bool
) -> None:
    assert of(match_type, bannedContents=[banned]).banned_input(text) == (banned if is_banned else None)


def test_each_list_is_held_against_its_own_side() -> None:
    guardrail = of(bannedContents=["a"], bannedContentsInUserInput=["b"], bannedContentsInAgentResponse=["c"])
    assert [guardrail.banned_input(text) for text in "abcd"] == ["a", "b", None, None]
    assert [guardrail.banned_response(text) for text in "abcd"] == ["a", None, "c", None]


@pytest.mark.parametrize("match_type", ["SIMPLE_STRING_MATCH", "WORD_BOUNDARY_STRING_MATCH", "REGEXP_MATCH"])
def test_diacritics_are_told_apart_unless_they_are_disregarded(match_type: str) -> None:
    assert of(match_type, bannedContents=["café"]).banned_input("a cafe") is None
    plain = of(match_type, bannedContents=["café"], disregardDiacritics=True)
    assert (plain.banned_input("a cafe"), plain.banned_input("a café")) == ("café", "café")


def test_an_expression_that_would_take_for_ever_elsewhere_is_judged_at_once() -> None:
    assert of("REGEXP_MATCH", bannedContents=["(a+)+$"]).banned_input("a" * 50_000 + "!") is None


@given(st.text(min_size=1).filter(str.strip), st.text(), st.text())
def test_a_phrase_is_found_in_any_text_that_holds_it(phrase: str, before: str, after: str) -> None:
    assert of(bannedContents=[phrase]).banned_input(before + phrase + after) == phrase


@pytest.mark.parametrize(
    ("action", "compiled"),
    [
        (NO, RespondImmediately(("No.", "Never."))),
        ({"transferAgent": {"agent": "x"}}, TransferAgent("x")),
        ({"generativeAnswer": {"prompt": "Say no."}}, GenerativeAnswer("Say no.")),
    ],
)
def test_actions_are_read(action: JsonObject, compiled: object) -> None:
    assert of(action=action, bannedContents=["a"]).action == compiled


def test_an_action_without_words_has_a_fixed_sentence() -> None:
    found: list[Finding] = []
    document = {"enabled": True, "contentFilter": {"matchType": "SIMPLE_STRING_MATCH"}}
    compiled = compile_guardrail(document, found.append)
    assert compiled is not None
    assert compiled.action == RespondImmediately((REFUSAL,))
    assert [(each.path, each.severity) for each in found] == [("$.action", Severity.WARNING)]


@pytest.mark.parametrize("kind", ["llmPromptSecurity", "llmPolicy", "modelSafety", "codeCallback"])
def test_kinds_that_are_not_judged_here_are_told_and_left_out(kind: str) -> None:
    found: list[Finding] = []
    assert compile_guardrail({"enabled": True, kind: {}, "action": NO}, found.append) is None
    assert [(each.path, each.severity) for each in found] == [(f"$.{kind}", Severity.REMARK)]


def test_a_disabled_one_is_left_out() -> None:
    assert compile_guardrail({"contentFilter": {"bannedContents": ["a"]}, "action": NO}) is None


def test_what_cannot_be_matched_is_told_and_the_rest_holds() -> None:
    found: list[Finding] = []
    content_filter = {"matchType": "REGEXP_MATCH", "bannedContents": ["(", " ", "b"]}
    compiled = compile_guardrail({"enabled": True, "contentFilter": content_filter, "action": NO}, found.append)
    assert compiled is not None
    assert [compiled.banned_input(text) for text in ("(", "b")] == [None, "b"]
    assert [(each.path, each.severity) for each in found] == [
        ("$.contentFilter.bannedContents[0]", Severity.ERROR),
        ("$.contentFilter.bannedContents[1]", Severity.WARNING),
    ]


def test_an_unknown_way_to_match_is_told_and_matches_simply() -> None:
    found: list[Finding] = []
    content_filter = {"bannedContents": ["a.c"]}
    compiled = compile_guardrail({"enabled": True, "contentFilter": content_filter, "action": NO}, found.append)
    assert compiled is not None
    assert (compiled.banned_input("xa.cx"), compiled.banned_input("abc")) == ("a.c", None)
    assert [each.path for each in found] == ["$.contentFilter.matchType"]


@pytest.mark.parametrize("match_type", ["SIMPLE_STRING_MATCH", "WORD_BOUNDARY_STRING_MATCH", "REGEXP_MATCH"])
def test_a_megabyte_is_held_against_thousands_of_phrases_in_no_time_to_speak_of(match_type: str) -> None:
    guardrail = of(match_type, bannedContents=[f"banned phrase {each}" for each in range(2000)])
    assert guardrail.banned_input("a banned phrase x " * 50_000) is None


@pytest.mark.parametrize(
    ("phrase", "text", "is_banned"),
    [
        ("ass", "äss", False),
        ("ass", "ass_2", False),
        ("straße", "STRASSE!", True),
        ("(", "a ( b", True),
        ("a\tb", "a\tb", True),
    ],
)
def test_words_are_those_of_any_language(phrase: str, text: str, is_banned: bool) -> None:
    found = of("WORD_BOUNDARY_STRING_MATCH", bannedContents=[phrase]).banned_input(text)
    assert found == (phrase if is_banned else None)
