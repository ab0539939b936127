from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from openplaybook.models.base import ModelReply, TextDelta
from openplaybook.models.errors import (
    ModelError,
    ModelGarbled,
    ModelRateLimited,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
)
from openplaybook.models.scripted import ScriptedModel
from tests.unit.models.model_turns import a_turn

Scripted: TypeAlias = Callable[[str], ScriptedModel]


async def test_replies_are_played_in_order_and_run_out(scripted: Scripted) -> None:
    model = scripted("replies: [{text: one}, {fail: {kind: timeout}}, {text: three}]")
    assert (await model.decide(a_turn("a"))).text == "one"
    with pytest.raises(ModelTimeout):
        await model.decide(a_turn("b"))
    assert (await model.decide(a_turn("c"))).text == "three"
    with pytest.raises(ModelRejected) as caught:
        await model.decide(a_turn("d"))
    assert str(caught.value) == "play.yaml: all 3 replies of the script are used up."


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("timeout", ModelTimeout),
        ("rate_limited", ModelRateLimited),
        ("unavailable", ModelUnavailable),
        ("rejected", ModelRejected),
        ("garbled", ModelGarbled),
    ],
)
async def test_a_script_can_fail_in_every_way(scripted: Scripted, kind: str, error: type[ModelError]) -> None:
    with pytest.raises(error) as caught:
        await scripted(f"rules: [{{fail: {{kind: {kind}, message: On purpose.}}}}]").decide(a_turn("x"))
    assert str(caught.value) == "On purpose."


async def test_a_rate_limit_says_when_to_come_back(scripted: Scripted) -> None:
    with pytest.raises(ModelRateLimited) as caught:
        await scripted("rules: [{fail: {kind: rate_limited, retry_after_s: 1.5}}]").decide(a_turn("x"))
    assert caught.value.retry_after_s == 1.5


async def test_a_delay_beyond_the_deadline_is_a_timeout(scripted: Scripted) -> None:
    model = scripted("rules: [{delay_ms: 60000, reply: {text: late}}]")
    with pytest.raises(ModelTimeout) as caught:
        await model.decide(replace(a_turn("x"), timeout_s=0.001))
    assert str(caught.value) == "play.yaml: the script's delay is longer than the time left."


async def test_a_delay_within_the_deadline_is_waited_for(scripted: Scripted) -> None:
    assert (await scripted("rules: [{delay_ms: 1, reply: {text: ok}}]").decide(a_turn("x"))).text == "ok"


async def test_a_stream_speaks_word_by_word_and_ends_with_the_reply(scripted: Scripted) -> None:
    model = scripted("rules: [{reply: {text: 'It is  warm.\n'}}]")
    items = [item async for item in model.stream(a_turn("x"))]
    assert [item.text for item in items if isinstance(item, TextDelta)] == ["It", " is", "  warm. "]
    assert isinstance(items[-1], ModelReply)
    assert items[-1].text == "It is  warm. "


async def test_the_model_is_named_after_its_file(scripted: Scripted, write_script: Callable[[str, str], Path]) -> None:
    path = write_script('{\n\t"replies": [{"text": "one"}]\n}', "play.json")
    model = ScriptedModel(path)
    assert model.name == "scripted:play.json"
    assert (await model.decide(a_turn("x"))).model == model.name
    await model.aclose()
