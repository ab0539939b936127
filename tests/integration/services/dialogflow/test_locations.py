from openplaybook.wire.errors import Code
from tests.integration.services.peers import Caller

_LOCATIONS = "google.cloud.location.Locations."


async def test_every_well_formed_location_is_served(call: Caller) -> None:
    name = "projects/p/locations/mars"
    assert await call(f"{_LOCATIONS}GetLocation", {"name": name}) == {
        "name": name,
        "locationId": "mars",
        "displayName": "mars",
    }
    assert (await call.refusal(f"{_LOCATIONS}GetLocation", {"name": "mars"}))[0] is Code.INVALID_ARGUMENT


async def test_the_usual_locations_are_listed_and_those_in_use(call: Caller) -> None:
    agent = {"displayName": "a", "defaultLanguageCode": "en", "timeZone": "UTC"}
    for location in ("projects/p/locations/mars", "projects/q/locations/moon", "projects/p/locations/mars"):
        await call("Agents.CreateAgent", {"parent": location, "agent": agent})
    listed = await call(f"{_LOCATIONS}ListLocations", {"name": "projects/p"})
    assert [location["name"] for location in listed["locations"]] == [
        "projects/p/locations/global",
        "projects/p/locations/us-central1",
        "projects/p/locations/europe-west1",
        "projects/p/locations/mars",
    ]
