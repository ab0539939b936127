"""Secrets that stand in resources themselves: sealed where they are stored, masked where they are shown.

A client that writes back what it read sends masks; they stand for what is stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from openplaybook.credentials.sealer import Sealer, is_sealed
from openplaybook.credentials.secret_fields import fields_below, is_reference
from openplaybook.resources.message_fields import descriptor_of
from openplaybook.resources.tool_kinds import SecretField
from openplaybook.services.errors import invalid
from openplaybook.telemetry.redaction import MASK
from openplaybook.wire.messages import ApiMessage

_SCHEME = "scheme"
"""The field by which credentials in a list are told apart."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A field of a message that holds a secret itself."""

    where: tuple[str, ...]
    """What it is in the resource, the same before and after a change: field names, and schemes of list items."""
    holder: ApiMessage
    field: str

    @property
    def value(self) -> str:
        return getattr(self.holder, self.field)

    def set(self, value: str) -> None:
        setattr(self.holder, self.field, value)


class InlineSecrets:
    """Seals and masks the secrets of tools, toolsets and agents, and of versions, which hold such resources."""

    def __init__(self, sealer: Sealer) -> None:
        self._sealer = sealer

    def seal(self, message: ApiMessage) -> None:
        """Seal what is not yet, in place; each bound to the resource that holds it."""
        for resource in _resources(message):
            for place in _places(resource):
                if not is_sealed(place.value):
                    place.set(self._sealer.seal(place.value, resource.name))

    def moved(self, text: str, before: str, after: str) -> str:
        """A stored secret of the resource `before`, for the resource `after`. Raises `SealedValueUnreadable`."""
        if before == after or not is_sealed(text):
            return text
        return self._sealer.seal(self._sealer.unseal(text, before), after)

    def mask(self, message: ApiMessage) -> ApiMessage:
        """The message, its secrets masked in place."""
        for resource in _resources(message):
            for place in _places(resource):
                place.set(MASK)
        return message

    def keep(self, message: ApiMessage, stored: ApiMessage | None, *, field: str) -> None:
        """Put back, in place, what stands masked; `field` is where the request holds the message.

        INVALID_ARGUMENT where nothing is stored that a mask could stand for, and for a sealed text from elsewhere.
        """
        known = {} if stored is None else {place.where: place.value for place in _places(stored)}
        wrong: list[tuple[str, str]] = []
        for place in _places(message):
            if place.value == MASK and place.where in known:
                place.set(known[place.where])
            elif place.value == MASK or (is_sealed(place.value) and place.value != known.get(place.where)):
                wrong.append((".".join((field, *place.where)), "is a placeholder for a secret; send the secret itself"))
        if wrong:
            raise invalid(*wrong)

    def refuse_new(self, message: ApiMessage, *, field: str) -> None:
        """INVALID_ARGUMENT for a secret that is not sealed yet, where only the session's variables may stand."""
        new = [place for place in _places(message) if not is_sealed(place.value)]
        if new:
            description = "is not $context.variables.NAME; an app never contains secrets, a variable supplies them"
            raise invalid(*((".".join((field, *place.where)), description) for place in new))


def _resources(message: ApiMessage) -> Sequence[ApiMessage]:
    """The resources whose secrets a message holds: of a version, those in it."""
    match descriptor_of(message).name:
        case "ToolVersion":
            return [message.tool]
        case "AppVersion":
            return [*message.snapshot.tools, *message.snapshot.toolsets]
        case _:
            return [message]


def _places(resource: ApiMessage) -> Iterator[_Place]:
    """Every secret that stands in a resource; what refers to one is none."""
    for field in fields_below(descriptor_of(resource).fields_by_camelcase_name):
        for where, holder in _holders(resource, field.holder, ()):
            if place := _place(where, holder, field):
                yield place


def _place(where: tuple[str, ...], holder: ApiMessage, field: SecretField) -> _Place | None:
    descriptor = descriptor_of(holder).fields_by_camelcase_name.get(field.key)
    if descriptor is None:
        return None
    place = _Place((*where, descriptor.name), holder, descriptor.name)
    return place if place.value and not is_reference(place.value) else None


def _holders(
    message: ApiMessage, keys: tuple[str, ...], where: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], ApiMessage]]:
    if not keys:
        yield where, message
        return
    field = descriptor_of(message).fields_by_camelcase_name.get(keys[0])
    if field is None:
        return
    if field.is_repeated:
        for item in getattr(message, field.name):
            yield from _holders(item, keys[1:], (*where, field.name, str(getattr(item, _SCHEME))))
    elif message.HasField(field.name):
        yield from _holders(getattr(message, field.name), keys[1:], (*where, field.name))
