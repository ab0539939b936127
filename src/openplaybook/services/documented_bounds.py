"""Numbers and forms that Google's reference states for fields.

Only what is new is held against them: what an older version, or an import, has stored may stay.
"""

import re
from collections.abc import Iterator
from functools import cache
from zoneinfo import available_timezones

from openplaybook.resources.names import ResourceName
from openplaybook.services.errors import invalid
from openplaybook.wire.messages import ApiMessage

LONGEST_SESSION_ID = 36
"""Characters (`DetectIntentRequest.session`)."""

_LONGEST_AGENT_DESCRIPTION = 500
_LONGEST_EXAMPLE_DESCRIPTION = 200
_MOST_REASON_LABELS, _LONGEST_REASON_LABEL = 10, 128
_LOCATION = re.compile(r"[a-z]+(?:-[a-z0-9]+)*")
"""As Google's are: `global`, `us`, `europe-west1`."""
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")
"""The common form of a language tag (RFC 5646 §2.1)."""


def check_location(location: ResourceName) -> None:
    """INVALID_ARGUMENT for a location that has not the form of one."""
    if not _LOCATION.fullmatch(location.id):
        form = "lower-case letters, then digits and letters behind hyphens, such as global or europe-west1"
        raise invalid(("parent", f"{location.id!r} is not a location: {form}"))


def check_agent(agent: ApiMessage, stored: ApiMessage | None) -> None:
    """INVALID_ARGUMENT naming each field of an agent that is not as documented."""
    wrong = [*_wrong_languages(agent, stored)]
    if _is_new(agent, stored, "time_zone") and agent.time_zone not in _time_zones():
        wrong.append(("agent.time_zone", f"{agent.time_zone!r} is not a time zone; name one such as Europe/Paris"))
    if _is_new(agent, stored, "description") and len(agent.description) > _LONGEST_AGENT_DESCRIPTION:
        wrong.append(("agent.description", _too_long(_LONGEST_AGENT_DESCRIPTION)))
    if wrong:
        raise invalid(*wrong)


def check_example(example: ApiMessage, stored: ApiMessage | None) -> None:
    """INVALID_ARGUMENT for an example whose description is too long, or whose language is none."""
    if _is_new(example, stored, "description") and len(example.description) > _LONGEST_EXAMPLE_DESCRIPTION:
        raise invalid(("example.description", _too_long(_LONGEST_EXAMPLE_DESCRIPTION)))
    if _is_new(example, stored, "language_code") and not _LANGUAGE.fullmatch(example.language_code or "en"):
        raise invalid(("example.language_code", _no_language(example.language_code)))


def check_feedback(feedback: ApiMessage) -> None:
    """INVALID_ARGUMENT for reasons that are too many or too long."""
    labels = feedback.rating_reason.reason_labels
    if len(labels) > _MOST_REASON_LABELS:
        raise invalid(("answer_feedback.rating_reason.reason_labels", f"are more than {_MOST_REASON_LABELS}"))
    for index, label in enumerate(labels):
        if len(label) > _LONGEST_REASON_LABEL:
            place = f"answer_feedback.rating_reason.reason_labels[{index}]"
            raise invalid((place, _too_long(_LONGEST_REASON_LABEL)))


def _wrong_languages(agent: ApiMessage, stored: ApiMessage | None) -> Iterator[tuple[str, str]]:
    if _is_new(agent, stored, "default_language_code") and not _LANGUAGE.fullmatch(agent.default_language_code):
        yield "agent.default_language_code", _no_language(agent.default_language_code)
    known = () if stored is None else stored.supported_language_codes
    for index, code in enumerate(agent.supported_language_codes):
        if code not in known and not _LANGUAGE.fullmatch(code):
            yield f"agent.supported_language_codes[{index}]", _no_language(code)


def _is_new(resource: ApiMessage, stored: ApiMessage | None, field: str) -> bool:
    return stored is None or getattr(resource, field) != getattr(stored, field)


def _no_language(code: str) -> str:
    return f"{code[:100]!r} is not a language tag; write one such as en or pt-BR"


def _too_long(most: int) -> str:
    return f"is longer than {most} characters"


@cache
def _time_zones() -> frozenset[str]:
    return frozenset(available_timezones())
