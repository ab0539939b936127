"""An app's process that dies at any point: tools that set parameters, agents as tools, a guardrail that hands over, and
the end of the session are told again as they were."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from openplaybook.models.base import FunctionResult, ModelReply, ModelTurn
from openplaybook.tools.base import ExecutionPlace, Success
from openplaybook.turns.base import TextInput, TextMessage
from openplaybook.turns.steps.call_outcomes import OUTCOME_UNKNOWN
from tests.kit.agents import PlayedModel, calls, says
from tests.kit.apps import APP, END_SESSION, AppDraft, declares, tool_name
from tests.kit.dying import DiesAt, Process, converse, started

BOSS, EXPERT = f"{APP}/agents/boss", f"{APP}/agents/expert"


def shop() -> AppDraft:
    draft = AppDraft(variableDeclarations=declares(size="M", paid=None))
    draft.agent("root", tools=[tool_name("charge"), draft.agent_tool("ask", EXPERT)], childAgents=[BOSS])
    draft.agent("expert", tools=[tool_name("sign")])
    draft.agent("boss", tools=[END_SESSION])
    draft.tool("charge", answer=lambda call, context: Success({}, parameters={"paid": "yes", "size": None}))
    draft.tool("sign", place=ExecutionPlace.CLIENT)
    draft.guardrail("secrets", {"transferAgent": {"agent": BOSS}}, bannedContentsInAgentResponse=["wyvern"])
    return draft


class Playing(PlayedModel):
    """Its replies depend on the conversation alone."""

    async def decide(self, turn: ModelTurn) -> ModelReply:
        results = [entry for entry in turn.conversation if isinstance(entry, FunctionResult)]
        return _PARTS[turn.playbook](turn, results)


def _root(turn: ModelTurn, results: Sequence[FunctionResult]) -> ModelReply:
    if not results:
        return calls(("charge", {"n": 1}))
    return calls(("ask", {"request": "Sign it."})) if len(results) == 1 else says("It is the wyvern.")


def _expert(turn: ModelTurn, results: Sequence[FunctionResult]) -> ModelReply:
    return says(f"Signed {results[0].output}.") if results else calls(("sign", {}))


def _boss(turn: ModelTurn, results: Sequence[FunctionResult]) -> ModelReply:
    assert "wyvern" not in str(turn)
    return calls((END_SESSION, dict(turn.parameters)), text=f"Goodbye: {turn.parameters}.")


_PARTS = {"root": _root, "expert": _expert, "boss": _boss}


async def conversation(path: Path, keyed: bool, fault: DiesAt) -> tuple[str, int]:
    """The last words, and how often `charge` was called."""
    draft = shop()

    async def again() -> Process:
        return await started(path, draft.shelf, Playing(), None, APP)

    process = await started(path, draft.shelf, Playing(), fault, APP)
    await draft.put(process.store)
    said = await converse(process, again, keyed, fault)
    return said.strip(), len(draft.shelf.tools["charge"].invoked)


@pytest.mark.proves("X4")
@pytest.mark.parametrize("keyed", [True, False], ids=["with keys", "without keys"])
async def test_a_conversation_with_an_app_goes_on_wherever_it_was_cut(tmp_path: Path, keyed: bool) -> None:
    whole = "Goodbye: {'paid': 'yes'}.", 1
    in_doubt = "Goodbye: {'size': 'M'}."
    counting = DiesAt()
    run = partial(conversation, keyed=keyed)
    assert await run(tmp_path / "whole.db", fault=counting) == whole
    for nth, point in enumerate(counting.points, start=1):
        said, charged = await run(tmp_path / f"{nth}.db", fault=DiesAt(nth))
        if said != in_doubt:
            assert (said, charged) == whole, (nth, point)
            continue
        # The call was on its way: nobody knows what it came to, and it is not made again.
        assert point.startswith(("commit", "call")), (nth, point)
        assert charged <= 1, (nth, point)


def one_by_one(**app: str) -> AppDraft:
    draft = AppDraft(**app)
    draft.agent("root", tools=[tool_name("charge")])
    draft.tool("charge")
    return draft


class Charging(PlayedModel):
    """Asks for three calls at once and tells what came of them."""

    async def decide(self, turn: ModelTurn) -> ModelReply:
        results = [entry for entry in turn.conversation if isinstance(entry, FunctionResult)]
        if results:
            return says(" ".join(each.output["error"]["code"] if each.is_error else "ok" for each in results))
        return calls(*(("charge", {"n": n}) for n in range(3)))


@pytest.mark.proves("X4")
@pytest.mark.parametrize(("mode", "most"), [("SEQUENTIAL", 1), ("PARALLEL", 3)])
async def test_of_calls_made_one_after_the_other_one_is_in_doubt_at_most(tmp_path: Path, mode: str, most: int) -> None:
    unknown: list[int] = []
    draft, counting = one_by_one(toolExecutionMode=mode), DiesAt()
    process = await started(tmp_path / "whole.db", draft.shelf, Charging(), counting, APP)
    await draft.put(process.store)
    assert await converse(process, partial(started, tmp_path, draft.shelf, Charging(), None, APP), True) == "ok ok ok"
    for nth in range(1, len(counting.points) + 1):
        path, draft = tmp_path / f"{nth}.db", one_by_one(toolExecutionMode=mode)
        again = partial(started, path, draft.shelf, Charging(), None, APP)
        fault = DiesAt(nth)
        process = await started(path, draft.shelf, Charging(), fault, APP)
        await draft.put(process.store)
        told = (await converse(process, again, True, fault)).split()
        made = [call.arguments["n"] for call in draft.shelf.tools["charge"].invoked]
        assert len(made) == len(set(made)), "nothing is done twice"
        assert [n for n in range(3) if told[n] == "ok" and n not in made] == []
        unknown.append(told.count(OUTCOME_UNKNOWN))
    assert max(unknown) == most


async def test_of_calls_that_were_never_made_the_next_turn_says_so(tmp_path: Path) -> None:
    draft, fault = one_by_one(toolExecutionMode="SEQUENTIAL"), DiesAt()
    fault.nth = await first_call(tmp_path / "counted.db")
    process = await started(tmp_path / "cut.db", draft.shelf, Charging(), fault, APP)
    await draft.put(process.store)
    assert await process.ask(TextInput("pay"), "first", fault) is None
    await process.end()
    process = await started(tmp_path / "cut.db", draft.shelf, Charging(), None, APP)
    result = await process.ask(TextInput("well?"), "second")
    assert result is not None
    assert result.messages == (TextMessage("OUTCOME_UNKNOWN CANCELLED CANCELLED"),)
    assert [call.arguments for call in draft.shelf.tools["charge"].invoked] == [{"n": 0}]
    await process.deliveries.close()
    await process.end()


async def first_call(path: Path) -> int:
    """The point after the first of the calls."""
    draft, counting = one_by_one(toolExecutionMode="SEQUENTIAL"), DiesAt()
    process = await started(path, draft.shelf, Charging(), counting, APP)
    await draft.put(process.store)
    await converse(process, partial(started, path, draft.shelf, Charging(), None, APP), True)
    return counting.points.index("call.after") + 1
