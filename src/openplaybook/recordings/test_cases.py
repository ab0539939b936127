"""Dialogflow's test cases (v3beta1 `TestCase`, as exports hold them) as recordings.

A test case knows what was said on both sides, and in newer exports which playbooks and tools have to be used at some
point. It knows no decisions of a model, so it is replayed with a model of today.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from pydantic import ValidationError

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.packages.dialogflow.agent_layout import decode_name
from openplaybook.packages.dialogflow.agent_package import AgentPackage
from openplaybook.recordings.errors import UnreadableTestCase
from openplaybook.recordings.form import Recording, WordMatch
from openplaybook.recordings.left_out import is_known, of_the_case, of_the_turn
from openplaybook.recordings.matchers import ANY
from openplaybook.recordings.secret_masks import without_secrets
from openplaybook.resources.call_spellings import canonical_arguments, canonical_output
from openplaybook.resources.tool_kinds import facts_of, tool_kinds

FOLDER = "testCases"


def recordings_of(package: AgentPackage) -> dict[str, Recording]:
    """A recording for each test case of a package, by the name of its file. Raises `UnreadableTestCase`."""
    agent = _Agent.of(package)
    files = {path: data for path, data in sorted(package.other_files.items()) if _is_test_case(path)}
    return {
        PurePosixPath(path).stem: _recording(_read(path, data), decode_name(path), agent)
        for path, data in files.items()
    }


def _is_test_case(path: str) -> bool:
    return path.startswith(f"{FOLDER}/") and path.endswith(".json")


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
    left_out = list(of_the_case(case))
    language = str(case.get("languageCode") or agent.language)
    for number, turn in enumerate(map(as_object, as_list(case.get("testCaseConversationTurns"))), 1):
        given = _input(as_object(turn.get("userInput")), agent)
        expected = as_object(turn.get("virtualAgentOutput"))
        left_out += [f"turn {number}: {each}" for each in of_the_turn(turn)]
        if given:
            turns.append({**given, **_expected(expected), "language": _language(turn, language)})
    actions = as_list(as_object(case.get("expectedTestCaseResult")).get("expectedActions"))
    document: JsonObject = {
        "title": str(case.get("displayName") or path),
        "agent": agent.display_name,
        "language": language,
        "words": WordMatch.NORMALISED.value,
        "turns": turns,
        "actions": [_action(as_object(action), agent) for action in actions if is_known(as_object(action))],
        "not_replayed": left_out,
    }
    try:
        return Recording.model_validate(without_secrets(document))
    except ValidationError as error:
        raise UnreadableTestCase(f"{path} is no test case: {error.errors()[0]['msg']}") from error


def _language(turn: JsonObject, usual: str) -> str:
    given = as_object(as_object(turn.get("userInput")).get("input")).get("languageCode")
    return "" if given in (None, usual) else str(given)


def _input(given: JsonObject, agent: _Agent) -> JsonObject:
    """The part of a turn that comes from the user; nothing where it is of a kind that is not replayed."""
    query = as_object(given.get("input"))
    parameters = as_object(given.get("injectedParameters"))
    if text := as_object(query.get("text")).get("text"):
        return {"user": str(text), "parameters": parameters}
    if event := as_object(query.get("event")).get("event"):
        return {"event": str(event), "parameters": parameters}
    result = as_object(query.get("toolCallResult"))
    if not result:
        return {}
    action = str(result.get("action", ""))
    told: JsonObject = {"tool": agent.tool_of(result.get("tool"), action)["displayName"], "action": action}
    if "error" in result:
        told["error"] = str(as_object(result["error"]).get("message", ""))
    else:
        told["output"] = as_object(result.get("outputParameters"))
    return {"result": told, "parameters": parameters}


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
    given, answered = use.get("inputActionParameters"), use.get("outputActionParameters")
    told: JsonObject = {"tool": str(tool.get("displayName", "")), "action": name}
    if given is not None:
        told["arguments"] = _anything_for_blanks(canonical_arguments(name, as_object(given), facts))
    if answered is not None:
        told["output"] = canonical_output(name, as_object(answered), facts)
    return told


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
