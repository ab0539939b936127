"""What a system can try of a condition goes there, as its manifest says; the rest is left."""

from openplaybook.connectors.conditions.parser import parsed_condition
from openplaybook.connectors.rest.languages.pushdown import PushedCondition, pushed
from openplaybook.connectors.rest.systems import manifest_of
from openplaybook.jsonvalues import JsonObject, dumps

FIELDS = {
    "id": "key",
    "state": "open|closed",
    "email": "string",
    "tags": "string[]",
    "created": "epoch ro",
    "size": "integer",
    "repo": "string scope",
    "note": "string nofilter",
}


def taken_apart(filtering: JsonObject, condition: str, line: str = "GET /a") -> PushedCondition:
    manifest = manifest_of(
        dumps(
            {
                "id": "acme",
                "title": "Acme",
                "evidence_note": "None.",
                "base_url": "https://acme.example",
                "auth": [{"kind": "none"}],
                "entities": {"a": {"fields": FIELDS, "list": line, "filter": filtering}},
            }
        ).decode(),
        "acme",
    )
    entity = manifest.entities["a"]
    assert entity.list is not None
    return pushed(parsed_condition(condition), entity.list, {each.name: each for each in entity.fields})


def test_tests_that_are_joined_by_and_become_parameters_one_by_one() -> None:
    made = taken_apart({"params": ["state", "email"]}, "state = 'open' AND email = 'a@b.c' AND size > 3")
    assert made.parameters == [("state", "open"), ("email", "a@b.c")]
    assert made.left == parsed_condition("size > 3")


def test_what_is_within_or_stays() -> None:
    made = taken_apart({"params": ["state", "email"]}, "state = 'open' OR email = 'a@b.c'")
    assert made.parameters == []
    assert made.left == parsed_condition("state = 'open' OR email = 'a@b.c'")


def test_a_parameter_is_used_once() -> None:
    made = taken_apart({"params": ["email"]}, "email = 'a' AND email = 'b'")
    assert made.parameters == [("email", "a")]
    assert made.left == parsed_condition("email = 'b'")


def test_a_range_becomes_two_parameters_with_moments_as_the_system_has_them() -> None:
    filtering: JsonObject = {"params": {"created range": "created[{op}]"}}
    made = taken_apart(filtering, "created BETWEEN '2026-11-26T00:00:00Z' AND '2026-11-27T00:00:00Z'")
    assert made.parameters == [("created[gte]", "1795651200"), ("created[lte]", "1795737600")]
    assert made.left is None


def test_a_list_becomes_one_parameter_with_joints_or_one_each() -> None:
    joined = taken_apart({"params": {"state in": {"param": "states", "joint": ","}}}, "state IN ('open', 'closed')")
    assert joined.parameters == [("states", "open,closed")]
    repeated = taken_apart({"params": {"state in": "state"}}, "state IN ('open', 'closed')")
    assert repeated.parameters == [("state", "open"), ("state", "closed")]
    single = taken_apart({"params": {"state in": "state"}}, "state = 'open'")
    assert single.parameters == [("state", "open")]


def test_a_value_with_the_joint_in_it_is_left() -> None:
    made = taken_apart({"params": {"email in": {"param": "e", "joint": ","}}}, "email IN ('a,b', 'c')")
    assert made.parameters == []
    assert made.left is not None


def test_a_part_of_the_address_is_taken_from_the_condition() -> None:
    made = taken_apart({}, "repo = 'a/b' AND size = 1", "GET /repos/{repo}/a")
    assert made.scope == {"repo": "a/b"}
    assert made.left == parsed_condition("size = 1")


def test_a_language_takes_what_it_can_say_of_the_columns_that_it_knows() -> None:
    filtering: JsonObject = {
        "language": "jql",
        "param": "jql",
        "only": ["state", "email contains"],
        "columns": {"state": "s"},
    }
    made = taken_apart(filtering, "state = 'open' AND email LIKE '%a%' AND email = 'b' AND size = 1")
    assert made.text == 's = "open" AND email ~ "a"'
    assert made.left == parsed_condition("email = 'b' AND size = 1")


def test_alternatives_go_into_a_language_as_a_whole_or_not() -> None:
    filtering: JsonObject = {"language": "odata", "param": "$filter"}
    assert taken_apart(filtering, "state = 'open' OR size = 1").text == "state eq 'open' or size eq 1"
    assert taken_apart(filtering, "state = 'open' OR email LIKE 'a_'").left is not None


def test_search_criteria_are_groups_of_alternatives() -> None:
    made = taken_apart(
        {"language": "searchcriteria", "param": "searchCriteria"}, "(state = 'open' OR size > 3) AND email != 'x'"
    )
    base = "searchCriteria[filterGroups]"
    assert made.parameters == [
        (f"{base}[0][filters][0][field]", "state"),
        (f"{base}[0][filters][0][conditionType]", "eq"),
        (f"{base}[0][filters][0][value]", "open"),
        (f"{base}[0][filters][1][field]", "size"),
        (f"{base}[0][filters][1][conditionType]", "gt"),
        (f"{base}[0][filters][1][value]", "3"),
        (f"{base}[1][filters][0][field]", "email"),
        (f"{base}[1][filters][0][conditionType]", "neq"),
        (f"{base}[1][filters][0][value]", "x"),
    ]
    assert made.left is None


def test_values_are_as_the_system_has_them_wherever_they_are() -> None:
    at = "created > '2026-11-26T00:00:00Z'"
    jql: JsonObject = {"language": "jql", "param": "jql"}
    assert "> 1795651200" in taken_apart(jql, f"({at} AND size = 1) OR email = 'x'").text
    # A language that has moments of its own cannot say seconds.
    left = taken_apart({"language": "odata", "param": "$filter"}, at)
    assert (left.text, left.left) == ("", parsed_condition(at))
    criteria: JsonObject = {"language": "searchcriteria", "param": "searchCriteria"}
    made = taken_apart(criteria, "created IN ('2026-11-26T00:00:00Z', '2026-11-27T00:00:00Z')")
    assert made.parameters[-1] == ("searchCriteria[filterGroups][0][filters][0][value]", "1795651200,1795737600")
