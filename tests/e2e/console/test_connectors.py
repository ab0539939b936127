"""Every system is set up in the browser: each field of each way to authenticate can be typed, and is taken."""

import re
from base64 import b64decode

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from openplaybook.connectors.catalog.connectors import catalogue
from openplaybook.connectors.definitions import AuthenticationKind, AuthenticationTemplate, ConfigTemplate
from openplaybook.jsonvalues import JsonObject, as_object, loads
from openplaybook.services.connectors.connection_rules import connection_violations
from tests.e2e.console.conftest import ConsolePage
from tests.kit.thoroughness import sample

PEM = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
SECTIONS = {
    AuthenticationKind.USER_PASSWORD: ("User", "Password: value"),
    AuthenticationKind.OAUTH2_CLIENT_CREDENTIALS: ("Client ID", "Client secret: value"),
    AuthenticationKind.OAUTH2_AUTH_CODE_FLOW: ("Client ID", "Client secret: value"),
    AuthenticationKind.OAUTH2_JWT_BEARER: ("Issuer", "Subject", "Audience", "Private key: value"),
    AuthenticationKind.SSH_PUBLIC_KEY: ("User", "Private key: value", "Passphrase: value"),
}
"""Fields of each kind, besides its variables."""
VALUES = (
    "acme",
    "1",
    "us1",
    "9f1c0f5e-0000-4000-8000-000000000000",
    "acme.crm4.dynamics.com",
    "acme.my.salesforce.com",
    "acme.successfactors.eu",
    "acme.workday.com",
)
"""One of them fits each pattern of what is required."""


def value_of(template: ConfigTemplate) -> str:
    if template.options:
        return template.options[0]
    return next(value for value in VALUES if re.fullmatch(template.pattern or ".*", value))


def field(dialog: Locator, label: str) -> Locator:
    return dialog.get_by_label(label, exact=True).first


def fill(dialog: Locator, templates: tuple[ConfigTemplate, ...]) -> None:
    for template in templates:
        if not template.is_required:
            continue
        secret = ": value" if template.value_type.value == "SECRET" else ""
        box = field(dialog, template.display_name + secret)
        if template.options:
            box.select_option(value_of(template))
        else:
            box.fill(value_of(template))


def fill_way(dialog: Locator, way: AuthenticationTemplate) -> None:
    kind = dialog.get_by_role("combobox", name="Kind of authentication")
    if kind.count():
        kind.select_option(way.display_name)
    for label in SECTIONS.get(way.kind, ()):
        box = dialog.get_by_label(label, exact=True).filter(visible=True).first
        if label.endswith(": value"):
            choice = dialog.get_by_label(label.replace(": value", ": stored secret"), exact=True).first
            if choice.input_value():
                continue  # It was stored when another way with the same field was tried.
        box.fill(PEM if label == "Private key: value" else "ada")
    fill(dialog, way.variables)


def tried(page: Page, dialog: Locator) -> JsonObject:
    """The connection that the page would test."""
    with page.expect_request(re.compile("connections:test")) as sent:
        dialog.get_by_role("button", name="Test connection").click()
    return as_object(as_object(loads(sent.value.post_data or ""))["connection"])


@pytest.mark.sweep
def test_every_field_of_every_system_can_be_typed(console: ConsolePage) -> None:
    stored: set[bytes] = set()

    def add(route: Route) -> None:
        stored.add(b64decode(as_object(as_object(loads(route.request.post_data or ""))["payload"])["data"]))
        name = re.sub(r".*/v1/|:addVersion.*", "", route.request.url)
        route.fulfill(json={"name": f"{name}/versions/1"})

    page = console.open("connectors")
    page.route(re.compile("connections:test"), lambda route: route.fulfill(json=[]))
    page.route(re.compile(":addVersion"), add)
    for definition in sample(list(catalogue().values()), 10):
        page.get_by_role("searchbox").fill(definition.title)
        page.get_by_role("button", name=f"Connect {definition.title}", exact=True).click()
        dialog = page.get_by_role("dialog")
        # Of a system that is dialled, the destination stands for them.
        hidden = ("host", "port") if definition.default_port else ()
        fill(dialog, tuple(each for each in definition.config if each.key not in hidden))
        if definition.default_port:
            field(dialog, "Host and port").fill("db.example:1234")
        for way in definition.authentications:
            fill_way(dialog, way)
            expect(dialog.get_by_role("button", name="Create", exact=True)).to_be_enabled()
            connection = tried(page, dialog)
            assert list(connection_violations(connection, definition)) == [], (definition.id, way.kind)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    assert stored == {b"ada", b"acme", PEM.encode()}


def test_a_consent_leads_to_the_systems_page_and_back(console: ConsolePage) -> None:
    flow: JsonObject = {"clientId": "us", "clientSecret": {"secretVersion": "projects/demo/secrets/app/versions/1"}}
    name = "projects/demo/locations/global/connections/asked"
    connector = "projects/demo/locations/global/providers/gcp/connectors/docusign/versions/1"
    given: JsonObject = {"server": "demo", "account_id": "9f1c0f5e-0000-4000-8000-000000000000"}
    auth: JsonObject = {"authType": "OAUTH2_AUTH_CODE_FLOW", "oauth2AuthCodeFlow": flow}
    made: JsonObject = {"connectorVersion": connector, "authConfig": auth}
    made["configVariables"] = [{"key": key, "stringValue": value} for key, value in given.items()]
    console.api("POST", f"v1/{name.rpartition('/connections/')[0]}/connections?connectionId=asked", made)
    page = console.open(name)
    asked: list[str] = []
    exchanged: list[JsonObject] = []

    def system(route: Route) -> None:
        asked.append(route.request.url)
        state = re.search(r"state=([\w-]+)", route.request.url)
        assert state
        back = f"{console.server.http}/console/consent?code=once&state={state[1]}"
        route.fulfill(status=302, headers={"Location": back})

    def exchange(route: Route) -> None:
        exchanged.append(as_object(loads(route.request.post_data or "")))
        route.fulfill(json={"accessCredentials": {"accessToken": "t", "expiresIn": "60s"}})

    page.route(re.compile(r"https://account\.docusign\.com/"), system)
    page.route(re.compile(":exchangeAuthCode"), exchange)
    page.get_by_role("button", name="Sign in at DocuSign").click()
    expect(page.get_by_text("You are signed in.")).to_be_visible()
    assert page.url == f"{console.server.http}/console/{name}"
    [address], [body] = asked, exchanged
    assert address.startswith("https://account.docusign.com/oauth/auth?response_type=code&client_id=us&redirect_uri=")
    code = as_object(body["authCodeData"])
    assert (code["authCode"], code["redirectUri"]) == ("once", f"{console.server.http}/console/consent")
    assert len(str(code["pkceVerifier"])) >= 43
    # The same answer a second time is none to a question of this tab.
    page.goto(f"{console.server.http}/console/consent?code=once&state=forged")
    expect(page.get_by_role("heading", name="This sign-in was not begun in this tab")).to_be_visible()
    assert page.url == f"{console.server.http}/console/consent"
    assert len(exchanged) == 1
    console.faults.clear()
