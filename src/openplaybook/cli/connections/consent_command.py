"""`openplaybook connections authorize`: a user consents in a browser, once."""

from typing import TYPE_CHECKING, Annotated

import typer

from openplaybook.cli.connections.commands import ConnectionName, full_name, say_status
from openplaybook.cli.errors import CommandError
from openplaybook.cli.options import DataDir
from openplaybook.jsonvalues import JsonObject, as_list, as_object

if TYPE_CHECKING:
    from openplaybook.cli.api_client import ApiClient

REDIRECT = "http://localhost:8976/consent"
"""Where the browser is led to afterwards, where the connection says nothing else."""
_WAIT_S = 600.0


def authorize_connection(
    name: ConnectionName,
    paste: Annotated[
        bool, typer.Option("--paste", help="Wait for no browser: ask for the address that it ends at.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Let a user consent to a connection that logs in with OAuth: prints the address to open in a browser."""
    from urllib.parse import urlsplit

    from openplaybook.cli.access import server_api
    from openplaybook.cli.connections.consent import LOOPBACK, awaited_code, code_in, consent_request

    full = full_name(name)
    with server_api(data_dir=data_dir) as api:
        connection = api.get(f"v1/{full}")
        flow = as_object(as_object(connection.get("authConfig")).get("oauth2AuthCodeFlow"))
        redirect = str(flow.get("redirectUri") or REDIRECT)
        version = _version(api, connection)
        request = consent_request(version, _link(version, connection), connection, redirect)
        typer.echo(f"Open this address in a browser, and consent:\n\n{request.url}\n", err=True)
        if paste or urlsplit(redirect).hostname not in LOOPBACK:
            code = code_in(typer.prompt("The address that the browser ends at", err=True), request)
        else:
            code = awaited_code(request, _WAIT_S)
        sent: JsonObject = {"authCode": code, "pkceVerifier": request.verifier, "redirectUri": redirect}
        api.post(f"v2/{full}:exchangeAuthCode", {"authCodeData": sent})
        status = api.get(f"v2/{full}:checkStatus")
    say_status(status)
    raise typer.Exit(0 if status.get("state") == "ACTIVE" else 1)


def _version(api: "ApiClient", connection: JsonObject) -> JsonObject:
    """What the connector of a connection is made of."""
    return api.get(f"v1/{connection['connectorVersion']}")


def _link(version: JsonObject, connection: JsonObject) -> JsonObject:
    """Where users consent to what a connection reaches. Raises `CommandError` where they do not."""
    if "oauth2AuthCodeFlow" not in as_object(connection.get("authConfig")):
        raise CommandError(f"{connection['name']} needs no consent: it is not set up with --auth oauth2-auth-code-flow")
    for kind in map(as_object, as_list(version.get("authConfigTemplates"))):
        for variable in map(as_object, as_list(kind.get("configVariableTemplates"))):
            if "authorizationCodeLink" in variable:
                return as_object(variable["authorizationCodeLink"])
    raise CommandError(f"{version.get('displayName')} does not say where users consent")
