"""Values on their way into code and out of it: JSON outside, what annotations name inside."""

import dataclasses
import enum
import json
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import cast


def converted(annotated: object, values: Mapping[str, object]) -> dict[str, object]:
    """Values as what the annotations of a function or class name: models, dataclasses and enumerations are made of
    their JSON."""
    try:
        hints = typing.get_type_hints(cast("type", annotated))
    except (NameError, TypeError, AttributeError, SyntaxError, ValueError):
        # Annotations may name what is not there: the code meets plain values then.
        return dict(values)
    return {name: _as_annotated(value, hints.get(name)) for name, value in values.items()}


def _as_annotated(value: object, hint: object) -> object:
    origin, members = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _as_annotated(value, members[0])
    if origin in (typing.Union, types.UnionType):
        return _as_any(value, members)
    if isinstance(value, list) and members:
        return [_as_annotated(each, members[0]) for each in cast("list[object]", value)]
    return _of_class(cast("object", value), hint)


def _as_any(value: object, hints: Iterable[object]) -> object:
    """What the first annotation makes of a value that it takes."""
    for hint in hints:
        try:
            converted_value = _as_annotated(value, hint)
        except (ValueError, TypeError):
            continue
        if converted_value is not value:
            return converted_value
    return value


def _of_class(value: object, hint: object) -> object:
    if value is None or not isinstance(hint, type):
        return value
    kind = cast("type[object]", hint)
    if issubclass(kind, enum.Enum):
        return kind(value)
    if not isinstance(value, dict):
        return value
    members = cast("dict[str, object]", value)
    validate: Callable[[object], object] | None = getattr(kind, "model_validate", None)
    if validate is not None:
        return validate(members)
    if dataclasses.is_dataclass(kind):
        return kind(**converted(kind, members))
    return members


def text_of(value: object) -> str:
    """A value as JSON; TypeError or ValueError where it is none."""
    return json.dumps(value, default=_plain, allow_nan=False)


def changes(before: Mapping[str, str], after: Mapping[str, object]) -> dict[str, object]:
    """Variables that differ from what they were, `before` as JSON; None for those that are gone."""
    texts = {name: _text_of_variable(name, value) for name, value in after.items()}
    changed = {name: json.loads(text) for name, text in texts.items() if before.get(name) != text}
    return {**changed, **dict.fromkeys(before.keys() - texts.keys())}


def _text_of_variable(name: str, value: object) -> str:
    try:
        return text_of(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"the variable {name!r}: {error}") from None


def _plain(value: object) -> object:
    """What stands in JSON for a value that has no form of its own there."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, set | frozenset):
        return list(cast("Iterable[object]", value))
    # Models of pydantic, dates, what tools answered.
    for name, options in (("model_dump", {"mode": "json"}), ("isoformat", {}), ("json", {})):
        method: Callable[..., object] | None = getattr(value, name, None)
        if callable(method):
            return method(**options)
    raise TypeError(f"a {type(value).__name__} is not JSON; allowed are dict, list, str, int, float, bool and None")
