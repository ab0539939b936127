"""Agents with one function that changes something, and one that reads."""

from openplaybook.jsonvalues import JsonObject
from openplaybook.models.base import Effect
from openplaybook.models.offline import OfflineModel
from tests.unit.models.offline.talk import TODAY, Agent, function

TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "integer"}
MODEL = OfflineModel(lambda: TODAY)


def agent(language: str, name: str, description: str, properties: JsonObject) -> Agent:
    """An agent with one function that changes something and one that reads."""
    read = function(f"see{name}", "Balance Kontostand saldo", {"account": TEXT}, ["account"])
    declared = function(name, description, properties, list(properties), Effect.CHANGES)
    functions = {each.name: lambda arguments: ({"200": {}}, False) for each in (read, declared)}
    return Agent("", (declared, read), (), functions, language)


WAY: JsonObject = {"fromAccount": TEXT, "toAccount": TEXT, "amount": {"type": "number"}}
WEG: JsonObject = {"vonKonto": TEXT, "aufKonto": TEXT, "betrag": {"type": "number"}}
AGENTS = {
    "en": agent("en", "transferMoney", "Transfer money from one account to another", WAY),
    "de": agent("de", "transferMoney", "Geld von einem Konto auf ein anderes überweisen", WEG),
    "es": agent("es", "cancelBooking", "Cancelar una reserva", {"reservaId": NUMBER}),
    "fr": agent("fr", "cancelTicket", "Annuler un billet", {"billetId": NUMBER}),
}
