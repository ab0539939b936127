"""Python functions in the real sandbox."""

import subprocess
import sys
from pathlib import Path

import pytest

import openplaybook
from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.sandbox.base import DEFAULT_LIMITS, Executor
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.sandbox.unsafe_executor import UnsafeExecutor
from openplaybook.tools.base import Call, Failure, InDoubt, Outcome, Success, Tool, ToolContext
from openplaybook.tools.toolbox import Toolbox
from tests.kit.openapi import Remembering
from tests.kit.sandbox.ordinary import as_ordinary, is_root

APP = "projects/p/locations/l/apps/a"
ORDER = '''
from enum import Enum
from pydantic import BaseModel

class Size(str, Enum):
    SMALL = "small"
    LARGE = "large"

class Item(BaseModel):
    name: str
    count: int = 1

async def order(items: list[Item], size: Size, tool_context: ToolContext) -> dict:
    """Orders things.

    Args:
        items: What to order.
    """
    print("ordering", len(items))
    context.state["orders"] = get_variable("orders", 0) + 1
    tool_context.set_variable("last", items[-1])
    remove_variable("draft")
    found = tools.shop_find({"name": items[0].name}).json()
    bought = await async_tools.shop_buy({"id": found["id"], "count": items[0].count})
    return {"bought": bought, "size": size, "said": context.user_content["parts"][0]["text"]}
'''


def built(executor: Executor, code: str, name: str = "", **more: JsonValue) -> Tool:
    function: JsonObject = {"pythonCode": code, **({"name": name} if name else {})}
    resource: JsonObject = {"name": f"{APP}/tools/t", "displayName": "t", "pythonFunction": function, **more}
    return Toolbox(Remembering(), executor=executor).build(resource)


async def invoked(tool: Tool, arguments: JsonObject | None = None, context: ToolContext | None = None) -> Outcome:
    return await tool.invoke(Call("c", tool.actions()[0], arguments or {}), context or ToolContext("s"))


async def test_a_function_calls_tools_and_changes_the_session(executor: LocalExecutor) -> None:
    made: list[tuple[str, JsonObject]] = []

    async def call(name: str, arguments: JsonObject) -> Outcome:
        made.append((name, arguments))
        return Success({"200": {"id": 7}}) if name == "shop_find" else Success({"ok": True})

    context = ToolContext(
        "s",
        parameters={"orders": 1, "draft": {"a": 1}, "token": "t0p-secret"},
        secret_parameters={"token"},
        user_text="Two teas, please.",
        call=call,
        callable=["shop_find", "shop_buy"],
    )
    arguments: JsonObject = {"items": [{"name": "tea", "count": 2.0}, {"name": "cup"}], "size": "large"}
    assert await invoked(built(executor, ORDER), arguments, context) == Success(
        {"bought": {"ok": True}, "size": "large", "said": "Two teas, please."},
        "The code printed: ordering 2",
        {"orders": 2, "last": {"name": "cup", "count": 1}, "draft": None},
    )
    assert made == [("shop_find", {"name": "tea"}), ("shop_buy", {"id": 7, "count": 2})]
    assert [(each.method, each.response_body) for each in context.exchanges] == [("RUN", "ordering 2")]


async def test_a_tool_that_fails_raises_in_the_code_and_may_be_caught_there(executor: LocalExecutor) -> None:
    async def call(name: str, arguments: JsonObject) -> Outcome:
        return Failure("HTTP_ERROR", "It said 500.") if name == "find" else InDoubt("It is not known.")

    context = ToolContext("s", call=call, callable=["find", "buy"])
    code = "def f():\n    try:\n        tools.find()\n    except ToolError as error:\n        return str(error)"
    assert await invoked(built(executor, code), context=context) == Success(
        {"result": "find: HTTP_ERROR: It said 500."}
    )
    uncaught = await invoked(built(executor, "def f():\n    tools.buy(id=1)\n"), context=context)
    assert uncaught == Failure(
        "CODE_FAILED",
        "The code raised ToolError: buy: OUTCOME_UNKNOWN: It is not known. (line 2 of the code: tools.buy(id=1)).",
    )


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (
            "import uuid\n\ndef f():\n    print('half')\n    return uuid.UUID('x')\n",
            Failure(
                "CODE_FAILED",
                "The code raised ValueError: badly formed hexadecimal UUID string "
                "(line 5 of the code: return uuid.UUID('x')). The code printed: half",
            ),
        ),
        (
            "def f():\n    while True: pass",
            Failure("TIMEOUT", "The code was ended after 1 s, the time it may take."),
        ),
        (
            "import os\ndef f():\n    os._exit(3)",
            Failure("CODE_FAILED", "The code ended without a result. exit code 3"),
        ),
        (
            "def f():\n    for n in range(50): open(f'#{n}', 'w').write('x')\n    return 'wrote'",
            Success({"result": "wrote"}),
        ),
        ("import os\ndef f(): return os.listdir('.')[:0] or os.getcwd()", Success({"result": "/workspace"})),
        ("def f(): return __import__('threading').Thread(target=print).start()", Success({"result": None})),
        ("def f(n=3): return [n] * n", Success({"result": [3, 3, 3]})),
    ],
    ids=["raises", "endless", "leaves", "writes files", "looks around", "threads", "default"],
)
async def test_however_code_ends_the_model_is_told(executor: LocalExecutor, code: str, outcome: Outcome) -> None:
    assert await invoked(built(executor, code, timeout="1s")) == outcome


async def test_variables_that_are_too_large_for_the_sandbox_are_refused_with_a_sentence(
    executor: LocalExecutor,
) -> None:
    context = ToolContext("s", parameters={"x": "y" * 9_000_000})
    outcome = await invoked(built(executor, "def f(): ..."), context=context)
    assert isinstance(outcome, Failure)
    assert outcome.code == "INVALID_ARGUMENTS"
    assert outcome.message.startswith("The code cannot be run with what it was given: ")


async def test_one_call_sees_nothing_of_another(executor: LocalExecutor) -> None:
    code = "import builtins\ndef f():\n    builtins.seen = getattr(builtins, 'seen', 0) + 1\n    return builtins.seen"
    tool = built(executor, code)
    assert [await invoked(tool) for _ in range(3)] == [Success({"result": 1})] * 3


async def test_a_fake_runs_where_the_code_of_tools_does(executor: LocalExecutor) -> None:
    fake = (
        "def fake_tool_call(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict]:\n"
        "    callback_context.variables['faked'] = tool.name\n"
        "    return {'input': input} if input else None\n"
    )
    tool = built(executor, "def f(n: int = 0): return 'real'", toolFakeConfig={"codeBlock": {"pythonCode": fake}})
    asks = ToolContext("s", use_fakes=True)
    assert await invoked(tool, {"n": 1}, asks) == Success({"input": {"n": 1}}, "", {"faked": "t"})
    assert await invoked(tool, {}, asks) == Success({"result": "real"}, "", {"faked": "t"})
    assert await invoked(tool, {"n": 1}) == Success({"result": "real"})


async def test_code_that_calls_no_tools_runs_where_none_can_be_called() -> None:
    executor = UnsafeExecutor(DEFAULT_LIMITS)

    async def call(name: str, arguments: JsonObject) -> Outcome:
        raise AssertionError

    context = ToolContext("s", parameters={"n": 1}, call=call, callable=["find"])
    counts = built(executor, "def f():\n    context.state['n'] += 1\n    return {'n': context.state['n']}")
    assert await invoked(counts, context=context) == Success({"n": 2}, "", {"n": 2})
    asks = built(executor, "def f(): return tools.find()")
    assert await invoked(asks, context=context) == Failure(
        "INVALID_ARGUMENTS",
        "The code cannot be run with what it was given: tools: code cannot call any in unsafe-subprocess",
    )


USER = f"""
import asyncio, sys
sys.path[:0] = [{str(Path(openplaybook.__file__).parents[1])!r}, {str(Path(__file__).parents[4])!r}]
from openplaybook.sandbox.local.executor import LocalExecutor, LocalSettings
from openplaybook.tools.kind_registry import register
from tests.integration.tools.python_function.test_kind import built, invoked
register()
async def main():
    executor = LocalExecutor(LocalSettings(preload=(), ready=1))
    try:
        print(await invoked(built(executor, "import os\\ndef f(n: int): return [n * 7, os.getuid()]"), {{"n": 6}}))
    finally:
        await executor.aclose()
asyncio.run(main())
"""


@pytest.mark.skipif(not is_root(), reason="only root becomes somebody else")
def test_it_works_for_an_ordinary_user() -> None:
    ran = subprocess.run(as_ordinary([sys.executable, "-c", USER]), capture_output=True, text=True, timeout=60)
    assert ran.stdout == f"{Success({'result': [42, 1000]})!r}\n", ran.stderr
