"""Model turns as tests need them: everything has a default, words of the user may be plain strings."""

from dataclasses import replace

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.models.base import (
    Declaration,
    DeclarationKind,
    Entry,
    FunctionCall,
    FunctionResult,
    ModelTurn,
    ProviderReply,
    UserText,
)


def tool(name: str, reference: str, action: str = "", **properties: str) -> Declaration:
    """A declared tool whose arguments are given as `city="string"`."""
    schema: JsonObject = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}}
    return Declaration(name, f"Calls {reference}.", schema, None, DeclarationKind.TOOL, reference, action)


def playbook(name: str) -> Declaration:
    """A declared playbook."""
    return Declaration(name, f"Goes to {name}.", {"type": "object"}, None, DeclarationKind.PLAYBOOK, name)


WEATHER = tool("get_weather", "Weather", "get_weather", city="string")
PETS = (tool("pets__getPet", "pets", "getPet", petId="integer"), tool("pets__listPets", "pets", "listPets"))
BOOKING = playbook("Booking")


def a_turn(*conversation: Entry | ProviderReply | str) -> ModelTurn:
    """A turn of the playbook "Start" with weather, pets and booking declared."""
    entries = tuple(UserText(entry) if isinstance(entry, str) else entry for entry in conversation)
    return ModelTurn("Start", (WEATHER, *PETS, BOOKING), "", (), (), entries, "en")


def called(name: str, output: JsonValue, *, is_error: bool = False) -> tuple[FunctionCall, FunctionResult]:
    """A call made earlier and what it gave."""
    return FunctionCall(f"id_{name}", name, {}), FunctionResult(f"id_{name}", name, output, is_error)


def in_playbook(turn: ModelTurn, display_name: str) -> ModelTurn:
    """The same turn in another playbook."""
    return replace(turn, playbook=display_name)
