from benchmarks.openapi_call.pets import ANSWER, PET, TARGET, document
from openplaybook.jsonvalues import dumps, loads
from openplaybook.tools.base import Success
from tests.kit.openapi import harness, responds

URL = "https://pets.example"


async def test_the_service_expects_the_get_that_our_tool_sends() -> None:
    pets = harness(document(URL), responds(dumps(ANSWER)))
    outcome = await pets.call({"petId": 3, "label": ["dog", "brown"]}, name="getPet")
    assert outcome == Success({"200": ANSWER})
    assert (pets.sent.method, pets.sent.url) == ("GET", f"{URL}{TARGET}")


async def test_the_service_expects_the_post_that_our_tool_sends() -> None:
    pets = harness(document(URL), responds(dumps(ANSWER)))
    outcome = await pets.call({"requestBody": PET}, name="createPet")
    assert outcome == Success({"200": ANSWER})
    assert (pets.sent.method, pets.sent.url) == ("POST", f"{URL}/v1/pets")
    assert loads(pets.sent.body or b"") == PET
