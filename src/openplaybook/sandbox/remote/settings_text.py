"""Settings of one service in one text: `FIRST,NAME=VALUE,…`."""

from collections.abc import Mapping, Sequence


def parsed(text: str, allowed: Sequence[str]) -> tuple[str, Mapping[str, str]]:
    """The first part and the named ones; raises `ValueError` for a name that is not allowed."""
    first, *rest = [part.strip() for part in text.split(",")]
    named: dict[str, str] = {}
    for part in filter(None, rest):
        name, equals, value = part.partition("=")
        if not equals or name not in allowed:
            raise ValueError(f"{part!r} is not one of {', '.join(f'{name}=…' for name in allowed)}")
        named[name] = value
    return first, named


def whole_number(name: str, text: str, low: int, high: int) -> int:
    """A number in a range; raises `ValueError`."""
    if not text.isdecimal() or not low <= int(text) <= high:
        raise ValueError(f"{name}={text} must be a whole number from {low} to {high}")
    return int(text)


def url(name: str, text: str) -> str:
    """An HTTP(S) URL without a slash at its end; raises `ValueError`."""
    if not text.startswith(("http://", "https://")):
        raise ValueError(f"{name}={text} must start with http:// or https://")
    return text.rstrip("/")
