"""Python functions: a `pythonFunction` of CX Agent Studio."""

import re
from collections.abc import Callable, Sequence

from openplaybook.jsonvalues import JsonObject, as_object, restore_integers
from openplaybook.resources.call_spellings import AS_GIVEN
from openplaybook.resources.digits import has_digits, with_numbers
from openplaybook.resources.names import root_of
from openplaybook.resources.tool_kinds import CallCheck, KindField, StoredKind, TextPlace, ToolMessage
from openplaybook.sandbox.base import Executor
from openplaybook.tools.action_names import legal_name
from openplaybook.tools.base import Action, Call, Failure, InvalidTool, Outcome, Problem, Tool, ToolContext
from openplaybook.tools.python_function.function_call import FunctionTask, Returned, run_function, timeout_of
from openplaybook.tools.python_function.reader_process import signature_of
from openplaybook.tools.python_function.signature import Signature
from openplaybook.tools.schema.validator import Validator
from openplaybook.tools.tool_kind import ToolKind, ToolParts

_ANY_ARGUMENTS: JsonObject = {"type": "object"}
_PATH = "$.pythonFunction"
_FILE = re.compile(r"[\w ./-]+\.py")
_FIRST_FUNCTION = re.compile(r"^(?:async\s+)?def\s+(\w+)", re.MULTILINE)


class PythonFunctionTool(Tool):
    """A function whose signature declares the action."""

    def __init__(
        self,
        resource: JsonObject,
        code: str,
        signature: Signature | None,
        executor: Executor | None,
        timeout_s: float,
    ) -> None:
        """`signature` is None where the tool has no code: it is declared, and cannot be run."""
        name, display_name = str(resource.get("name", "")), str(resource.get("displayName", ""))
        self._code, self._signature, self._executor, self._timeout_s = code, signature, executor, timeout_s
        # Code of different apps never shares a warm interpreter.
        self._tenant = root_of(name)
        output_schema = signature.output_schema if signature is not None else None
        self._arguments = Validator(signature.input_schema if signature is not None else _ANY_ARGUMENTS)
        self._result = Validator(output_schema) if output_schema is not None else None
        self._action = Action(
            name=legal_name(display_name),
            action=display_name,
            tool=name,
            tool_display_name=display_name,
            description=str(resource.get("description") or (signature.description if signature is not None else "")),
            input_schema=signature.input_schema if signature is not None else _ANY_ARGUMENTS,
            declared_output=lambda: output_schema,
            is_read_only=signature is not None and signature.is_read_only,
            # Code reaches nothing outside but by calls that are on record themselves.
            safe_to_repeat=True,
        )

    @property
    def has_code(self) -> bool:
        """Whether there is anything to run."""
        return self._signature is not None

    def actions(self) -> Sequence[Action]:
        """The one action."""
        return (self._action,)

    async def invoke(self, call: Call, context: ToolContext) -> Outcome:
        """Check the arguments and call the function; failures are those of `run_function`, and NO_CODE."""
        if self._signature is None:
            return Failure("NO_CODE", f"{call.action.action} has no Python code, so there is nothing to run.")
        arguments = await self.client_arguments(call, context)
        if isinstance(arguments, Failure):
            return arguments
        task = FunctionTask(
            code=self._code,
            function=self._signature.name,
            arguments=arguments,
            filled=self._signature.filled,
            tenant=self._tenant,
            timeout_s=self._timeout_s,
        )
        came = await run_function(self._executor, task, context)
        return came.success() if isinstance(came, Returned) else came

    async def client_arguments(self, call: Call, context: ToolContext) -> JsonObject | Failure:
        """As the model gave them, where they fit the function's signature."""
        arguments = as_object(restore_integers(call.arguments))
        problems = await self._arguments.judge(arguments)
        if problems and has_digits(arguments):
            arguments = as_object(with_numbers(arguments, self._action.input_schema))
            problems = await self._arguments.judge(arguments)
        if problems:
            return Failure("INVALID_ARGUMENTS", "; ".join(problems))
        return arguments

    async def check_result(self, action: Action, output: JsonObject) -> Sequence[str]:
        """What is wrong with a client's answer, against what the function says it returns."""
        return await self._result.judge(output) if self._result is not None else ()


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PythonFunctionTool:
    """The tool for a `pythonFunction` (CES v1beta `PythonFunction`, JSON form); raises `InvalidTool`.

    Blocks where the code is long. One whose code is missing is kept: exported packages may lack the file and have its
    path only.
    """
    code = spec.get("pythonCode")
    code = "" if not isinstance(code, str) or not code.strip() or _FILE.fullmatch(code.strip()) else code
    signature = signature_of(code, str(spec.get("name") or ""), _PATH) if code else None
    timeout_s = timeout_of(resource)
    return PythonFunctionTool(resource, code, signature, parts.executor, timeout_s)


def _check(
    resource: JsonObject, spec: JsonObject, parts: Callable[[], ToolParts], built: Callable[[], Tool]
) -> Sequence[Problem]:
    """What is odd about a tool that can be kept all the same."""
    tool = built()
    if not isinstance(tool, PythonFunctionTool) or tool.has_code:
        return ()
    message = "has no Python code: the tool is kept, and every call of it fails with NO_CODE"
    return [Problem(f"{_PATH}.pythonCode", message, is_error=False)]


def _first_function(message: JsonObject) -> str:
    match = _FIRST_FUNCTION.search(str(message.get("pythonCode") or ""))
    return match[1] if match else ""


def _docstring(message: JsonObject) -> str:
    """What a Python function says of itself; empty where its code cannot be read, which the check will tell."""
    try:
        return signature_of(str(message.get("pythonCode") or ""), str(message.get("name") or ""), _PATH).description
    except InvalidTool:
        return ""


KIND = ToolKind(
    StoredKind(
        name="python",
        noun="Python function",
        fields=(
            KindField(
                "pythonFunction",
                ToolMessage.APP_TOOL,
                "Python function",
                texts=(TextPlace(("pythonCode",), r"\.py"),),
                form=AS_GIVEN,
                own_name=_first_function,
            ),
        ),
        call_check=CallCheck.ARGUMENTS,
        calls_tools=True,
    ),
    {"pythonFunction": build},
    check=_check,
    told_of_itself=_docstring,
)
