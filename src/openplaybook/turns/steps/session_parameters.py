"""Session parameters in a turn: those an agent declares, those handlers and tools set, and their values in a playbook's
texts, `{name}` and `{{name}}`."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from openplaybook.jsonvalues import JsonObject, JsonValue, as_object, dumps
from openplaybook.resources.compiled_forms import InstructionStep, Playbook, Reference
from openplaybook.telemetry.redaction import MASK
from openplaybook.tools.base import Failure, Outcome, Success
from openplaybook.turns.agent.snapshot import AgentSnapshot
from openplaybook.turns.errors import SessionTooLarge
from openplaybook.turns.journal.events import NoticeGiven, ParametersDeclared
from openplaybook.turns.session.seals import NOTHING_SET, ParameterSeals, SealedParameters
from openplaybook.turns.turn import Turn

_NOT_DECLARED = "PARAMETER_NOT_DECLARED"
_MOST_NAMED = 10


def declared_only(parameters: Mapping[str, JsonValue], snapshot: AgentSnapshot) -> JsonObject:
    """Those of the parameters that may be set in a session of the agent."""
    declared = snapshot.variables
    return {name: value for name, value in parameters.items() if declared is None or name in declared}


def declare(turn: Turn, seals: ParameterSeals) -> None:
    """Give the declared parameters of a session that begins their values, where its request gives none."""
    declared = turn.snapshot.variables or {}
    values = {name: each for name, each in declared.items() if each is not None and name not in turn.state.parameters}
    if values:
        sealed = seals.seal(values, turn.snapshot.secret_parameters, turn.request.session)
        turn.emit(ParametersDeclared(parameters=sealed.values, sealed=frozenset(sealed.sealed)))


def notice_undeclared(turn: Turn) -> None:
    """Tell which parameters of the request were left out."""
    declared = turn.begin.parameters
    tell_undeclared(turn, [name for name in turn.request.parameters if name not in declared])


def tell_undeclared(turn: Turn, names: Sequence[str]) -> None:
    """Tell which parameters are not set, as the agent does not declare them."""
    if names:
        listed = ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
        message = f"Not set, as the agent declares no such variable: {listed}."
        turn.emit(NoticeGiven(frame=turn.state.top.id, code=_NOT_DECLARED, message=message))


MAX_PARAMETER_BYTES = 1_000_000
"""JSON of the session's parameters, which are stored with every turn."""

TOO_LARGE = "PARAMETERS_TOO_LARGE"
"""Code of a call that was made and would have set more than a session keeps."""


def are_too_large(present: Mapping[str, JsonValue], added: Mapping[str, JsonValue]) -> bool:
    """Whether a session would keep too much with what is added."""
    return len(dumps({**present, **added})) > MAX_PARAMETER_BYTES


def seal_set(turn: Turn, seals: ParameterSeals, parameters: JsonObject) -> SealedParameters:
    """Parameters to set, secret ones sealed; null takes one away and needs no seal."""
    secret = {*turn.snapshot.secret_parameters, *turn.state.sealed}
    secret_names = {name for name in secret if parameters.get(name) is not None}
    return seals.seal(parameters, secret_names, turn.request.session)


def set_by_tool(turn: Turn, seals: ParameterSeals, outcome: Outcome) -> tuple[Outcome, SealedParameters]:
    """What a call came to, and the session parameters that it sets.

    A call that sets too much fails, although it was made: the model is told, and nothing is set.
    """
    if not isinstance(outcome, Success) or not outcome.parameters:
        return outcome, NOTHING_SET
    parameters = declared_only(outcome.parameters, turn.snapshot)
    tell_undeclared(turn, [name for name in outcome.parameters if name not in parameters])
    if are_too_large(turn.state.parameters, parameters):
        message = (
            f"The call was made, but no session parameter is set: they would be larger than {MAX_PARAMETER_BYTES} bytes"
        )
        return Failure(TOO_LARGE, message, as_object(outcome.output) or None), NOTHING_SET
    return replace(outcome, parameters={}), seal_set(turn, seals, parameters)


_NAMED = re.compile(r"\{\{([A-Za-z_][\w.-]*)\}\}|\{([A-Za-z_][\w.-]*)\}")

MAX_ADDED = 1_000_000
"""Characters that parameters may bring into one playbook's texts: as many as a session keeps, however often each is
named."""

_MAX_KEPT = 100_000
"""Characters of texts that are kept to be given again."""

Values: TypeAlias = tuple[tuple[str, str], ...]
"""Texts of the variables that are to be put in, by name."""


def filled(turn: Turn, playbook: Playbook) -> tuple[str, tuple[InstructionStep, ...]]:
    """Goal and instructions with the session's parameters as they are now.

    Equal parameters give the identical objects, as long as these are of usual size: models know the unchanging part of
    a prompt by identity. Raises `SessionTooLarge`.
    """
    if not playbook.has_variables:
        return playbook.goal, playbook.steps
    values = _values(turn, _names(playbook.goal, playbook.steps))
    return fill(playbook.goal, playbook.steps, values) if values else (playbook.goal, playbook.steps)


def filled_text(turn: Turn, text: str) -> str:
    """Any other text of an agent, filled in the same way. Raises `SessionTooLarge`."""
    return fill(text, (), _values(turn, _names(text, ())))[0]


def known_values(
    names: Iterable[str],
    parameters: Mapping[str, JsonValue],
    declared: Collection[str],
    secret: Collection[str],
) -> Values:
    """What stands for each of the names that is a parameter or declared; the value of a secret one is not shown."""
    known = [name for name in names if name in parameters or name in declared]
    return tuple((name, MASK if name in secret else _text(parameters.get(name))) for name in known)


def fill(goal: str, steps: tuple[InstructionStep, ...], values: Values) -> tuple[str, tuple[InstructionStep, ...]]:
    """Goal and instructions with these values. Raises `SessionTooLarge` for more than `MAX_ADDED`."""
    added = _added(goal, steps, dict(values))
    if added > MAX_ADDED:
        reason = f"Instructions with the session's parameters in them would be {added:,} characters longer than without"
        raise SessionTooLarge(f"{reason}; allowed are {MAX_ADDED:,}.")
    again = _is_usual(goal, steps, added)
    return _fill_again(goal, steps, values) if again else _fill(goal, steps, values)


def _fill(goal: str, steps: tuple[InstructionStep, ...], values: Values) -> tuple[str, tuple[InstructionStep, ...]]:
    texts = dict(values)
    return _put_in(goal, (), texts)[0], tuple(_step(step, texts) for step in steps)


_fill_again = lru_cache(256)(_fill)


def _is_usual(goal: str, steps: Sequence[InstructionStep], added: int = 0) -> bool:
    """Whether texts are small enough to be kept, with what is brought into them."""
    return added + len(goal) + sum(step.characters() for step in steps) <= _MAX_KEPT


def _added(goal: str, steps: Sequence[InstructionStep], values: Mapping[str, str]) -> int:
    """Characters that values bring into texts."""
    uses = (_name(match) for text in (goal, *_texts(steps)) for match in _NAMED.finditer(text))
    return sum(len(values.get(name, "")) for name in uses)


def _values(turn: Turn, names: Iterable[str]) -> Values:
    secret = {*turn.snapshot.secret_parameters, *turn.state.sealed}
    return known_values(names, turn.state.parameters, turn.snapshot.variables or {}, secret)


def _text(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else dumps(value).decode()


def _names(goal: str, steps: tuple[InstructionStep, ...]) -> tuple[str, ...]:
    """What stands between braces, each once."""
    return _names_again(goal, steps) if _is_usual(goal, steps) else _names_anew(goal, steps)


def _names_anew(goal: str, steps: tuple[InstructionStep, ...]) -> tuple[str, ...]:
    names = (_name(match) for text in (goal, *_texts(steps)) for match in _NAMED.finditer(text))
    return tuple(sorted(set(names)))


_names_again = lru_cache(1024)(_names_anew)


def _step(step: InstructionStep, values: Mapping[str, str]) -> InstructionStep:
    text, references = _put_in(step.text, step.references, values)
    return InstructionStep(text, references, tuple(_step(inner, values) for inner in step.steps))


def _put_in(text: str, references: Sequence[Reference], values: Mapping[str, str]) -> tuple[str, tuple[Reference, ...]]:
    """The text with its variables filled, and its references where they stand then."""
    written, position, moved = "", 0, list[Reference]()
    for reference in sorted(references, key=lambda each: each.start):
        written += _replaced(text[position : reference.start], values)
        start = len(written)
        written += text[reference.start : reference.end]
        moved.append(replace(reference, start=start, end=len(written)))
        position = reference.end
    return written + _replaced(text[position:], values), tuple(moved)


def _replaced(text: str, values: Mapping[str, str]) -> str:
    return _NAMED.sub(lambda match: values.get(_name(match), match[0]), text)


def _name(match: re.Match[str]) -> str:
    return match[1] or match[2]


def _texts(steps: Sequence[InstructionStep]) -> Iterator[str]:
    for step in steps:
        yield step.text
        yield from _texts(step.steps)
