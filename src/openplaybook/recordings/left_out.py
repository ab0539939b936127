"""What of a Dialogflow test case no replay can show, in sentences: flows, and kinds of input that are not served."""

from collections.abc import Iterator

from openplaybook.jsonvalues import JsonObject, as_list, as_object, dumps_line

_NOT_REPLAYED = ("intent", "audio", "dtmf")
"""Kinds of input."""


def of_the_case(case: JsonObject) -> Iterator[str]:
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
    for kind in sorted({key for action in actions if not is_known(action) for key in action}):
        yield f"expects actions of the kind {kind}"


def of_the_turn(turn: JsonObject) -> Iterator[str]:
    """What of a turn no replay can show."""
    given, output = as_object(turn.get("userInput")), as_object(turn.get("virtualAgentOutput"))
    query = as_object(given.get("input"))
    for kind in _NOT_REPLAYED:
        if kind in query:
            yield f"left out, its input is {kind} {dumps_line(query[kind])}"
    if given and not _has_input(query):
        yield "left out, it has no input"
    if intent := as_object(output.get("triggeredIntent")):
        yield f"triggers intent {intent.get('displayName') or intent.get('name')}"
    page, flow = as_object(output.get("currentPage")), as_object(output.get("currentFlow"))
    if page or flow:
        in_flow = page.get("flow") or flow.get("displayName") or flow.get("name") or "-"
        yield f"ends in flow {in_flow}, page {page.get('displayName') or page.get('name') or '-'}"


def is_known(action: JsonObject) -> bool:
    """Whether an expected action is of a kind that is compared."""
    return "toolUse" in action or "playbookInvocation" in action


def _has_input(query: JsonObject) -> bool:
    told = (as_object(query.get(kind)).get(kind) for kind in ("text", "event"))
    return any(told) or any(kind in query for kind in (*_NOT_REPLAYED, "toolCallResult"))
