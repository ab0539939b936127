"""What is to be said of the resources of an app: what leads nowhere, and what is kept and of no effect here."""

import re
from collections.abc import Callable, Iterator, Mapping

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.ces.agent_checks import CheckedApp, check_agent, check_guardrails, check_text, nowhere
from openplaybook.resources.ces.agent_compiler import agent_of_tool
from openplaybook.resources.ces.app_directory import AppDirectory
from openplaybook.resources.ces.content_filters import compile_guardrail
from openplaybook.resources.ces.conversation_examples import NO_CALLS, CallLookups, compile_example
from openplaybook.resources.ces.system_tools import AGENT, SYSTEM, SYSTEM_TOOLS
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.names import APP_AGENTS, APP_EXAMPLES, APP_GUARDRAILS, APP_TOOLS, APP_TOOLSETS, APPS
from openplaybook.resources.tool_kinds import ToolMessage, tool_kinds

_MAX_PATH = 500
"""Characters; longer texts are no paths."""

_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def problems(
    kind: str, document: JsonObject, directory: AppDirectory, app: JsonObject, calls: CallLookups = NO_CALLS
) -> list[Finding]:
    """Findings on a resource of an app (v1beta JSON), in the order of its fields.

    `kind` is that of its record, `app` the app's own document. Calls in examples are checked as far as `calls` knows
    their tools. What the toolbox says of a tool is not among them.
    """
    check = _CHECKS.get(kind)
    return [] if check is None else list(check(document, CheckedApp(app, directory, calls)))


def missing_file(document: JsonObject) -> tuple[str, str]:
    """The member of a tool or toolset that still holds the path of a file instead of its text, such as
    `openApiTool.openApiSchema`, and the path; else two empty texts."""
    field = tool_kinds().field(document)
    for place in field.texts if field else ():
        *above, member = (field.name, *place.keys) if field else place.keys
        holder = document
        for key in above:
            holder = as_object(holder.get(key))
        text = str(holder.get(member) or "").strip()
        if len(text) < _MAX_PATH and re.fullmatch(rf"[\w ./-]*/[\w ./-]+{place.endings}", text):
            return ".".join((*above, member)), text
    return "", ""


def _check_app(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    root = str(document.get("rootAgent") or "")
    if not root:
        yield Finding("$.rootAgent", "is not set: conversations can begin only where an entry agent is given")
    elif app.directory.agent(root) is None:
        yield nowhere("$.rootAgent", root, "agent")
    yield from check_guardrails(document, app)
    yield from check_text(document, "globalInstruction", app)
    names: set[str] = set()
    for index, declaration in enumerate(map(as_object, as_list(document.get("variableDeclarations")))):
        name = str(declaration.get("name") or "")
        path = f"$.variableDeclarations[{index}].name"
        if not _VARIABLE_NAME.fullmatch(name):
            allowed = "letters, digits and underscores, a digit not first"
            yield Finding(path, f"{name!r} is not a valid name of a variable ({allowed})", Severity.ERROR)
        elif name in names:
            yield Finding(path, f"{name!r} is declared twice; the last declaration is used", Severity.WARNING)
        names.add(name)
    strategy = as_object(document.get("errorHandlingSettings")).get("errorHandlingStrategy")
    if strategy not in (None, "NONE", "ERROR_HANDLING_STRATEGY_UNSPECIFIED"):
        message = f"{strategy} is kept, but not applied: if the model fails, the client gets an error"
        yield Finding("$.errorHandlingSettings.errorHandlingStrategy", message, Severity.REMARK)


def _check_tool(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    yield from _check_kind(document, "tool", ToolMessage.APP_TOOL)
    message = as_object(document.get(AGENT, document.get(SYSTEM)))
    agent = agent_of_tool(message)
    if AGENT in document and app.directory.agent(agent) is None:
        yield nowhere("$.agentTool.agent", agent, "agent")
    if SYSTEM in document and message.get("name") not in SYSTEM_TOOLS:
        known = ", ".join(SYSTEM_TOOLS)
        text = f"{message.get('name')!r} is not a system tool (known: {known})"
        yield Finding("$.systemTool.name", text, Severity.ERROR)
    yield from _check_calls(document)


def _check_toolset(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    yield from _check_kind(document, "toolset", ToolMessage.APP_TOOLSET)
    yield from _check_calls(document)


def _check_kind(document: JsonObject, what: str, message: ToolMessage) -> Iterator[Finding]:
    known = [field.name for field in tool_kinds().fields(message)]
    if not any(name in document for name in known):
        yield Finding("$", f"is a {what} of no kind (known: {', '.join(known)})", Severity.ERROR)


def _check_calls(document: JsonObject) -> Iterator[Finding]:
    member, path = missing_file(document)
    if member:
        yield Finding(f"$.{member}", f"the file {path} is missing: the tool cannot be called")
    if document.get("executionType") == "ASYNCHRONOUS":
        message = "ASYNCHRONOUS is kept, and not applied: the conversation waits for the tool"
        yield Finding("$.executionType", message, Severity.REMARK)


def _check_example(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    findings: list[Finding] = []
    root = app.directory.agent(str(app.document.get("rootAgent") or "")) or ""
    calls = app.calls
    compile_example(document, root, app.directory, calls.actions, calls.facts, findings.append, calls.check)
    yield from findings


def _check_guardrail(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    findings: list[Finding] = []
    compile_guardrail(document, findings.append)
    yield from findings
    transfer = as_object(document.get("action")).get("transferAgent")
    agent = str(as_object(transfer).get("agent") or "")
    if transfer is not None and app.directory.agent(agent) is None:
        yield nowhere("$.action.transferAgent.agent", agent, "agent")


_CHECKS: Mapping[str, Callable[[JsonObject, CheckedApp], Iterator[Finding]]] = {
    APPS.kind: _check_app,
    APP_AGENTS.kind: check_agent,
    APP_TOOLS.kind: _check_tool,
    APP_TOOLSETS.kind: _check_toolset,
    APP_EXAMPLES.kind: _check_example,
    APP_GUARDRAILS.kind: _check_guardrail,
}
