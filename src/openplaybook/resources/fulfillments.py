"""What a handler does when it fires: Dialogflow's `Fulfillment`, as far as it is run here."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object
from openplaybook.resources.conditions.errors import CannotParse
from openplaybook.resources.conditions.expressions import Condition, valueless
from openplaybook.resources.conditions.parser import parse_condition
from openplaybook.resources.conditions.text_templates import template_problems
from openplaybook.resources.findings import Finding, Severity, Sink, discard

SPOKEN = (
    "text",
    "payload",
    "outputAudioText",
    "playAudio",
    "telephonyTransferCall",
    "knowledgeInfoCard",
)
"""Members of a ResponseMessage that are for the user."""
SIGNALS = ("liveAgentHandoff", "conversationSuccess", "endInteraction")
"""Members that are for the client."""

_MAX_LEVELS = 16


@dataclass(frozen=True, slots=True)
class Guard:
    """When something is done."""

    text: str = ""
    """The condition as written; empty: always."""
    condition: Condition | None = None
    problem: str = ""
    """Why it cannot be judged; such a guard never holds."""


@dataclass(frozen=True, slots=True)
class Case:
    """One branch of a choice."""

    guard: Guard
    content: tuple["Content", ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """The first branch whose guard holds."""

    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """A ResponseMessage in JSON form, references in it not filled yet."""

    message: JsonObject


Content: TypeAlias = MessageTemplate | Cases


@dataclass(frozen=True, slots=True)
class Fulfillment:
    """What is done: parameters are set first, then messages are said, then choices."""

    parameters: tuple[tuple[str, JsonValue], ...] = ()
    """Session parameters by name; null clears one."""
    messages: tuple[MessageTemplate, ...] = ()
    choices: tuple[Cases, ...] = ()
    not_run: tuple[str, ...] = ()
    """What is kept and not run, in words: `webhook W`."""


def compile_fulfillment(value: JsonValue, path: str, report: Sink = discard) -> Fulfillment:
    """The fulfillment that a stored resource describes. Never raises for what it holds."""
    resource = as_object(value)
    not_run = tuple(_not_run(resource))
    for what in not_run:
        report(Finding(path, f"{what} is kept, but not run", Severity.REMARK))
    return Fulfillment(
        parameters=tuple(_parameters(resource.get("setParameterActions"), f"{path}.setParameterActions", report)),
        messages=tuple(_messages(resource.get("messages"), f"{path}.messages", report)),
        choices=tuple(
            _cases(each, f"{path}.conditionalCases[{index}]", report, 0)
            for index, each in enumerate(as_list(resource.get("conditionalCases")))
        ),
        not_run=not_run,
    )


def compile_guard(value: JsonValue, path: str, report: Sink = discard) -> Guard:
    """A condition, or what is wrong with it."""
    text = value if isinstance(value, str) else ""
    if not text.strip():
        return Guard()
    try:
        condition = parse_condition(text)
    except CannotParse as error:
        message = f"the condition cannot be read, so it never holds: {error.message}"
        report(Finding(path, message, Severity.WARNING, error.start))
        return Guard(text, problem=f"{error.message} (at {error.start})")
    for reference in valueless(condition):
        message = f"${'.'.join(map(str, reference.path))} belongs to flows, which are not run: it is always null"
        report(Finding(path, message, Severity.WARNING, reference.start))
    return Guard(text, condition)


def _not_run(resource: JsonObject) -> Iterator[str]:
    for key, words in (("webhook", "webhook"), ("codeBlockFunction", "code block function")):
        if resource.get(key):
            yield f"{words} {resource[key]}"
    for each in as_list(resource.get("generators")):
        yield f"generator {as_object(each).get('generator', '')}"
    if resource.get("enableGenerativeFallback"):
        yield "the generative fallback"


def _parameters(value: JsonValue, path: str, report: Sink) -> Iterator[tuple[str, JsonValue]]:
    for index, each in enumerate(as_list(value)):
        action = as_object(each)
        name = action.get("parameter")
        if not isinstance(name, str) or not name:
            report(Finding(f"{path}[{index}]", "names no parameter and is left out", Severity.ERROR))
            continue
        _check_texts(action.get("value"), f"{path}[{index}].value", report)
        yield name.removeprefix("$session.params."), action.get("value")


def _messages(value: JsonValue, path: str, report: Sink) -> Iterator[MessageTemplate]:
    for index, each in enumerate(as_list(value)):
        message = _message(as_object(each), f"{path}[{index}]", report)
        if message is not None:
            yield message


def _message(message: JsonObject, path: str, report: Sink) -> MessageTemplate | None:
    if message.get("channel"):
        report(Finding(f"{path}.channel", "messages of a channel are not said", Severity.REMARK))
        return None
    kind = next((key for key in (*SPOKEN, *SIGNALS) if key in message), None)
    if kind is None:
        known = ", ".join((*SPOKEN, *SIGNALS))
        hint = "; endInteraction is not for authors: a handler ends the conversation by targetPage END_SESSION"
        report(Finding(path, f"is not a message that can be said; left out (known: {known}{'' if message else hint})"))
        return None
    _check_texts(message[kind], f"{path}.{kind}", report)
    return MessageTemplate({kind: message[kind]})


def _cases(value: JsonValue, path: str, report: Sink, level: int) -> Cases:
    if level > _MAX_LEVELS:
        report(Finding(path, f"more than {_MAX_LEVELS} levels of cases; what is deeper is left out"))
        return Cases(())
    cases: list[Case] = []
    for index, each in enumerate(as_list(as_object(value).get("cases"))):
        case, at = as_object(each), f"{path}.cases[{index}]"
        guard = compile_guard(case.get("condition"), f"{at}.condition", report)
        cases.append(Case(guard, tuple(_content(case.get("caseContent"), f"{at}.caseContent", report, level))))
    return Cases(tuple(cases))


def _content(value: JsonValue, path: str, report: Sink, level: int) -> Iterator[Content]:
    for index, each in enumerate(as_list(value)):
        part, at = as_object(each), f"{path}[{index}]"
        if "additionalCases" in part:
            yield _cases(part["additionalCases"], f"{at}.additionalCases", report, level + 1)
        elif (message := _message(as_object(part.get("message")), f"{at}.message", report)) is not None:
            yield message


def _check_texts(value: JsonValue, path: str, report: Sink) -> None:
    waiting: list[tuple[JsonValue, str]] = [(value, path)]
    while waiting:
        each, at = waiting.pop()
        if isinstance(each, str):
            for problem in template_problems(each):
                report(Finding(at, f"is left as it is: {problem.message}", Severity.WARNING, problem.start))
        waiting += [(item, f"{at}.{key}") for key, item in as_object(each).items()]
        waiting += [(item, f"{at}[{index}]") for index, item in enumerate(as_list(each))]
