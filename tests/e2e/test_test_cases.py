"""Test cases with Google's own clients: into a file, out of it again, and what they cover."""

import json

import pytest
from google.api_core.exceptions import BadRequest, NotFound
from google.rpc.code_pb2 import ALREADY_EXISTS, INVALID_ARGUMENT

from openplaybook.jsonvalues import JsonObject
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.google import Google
from tests.e2e.kit.shop import new_agent

pytestmark = pytest.mark.proves("X1")


def turn(text: str) -> JsonObject:
    return {"user_input": {"input": {"text": {"text": text}, "language_code": "en"}}, "virtual_agent_output": {}}


@pytest.fixture
def cases(google: Google) -> ApiMessage:
    return google("TestCases")


@pytest.fixture
def agent(google: Google) -> str:
    return new_agent(google).name


def created(cases: ApiMessage, agent: str, *titles: str) -> list[ApiMessage]:
    bodies = [{"display_name": title, "test_case_conversation_turns": [turn(f"Say {title}")]} for title in titles]
    return [cases.create_test_case(parent=agent, test_case=body) for body in bodies]


def test_what_is_exported_is_imported_into_another_agent(google: Google, cases: ApiMessage, agent: str) -> None:
    created(cases, agent, "Greeting", "Order: 7")
    content = cases.export_test_cases({"parent": agent}).result().content
    titles = [case["displayName"] for case in json.loads(content)["testCases"]]
    assert titles == ["Greeting", "Order: 7"]
    other = new_agent(google).name
    names = list(cases.import_test_cases({"parent": other, "content": content}).result().names)
    imported = [cases.get_test_case(name=name) for name in names]
    assert [case.display_name for case in imported] == titles
    assert imported[1].test_case_conversation_turns[0].user_input.input.text.text == "Say Order: 7"
    assert {name.rpartition("/testCases/")[0] for name in names} == {other}


def test_an_export_has_the_test_cases_that_its_filter_names(cases: ApiMessage, agent: str) -> None:
    first, _, third = created(cases, agent, "One", "Two", "Three")
    chosen = f"name = {third.name} OR name = {first.name}"
    exported = cases.export_test_cases({"parent": agent, "filter": chosen, "data_format": 2}).result()
    assert [case["name"] for case in json.loads(exported.content)["testCases"]] == [first.name, third.name]
    with pytest.raises(BadRequest, match="tags is not a field that test cases are filtered by"):
        cases.export_test_cases({"parent": agent, "filter": "tags = a"})


def test_each_test_case_that_is_not_imported_is_reported(cases: ApiMessage, agent: str) -> None:
    created(cases, agent, "Taken")
    file = [{"displayName": "Taken"}, {"displayName": "New"}, {"displayName": 7}, {"notes": "n"}, "text"]
    operation = cases.import_test_cases({"parent": agent, "content": json.dumps(file).encode()})
    [name] = operation.result().names
    assert cases.get_test_case(name=name).display_name == "New"
    errors = [(error.status.code, error.test_case.display_name) for error in operation.metadata.errors]
    assert errors == [
        (INVALID_ARGUMENT, "7"),
        (INVALID_ARGUMENT, ""),
        (INVALID_ARGUMENT, ""),
        (ALREADY_EXISTS, "Taken"),
    ]
    assert [error.status.message for error in operation.metadata.errors][2:] == [
        "test case 5: $: must be the object of a test case",
        "the agent has a test case 'Taken'; imports overwrite none",
    ]


@pytest.mark.parametrize("content", [b"{", b"7", b'{"testCases": 7}', b"\xff", b"[" * 200 + b"]" * 200])
def test_a_file_that_holds_no_test_cases_is_refused(cases: ApiMessage, agent: str, content: bytes) -> None:
    with pytest.raises(BadRequest, match="the file of test cases"):
        cases.import_test_cases({"parent": agent, "content": content}).result()


def test_what_names_nothing_is_refused(cases: ApiMessage, agent: str) -> None:
    with pytest.raises(BadRequest, match="content: is required"):
        cases.import_test_cases({"parent": agent})
    with pytest.raises(NotFound):
        cases.export_test_cases({"parent": f"{agent}x"})
    with pytest.raises(NotFound):
        cases.calculate_coverage({"agent": f"{agent}x", "type_": 1})


def test_coverage_of_flows_is_empty_where_playbooks_are_run(cases: ApiMessage, agent: str) -> None:
    created(cases, agent, "Greeting")
    kinds = [cases.calculate_coverage({"agent": agent, "type_": kind}) for kind in (1, 2, 3)]
    assert [list(kinds[0].intent_coverage.intents), kinds[0].intent_coverage.coverage_score] == [[], 0]
    assert [list(kinds[1].transition_coverage.transitions), kinds[1].transition_coverage.coverage_score] == [[], 0]
    assert [list(kinds[2].route_group_coverage.coverages), kinds[2].route_group_coverage.coverage_score] == [[], 0]
    assert all(each.agent == agent for each in kinds)
    with pytest.raises(BadRequest, match="type: is required"):
        cases.calculate_coverage({"agent": agent})
