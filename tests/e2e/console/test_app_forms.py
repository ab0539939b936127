"""An app of CX Agent Studio: its guardrails, its variables and the fakes of its tools, as forms."""

import time

import pytest
from playwright.sync_api import expect

from openplaybook.jsonvalues import JsonObject, as_list, as_object
from tests.e2e.console.conftest import ConsolePage
from tests.e2e.console.test_views import accessible, no_wider

APPS = "v1beta/projects/demo/locations/global/apps"
CALLING = """def quadruple(n: int) -> dict:
    twice = tools.double({"n": n}).json()["twice"]
    return {"four": 2 * twice}
"""
CODE = 'def double(n: int) -> dict:\n    """Doubles a number."""\n    return {"twice": 2 * n}\n'


@pytest.fixture
def app(console: ConsolePage) -> str:
    """The name of a new app."""
    id = f"forms-{time.time_ns()}"
    console.api("POST", f"{APPS}?appId={id}", {"displayName": id})
    return f"projects/demo/locations/global/apps/{id}"


def test_guardrails_and_variables_are_forms(console: ConsolePage, app: str) -> None:
    page = console.open(f"{app}/guardrails")
    page.get_by_role("button", name="New guardrail").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name", exact=True).fill("Rivals")
    dialog.get_by_label("Banned everywhere").fill("Cat Palace\nDog Inn")
    dialog.get_by_label("How phrases match").select_option("as whole words")
    dialog.get_by_label("Words").fill("Let us talk about our pets.")
    accessible(console, "guardrail-form")
    dialog.get_by_role("button", name="Save").click()
    # What is typed behind an open dialog goes into the dialog.
    expect(dialog).to_have_count(0)
    page.get_by_label("Try a sentence").fill("Is Dog Inn better?")
    expect(page.get_by_role("listitem").get_by_text("Dog Inn", exact=True).first).to_be_visible()
    [stored] = console.api("GET", f"v1beta/{app}/guardrails")["guardrails"]
    assert stored["contentFilter"]["bannedContents"] == ["Cat Palace", "Dog Inn"]
    assert stored["action"]["respondImmediately"]["responses"] == [{"text": "Let us talk about our pets."}]
    console.open(app)
    page.get_by_role("button", name="New variable").click()
    dialog.get_by_label("Name", exact=True).fill("tier")
    dialog.get_by_label("Type").select_option("integer")
    dialog.get_by_label("Default").fill("two")
    dialog.get_by_label("Description").fill("Of the customer")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The default is no JSON")
    dialog.get_by_label("Default").fill("2")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row", name="tier")).to_contain_text("2")
    accessible(console, "app-variables")
    no_wider(console)
    page.get_by_role("button", name="tier").click()
    dialog.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Cancel").click()
    assert console.api("GET", f"v1beta/{app}")["variableDeclarations"][0]["name"] == "tier"
    dialog.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No variables yet")).to_be_visible()


@pytest.mark.proof
def test_guardrails_that_are_only_kept_are_forms_too(console: ConsolePage, app: str) -> None:
    kinds: dict[str, JsonObject] = {
        "Policy": {"llmPolicy": {"prompt": "Is it about pets?", "failOpen": True}},
        "Safety": {"modelSafety": {"safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "OFF"}]}},
        "Security": {"llmPromptSecurity": {"defaultSettings": {}}},
    }
    for name, kind in kinds.items():
        console.api("POST", f"v1beta/{app}/guardrails", {"displayName": name, **kind})
    page = console.open(f"{app}/guardrails")
    dialog = page.get_by_role("dialog")

    def edit(name: str) -> None:
        page.get_by_role("button", name=name).click()

    def saved() -> dict[str, JsonObject]:
        dialog.get_by_role("button", name="Save").click()
        expect(dialog).to_have_count(0)
        stored = console.api("GET", f"v1beta/{app}/guardrails")["guardrails"]
        return {str(as_object(each)["displayName"]): as_object(each) for each in as_list(stored)}

    edit("Policy")
    expect(dialog.get_by_label("Prompt of the check")).to_have_value("Is it about pets?")
    dialog.get_by_label("What is checked").select_option("both")
    dialog.get_by_label("Messages of the conversation").fill("4")
    accessible(console, "guardrail-policy")
    assert saved()["Policy"]["llmPolicy"] == {
        "prompt": "Is it about pets?",
        "failOpen": True,
        "policyScope": "USER_QUERY_AND_AGENT_RESPONSE",
        "maxConversationMessages": 4,
    }
    edit("Safety")
    expect(dialog.get_by_label("Harassment")).to_have_value("OFF")
    dialog.get_by_label("Hate speech").select_option("block if likely")
    settings = as_list(as_object(saved()["Safety"]["modelSafety"])["safetySettings"])
    assert settings[1:] == [{"category": "HARM_CATEGORY_HATE_SPEECH", "threshold": "BLOCK_MEDIUM_AND_ABOVE"}]
    edit("Security")
    dialog.get_by_label("A prompt of one’s own").check()
    dialog.get_by_label("Prompt of the check").fill("No tricks.")
    assert saved()["Security"]["llmPromptSecurity"] == {"customPolicy": {"prompt": "No tricks."}}


@pytest.mark.proof
def test_a_python_function_is_tried_and_faked(console: ConsolePage, app: str) -> None:
    tool = console.api("POST", f"v1beta/{app}/tools", {"pythonFunction": {"name": "double", "pythonCode": CODE}})
    page = console.open(tool["name"])
    page.get_by_role("complementary", name="Test panel").get_by_label("n", exact=True).fill("21")
    page.get_by_role("button", name="View Output").click()
    expect(page.get_by_label("Output", exact=True).last).to_contain_text("42")
    page.get_by_text("Fake", exact=True).click()
    page.get_by_label("Always answer with the fake").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert console.api("GET", f"v1beta/{tool['name']}")["toolFakeConfig"]["enableFakeMode"] is True
    accessible(console, "app-tool-fake")


def test_calls_of_a_python_function_are_mocked(console: ConsolePage, app: str) -> None:
    tool, calling = (
        console.api("POST", f"v1beta/{app}/tools", {"pythonFunction": {"name": name, "pythonCode": code}})["name"]
        for name, code in (("double", CODE), ("quadruple", CALLING))
    )
    page = console.open(calling)
    panel = page.get_by_role("complementary", name="Test panel")
    panel.get_by_label("n", exact=True).fill("21")
    panel.get_by_text("Mocked calls", exact=True).click()
    panel.get_by_role("button", name="Add a mock").click()
    mock = panel.get_by_role("group", name="Mocked call 1")
    view_output = panel.get_by_role("button", name="View Output")
    expect(view_output).to_be_disabled()
    mock.get_by_label("Called tool").select_option(tool)
    mock.get_by_label("Arguments that fit, as JSON").fill('{"n": 21')
    expect(mock.get_by_text("This is not a JSON object.")).to_be_visible()
    mock.get_by_label("Arguments that fit, as JSON").fill('{"n": 21}')
    mock.get_by_label("Result, as JSON").fill('{"twice": 500}')
    accessible(console, "app-tool-mocks")
    view_output.click()
    expect(page.get_by_label("Output", exact=True).last).to_contain_text("1000")
    panel.get_by_label("n", exact=True).fill("22")
    view_output.click()
    expect(page.get_by_label("Output", exact=True).last).to_contain_text("no mocked tool call expects")
    panel.get_by_label("Calls that nothing fits").select_option("are made")
    view_output.click()
    expect(page.get_by_label("Output", exact=True).last).to_contain_text("88")
    no_wider(console)
