"""Where a connection's requests go: the manifest's base URL with the connection's own parts, or its destination."""

import re
from collections.abc import Mapping
from urllib.parse import quote, urlsplit

from openplaybook.connectors.definitions import ConfigTemplate
from openplaybook.connectors.errors import InvalidConnection
from openplaybook.connectors.http_messages import trusted_and_own
from openplaybook.connectors.rest.authentication import chosen_way, config_templates
from openplaybook.connectors.rest.manifest.model import SystemManifest
from openplaybook.connectors.rest.manifest.placeholders import text_placeholders
from openplaybook.connectors.rest.system_request import SystemRequest
from openplaybook.connectors.settings import ConnectionSettings, Destination
from openplaybook.egress.web_origin import origin_of

_SLOT = re.compile(r"\{([\w.]+)\}")


class SystemAddress:
    """The base URL of one connection."""

    def __init__(
        self, manifest: SystemManifest, settings: ConnectionSettings, kind: str, values: Mapping[str, str]
    ) -> None:
        """`kind` is that of the authentication. Raises `InvalidConnection` for a config variable that does not meet its
        pattern: what stands in a host meets it, or no request is sent."""
        templates = {f"config.{each.key}": each for each in config_templates(manifest, chosen_way(manifest, settings))}
        for name, template in templates.items():
            if name in values:
                _check(template, values[name])
        urls = manifest.base_url
        url = _filled(urls.get(kind) or urls.get("*") or next(iter(urls.values())), values)
        given = next(iter(settings.destinations.values()), None)
        base = (_at_destination(url, given) if given else url).rstrip("/")
        self._bases = {name: _filled(each, values).rstrip("/") for name, each in manifest.hosts.items()} | {"": base}
        if any(origin_of(each) is None for each in self._bases.values()):
            raise InvalidConnection("configVariables", "make no address that can be reached")
        self.ca_certificates, self.client_certificate = trusted_and_own(settings.tls)

    def url_of(self, request: SystemRequest) -> str:
        """Where a request goes. What a reply says never leads to another origin than that which was asked."""
        base = self._bases[request.host]
        if not request.is_absolute:
            return base + request.path
        parts = urlsplit(base)
        # Without the slash a path that a token or a reply has would be a part of the host.
        return f"{parts.scheme}://{parts.netloc}/{request.path.removeprefix('/')}"


def _check(template: ConfigTemplate, value: str) -> None:
    path = f"configVariables.{template.key}"
    if template.is_required and not value:
        raise InvalidConnection(path, "is required")
    if value and template.pattern and not re.fullmatch(template.pattern, value):
        raise InvalidConnection(path, f"does not meet the pattern {template.pattern}")
    if value and template.options and value not in template.options:
        raise InvalidConnection(path, f"must be one of {', '.join(template.options)}")


def _filled(url: str, values: Mapping[str, str]) -> str:
    """Host parts were held against their patterns; in the path a value is one segment."""
    start = url.find("/", len("https://"))
    host, path = (url, "") if start < 0 else (url[:start], url[start:])
    for name in text_placeholders(url):
        if not values.get(name):
            raise InvalidConnection(f"configVariables.{name.partition('.')[2]}", "is required")
    host = _SLOT.sub(lambda found: values[found[1]], host)
    return host + _SLOT.sub(lambda found: quote(values[found[1]], safe=""), path)


def _at_destination(url: str, given: Destination) -> str:
    """The same path at another host; `http://` before the host asks for a plain connection, which the operator's
    address policy must let through."""
    scheme, separator, host = given.host.rpartition("://")
    port = f":{given.port}" if given.port else ""
    path = urlsplit(url).path
    made = f"{scheme if separator else 'https'}://{host}{port}{path}"
    if origin_of(made) is None:
        raise InvalidConnection("destinationConfigs", f"{given.host!r} is no host")
    return made
