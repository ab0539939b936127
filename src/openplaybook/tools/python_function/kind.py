"""Python functions: a `pythonFunction` of CX Agent Studio."""

import re
from collections.abc import Callable, Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.call_spellings import AS_GIVEN
from openplaybook.resources.tool_kinds import CallCheck, KindField, StoredKind, TextPlace, ToolMessage
from openplaybook.tools.base import InvalidTool, Problem, Tool
from openplaybook.tools.durations import seconds_of
from openplaybook.tools.python_function.reader_process import signature_of
from openplaybook.tools.python_function.tool import PythonFunctionTool
from openplaybook.tools.tool_kind import ToolKind, ToolParts

_PATH = "$.pythonFunction"
_USUAL_TIMEOUT_S = 30.0
"""CES `Tool.timeout`, of synchronous tools."""
_FILE = re.compile(r"[\w ./-]+\.py")
_FIRST_FUNCTION = re.compile(r"^(?:async\s+)?def\s+(\w+)", re.MULTILINE)


def build(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PythonFunctionTool:
    """The tool for a `pythonFunction` (CES v1beta `PythonFunction`, JSON form); raises `InvalidTool`.

    Blocks where the code is long. One whose code is missing is kept: exported packages may lack the file and have its
    path only.
    """
    code = spec.get("pythonCode")
    code = "" if not isinstance(code, str) or not code.strip() or _FILE.fullmatch(code.strip()) else code
    signature = signature_of(code, str(spec.get("name") or ""), _PATH) if code else None
    timeout_s = seconds_of(resource.get("timeout"), "$.timeout", _USUAL_TIMEOUT_S)
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
    found = _FIRST_FUNCTION.search(str(message.get("pythonCode") or ""))
    return found[1] if found else ""


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
