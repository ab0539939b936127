"""Nothing is destroyed by one click: it can be brought back for eight seconds, or the console asks first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

import pytest
from playwright.sync_api import Page, expect

from openplaybook.jsonvalues import JsonObject
from tests.e2e.console.conftest import ConsolePage

LATER_MS = 9000
"""More than the time in which it can be undone."""
HOME = "projects/default/locations/global"
COLLECTION = f"{HOME}/collections/default_collection"


@dataclass(frozen=True)
class Made:
    """A resource that may be deleted, where its page is, and its version of the API."""

    name: str
    page: str
    version: str = "v3beta1"


class Maker:
    """Creates resources as any client would."""

    def __init__(self, console: ConsolePage) -> None:
        self._console = console

    def post(self, path: str, body: JsonObject) -> JsonObject:
        response = self._console.page.request.post(f"{self._console.server.http}/{path}", data=body)
        assert response.ok, response.text()
        return cast(JsonObject, response.json())

    def agent(self) -> str:
        body: JsonObject = {"displayName": "Doomed", "defaultLanguageCode": "en", "timeZone": "Etc/UTC"}
        return str(self.post(f"v3beta1/{HOME}/agents", body)["name"])

    def playbook(self, agent: str) -> str:
        body: JsonObject = {"displayName": "desk", "goal": "Help.", "instruction": {"steps": [{"text": "Greet."}]}}
        return str(self.post(f"v3beta1/{agent}/playbooks", body)["name"])


def a_tool(maker: Maker) -> Made:
    schema: JsonObject = {"type": "object", "properties": {}}
    spec: JsonObject = {"inputSchema": schema, "outputSchema": schema}
    body: JsonObject = {"displayName": "fn", "description": "x", "functionSpec": spec}
    name = str(maker.post(f"v3beta1/{maker.agent()}/tools", body)["name"])
    return Made(name, name)


def a_playbook(maker: Maker) -> Made:
    name = maker.playbook(maker.agent())
    return Made(name, name)


def an_example(maker: Maker) -> Made:
    actions: list[JsonObject] = [{"userUtterance": {"text": "hi"}}, {"agentUtterance": {"text": "hello"}}]
    body: JsonObject = {"displayName": "greeting", "languageCode": "en", "actions": [*actions]}
    name = str(maker.post(f"v3beta1/{maker.playbook(maker.agent())}/examples", body)["name"])
    return Made(name, name)


def a_conversation(maker: Maker) -> Made:
    agent = maker.agent()
    playbook = maker.playbook(agent)
    body: JsonObject = {"queryInput": {"text": {"text": "hello"}, "languageCode": "en"}}
    body |= {"queryParams": {"currentPlaybook": playbook}}
    maker.post(f"v3beta1/{agent}/sessions/gone:detectIntent", body)
    name = f"{agent}/conversations/gone"
    return Made(name, name)


def a_store(maker: Maker, store: str) -> str:
    body: JsonObject = {"displayName": "Doomed", "industryVertical": "GENERIC", "contentConfig": "CONTENT_REQUIRED"}
    maker.post(f"v1/{COLLECTION}/dataStores?dataStoreId={store}", body)
    return f"{COLLECTION}/dataStores/{store}"


def a_document(maker: Maker) -> Made:
    branch = f"{a_store(maker, 'with-a-page')}/branches/default_branch"
    content: JsonObject = {"mimeType": "text/plain", "rawBytes": "aGVsbG8="}
    maker.post(f"v1/{branch}/documents?documentId=page", {"content": content})
    return Made(f"{branch}/documents/page", branch.partition("/branches/")[0] + "?tab=documents", "v1")


UNDONE: Mapping[str, tuple[Callable[[Maker], Made], str]] = {
    "tool": (a_tool, "Delete the tool"),
    "playbook": (a_playbook, "Delete the playbook"),
    "example": (an_example, "Delete the example"),
    "conversation": (a_conversation, "Delete"),
    "document": (a_document, "Delete"),
}
"""Kind → how one is made, and the button that deletes it."""


def delete(page: Page, kind: str, button: str) -> None:
    if kind == "document":
        page.get_by_text("page", exact=True).first.click()
    elif kind != "conversation":
        page.get_by_role("button", name="More", exact=True).first.click()
    # Of a document below the store's own.
    page.get_by_role("button", name=button, exact=True).last.click()


@pytest.mark.parametrize("kind", UNDONE)
def test_a_deletion_can_be_taken_back(console: ConsolePage, kind: str) -> None:
    make, button = UNDONE[kind]
    made = make(Maker(console))
    sent: list[str] = []
    page = console.page
    page.on("request", lambda request: sent.append(request.url) if request.method == "DELETE" else None)
    page.clock.install()
    console.open(made.page)
    delete(page, kind, button)
    page.get_by_role("button", name="Undo").click()
    page.clock.fast_forward(LATER_MS)
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    assert sent == []
    console.open(made.page)
    delete(page, kind, button)
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    # It is in no list any more, though it is still there.
    expect(page.get_by_role("main").get_by_role("link", name="gone")).to_have_count(0)
    assert sent == []
    with page.expect_response(lambda response: response.request.method == "DELETE") as deleted:
        page.clock.fast_forward(LATER_MS)
    assert (deleted.value.ok, sent) == (True, [f"{console.server.http}/{made.version}/{made.name}"])


def test_a_deletion_that_is_refused_says_why(console: ConsolePage) -> None:
    tool = a_tool(Maker(console))
    page = console.page
    page.clock.install()
    refusal: JsonObject = {"error": {"code": 400, "status": "FAILED_PRECONDITION", "message": "A playbook uses it."}}
    console.open(tool.page)
    page.route(f"**/{tool.name}", lambda route: route.fulfill(status=400, json=refusal))
    delete(page, "tool", "Delete the tool")
    expect(page.get_by_role("link", name="fn")).to_have_count(0)
    page.clock.fast_forward(LATER_MS)
    expect(page.locator(".toasts")).to_contain_text("A playbook uses it.")
    expect(page.get_by_role("link", name="fn")).to_be_visible()


def an_agent(maker: Maker) -> Made:
    name = maker.agent()
    return Made(name, name)


def an_app(maker: Maker) -> Made:
    maker.post(f"v1beta/{HOME}/apps?appId=doomed", {"displayName": "Doomed"})
    name = f"{HOME}/apps/doomed"
    return Made(name, name)


def a_data_store(maker: Maker) -> Made:
    name = a_store(maker, "doomed")
    return Made(name, name)


def a_connection(maker: Maker) -> Made:
    version = f"{HOME}/providers/gcp/connectors/sqlite/versions/1"
    variables: list[JsonObject] = [{"key": "database", "stringValue": "demo-pets"}]
    body: JsonObject = {"connectorVersion": version, "configVariables": [*variables]}
    maker.post(f"v1/{HOME}/connections?connectionId=doomed", body)
    return Made(f"{HOME}/connections/doomed", f"{HOME}/connections/doomed")


def a_secret(maker: Maker) -> Made:
    name = "projects/default/secrets/doomed"
    maker.post(f"v1/{name}:addVersion", {"payload": {"data": "eA=="}})
    return Made(name, "secrets")


ASKED: Mapping[str, Callable[[Maker], Made]] = {
    "agent": an_agent,
    "app": an_app,
    "data store": a_data_store,
    "connection": a_connection,
    "secret": a_secret,
}


@pytest.mark.parametrize("kind", ASKED)
def test_what_cannot_be_taken_back_is_asked(console: ConsolePage, kind: str) -> None:
    made = ASKED[kind](Maker(console))
    sent: list[str] = []
    console.page.on("request", lambda request: sent.append(request.url) if request.method == "DELETE" else None)
    page = console.open(made.page)
    page.get_by_role("main").get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Delete")).to_be_disabled()
    dialog.get_by_role("textbox").press("Enter")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert sent == []
    page.get_by_role("main").get_by_role("button", name="Delete").click()
    dialog.get_by_role("textbox").fill("Doomed" if kind in ("agent", "app") else "doomed")
    with page.expect_response(lambda response: response.request.method == "DELETE") as deleted:
        dialog.get_by_role("button", name="Delete").click()
    assert deleted.value.ok


def test_discarded_changes_come_back(console: ConsolePage) -> None:
    page = console.open(a_playbook(Maker(console)).page)
    goal = page.get_by_role("textbox", name="Goal")
    goal.fill("Help a lot.")
    page.get_by_role("button", name="Discard changes").click()
    expect(goal).to_have_value("Help.")
    page.get_by_role("button", name="Undo").click()
    expect(goal).to_have_value("Help a lot.")
    expect(page.get_by_text("not saved")).to_be_visible()


@pytest.mark.proof
def test_a_line_of_an_example_comes_back_to_its_place(console: ConsolePage) -> None:
    page = console.open(an_example(Maker(console)).page)
    page.get_by_role("button", name="Remove line 1").click()
    page.get_by_label("Line 1: agent says").fill("hello there")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Line 1: user says")).to_have_value("hi")
    expect(page.get_by_label("Line 2: agent says")).to_have_value("hello there")
