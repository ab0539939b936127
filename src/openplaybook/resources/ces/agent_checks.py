"""What is to be said of an agent of an app: what leads nowhere, and what is kept and of no effect here."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.resources.ces.agent_compiler import REMOTE
from openplaybook.resources.ces.agent_instructions import references_in, variables_in
from openplaybook.resources.ces.app_directory import AppDirectory, EntryKind
from openplaybook.resources.ces.app_variables import declared_variables
from openplaybook.resources.ces.conversation_examples import NO_CALLS, CallLookups
from openplaybook.resources.ces.system_tools import CUSTOMIZE_RESPONSE
from openplaybook.resources.ces.transfers import is_always
from openplaybook.resources.compiled_forms import Reference, ReferenceKind
from openplaybook.resources.findings import Finding, Severity

CALLBACKS = (
    "beforeAgentCallbacks",
    "afterAgentCallbacks",
    "beforeModelCallbacks",
    "afterModelCallbacks",
    "beforeToolCallbacks",
    "afterToolCallbacks",
)
"""Fields of an agent with code that is run around what it does."""


@dataclass(frozen=True, slots=True)
class CheckedApp:
    """The app that a resource belongs to."""

    document: JsonObject
    """v1beta JSON."""
    directory: AppDirectory
    """Of all its resources."""
    calls: CallLookups = NO_CALLS


def check_agent(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    """Findings on an `Agent` (v1beta JSON)."""
    if REMOTE in document:
        remote = as_object(document[REMOTE]).get("agent")
        yield Finding(f"$.{REMOTE}", f"the Dialogflow agent {remote} is not run here; the agent only says so")
        return
    yield from check_text(document, "instruction", app)
    for index, spelling in enumerate(map(str, as_list(document.get("tools")))):
        target = app.directory.tool(spelling)
        if target is None:
            yield nowhere(f"$.tools[{index}]", spelling, "tool")
        elif target.kind is EntryKind.SYSTEM_TOOL and target.name == CUSTOMIZE_RESPONSE:
            yield Finding(f"$.tools[{index}]", f"{CUSTOMIZE_RESPONSE} is kept, and not offered", Severity.REMARK)
    for index, selected in enumerate(map(as_object, as_list(document.get("toolsets")))):
        spelling = str(selected.get("toolset") or "")
        target = app.directory.tool(spelling)
        if target is None or target.kind is not EntryKind.TOOLSET:
            yield nowhere(f"$.toolsets[{index}].toolset", spelling, "toolset")
    for index, spelling in enumerate(map(str, as_list(document.get("childAgents")))):
        if app.directory.agent(spelling) is None:
            yield nowhere(f"$.childAgents[{index}]", spelling, "agent")
    yield from check_guardrails(document, app)
    for field in CALLBACKS:
        enabled = [each for each in map(as_object, as_list(document.get(field))) if not each.get("disabled")]
        if enabled:
            yield Finding(f"$.{field}", f"{_counted(len(enabled), 'callback')} kept, and not run", Severity.REMARK)
    yield from _check_rules(document, app)


def _check_rules(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    for index, rule in enumerate(map(as_object, as_list(document.get("transferRules")))):
        path, child = f"$.transferRules[{index}]", str(rule.get("childAgent") or "")
        if app.directory.agent(child) is None:
            yield nowhere(f"{path}.childAgent", child, "agent")
        blocking = as_object(as_object(rule.get("disablePlannerTransfer")).get("expressionCondition"))
        if "deterministicTransfer" in rule:
            message = "its condition is not evaluated here: the agent itself decides on the transfer"
            yield Finding(f"{path}.deterministicTransfer", message, Severity.REMARK)
        elif not is_always(blocking):
            message = "its condition is not evaluated here: the transfer stays allowed"
            yield Finding(f"{path}.disablePlannerTransfer", message, Severity.REMARK)


def check_text(document: JsonObject, field: str, app: CheckedApp) -> Iterator[Finding]:
    """Findings on the references and variables of an instruction."""
    text, path = str(document.get(field) or ""), f"$.{field}"
    malformed: list[Finding] = []
    references = references_in(text, path, malformed.append)
    yield from malformed
    own = [app.directory.tool(str(each)) for each in as_list(document.get("tools"))]
    own += [app.directory.tool(str(as_object(each).get("toolset"))) for each in as_list(document.get("toolsets"))]
    has = {each.name for each in own if each is not None}
    for reference in references:
        wrong = _wrong(reference, has, app.directory, is_agent=field == "instruction")
        if wrong:
            severity, message = wrong
            yield Finding(path, f"{message} (at character {reference.start + 1})", severity, reference.start)
    predefined = {"variableDeclarations": app.document.get("predefinedVariableDeclarations")}
    declared = declared_variables(app.document) | declared_variables(predefined)
    for name, start in _first_uses(text):
        if name not in declared:
            message = f"{{{name}}} is not a declared variable and is left unchanged (at character {start + 1})"
            yield Finding(path, message, Severity.REMARK, start)


def _wrong(
    reference: Reference, has: set[str], directory: AppDirectory, *, is_agent: bool
) -> tuple[Severity, str] | None:
    if reference.kind is ReferenceKind.PLAYBOOK:
        if directory.agent(reference.name) is not None:
            return None
        return Severity.ERROR, f"{{@AGENT: {reference.name}}} names no agent of the app"
    target = directory.tool(reference.name)
    if target is None:
        return Severity.ERROR, f"{{@TOOL: {reference.name}}} names no tool of the app"
    if is_agent and target.name not in has:
        return Severity.WARNING, f"{{@TOOL: {reference.name}}} is not among the agent's tools and cannot be called"
    return None


def _first_uses(text: str) -> Iterable[tuple[str, int]]:
    uses: dict[str, int] = {}
    for each in variables_in(text):
        uses.setdefault(each.name, each.start)
    return uses.items()


def check_guardrails(document: JsonObject, app: CheckedApp) -> Iterator[Finding]:
    """Findings on the guardrails that an agent or an app lists."""
    for index, name in enumerate(map(str, as_list(document.get("guardrails")))):
        if app.directory.guardrail(name) is None:
            yield nowhere(f"$.guardrails[{index}]", name, "guardrail")


def nowhere(path: str, name: str, noun: str) -> Finding:
    """That a name leads to nothing."""
    return Finding(path, f"{name!r} names no {noun} of the app", Severity.ERROR)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun} is" if count == 1 else f"{count} {noun}s are"
