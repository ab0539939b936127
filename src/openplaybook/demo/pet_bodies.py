"""Reading the body of a new pet, with an error that names what is wrong and where."""

from dataclasses import dataclass

from openplaybook.jsonvalues import JsonValue, as_list, as_object

_MEMBERS = ("name", "owner", "label")
_LONGEST = 200


class BadPet(ValueError):
    """The body describes no pet; the message names the JSON path."""


@dataclass(frozen=True, slots=True)
class NewPet:
    """A pet that is to be registered."""

    name: str
    owner: str | None
    label: tuple[str, ...]


def read_new_pet(body: JsonValue) -> NewPet:
    """The pet in a decoded body; `BadPet` says what is wrong."""
    if not isinstance(body, dict):
        raise BadPet("$ must be an object.")
    pet = as_object(body)
    if "id" in pet:
        raise BadPet("$.id is given by the service; leave it out.")
    for member in pet:
        if member not in _MEMBERS:
            raise BadPet(f"$.{member} is not known; a pet has {', '.join(_MEMBERS)}.")
    if "name" not in pet:
        raise BadPet("$.name is required.")
    owner = pet.get("owner")
    return NewPet(
        name=_text(pet["name"], "$.name"),
        owner=None if owner is None else _text(owner, "$.owner"),
        label=_labels(pet.get("label", [])),
    )


def _labels(value: JsonValue) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise BadPet("$.label must be an array of strings.")
    return tuple(_text(label, f"$.label[{index}]") for index, label in enumerate(as_list(value)))


def _text(value: JsonValue, path: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise BadPet(f"{path} must be a string with at least one letter.")
    if len(value) > _LONGEST:
        raise BadPet(f"{path} may have at most {_LONGEST} characters.")
    return value.strip()
