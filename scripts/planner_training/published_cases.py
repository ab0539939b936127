"""Requests that others have published with the calls that they mean.

Read is Seal-Tools (https://github.com/fairyshine/Seal-Tools, Apache-2.0; Wu et al., "Seal-Tools: Self-Instruct Tool
Learning Dataset for Agent Tuning and Detailed Benchmark", 2024): many functions of many fields, requests in words, and
their calls. Where a request means several calls, each is learned from the sentence that says its values.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import pairwise
from pathlib import Path

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.models.offline.learned.filled_values import scene_of
from openplaybook.models.offline.learned.lexemes import stems_of
from openplaybook.models.offline.learned.tool_features import LearnedTool
from openplaybook.models.offline.learned.utterance import utterance_of
from scripts.planner_training.matching import allowed_at, is_allowed
from scripts.planner_training.training_cases import TrainingCase

PUBLISHED, GROUPED, REFUSED = "published", "grouped", "refused"
"""Their categories: with the function alone, among others, and among others without it."""
_WEIGHT = 1.0
_LEFT_OUT_WEIGHT = 0.3
"""Their calls leave out some values that the words do say."""
_GROUPED_WEIGHT = 0.15
_MOST_OTHERS = 3
_REFUSED_SHARE, _OPEN_SHARE, _ALIKE_SHARE = 0.25, 0.4, 0.7
"""Of groups: without the right function, with a value that is needed and not said, and of functions that are alike."""
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_POOL = 12
_NEVER_SAID = "\x00"
_RESULT_OF_ANOTHER = b"API_call"
"""Stands in place of a value that an earlier call gives."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_CLAUSE = re.compile(r"(?<=[,;]) (?=and )|(?<=;) ")


def published_cases(folder: Path) -> Iterator[TrainingCase]:
    """The calls whose values are all said, from the files of requests beside `tool.jsonl`."""
    tools = {tool.name: tool for tool in map(_tool, _lines(folder / "tool.jsonl"))}
    for file in sorted(folder.glob("*.jsonl")):
        for line in _lines(file):
            if "query" in line:
                yield from _cases(line, tools)


def grouped_cases(cases: Sequence[TrainingCase]) -> Iterator[TrainingCase]:
    """The same requests, each put to a few functions, of which one is right or none; some ask for more than is said.

    People seldom say everything at once: a function is meant although what it needs is missing.
    """
    chance = random.Random(0)
    tools = list({case.tools[0].name: case.tools[0] for case in cases}.values())
    near = {tool.name: _nearest(tool, tools) for tool in tools}
    for case in cases:
        right = case.tools[0]
        pool = near[right.name] if chance.random() < _ALIKE_SHARE else tools
        others = [
            tool
            for tool in chance.sample(pool, min(len(pool), chance.randint(0, _MOST_OTHERS)))
            if tool.name != right.name
        ]
        if others and chance.random() < _REFUSED_SHARE:
            yield replace(case, category=REFUSED, tools=tuple(others), right=-1, answer={}, weight=_GROUPED_WEIGHT)
            continue
        answer = case.answer
        if chance.random() < _OPEN_SHARE:
            right, answer = _asking_more(right, answer, chance.choice(tools))
        group = [right, *others]
        chance.shuffle(group)
        yield TrainingCase(GROUPED, case.text, tuple(group), group.index(right), answer, _GROUPED_WEIGHT)


def _nearest(tool: LearnedTool, tools: Sequence[LearnedTool]) -> list[LearnedTool]:
    """The functions that share most words with one."""
    own = tool.name_stems | tool.about
    others = [other for other in tools if other is not tool]
    return nlargest(_POOL, others, key=lambda other: len(own & (other.name_stems | other.about)))


def _asking_more(tool: LearnedTool, answer: JsonObject, other: LearnedTool) -> tuple[LearnedTool, JsonObject]:
    """A function that needs a value of another one besides, which nobody says."""
    schema = tool.input_schema
    properties, theirs = as_object(schema["properties"]), as_object(other.input_schema["properties"])
    name = next((name for name in theirs if name not in properties), None)
    if name is None:
        return tool, answer
    more: JsonObject = {
        "type": "object",
        "properties": {**properties, name: theirs[name]},
        "required": [*as_list(schema["required"]), name],
    }
    return LearnedTool(tool.name, tool.action, tool.description, more), {**answer, name: [_NEVER_SAID]}


def _lines(file: Path) -> Iterator[JsonObject]:
    with file.open("rb") as lines:
        for line in lines:
            yield as_object(loads(line))


def _tool(stored: JsonObject) -> LearnedTool:
    properties: JsonObject = {}
    for name, member in as_object(stored["parameters"]).items():
        told = as_object(member)
        kind = _TYPES.get(str(told.get("type")), "string")
        properties[name] = {"type": kind, "description": told.get("description", "")}
    required: list[JsonValue] = [name for name in as_list(stored.get("required")) if name in properties]
    name = str(stored["api_name"])
    schema: JsonObject = {"type": "object", "properties": properties, "required": required}
    return LearnedTool(name, name, str(stored["api_description"]), schema)


def _cases(stored: JsonObject, tools: dict[str, LearnedTool]) -> Iterator[TrainingCase]:
    calls = [as_object(call) for call in as_list(stored["calling"])]
    if any(_RESULT_OF_ANOTHER in dumps(call["parameters"]) for call in calls):
        return
    pieces = _pieces(str(stored["query"]), len(calls))
    last = -1
    for call in calls:
        tool = tools.get(str(call["api"]))
        answer = _answer(tool, as_object(call["parameters"])) if tool else None
        if tool is not None and answer is not None and (at := _best_piece(pieces, tool, answer, last)) is not None:
            last = at
            yield _case(pieces[at], tool, answer)


def _case(text: str, tool: LearnedTool, answer: JsonObject) -> TrainingCase:
    return TrainingCase(PUBLISHED, text, (tool,), 0, answer, _WEIGHT, _LEFT_OUT_WEIGHT)


def _pieces(query: str, calls: int) -> list[str]:
    """The parts of a request of which each may mean one call: sentences, also in pairs, or parts of them."""
    if calls == 1:
        return [query]
    sentences = _SENTENCE.split(query)
    if len(sentences) < calls:
        sentences = [clause for sentence in sentences for clause in _CLAUSE.split(sentence)]
    pairs = [f"{one} {other}" for one, other in pairwise(sentences)]
    return [piece for two in zip(sentences, [*pairs, sentences[-1]], strict=True) for piece in dict.fromkeys(two)]


def _best_piece(pieces: Sequence[str], tool: LearnedTool, answer: JsonObject, last: int) -> int | None:
    """The piece that says all values and a word of the function; behind the last call's, and short, if one is."""
    about = tool.name_stems | tool.about
    fitting = [
        (at <= last, len(piece) - 10 * shared, at)
        for at, piece in enumerate(pieces)
        if (shared := len(about & frozenset(stems_of(piece)))) and _says_all(piece, tool, answer)
    ]
    return min(fitting)[2] if fitting else None


def _says_all(text: str, tool: LearnedTool, answer: JsonObject) -> bool:
    scene = scene_of(utterance_of(text), tool.wants, tool.name_stems, None)
    for want, options in zip(scene.wants, scene.options, strict=True):
        allowed = allowed_at(answer, want.path)
        if "" not in allowed and not any(
            one.value != "" and is_allowed(one.value, want.type, want.item_type, allowed) for one in options
        ):
            return False
    return True


def _answer(tool: LearnedTool, arguments: JsonObject) -> JsonObject | None:
    """Arguments as the leaderboard writes answers; None where they do not suit the function."""
    properties = as_object(tool.input_schema["properties"])
    answer: JsonObject = {name: [""] for name in properties}
    for name, value in arguments.items():
        typed = _typed(value, str(as_object(properties[name])["type"])) if name in properties else None
        if typed is None or typed == "":
            return None
        answer[name] = [typed]
    required = as_list(tool.input_schema["required"])
    return None if any(answer[str(name)] == [""] for name in required) else answer


def _typed(value: JsonValue, kind: str) -> JsonValue:
    """A value, which the files mostly write as text, as its type is; None where it is none of it."""
    if isinstance(value, list | dict | None):
        return None
    if kind == "string":
        return str(value)
    if kind == "boolean":
        return str(value).lower() == "true"
    try:
        number = float(value)
        return int(number) if kind == "integer" else number
    except (ValueError, OverflowError):
        return None
