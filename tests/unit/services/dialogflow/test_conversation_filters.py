import pytest

from openplaybook.resources.errors import InvalidFilter
from openplaybook.services.dialogflow.conversation_filters import ConversationFilter, Filterable

NOON = 1_650_542_400_000_000
"""2022-04-21T12:00:00Z."""
CLOCKS_APART = 60_000_000


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("", True),
        ('create_time > "2022-04-21T07:59:59-04:00"', True),
        ('createTime >= "2022-04-21T12:00:00Z"', True),
        ("create_time < 2022-04-21T12:00:00Z", False),
        ('create_time = "2022-04-21T12:00:00.000001Z"', False),
        ("metrics.has_end_interaction = true", True),
        ("metrics.hasEndInteraction != TRUE", False),
        ("metrics.has_live_agent_handoff = false", True),
        ('intents.display_name : "billing"', False),
        ('NOT pages.display_name : "billing"', True),
        ('flows.display_name != "Default Start Flow"', True),
        ("metrics.has_end_interaction = true AND create_time < 2022-01-01T00:00:00Z", False),
    ],
)
def test_a_conversation_is_judged_by_the_documented_fields(text: str, accepted: bool) -> None:
    assert ConversationFilter(text).accepts(Filterable(NOON, has_end_interaction=True)) is accepted


@pytest.mark.parametrize(
    ("text", "earliest"),
    [
        ("", 0),
        ("create_time >= 2022-04-21T12:00:00Z", NOON),
        ("metrics.has_end_interaction = true AND create_time > 2022-04-21T12:00:00Z", NOON),
        ("create_time < 2022-04-21T12:00:00Z", 0),
        ("NOT create_time >= 2022-04-21T12:00:00Z", 0),
        ("create_time >= 2022-04-21T12:00:00Z OR metrics.has_end_interaction = true", 0),
    ],
)
def test_a_lower_bound_ends_the_search(text: str, earliest: int) -> None:
    assert ConversationFilter(text).earliest_us == earliest - CLOCKS_APART


def test_turns_are_read_for_what_stands_in_them_alone() -> None:
    filters = ("create_time > 2022-04-21T12:00:00Z", "metrics.has_end_interaction = true")
    assert [ConversationFilter(text).reads_turns for text in filters] == [False, True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "a = 1",
            "'a' at character 1 cannot be used in a filter; allowed are create_time, metrics.has_end_interaction, "
            "metrics.has_live_agent_handoff, intents.display_name, pages.display_name, flows.display_name",
        ),
        ("create_time : 2022-04-21T12:00:00Z", "create_time cannot be compared by :; use = != < <= > >="),
        (
            "create_time > 2022-04-21T12:00:00",
            "create_time is compared with '2022-04-21T12:00:00'; write a time in RFC 3339, such as "
            '"2022-04-21T11:30:00-04:00"',
        ),
        (
            "metrics.has_end_interaction = 1",
            "metrics.has_end_interaction is compared with '1'; it must be true or false",
        ),
        ("metrics.has_end_interaction : true", "metrics.has_end_interaction cannot be compared by :; use = !="),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(text: str, message: str) -> None:
    with pytest.raises(InvalidFilter) as refused:
        ConversationFilter(text)
    assert str(refused.value) == f"filter: {message}"
