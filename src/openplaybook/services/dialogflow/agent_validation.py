"""Agents: validate. What is wrong with an agent, found anew each time it is asked for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.dialogflow.agent_package import AgentPackage
from openplaybook.packages.dialogflow.agent_reader import flow_names
from openplaybook.resources.builtin_tools import builtin_tools
from openplaybook.resources.dangling_references import tools_in_example
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.names import DEFAULT_FLOW, DEFAULT_FLOW_NAME
from openplaybook.services.dialogflow.agent_directory import AgentDirectory, read_directory
from openplaybook.services.dialogflow.resource_findings import example_findings, playbook_findings
from openplaybook.services.dialogflow.whole_agent import gather
from openplaybook.services.example_tools import example_calls
from openplaybook.services.parts import ServiceParts
from openplaybook.tools.base import Problem
from openplaybook.tools.example_calls import ExampleCalls
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import DOCUMENTS

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.REMARK: "INFO"}


_MOST_TOLD = 200
"""Findings of one resource that are told."""


class AgentValidation:
    """ValidateAgent and GetAgentValidationResult.

    Google's result is a list of flows; ours has an entry for each resource something is wrong with: the agent, a
    playbook, an example or a tool, by its name.
    """

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def validate(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """Validate the agent."""
        return await self._validate(request.name, context)

    async def result(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The result as it would be now."""
        return await self._validate(request.name.removesuffix("/validationResult"), context)

    async def _validate(self, agent: str, context: RpcContext) -> ApiMessage:
        async with self._parts.whole_agents.exported:
            package = await gather(self._parts, agent)
            directory = await read_directory(self._parts.store, package.agent["name"])
            directory = replace(directory, flows=await DOCUMENTS.run(partial(_flows, package)))
            calls = await self._calls(package, directory)
            findings = [
                (package.agent, list(_check_agent(package, directory))),
                *[(tool, await self._check_tool(tool)) for tool in package.tools],
                *await DOCUMENTS.run(lambda: list(_check_playbooks(package, directory, calls))),
            ]
        result = await DOCUMENTS.run(partial(self._result, package, findings))
        context.answer_bytes = result.ByteSize()
        return result

    def _result(
        self, package: AgentPackage, findings_by_resource: Iterable[tuple[JsonObject, Sequence[Finding]]]
    ) -> ApiMessage:
        result = self._parts.cx("AgentValidationResult")
        result.name = f"{package.agent['name']}/validationResult"
        playbooks = {str(each.resource["name"]): each.resource for each in package.playbooks}
        for resource, findings in findings_by_resource:
            if findings:
                owner = playbooks.get(resource["name"].partition("/examples/")[0])
                named = [resource] if owner is None or owner is resource else [owner, resource]
                result.flow_validation_results.append(self._entry(named, findings))
        return result

    async def _check_tool(self, tool: JsonObject) -> list[Finding]:
        problems = await DOCUMENTS.run(partial(self._parts.toolbox.check, tool))
        return [_of_problem(problem) for problem in (*await self._parts.toolbox.unmet(tool), *problems)]

    async def _calls(self, package: AgentPackage, directory: AgentDirectory) -> ExampleCalls:
        """What checks the tool calls in all examples."""
        examples = [example for playbook in package.playbooks for example in playbook.examples]
        called = {directory.tools.get(name) for example in examples for name in tools_in_example(example)}
        known = (*package.tools, *builtin_tools(package.agent["name"]))
        documents = {str(tool["name"]): tool for tool in known if tool["name"] in called}
        return await example_calls(self._parts.toolbox, documents, directory.tools)

    def _entry(self, named: Sequence[JsonObject], findings: Sequence[Finding]) -> ApiMessage:
        """What is found in the last of the resources; the others are those that it belongs to."""
        resource = named[-1]
        entry = self._parts.cx("FlowValidationResult")
        entry.name = resource["name"]
        entry.update_time.FromMicroseconds(self._parts.now_us())
        for finding in _first_findings(findings):
            message = entry.validation_messages.add()
            message.severity = message.Severity.Value(_SEVERITIES[finding.severity])
            at = "" if finding.start is None else f" at {finding.start}"
            message.detail = f"{finding.path}{at}: {finding.message}"
            message.resources.append(resource["name"])
            for each in named:
                message.resource_names.add(name=each["name"], display_name=each.get("displayName", ""))
            if "/agents/" in resource["name"] and resource["name"].count("/") == 5:
                message.resource_type = message.ResourceType.Value("AGENT")
        return entry


def _flows(package: AgentPackage) -> Sequence[str]:
    """All that may stand for a flow of the agent: its default one, and those that came with it."""
    agent = package.agent["name"]
    return [
        spelling
        for flow_id, name in {DEFAULT_FLOW: DEFAULT_FLOW_NAME, **flow_names(package.other_files)}.items()
        for spelling in (name, flow_id, f"{agent}/flows/{flow_id}")
    ]


def _first_findings(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The first of them, and how many there are besides."""
    if len(findings) <= _MOST_TOLD:
        return findings
    worst = Severity.ERROR if any(each.severity is Severity.ERROR for each in findings) else Severity.WARNING
    further = Finding("$", f"there are {len(findings) - _MOST_TOLD} more findings, which are not shown", worst)
    return [*findings[:_MOST_TOLD], further]


def _check_agent(package: AgentPackage, directory: AgentDirectory) -> Iterator[Finding]:
    start = package.agent.get("startPlaybook", "")
    if not start and package.agent.get("startFlow") and len(package.playbooks) == 1:
        only = package.playbooks[0].resource.get("displayName")
        message = f"flows are not run; conversations begin with the only playbook, {only!r}"
        yield Finding("$.startFlow", message, Severity.REMARK)
    elif not start and package.agent.get("startFlow"):
        yield Finding("$.startFlow", "flows are not run; set startPlaybook", Severity.ERROR)
    elif not start:
        yield Finding("$.startPlaybook", "is not set: the agent has nothing to start with", Severity.ERROR)
    elif start not in directory.playbooks:
        yield Finding("$.startPlaybook", f"{start} does not exist", Severity.ERROR)


def _check_playbooks(
    package: AgentPackage, directory: AgentDirectory, calls: ExampleCalls
) -> Iterator[tuple[JsonObject, list[Finding]]]:
    for playbook in package.playbooks:
        yield playbook.resource, playbook_findings(playbook.resource, directory)
        for example in playbook.examples:
            yield example, example_findings(example, playbook.resource["name"], directory, calls)


def _of_problem(problem: Problem) -> Finding:
    where = problem.path if problem.line is None else f"{problem.path} (line {problem.line})"
    return Finding(where, problem.message, Severity.ERROR if problem.is_error else Severity.REMARK)
