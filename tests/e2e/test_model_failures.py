"""What goes wrong with a model: an error with its own status, and the session as it was before."""

import pytest

from tests.e2e.kit.pets import PRINTED_SCHEMA
from tests.e2e.kit.rest import Rest, words


@pytest.fixture
def session(rest: Rest) -> str:
    agent = rest.agent()
    rest.tool(agent, "Pets", openApiSpec={"textSchema": PRINTED_SCHEMA})
    rest.start(agent, "Look pets up with ${TOOL: Pets}.")
    return f"{agent}/sessions/1"


@pytest.mark.parametrize(
    ("said", "status", "code", "reason"),
    [
        ("model timeout", 504, "DEADLINE_EXCEEDED", "MODEL_TIMEOUT"),
        ("model limit", 429, "RESOURCE_EXHAUSTED", "MODEL_RATE_LIMITED"),
        ("model down", 503, "UNAVAILABLE", "MODEL_UNAVAILABLE"),
        ("model garbage", 500, "INTERNAL", "MODEL_GARBLED"),
        ("model refusal", 400, "FAILED_PRECONDITION", "MODEL_REJECTED"),
    ],
)
def test_a_model_that_fails_fails_the_turn_only(
    rest: Rest, session: str, said: str, status: int, code: str, reason: str
) -> None:
    rest.say(session, "hello", queryParams={"parameters": {"colour": "red"}})
    failed = rest.detect(session, {"text": {"text": said}})
    assert failed.error == (status, code, f"The model gave no decision ({reason}): The script says so.")
    assert b"Traceback" not in failed.body
    assert words(rest.say(session, "what is my colour")) == "Your colour is red."


def test_a_function_that_the_model_invents_is_refused_to_the_model(rest: Rest, session: str) -> None:
    result = rest.say(session, "model invents")
    assert words(result) == (
        "That failed: NO_SUCH_FUNCTION: There is no function 'no_such_function'."
        " Functions: getPet, listPets, createPet."
    )
    assert words(rest.say(session, "hello")) == "You said: hello"


def test_a_model_that_never_comes_to_an_end_is_stopped(rest: Rest, session: str) -> None:
    result = rest.say(session, "model loops")
    assert words(result) == "Sorry, I could not finish that. Please try again, or ask for something else."
    notices = result["diagnosticInfo"]["Notices"]
    assert notices[-1] == "STEP_LIMIT: The turn took 25 decisions without reaching an answer."
    assert words(rest.say(session, "hello")) == "You said: hello"


def test_a_model_slower_than_the_caller_waits_ends_the_turn(rest: Rest, session: str) -> None:
    body = b'{"queryInput": {"text": {"text": "slow words"}, "languageCode": "en"}}'
    late = rest.send("POST", f"/v3/{session}:detectIntent", body, {"X-Server-Timeout": "0.2"})
    assert late.error[:2] == (504, "DEADLINE_EXCEEDED")
    assert words(rest.say(session, "hello")) == "You said: hello"
