"""Updates by field mask.

Rules: https://google.aip.dev/134 and https://google.aip.dev/161, plus one of ours: an update never clears a field
that the client cannot see (`unseen_fields`), unless the mask names it or the JSON body holds it.
"""

import difflib
from collections.abc import Sequence, Set

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from openplaybook.resources.errors import InvalidMask
from openplaybook.resources.message_fields import AnyMessage, copy_field, copy_of, descriptor_of, is_well_known
from openplaybook.resources.unseen_fields import Path, Unseen, is_extension, keep_unseen

_LONGEST_PATH = 1_000
"""Characters; the longest that leads somewhere has a few dozen."""
_SHOWN = 100
"""Characters of a longer one that the error tells."""


def merge(
    stored: AnyMessage,
    update: AnyMessage,
    paths: Sequence[str],
    sent: frozenset[str] | None,
    is_unseen: Unseen = is_extension,
) -> AnyMessage:
    """The resource after an update: `stored` with the masked fields of `update`.

    Without paths, or with `*`, all fields are taken from `update`. Steps of a path may be spelled in snake_case
    or camelCase. `sent` holds the dotted snake_case paths that a JSON body named, None when there was no such
    body; `is_unseen` tells the fields that the client's types lack. Neither message is changed. Raises `InvalidMask`.
    """
    named = {_resolve(descriptor_of(stored), path) for path in dict.fromkeys(paths) if path != "*"}
    is_partial = bool(named) and "*" not in paths
    merged = copy_of(stored if is_partial else update)
    if is_partial:
        # Each field once: no copy of one is freed before the message is.
        for path in _outermost(named):
            _copy_path(update, merged, path)
    keep_unseen(stored, merged, is_unseen, frozenset({*named, *(tuple(path.split(".")) for path in sent or ())}))
    return merged


def _outermost(paths: Set[Path]) -> Sequence[Path]:
    """Those that do not lie within another one."""
    return [path for path in sorted(paths) if not any(path[:steps] in paths for steps in range(1, len(path)))]


def _resolve(descriptor: Descriptor, path: str) -> Path:
    """Field names along a path; `InvalidMask` names the step that leads nowhere."""
    if len(path) > _LONGEST_PATH:
        raise InvalidMask(f"{path[:_SHOWN]}…", f"a path of a field mask has at most {_LONGEST_PATH} characters")
    steps: list[str] = []
    here: Descriptor | None = descriptor
    for step in path.split("."):
        if here is None:
            raise InvalidMask(path, f"{steps[-1]!r} has no fields that a mask can name; name {steps[-1]!r} itself")
        field = here.fields_by_name.get(step) or here.fields_by_camelcase_name.get(step)
        if field is None:
            raise InvalidMask(path, f"{here.name} has no field {step!r}{_suggestion(here, step)}")
        steps.append(field.name)
        here = None if field.is_repeated or is_well_known(field) else field.message_type
    return tuple(steps)


def _suggestion(descriptor: Descriptor, step: str) -> str:
    close = difflib.get_close_matches(step, list(descriptor.fields_by_name), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _copy_path(source: Message, target: Message, path: Path) -> None:
    *above, last = path
    for step in above:
        if not source.HasField(step) and not target.HasField(step):
            return
        source, target = getattr(source, step), getattr(target, step)
    copy_field(source, target, descriptor_of(target).fields_by_name[last])
