"""Dialogflow's test cases (v3beta1 `TestCase`, as exports hold them) as recordings.

A test case knows what was said on both sides, and in newer exports which playbooks and tools have to be used at some
point. It knows no decisions of a model, so it is replayed with a model of today.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from pydantic import ValidationError

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps_line, loads
from openplaybook.packages.dialogflow.agent_layout import TEST_CASES, decode_name
from openplaybook.packages.dialogflow.agent_package import AgentPackage
from openplaybook.recordings.errors import UnreadableTestCase
from openplaybook.recordings.form import Recording
from openplaybook.recordings.matchers import ANY, WordMatch
from openplaybook.recordings.secret_masks import without_secrets
from openplaybook.resources.call_spellings import canonical_arguments, canonical_output
from openplaybook.resources.tool_kinds import facts_of, tool_kinds

_NOT_REPLAYED = ("intent", "audio", "dtmf")
"""Kinds of input that are not served."""


def recordings_of(package: AgentPackage) -> dict[str, Recording]:
    """A recording for each test case of a package, by the name of its file. Raises `UnreadableTestCase`."""
    files = {
        path: data
        for path, data in sorted(package.other_files.items())
        if path.startswith(f"{TEST_CASES}/") and path.endswith(".json")
    }
    return {
        PurePosixPath(path).stem: recording_of_case(_read(path, data), path, package) for path, data in files.items()
    }


def recording_of_case(case: JsonObject, path: str, package: AgentPackage) -> Recording:
    """The recording of one test case of a package, by the path of its file. Raises `UnreadableTestCase`."""
    return _recording(case, decode_name(path), _Agent.of(package))


def replayed_turns(case: JsonObject) -> list[JsonObject]:
    """The turns of a test case that a replay repeats: its recording has one for each, in this order."""
    turns = map(as_object, as_list(case.get("testCaseConversationTurns")))
    return [turn for turn in turns if _is_replayed(as_object(as_object(turn.get("userInput")).get("input")))]


def _read(path: str, data: bytes) -> JsonObject:
    try:
        value: JsonValue = loads(data)
    except ValueError as error:
        raise UnreadableTestCase(f"{path} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UnreadableTestCase(f"{path} is no object")
    return as_object(value)


@dataclass(frozen=True, slots=True)
class _Agent:
    """What test cases refer to."""

    display_name: str
    language: str
    named: Mapping[str, str]
    """Display names of playbooks and tools by id."""
    tools: Mapping[str, JsonObject]
    """By id."""

    @classmethod
    def of(cls, package: AgentPackage) -> "_Agent":
        resources = [*(playbook.resource for playbook in package.playbooks), *package.tools]
        return cls(
            display_name=str(package.agent.get("displayName", "")),
            language=str(package.agent.get("defaultLanguageCode", "") or "en"),
            named={_id(each["name"]): str(each.get("displayName", "")) for each in resources},
            tools={_id(tool["name"]): tool for tool in package.tools},
        )

    def display_name_of(self, resource: JsonValue) -> str:
        """The resource's display name; its own name where the agent has no such resource."""
        return self.named.get(_id(resource), str(resource))

    def tool_of(self, resource: JsonValue, action: str) -> JsonObject:
        """The tool that is meant; the only one with that action where an export has given its tools new ids.

        A tool of the resource's own name where there is none.
        """
        if _id(resource) in self.tools:
            return self.tools[_id(resource)]
        offering = [tool for tool in self.tools.values() if _offers(tool, action)]
        return offering[0] if len(offering) == 1 else {"displayName": str(resource)}


def _recording(case: JsonObject, path: str, agent: _Agent) -> Recording:
    turns: list[JsonObject] = []
    left_out = list(_left_out_of_case(case))
    language = str(case.get("languageCode") or agent.language)
    for number, turn in enumerate(map(as_object, as_list(case.get("testCaseConversationTurns"))), 1):
        turn_input = _input(as_object(turn.get("userInput")), agent)
        expected = as_object(turn.get("virtualAgentOutput"))
        left_out += [f"turn {number}: {each}" for each in _left_out_of_turn(turn)]
        if turn_input:
            turns.append({**turn_input, **_expected(expected), "language": _language(turn, language)})
    actions = as_list(as_object(case.get("expectedTestCaseResult")).get("expectedActions"))
    document: JsonObject = {
        "title": str(case.get("displayName") or path),
        "agent": agent.display_name,
        "language": language,
        "words": WordMatch.NORMALISED.value,
        "turns": turns,
        "actions": [_action(as_object(action), agent) for action in actions if _is_compared(as_object(action))],
        "not_replayed": left_out,
    }
    try:
        return Recording.model_validate(without_secrets(document))
    except ValidationError as error:
        raise UnreadableTestCase(f"{path} is no test case: {error.errors()[0]['msg']}") from error


def _language(turn: JsonObject, usual: str) -> str:
    language = as_object(as_object(turn.get("userInput")).get("input")).get("languageCode")
    return "" if language in (None, usual) else str(language)


def _input(user_input: JsonObject, agent: _Agent) -> JsonObject:
    """The part of a turn that comes from the user; nothing where it is of a kind that is not replayed."""
    query = as_object(user_input.get("input"))
    parameters = as_object(user_input.get("injectedParameters"))
    if text := as_object(query.get("text")).get("text"):
        return {"user": str(text), "parameters": parameters}
    if event := as_object(query.get("event")).get("event"):
        return {"event": str(event), "parameters": parameters}
    result = as_object(query.get("toolCallResult"))
    if not result:
        return {}
    action = str(result.get("action", ""))
    members: JsonObject = {"tool": agent.tool_of(result.get("tool"), action)["displayName"], "action": action}
    if "error" in result:
        members["error"] = str(as_object(result["error"]).get("message", ""))
    else:
        members["output"] = as_object(result.get("outputParameters"))
    return {"result": members, "parameters": parameters}


def _expected(output: JsonObject) -> JsonObject:
    responses = map(as_object, as_list(output.get("textResponses")))
    says = ["\n".join(map(str, as_list(response.get("text")))) for response in responses]
    sets = as_object(output.get("sessionParameters"))
    return {"says": says or None, "sets": sets}


def _action(action: JsonObject, agent: _Agent) -> JsonObject:
    if "playbookInvocation" in action:
        return {"playbook": agent.display_name_of(as_object(action["playbookInvocation"]).get("playbook"))}
    use = as_object(action["toolUse"])
    name = str(use.get("action", ""))
    tool = agent.tool_of(use.get("tool"), name)
    facts = facts_of(tool)
    arguments, output = use.get("inputActionParameters"), use.get("outputActionParameters")
    members: JsonObject = {"tool": str(tool.get("displayName", "")), "action": name}
    if arguments is not None:
        members["arguments"] = _anything_for_blanks(canonical_arguments(name, as_object(arguments), facts))
    if output is not None:
        members["output"] = canonical_output(name, as_object(output), facts)
    return members


def _anything_for_blanks(value: JsonValue) -> JsonValue:
    """Blanks and nulls are what the console leaves where the author filled in nothing."""
    if isinstance(value, dict):
        return {name: _anything_for_blanks(each) for name, each in as_object(value).items()}
    if isinstance(value, list):
        return list(map(_anything_for_blanks, as_list(value)))
    return ANY if value in (None, "") else value


def _offers(tool: JsonObject, action: str) -> bool:
    kind, field = tool_kinds().of(tool), tool_kinds().field(tool)
    offers = kind.offers if kind else None
    named = bool(offers and field and offers(as_object(tool.get(field.name)), action))
    return named or tool.get("displayName") == action


def _id(name: JsonValue) -> str:
    return str(name).rsplit("/", 1)[-1]


def _left_out_of_case(case: JsonObject) -> Iterator[str]:
    """What of a test case no replay can show."""
    config = as_object(case.get("testConfig"))
    if config.get("flow") or config.get("page"):
        yield f"starts in flow {config.get('flow') or '-'}, page {config.get('page') or '-'}: flows are not run"
    if tracked := as_list(config.get("trackingParameters")):
        yield f"tracks the session parameters {', '.join(map(str, tracked))}"
    if described := config.get("useCaseDescription"):
        yield f"is meant for a simulated user: {described}"
    if notes := case.get("notes"):
        yield f"notes: {notes}"
    if "lastTestResult" in case:
        yield "has the result of an earlier run"
    actions = map(as_object, as_list(as_object(case.get("expectedTestCaseResult")).get("expectedActions")))
    for kind in sorted({key for action in actions if not _is_compared(action) for key in action}):
        yield f"expects actions of the kind {kind}"


def _left_out_of_turn(turn: JsonObject) -> Iterator[str]:
    """What of a turn no replay can show."""
    user_input, output = as_object(turn.get("userInput")), as_object(turn.get("virtualAgentOutput"))
    query = as_object(user_input.get("input"))
    for kind in _NOT_REPLAYED:
        if kind in query:
            yield f"left out, its input is {kind} {dumps_line(query[kind])}"
    if user_input and not _has_input(query):
        yield "left out, it has no input"
    if intent := as_object(output.get("triggeredIntent")):
        yield f"triggers intent {intent.get('displayName') or intent.get('name')}"
    page, flow = as_object(output.get("currentPage")), as_object(output.get("currentFlow"))
    if page or flow:
        in_flow = page.get("flow") or flow.get("displayName") or flow.get("name") or "-"
        yield f"ends in flow {in_flow}, page {page.get('displayName') or page.get('name') or '-'}"


def _is_compared(action: JsonObject) -> bool:
    """Whether an expected action is of a kind that is compared."""
    return "toolUse" in action or "playbookInvocation" in action


def _is_replayed(query: JsonObject) -> bool:
    texts = (as_object(query.get(kind)).get(kind) for kind in ("text", "event"))
    return any(texts) or bool(as_object(query.get("toolCallResult")))


def _has_input(query: JsonObject) -> bool:
    texts = (as_object(query.get(kind)).get(kind) for kind in ("text", "event"))
    return any(texts) or any(kind in query for kind in (*_NOT_REPLAYED, "toolCallResult"))
