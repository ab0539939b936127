"""Where a system is, and how TLS proves both sides there, as options of the command line: `destinationConfigs` and
`sslConfig` of a connection."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from openplaybook.cli.connections.given_values import GivenValues
from openplaybook.cli.errors import CommandError
from openplaybook.jsonvalues import JsonObject, as_list, as_object

_DESTINATION, _TLS = "destination", "tls"
_MODES = ("verified", "unverified", "off")
_CERTIFICATES: Mapping[str, tuple[str, str]] = {
    "server_certificate": ("privateServerCertificate", "Certificate that is trusted, in place of the machine's (PEM)"),
    "client_certificate": ("clientCertificate", "Certificate that this server shows (PEM)"),
    "client_private_key": ("clientPrivateKey", "Its key (PEM)"),
    "client_private_key_pass": ("clientPrivateKeyPass", "Passphrase of the key"),
}
"""By the name of the option: the member of `sslConfig`, and what it is."""
_SHOWN = ("client_certificate", "client_private_key", "client_private_key_pass")


def place_lines(version: JsonObject) -> list[tuple[str, str, bool]]:
    """The options of a connector's version (JSON): option, what it is, whether required."""
    lines: list[tuple[str, str, bool]] = []
    for each in map(as_object, as_list(version.get("destinationConfigTemplates"))):
        lines.append((f"--set {_DESTINATION}", f"HOST[:PORT]. {each.get('description', '')}".strip(), False))
    if version.get("sslConfigTemplate"):
        lines.append((f"--set {_TLS}", f"{', '.join(_MODES)}; verified where a certificate is given", False))
        lines += [(f"--secret {key}", title, False) for key, (_, title) in _CERTIFICATES.items()]
    return lines


def place_json(version: JsonObject, given: GivenValues) -> JsonObject:
    """The members `destinationConfigs` and `sslConfig` for what is given. Raises `CommandError`."""
    made: JsonObject = {}
    options = {line[0].partition(" ")[2] for line in place_lines(version)}
    if _DESTINATION in options and _DESTINATION in given.texts:
        made["destinationConfigs"] = [{"key": "host", "destinations": [_destination(given.texts[_DESTINATION])]}]
    if _TLS in options and (_TLS in given.texts or not given.keys.isdisjoint(_CERTIFICATES)):
        made["sslConfig"] = _tls(given)
    return made


def _destination(text: str) -> JsonObject:
    scheme, separator, rest = text.rpartition("://")
    try:
        parts = urlsplit(f"//{rest}")
        port = parts.port
    except ValueError as error:
        raise CommandError(f"destination must be [http://]HOST[:PORT], not {text!r}: {error}", exit_code=2) from error
    if not parts.hostname or parts.path.strip("/") or (separator and scheme not in ("http", "https")):
        raise CommandError(f"destination must be [http://]HOST[:PORT], not {text!r}", exit_code=2)
    host = rest.rstrip("/").removesuffix(f":{port}") if port is not None else rest.rstrip("/")
    made: JsonObject = {"host": f"{scheme}{separator}{host}"}
    return made if port is None else {**made, "port": port}


def _tls(given: GivenValues) -> JsonObject:
    mode = given.texts.get(_TLS, "verified")
    if mode not in _MODES:
        raise CommandError(f"tls must be one of {', '.join(_MODES)}, not {mode!r}", exit_code=2)
    for key in _CERTIFICATES:
        if key in given.texts:
            raise CommandError(f"{key} is a secret: give it with --secret {key}=@FILE", exit_code=2)
    if mode == "off":
        return {}
    own = {
        member: {"secretVersion": given.versions[key]}
        for key, (member, _) in _CERTIFICATES.items()
        if key in given.versions
    }
    trust = "INSECURE" if mode == "unverified" else "PRIVATE" if "server_certificate" in given.versions else "PUBLIC"
    is_mutual = any(key in given.versions for key in _SHOWN)
    return {"type": "MTLS" if is_mutual else "TLS", "useSsl": True, "trustModel": trust, **own}


def place_values(connection: JsonObject) -> GivenValues:
    """What the options are of a connection (JSON) as it is."""
    texts: dict[str, str] = {}
    configs = [as_object(each) for each in as_list(connection.get("destinationConfigs"))]
    for each in [as_object(one) for config in configs[:1] for one in as_list(config.get("destinations"))][:1]:
        port = each.get("port")
        texts[_DESTINATION] = f"{each.get('host', '')}{f':{port}' if port else ''}"
    tls = as_object(connection.get("sslConfig"))
    if tls:
        texts[_TLS] = "unverified" if tls.get("trustModel") == "INSECURE" else "verified"
    versions = {
        key: str(as_object(tls[member]).get("secretVersion", ""))
        for key, (member, _) in _CERTIFICATES.items()
        if member in tls
    }
    return GivenValues(texts, versions)
