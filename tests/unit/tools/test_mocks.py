"""Mocked tool calls: whose answers they are, and what fits a pattern."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.tools.base import Action, Failure, Outcome, Success
from openplaybook.tools.mocks import InvalidMocks, Mocks, read_mocks

APP = "projects/p/locations/l/apps/a"
FIND = Action("find_pet", "find_pet", f"{APP}/tools/1", "find_pet", "", {})
BUY = Action("buy-now", "buy.now", f"{APP}/toolsets/shop", "shop", "", {})
NOT_MOCKED = Failure("NOT_MOCKED", "find_pet was called with arguments that no mocked tool call expects.")


def mocks(*calls: JsonObject, fails: bool = True) -> Mocks:
    return read_mocks(
        {"mockedToolCalls": list(calls), "unmatchedToolCallBehavior": "FAIL" if fails else "PASS_THROUGH"}
    )


def mocked(pattern: JsonObject, response: JsonObject | None = None, **tool: object) -> JsonObject:
    tool = tool or {"toolId": FIND.tool}
    return {**tool, "expectedArgsPattern": pattern, "mockResponse": response or {"mocked": True}}


async def fits(pattern: JsonValue, value: JsonValue) -> bool:
    return (await mocks(mocked({"a": pattern})).answer(FIND, {"a": value})) is not None


@pytest.mark.parametrize(
    ("response", "outcome"),
    [
        ({"name": "Rex", "n": 2.0}, Success({"name": "Rex", "n": 2})),
        ({"output": {"name": "Rex"}}, Success({"name": "Rex"})),
        ({"output": "Rex"}, Success({"output": "Rex"})),
        ({"error": "no such pet"}, Failure("TOOL_ERROR", "no such pet", {"error": "no such pet"})),
        ({"error": None, "output": {"a": 1}}, Success({"a": 1})),
    ],
)
async def test_a_mock_answers_with_its_response(response: JsonObject, outcome: Outcome) -> None:
    assert await mocks(mocked({}, response)).outcome(FIND, {"any": 1}) == outcome


async def test_the_first_mock_that_fits_answers() -> None:
    found = mocks(mocked({"a": 1}, {"n": 1}), mocked({}, {"n": 2}), mocked({}, {"n": 3}))
    assert [await found.answer(FIND, arguments) for arguments in ({"a": 1.0}, {"a": 2})] == [
        Success({"n": 1}),
        Success({"n": 2}),
    ]


async def test_calls_that_no_mock_expects_fail_or_pass_through() -> None:
    call = mocked({"a": 1})
    assert await mocks(call).outcome(FIND, {"a": 2}) == NOT_MOCKED
    assert await mocks(call).answer(FIND, {"a": 2}) is None
    assert await mocks(call, fails=False).outcome(FIND, {"a": 2}) is None


@pytest.mark.parametrize(
    ("tool", "concerned"),
    [
        ({"toolId": FIND.tool}, [True, False]),
        ({"tool": FIND.tool}, [True, False]),
        ({"toolset": {"toolset": BUY.tool}}, [False, True]),
        ({"toolset": {"toolset": BUY.tool, "toolId": "buy.now"}}, [False, True]),
        ({"toolset": {"toolset": BUY.tool, "toolId": "buy-now"}}, [False, True]),
        ({"toolset": {"toolset": BUY.tool, "toolId": "list"}}, [False, False]),
        ({"toolId": f"{APP}/tools/2"}, [False, False]),
    ],
)
async def test_a_mock_is_of_one_tool_or_toolset(tool: JsonObject, concerned: list[bool]) -> None:
    found = mocks(mocked({}, **tool))
    assert [await found.answer(action, {}) is not None for action in (FIND, BUY)] == concerned


@pytest.mark.parametrize(
    ("pattern", "value", "fitting"),
    [
        ("Rex", "Rex", True),
        ("Rex", "rex", False),
        (1, 1.0, True),
        (1, True, False),
        (None, None, True),
        ({"b": 1}, {"b": 1, "c": 2}, True),
        ({"b": 1}, {"c": 2}, False),
        ({"b": 1}, "b", False),
        ([1, {"b": 1}], [1, {"b": 1, "c": 2}], True),
        ([1], [1, 2], False),
        ({"$matchType": "ignore"}, {"any": 1}, True),
        ({"$matchType": "contains", "$originalValue": "Rex"}, "where is Rex?", True),
        ({"$matchType": "contains", "$matchValue": "Tom", "$originalValue": "Rex"}, "where is Rex?", False),
        ({"$matchType": "regexp", "$matchValue": "^R.x$"}, "Rex", True),
        ({"$matchType": "regexp", "$matchValue": "^R.x$"}, "Rex!", False),
        ({"$matchType": "regexp", "$matchValue": "^1"}, 12, True),
        ({"$matchType": "semantic", "$originalValue": "Live agent, please"}, "live  AGENT please!", True),
        ({"$matchType": "semantic", "$originalValue": "Live agent"}, "an agent", False),
    ],
)
async def test_a_pattern_is_exact_unless_it_says_how_to_match(
    pattern: JsonValue, value: JsonValue, fitting: bool
) -> None:
    assert await fits(pattern, value) is fitting


async def test_what_a_pattern_ignores_may_be_missing_and_more_may_be_there() -> None:
    found = mocks(mocked({"a": {"$matchType": "ignore"}, "b": 1}))
    assert [await found.answer(FIND, arguments) is not None for arguments in ({"b": 1, "c": 2}, {"a": 1})] == [
        True,
        False,
    ]


@pytest.mark.timeout(5)
async def test_no_expression_keeps_others_waiting() -> None:
    assert await fits({"$matchType": "regexp", "$matchValue": "(a+)+$"}, "a" * 40 + "b") is False


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
)


@given(_JSON)
async def test_every_value_fits_itself(value: JsonValue) -> None:
    assert await fits(value, value)


async def test_calls_that_code_makes_are_answered_without_being_made() -> None:
    made: list[tuple[str, JsonObject]] = []

    async def call(name: str, arguments: JsonObject) -> Outcome:
        made.append((name, arguments))
        return Success({"real": True})

    found = mocks(mocked({"a": 1}), fails=False).over(call, {"find_pet": FIND})
    assert await found("find_pet", {"a": 1}) == Success({"mocked": True})
    assert await found("find_pet", {"a": 2}) == Success({"real": True})
    assert await found("other", {}) == Success({"real": True})
    assert made == [("find_pet", {"a": 2}), ("other", {})]
    refused = mocks(mocked({"a": 1})).over(call, {"find_pet": FIND})
    assert await refused("find_pet", {"a": 2}) == NOT_MOCKED


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({}, "unmatched_tool_call_behavior: is required, one of FAIL, PASS_THROUGH"),
        ({"unmatchedToolCallBehavior": "FAIL", "mockedToolCalls": [{"expectedArgsPattern": {}}]},
         "mocked_tool_calls[0]: one of tool_id and toolset is required"),
        ({"unmatchedToolCallBehavior": "FAIL", "mockedToolCalls": [{"toolId": "t"}]},
         "mocked_tool_calls[0].expected_args_pattern: is required; {} fits all arguments"),
        ({"unmatchedToolCallBehavior": "FAIL", "mockedToolCalls": [mocked({"a": [{"$matchType": "exact"}]})]},
         "mocked_tool_calls[0].expected_args_pattern.a[0].$matchType: must be one of ignore, semantic, contains, "
         "regexp, got 'exact'"),
        ({"unmatchedToolCallBehavior": "FAIL",
          "mockedToolCalls": [mocked({"a": {"$matchType": "regexp", "$matchValue": "("}})]},
         "mocked_tool_calls[0].expected_args_pattern.a.$matchValue: is not a usable regular expression"),
    ],
)  # fmt: skip
def test_mocks_that_cannot_be_used_are_refused_with_their_place(config: JsonObject, message: str) -> None:
    with pytest.raises(InvalidMocks) as refused:
        read_mocks(config)
    assert str(refused.value) == message
