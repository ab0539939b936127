"""Requests that others have published."""

import json
from pathlib import Path

import pytest

from openplaybook.jsonvalues import as_list
from scripts.planner_training.published_cases import GROUPED, REFUSED, grouped_cases, published_cases

TOOLS = [
    {
        "api_name": "getBill",
        "api_description": "Get the bill of a guest",
        "parameters": {
            "guest": {"type": "str", "description": "Name of the guest"},
            "room": {"type": "int", "description": "Number of the room"},
        },
        "required": ["guest"],
    },
    {
        "api_name": "openDoor",
        "api_description": "Open a door",
        "parameters": {"door": {"type": "str", "description": "Which door"}},
        "required": ["door"],
    },
]


def folder_with(path: Path, *requests: dict[str, object]) -> Path:
    (path / "tool.jsonl").write_text("\n".join(map(json.dumps, TOOLS)))
    (path / "dev.jsonl").write_text("\n".join(map(json.dumps, requests)))
    return path


def request(query: str, *calls: dict[str, object]) -> dict[str, object]:
    return {"query": query, "calling": list(calls)}


def call(api: str, **parameters: object) -> dict[str, object]:
    return {"api": api, "parameters": parameters}


def test_each_call_of_a_request_is_learned_from_the_sentence_that_says_it(tmp_path: Path) -> None:
    query = "Please get the bill of Mia Ohm in room 12. Then open the back door."
    calls = [call("getBill", guest="Mia Ohm", room="12"), call("openDoor", door="back door")]
    cases = list(published_cases(folder_with(tmp_path, request(query, *calls))))
    assert [(case.text, case.tools[0].name, case.answer) for case in cases] == [
        ("Please get the bill of Mia Ohm in room 12.", "getBill", {"guest": ["Mia Ohm"], "room": [12]}),
        ("Then open the back door.", "openDoor", {"door": ["back door"]}),
    ]


def test_what_is_left_out_may_be_left_out(tmp_path: Path) -> None:
    told = request("What is the bill of Mia Ohm?", call("getBill", guest="Mia Ohm"))
    (case,) = published_cases(folder_with(tmp_path, told))
    assert case.answer == {"guest": ["Mia Ohm"], "room": [""]}


@pytest.mark.parametrize(
    "parameters",
    [
        {"guest": "Somebody Else"},
        {"guest": "API_call_0"},
        {"room": "12"},
        {"guest": "Mia Ohm", "room": "twelve-ish"},
        {"guest": "Mia Ohm", "floor": "2"},
        {"guest": ["Mia Ohm"]},
    ],
)
def test_a_call_that_the_words_do_not_say_is_not_learned_from(tmp_path: Path, parameters: dict[str, object]) -> None:
    told = request("Get the bill of Mia Ohm", call("getBill", **parameters))
    assert list(published_cases(folder_with(tmp_path, told))) == []


def test_requests_are_put_to_groups_of_functions(tmp_path: Path) -> None:
    requests = [
        request(f"Get the bill of Mia Ohm in room {number}", call("getBill", guest="Mia Ohm", room=number))
        for number in range(100, 160)
    ]
    requests += [request("Open the back door", call("openDoor", door="back door"))]
    grouped = list(grouped_cases(list(published_cases(folder_with(tmp_path, *requests)))))
    assert len(grouped) == len(requests)
    for case in grouped:
        assert case.category == (REFUSED if case.right < 0 else GROUPED)
        right = "openDoor" if "door" in case.text else "getBill"
        assert [tool.name for tool in case.tools].count(right) == (case.right >= 0)
    assert {case.category for case in grouped} == {REFUSED, GROUPED}


def test_some_groups_ask_for_a_value_that_nobody_says(tmp_path: Path) -> None:
    requests = [
        request(f"Open the {color} door", call("openDoor", door=f"{color} door"))
        for color in ("red", "green", "blue", "black", "white", "brown", "grey", "pink", "back", "front")
    ]
    requests += [request("The bill of Mia Ohm", call("getBill", guest="Mia Ohm"))]
    grouped = list(grouped_cases(list(published_cases(folder_with(tmp_path, *requests)))))
    asking = [case for case in grouped if case.right >= 0 and "guest" in case.answer and "door" in case.answer]
    assert asking
    for case in asking:
        assert "guest" in as_list(case.tools[case.right].input_schema["required"])
        assert case.answer["guest"] not in ([""], ["Mia Ohm"])
