from openplaybook.jsonvalues import JsonObject, as_object, dumps, loads
from openplaybook.packages.ces.app_package import Layout


def stored(layout: Layout) -> JsonObject:
    return as_object(loads(dumps(layout.as_json())))


def test_a_layout_comes_back_from_the_store_as_it_was() -> None:
    layout = Layout(
        "agents/front/front.json",
        ("name", "displayName"),
        {"$.instruction": "agents/front/instruction.txt"},
        {"_own": 1},
        {"model": None},
    )
    assert Layout.from_json(stored(layout)) == layout


def test_a_layout_that_was_stored_without_a_member_has_its_default() -> None:
    assert Layout.from_json({"file": "app.json"}) == Layout("app.json")
