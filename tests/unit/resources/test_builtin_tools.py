from openplaybook.resources.builtin_tools import builtin_tools, find_builtin, is_builtin
from openplaybook.tools.code_interpreter.kind import ID as CODE_INTERPRETER

AGENT = "projects/p/locations/global/agents/a"
NAME = f"{AGENT}/tools/df-code-interpreter-tool"


def test_every_agent_has_a_code_interpreter() -> None:
    [tool] = builtin_tools(AGENT)
    assert (tool["name"], tool["displayName"], tool["toolType"]) == (NAME, "code-interpreter", "BUILTIN_TOOL")
    assert tool["description"]


def test_a_built_in_tool_is_known_by_its_id_in_any_agent() -> None:
    assert find_builtin(NAME) == builtin_tools(AGENT)[0]
    assert find_builtin(f"{AGENT}/tools/t") is None
    assert find_builtin(CODE_INTERPRETER) is None
    assert (is_builtin(NAME), is_builtin(f"{AGENT}2/tools/{CODE_INTERPRETER}")) == (True, True)
    assert (is_builtin(f"{AGENT}/tools/t"), is_builtin(f"{AGENT}/playbooks/{CODE_INTERPRETER}")) == (False, False)
    assert (is_builtin(""), is_builtin("code-interpreter")) == (False, False)
