"""The demo agent, its pets in memory."""

from openplaybook.demo.demo_agent import agent_files
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, loads
from openplaybook.models.base import (
    AgentText,
    Declaration,
    DeclarationKind,
    Effect,
    Entry,
    ExampleDialogue,
    FunctionCall,
    FunctionResult,
    UserText,
)
from tests.unit.models.offline.talk import Agent, Function, function

_TEXT: JsonObject = {"type": "string"}
_LABELS: JsonObject = {"type": "array", "items": _TEXT}

DECLARATIONS = (
    function(
        "getPet", "Return a pet by ID.", {"petId": {"type": "integer", "description": "Pet id"}}, required=["petId"]
    ),
    function(
        "listPets",
        "List all pets",
        {
            "petName": {**_TEXT, "description": "Pet name"},
            "label": {**_LABELS, "description": "Pet label"},
            "X-OWNER": {**_TEXT, "description": "Optional pet owner provided in the HTTP header"},
        },
    ),
    function(
        "createPet",
        "Create a new pet",
        {
            "requestBody": {
                "type": "object",
                "required": ["name"],
                "properties": {"name": _TEXT, "owner": _TEXT, "label": _LABELS},
                "description": "Pet to add to the store",
            }
        },
        required=["requestBody"],
        effect=Effect.CHANGES,
    ),
    function(
        "nearest_shelter",
        "Find the animal shelter nearest to a zip code.",
        {"zip_code": {"type": "string", "pattern": "^[0-9]{5}$", "description": "Zip code of five digits"}},
        required=["zip_code"],
        effect=Effect.CLIENT,
    ),
)
_QUERY: JsonObject = {"type": "object", "properties": {"query": _TEXT}, "required": ["query"]}
_ASKED: JsonObject = {"type": "object", "properties": {"requestBody": _QUERY}, "required": ["requestBody"]}
PET_CARE = Declaration(
    "pet_care",
    "Answers questions about the care of pets: food, room, vaccinations, adoption, shy and lost animals.",
    _ASKED,
    None,
    DeclarationKind.TOOL,
    reference="pet_care",
    action="pet_care",
    as_question=lambda words: {"requestBody": {"query": words}},
    effect=Effect.READS,
)
INTERPRETER = Declaration(
    "generate_and_execute",
    "Computes something, solves an equation or runs Python code.",
    _ASKED,
    None,
    DeclarationKind.TOOL,
    reference="code-interpreter",
    action="generate_and_execute",
    claims=lambda words: {"requestBody": {"query": words}} if words.startswith("```") else None,
    effect=Effect.READS,
)


def agent() -> Agent:
    """A fresh demo agent with three pets."""
    files = agent_files("http://127.0.0.1:1/v1")
    playbook = loads(files["playbooks/Pet desk/Pet desk.json"])
    examples = tuple(
        _dialogue(loads(content)) for path, content in files.items() if path.startswith("playbooks/Pet desk/examples/")
    )
    return Agent(playbook["goal"], (*DECLARATIONS, PET_CARE, INTERPRETER), examples, _functions())


def _dialogue(stored: JsonObject) -> ExampleDialogue:
    entries: list[Entry] = []
    for number, action in enumerate(stored["actions"]):
        if "userUtterance" in action:
            entries.append(UserText(action["userUtterance"]["text"]))
        elif "agentUtterance" in action:
            entries.append(AgentText(action["agentUtterance"]["text"]))
        else:
            use = action["toolUse"]
            given, output = (_bare(use[key]) for key in ("inputActionParameters", "outputActionParameters"))
            entries.append(FunctionCall(str(number), use["action"], given))
            entries.append(FunctionResult(str(number), use["action"], output))
    return ExampleDialogue(
        stored["displayName"], tuple(entries), stored["conversationState"].removeprefix("OUTPUT_STATE_")
    )


def _bare(parameters: JsonObject) -> JsonObject:
    code = parameters.get(f"{INTERPRETER.name} input")
    if code is not None:
        return {"requestBody": {"query": code}}
    return as_object(parameters.get("functionParameter", parameters))


def _functions() -> dict[str, Function]:
    pets: list[JsonObject] = [
        {"id": 1, "name": "Bella", "owner": "Maria", "label": ["dog", "small"]},
        {"id": 2, "name": "Milo", "owner": "Tom", "label": ["cat"]},
        {"id": 3, "name": "Luna", "owner": "Aisha", "label": ["cat", "indoor"]},
        {"id": 4, "name": "Oscar", "owner": "Maria", "label": ["dog"]},
        {"id": 5, "name": "Shadow", "label": ["cat"]},
    ]

    def get(arguments: JsonObject) -> tuple[JsonValue, bool]:
        number = arguments["petId"]
        found = next((pet for pet in pets if pet["id"] == number), None)
        if found:
            return {"200": found}, False
        body = {"error": {"code": "NOT_FOUND", "message": f"There is no pet {number}."}}
        message = f"The service answered 404: There is no pet {number}."
        return {"error": {"code": "HTTP_ERROR", "message": message}, "output": {"404": body}}, True

    def find(arguments: JsonObject) -> tuple[JsonValue, bool]:
        return {
            "200": [
                pet
                for pet in pets
                if arguments.get("petName", pet["name"]) == pet["name"]
                and arguments.get("X-OWNER", pet.get("owner")) == pet.get("owner")
                and all(label in pet.get("label", []) for label in as_list(arguments.get("label")))
            ]
        }, False

    def create(arguments: JsonObject) -> tuple[JsonValue, bool]:
        pets.append({"id": len(pets) + 1, **arguments["requestBody"]})
        return {"201": pets[-1]}, False

    def shelter(arguments: JsonObject) -> tuple[JsonValue, bool]:
        return {"name": "Paws", "street": "1 Elm Street"}, False

    def care(arguments: JsonObject) -> tuple[JsonValue, bool]:
        """Knows nothing."""
        return {"200": {"answer": "I'm sorry, I couldn't find an answer to that.", "snippets": []}}, False

    return {"getPet": get, "listPets": find, "createPet": create, "nearest_shelter": shelter, "pet_care": care}
