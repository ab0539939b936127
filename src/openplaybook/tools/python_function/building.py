"""From a stored tool with a `pythonFunction` to a `PythonFunctionTool`."""

import re
from collections.abc import Sequence

from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.base import Problem
from openplaybook.tools.building import Parts
from openplaybook.tools.durations import seconds_of
from openplaybook.tools.python_function.apart import signature_of
from openplaybook.tools.python_function.tool import PythonFunctionTool

_PATH = "$.pythonFunction"
_USUAL_TIMEOUT_S = 30.0
"""CES `Tool.timeout`, of synchronous tools."""
_FILE = re.compile(r"[\w ./-]+\.py")


def build(resource: JsonObject, spec: JsonObject, parts: Parts) -> PythonFunctionTool:
    """The tool for a `pythonFunction` (CES v1beta `PythonFunction`, JSON form); raises `InvalidTool`.

    Blocks where the code is long. One whose code is missing is kept: exported packages may lack the file and have its
    path only.
    """
    code = spec.get("pythonCode")
    code = "" if not isinstance(code, str) or not code.strip() or _FILE.fullmatch(code.strip()) else code
    signature = signature_of(code, str(spec.get("name") or ""), _PATH) if code else None
    timeout_s = seconds_of(resource.get("timeout"), "$.timeout", _USUAL_TIMEOUT_S)
    return PythonFunctionTool(resource, code, signature, parts.executor, timeout_s)


def remarks(tool: PythonFunctionTool) -> Sequence[Problem]:
    """What is odd about a tool that can be kept all the same."""
    if tool.has_code:
        return ()
    message = "has no Python code: the tool is kept, and every call of it fails with NO_CODE"
    return [Problem(f"{_PATH}.pythonCode", message, is_error=False)]
