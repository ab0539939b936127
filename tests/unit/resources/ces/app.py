"""An app's documents by hand."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.ces.app_directory import AppDirectory, directory_of

APP = "projects/p/locations/l/apps/a"
ROOT, BILLING, SUPPORT, NIGHT = (f"{APP}/agents/{id}" for id in ("root", "billing", "support", "night"))
GET_PET, ASK = f"{APP}/tools/get_pet", f"{APP}/tools/ask"
PETS = f"{APP}/toolsets/pets"
WORDS = f"{APP}/guardrails/words"


def documents() -> list[tuple[str, str, JsonObject]]:
    """(kind, name, document) of a small app: a tree of agents, a tool, a toolset, an agent tool, a guardrail."""
    return [
        ("app", APP, {"name": APP, "rootAgent": ROOT}),
        ("app_agent", ROOT, {"displayName": "Root agent", "childAgents": [BILLING, SUPPORT]}),
        ("app_agent", BILLING, {"displayName": "Billing", "childAgents": ["night"]}),
        ("app_agent", SUPPORT, {"displayName": "Support"}),
        ("app_agent", NIGHT, {"displayName": "Night"}),
        ("app_toolset", PETS, {"displayName": "Pets API", "openApiToolset": {"openApiSchema": ""}}),
        ("app_tool", GET_PET, {"pythonFunction": {"name": "get_pet_by_id"}}),
        ("app_tool", ASK, {"agentTool": {"name": "ask_billing", "description": "Asks.", "agent": BILLING}}),
        ("app_guardrail", WORDS, {"displayName": "Bad words"}),
    ]


def directory() -> AppDirectory:
    """The directory of that app."""
    return directory_of(documents())
