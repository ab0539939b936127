"""Contents of files as actions give and take them: in base64, and as text."""

from base64 import b64decode, b64encode
from binascii import Error as Base64Error

from openplaybook.connectors.base import DataType, Field
from openplaybook.connectors.errors import InvalidValue
from openplaybook.connectors.plugins.base import MOST_BYTES
from openplaybook.jsonvalues import JsonObject

CONTENT = (
    Field("content", DataType.TEXT, description="As a text in UTF-8."),
    Field("contentBytes", DataType.BINARY, description="The same in base64, for what is no text."),
)
"""Parameters of an action that is given a file."""


def content_result(key: str, name: str, data: bytes) -> JsonObject:
    """A file's bytes as the result of an action: in base64, and as text where they are UTF-8."""
    result: JsonObject = {key: name, "size": len(data), "contentBytes": b64encode(data).decode("ascii")}
    try:
        result["content"] = data.decode("utf-8")
    except UnicodeDecodeError:
        result["content"] = None
    return result


def given_content(parameters: JsonObject) -> bytes:
    """The bytes that an action is given: one of text and base64. Raises `InvalidValue`."""
    text, encoded = parameters.get("content"), parameters.get("contentBytes")
    if (text is None) == (encoded is None):
        raise InvalidValue("content", "either content or contentBytes is needed")
    given = text if encoded is None else encoded
    name = "content" if encoded is None else "contentBytes"
    if not isinstance(given, str):
        raise InvalidValue(name, "must be a text")
    if len(given) > 2 * MOST_BYTES:
        raise InvalidValue(name, f"is larger than {MOST_BYTES:,} bytes, which is the limit")
    try:
        data = given.encode() if encoded is None else b64decode(given, validate=True)
    except (Base64Error, ValueError):
        raise InvalidValue(name, "cannot be read") from None
    if len(data) > MOST_BYTES:
        raise InvalidValue(name, f"is larger than {MOST_BYTES:,} bytes, which is the limit")
    return data
