"""What the test cases of an agent cover of it: CalculateCoverage.

It is read off the test cases, as at Google, and none is run. Intents are those that an import brought; flows are not
run here, so no transition of theirs is listed. What agents of playbooks have is in a field of ours, `playbookCoverage`:
the playbooks and tools that test cases expect to be used.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from openplaybook.packages.dialogflow.agent_layout import intent_files
from openplaybook.packages.dialogflow.agent_package import AgentPackage
from openplaybook.packages.errors import PackageError
from openplaybook.packages.resource_files import read_object
from openplaybook.resources.names import AGENTS, TEST_CASES
from openplaybook.services.dialogflow.test_case_files import StoredTestCase, cases_in
from openplaybook.services.dialogflow.whole_agent import gather
from openplaybook.services.errors import invalid
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.context import RpcContext
from openplaybook.wire.messages import ApiMessage
from openplaybook.workers.lanes import PACKAGES

_NOT_RUN = "Flows are kept, and not run here: no transition of theirs is listed."


@dataclass(slots=True)
class _Part:
    """A playbook or a tool."""

    name: str
    display_name: str
    test_cases: list[str] = field(default_factory=list[str])
    """Names of those that expect it."""
    actions: list[str] = field(default_factory=list[str])
    """Those that are expected of a tool."""

    def cover(self, case: str, action: str = "") -> None:
        """Note that a test case expects it."""
        if case not in self.test_cases:
            self.test_cases.append(case)
        if action and action not in self.actions:
            self.actions.append(action)


@dataclass(frozen=True, slots=True)
class _Coverage:
    """What test cases cover of one agent."""

    playbooks: Sequence[_Part]
    tools: Sequence[_Part]
    intents: Mapping[str, bool]
    """Whether each is covered, by the intent's name."""
    unreadable: Sequence[str]
    """Why test cases were left out, in sentences."""


class TestCaseCoverage:
    """CalculateCoverage."""

    def __init__(self, parts: ServiceParts) -> None:
        self._parts = parts

    async def calculate(self, request: ApiMessage, context: RpcContext) -> ApiMessage:
        """The coverage of the wanted kind, and that of playbooks and tools with each. NOT_FOUND: no such agent."""
        agent = AGENTS.parse(request.agent)
        if request.type == request.COVERAGE_TYPE_UNSPECIFIED:
            raise invalid(("type", "is required: INTENT, PAGE_TRANSITION or TRANSITION_ROUTE_GROUP"))
        async with self._parts.whole_agents.exported:
            package = await gather(self._parts, str(agent))
            found = await PACKAGES.run(partial(_coverage_of, package))
        for sentence in found.unreadable:
            context.warn(sentence)
        response = self._parts.cx("CalculateCoverageResponse")
        response.agent = str(agent)
        if request.type == request.INTENT:
            _fill_intents(response.intent_coverage, found.intents)
        else:
            listed = "transition_coverage" if request.type == request.PAGE_TRANSITION else "route_group_coverage"
            getattr(response, listed).coverage_score = 0
            getattr(response, listed).SetInParent()
            context.warn(_NOT_RUN)
        _fill_playbooks(response.playbook_coverage, found)
        return response


def _fill_intents(coverage: ApiMessage, intents: Mapping[str, bool]) -> None:
    coverage.SetInParent()
    for name, is_covered in intents.items():
        coverage.intents.add(intent=name, covered=is_covered)
    coverage.coverage_score = _share(intents.values())


def _fill_playbooks(coverage: ApiMessage, found: _Coverage) -> None:
    for listed, parts in ((coverage.playbooks, found.playbooks), (coverage.tools, found.tools)):
        for part in parts:
            listed.add(
                name=part.name,
                display_name=part.display_name,
                covered=bool(part.test_cases),
                test_cases=part.test_cases,
                actions=part.actions,
            )
    coverage.coverage_score = _share(bool(part.test_cases) for part in (*found.playbooks, *found.tools))


def _share(covered: Iterable[bool]) -> float:
    """How many are covered, from 0 to 1; 0 where there are none."""
    all_ = [*covered]
    return sum(all_) / len(all_) if all_ else 0.0


def _coverage_of(package: AgentPackage) -> _Coverage:
    """In a thread."""
    # Here, since the form of a recording costs a server's start more than all that it stores.
    from openplaybook.recordings.errors import UnreadableTestCase
    from openplaybook.recordings.test_cases import recording_of_case

    agent = str(package.agent["name"])
    playbooks = {part.display_name: part for part in _parts_of(each.resource for each in package.playbooks)}
    tools = {part.display_name: part for part in _parts_of(package.tools)}
    start = next((part for part in playbooks.values() if part.name == package.agent.get("startPlaybook")), None)
    unreadable: list[str] = []
    triggered: set[str] = set()
    for case in cases_in(package.other_files):
        name = str(TEST_CASES.child(agent, case.id))
        try:
            if case.problem:
                raise UnreadableTestCase(case.problem)
            recording = recording_of_case(case.content, case.path, package)
        except UnreadableTestCase as error:
            unreadable.append(f"{case.path} is left out: {error}")
            continue
        triggered |= _triggered(case)
        if start is not None and recording.turns:
            start.cover(name)
        uses = [(action.playbook, action.tool, action.action) for action in recording.actions]
        uses += [("", given.tool, given.action) for turn in recording.turns for given in turn.given_results]
        for playbook, tool, action in uses:
            if part := playbooks.get(playbook) or tools.get(tool):
                part.cover(name, action)
    return _Coverage([*playbooks.values()], [*tools.values()], dict(_intents(package, triggered)), unreadable)


def _parts_of(resources: Iterable[JsonObject]) -> Iterator[_Part]:
    for resource in resources:
        yield _Part(str(resource["name"]), str(resource.get("displayName", "")))


def _triggered(case: StoredTestCase) -> set[str]:
    """Ids and display names of the intents that a test case expects."""
    named: set[str] = set()
    for turn in as_list(case.content.get("testCaseConversationTurns")):
        intent = as_object(as_object(as_object(turn).get("virtualAgentOutput")).get("triggeredIntent"))
        named |= {str(intent.get("name", "")).rpartition("/")[2], str(intent.get("displayName", ""))}
    return named - {""}


def _intents(package: AgentPackage, triggered: set[str]) -> Iterator[tuple[str, bool]]:
    """Full names of the intents among the files of a package, and whether each is triggered."""
    for path in intent_files(package.other_files):
        try:
            intent = read_object(path, package.other_files[path])
        except PackageError:
            # The import has told of it, and nobody can trigger it.
            continue
        id = str(intent.get("name", "")).rpartition("/")[2]
        yield (
            f"{package.agent['name']}/intents/{id}",
            not triggered.isdisjoint({id, str(intent.get("displayName", ""))}),
        )
