"""Which template, whose account."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from openplaybook.sandbox.remote import settings_text

TEMPLATE = "code-interpreter-v1"
KEY_VARIABLES = ("OPENPLAYBOOK_E2B_API_KEY", "E2B_API_KEY")
_NAMES = ("domain", "api", "sandbox")


@dataclass(frozen=True, slots=True, kw_only=True)
class E2bSettings:
    """What the executor is told of E2B."""

    template: str
    api_key: str = field(repr=False)
    domain: str
    api: str
    """URL of the platform's API."""
    sandbox: str = ""
    """One URL for all sandboxes, where a proxy tells them apart by headers; empty: each has a host name."""


def e2b_settings(text: str, environment: Mapping[str, str]) -> E2bSettings:
    """The settings in `[TEMPLATE][,domain=e2b.app][,api=URL][,sandbox=URL]`; the key is in the environment only.

    Raises `ValueError` with words.
    """
    template, named = settings_text.parsed(text, _NAMES)
    key = next((environment[name] for name in KEY_VARIABLES if environment.get(name)), "")
    if not key:
        raise ValueError(f"E2B needs an API key in the variable {KEY_VARIABLES[0]}")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("the API key of E2B holds characters that no key has")
    domain = named.get("domain", "e2b.app")
    return E2bSettings(
        template=template or TEMPLATE,
        api_key=key,
        domain=domain,
        api=settings_text.url("api", named.get("api", f"https://api.{domain}")),
        sandbox=settings_text.url("sandbox", named["sandbox"]) if "sandbox" in named else "",
    )
