import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.content_filters import compile_guardrail
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.guardrails import (
    REFUSAL,
    GenerativeAnswer,
    Guardrail,
    GuardrailVerdict,
    RespondImmediately,
    TransferAgent,
)

NO = {"respondImmediately": {"responses": [{"text": "off", "disabled": True}, {"text": "No."}, {"text": "Never."}]}}


async def bans(guardrail: Guardrail, text: str) -> bool:
    return await guardrail.judge_input(text) is GuardrailVerdict.BANNED


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
async def test_banned_content_is_found_as_its_match_type_says(
    match_type: str, banned: str, text: str, is_banned: bool
) -> None:
    assert await bans(of(match_type, bannedContents=[banned]), text) == is_banned


async def test_each_list_is_held_against_its_own_side() -> None:
    guardrail = of(bannedContents=["a"], bannedContentsInUserInput=["b"], bannedContentsInAgentResponse=["c"])
    assert [text for text in "abcd" if await guardrail.judge_input(text) is GuardrailVerdict.BANNED] == ["a", "b"]
    assert [text for text in "abcd" if await guardrail.judge_response(text) is GuardrailVerdict.BANNED] == ["a", "c"]


@pytest.mark.parametrize("match_type", ["SIMPLE_STRING_MATCH", "WORD_BOUNDARY_STRING_MATCH", "REGEXP_MATCH"])
async def test_diacritics_are_told_apart_unless_they_are_disregarded(match_type: str) -> None:
    assert not await bans(of(match_type, bannedContents=["café"]), "a cafe")
    plain = of(match_type, bannedContents=["café"], disregardDiacritics=True)
    assert await bans(plain, "a cafe")
    assert await bans(plain, "a café")


async def test_an_expression_that_would_take_for_ever_elsewhere_is_judged_at_once() -> None:
    assert not await bans(of("REGEXP_MATCH", bannedContents=["(a+)+$"]), "a" * 19_000 + "!")


@given(st.text(min_size=1).filter(str.strip), st.text(), st.text())
async def test_a_phrase_is_found_in_any_text_that_holds_it(phrase: str, before: str, after: str) -> None:
    assert await bans(of(bannedContents=[phrase]), before + phrase + after)


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


async def test_what_cannot_be_matched_is_told_and_the_rest_holds() -> None:
    found: list[Finding] = []
    content_filter = {"matchType": "REGEXP_MATCH", "bannedContents": ["(", " ", "b"]}
    compiled = compile_guardrail({"enabled": True, "contentFilter": content_filter, "action": NO}, found.append)
    assert compiled is not None
    assert [await bans(compiled, text) for text in ("(", "b")] == [False, True]
    assert [(each.path, each.severity) for each in found] == [
        ("$.contentFilter.bannedContents[0]", Severity.ERROR),
        ("$.contentFilter.bannedContents[1]", Severity.WARNING),
    ]


async def test_an_unknown_way_to_match_is_told_and_matches_simply() -> None:
    found: list[Finding] = []
    content_filter = {"bannedContents": ["a.c"]}
    compiled = compile_guardrail({"enabled": True, "contentFilter": content_filter, "action": NO}, found.append)
    assert compiled is not None
    assert [await bans(compiled, text) for text in ("xa.cx", "abc")] == [True, False]
    assert [each.path for each in found] == ["$.contentFilter.matchType"]


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
async def test_words_are_those_of_any_language(phrase: str, text: str, is_banned: bool) -> None:
    assert await bans(of("WORD_BOUNDARY_STRING_MATCH", bannedContents=[phrase]), text) == is_banned
