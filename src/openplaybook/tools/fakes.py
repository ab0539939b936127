"""Fakes: a piece of Python that answers in a tool's place (CX Agent Studio's `ToolFakeConfig`)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, as_object, restore_integers
from openplaybook.resources.names import root_of
from openplaybook.sandbox.base import Executor
from openplaybook.tools.base import (
    Action,
    Call,
    ExecutionPlace,
    Failure,
    InvalidTool,
    Outcome,
    Problem,
    Success,
    Tool,
    ToolContext,
)
from openplaybook.tools.python_function.code_context import known_name
from openplaybook.tools.python_function.function_call import FunctionTask, Returned, run_function, timeout_of
from openplaybook.tools.python_function.nested_calls import identifiers
from openplaybook.tools.python_function.reader_process import names_of

_PATH = "$.toolFakeConfig.codeBlock.pythonCode"
_PREFIX = "fake_"
_FOR_ALL = "fake_tool_call"


class FakedTool(Tool):
    """A tool with a fake, which answers where the conversation asks for fakes, or the tool is in fake mode.

    Of the code's functions `fake_<tool>` is called before `fake_tool_call`, each with the tool, the arguments and the
    context; where it returns None, the tool itself is called.
    """

    def __init__(self, real: Tool, resource: JsonObject, code: str, executor: Executor | None, *, always: bool) -> None:
        """`always`: the tool is in fake mode. Raises `InvalidTool`."""
        self._real, self._code, self._executor, self._always = real, code, executor, always
        self.is_live = real.is_live
        self._name = str(resource.get("name", ""))
        self._timeout_s = timeout_of(resource)
        self._functions = frozenset(each for each in names_of(code, _PATH) if each.startswith(_PREFIX))
        if not self._functions:
            raise InvalidTool([Problem(_PATH, f"defines no fake: a function {_FOR_ALL} or {_PREFIX}<tool id>")])

    def fault(self) -> str:
        """As the tool says it, which is called where the conversation asks for no fakes; none in fake mode."""
        return "" if self._always else self._real.fault()

    def actions(self) -> Sequence[Action]:
        """Those of the tool; in fake mode none is the client's."""
        return [self._marked(each) for each in self._real.actions()]

    async def described(self, context: ToolContext) -> Sequence[Action]:
        """Those of the tool, as for `actions`."""
        return [self._marked(each) for each in await self._real.described(context)]

    def _marked(self, action: Action) -> Action:
        if not self._function(action):
            return action
        return replace(action, has_fake=True, place=ExecutionPlace.SERVER if self._always else action.place)

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """The fake's answer, or the tool's own; a fake fails as `run_function` does."""
        function = self._function(call.action)
        if not function or not (self._always or context.use_fakes):
            return await self._real.invoke(call, context)
        name = known_name(call.action.tool_display_name, call.action.action)
        tool: JsonObject = {"name": name, "description": call.action.description}
        task = FunctionTask(
            code=self._code,
            function=function,
            arguments=as_object(restore_integers(call.arguments)),
            tool=tool,
            tenant=root_of(self._name),
            timeout_s=self._timeout_s,
        )
        came = await run_function(self._executor, task, context)
        if isinstance(came, Failure):
            return replace(came, message=f"The fake of {call.action.action} failed. {came.message}")
        if not isinstance(came, Returned) or came.value is not None:
            return came.success() if isinstance(came, Returned) else came
        answer = await self._real.invoke(call, context)
        if not isinstance(answer, Success):
            return answer
        return replace(answer, parameters={**came.parameters, **answer.parameters})

    async def rehearse(self, call: Call, context: ToolContext) -> Failure | None:
        """As the tool does it; what a fake would answer sends nothing."""
        if self._function(call.action) and (self._always or context.use_fakes):
            return await super().rehearse(call, context)
        return await self._real.rehearse(call, context)

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the tool gives them."""
        return await self._real.client_arguments(call, context)

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """As the tool checks it."""
        return await self._real.check_result(action, output)

    def _function(self, action: Action) -> str:
        """The fake of an action; empty where the code has none."""
        names = (f"{_PREFIX}{name}" for name in self._names(action))
        return next((name for name in (*names, _FOR_ALL) if name in self._functions), "")

    def _names(self, action: Action) -> Iterator[str]:
        """What a fake may call the action: by its id or name, of a toolset with or without the toolset's."""
        tool = action.tool_display_name
        spelled = (known_name(tool, action.action), action.action, action.name, self._name.rpartition("/")[2], tool)
        for each in spelled:
            yield from identifiers([each])


def with_fake(tool: Tool, resource: JsonObject, executor: Executor | None) -> Tool:
    """The tool, with the fake that its resource holds. Raises `InvalidTool`."""
    config = as_object(resource.get("toolFakeConfig"))
    code = as_object(config.get("codeBlock")).get("pythonCode")
    if not isinstance(code, str) or not code.strip():
        return tool
    return FakedTool(tool, resource, code, executor, always=config.get("enableFakeMode") is True)
