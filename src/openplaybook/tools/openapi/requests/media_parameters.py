"""Parameters that are described by a media type rather than by a style (OAS 3.1.1 §4.8.12.2, `content`)."""

from openplaybook.jsonvalues import JsonObject, JsonValue, dumps_ascii
from openplaybook.tools.openapi.requests.bodies.forms import urlencoded
from openplaybook.tools.openapi.requests.bodies.media_types import BodyFormat, kind_of
from openplaybook.tools.openapi.requests.bodies.texts import json_text, lines_of_json
from openplaybook.tools.openapi.requests.bodies.xml import XmlWriter
from openplaybook.tools.openapi.requests.parameter_places import ParameterPlace
from openplaybook.tools.openapi.requests.styles import Encode, Style, text
from openplaybook.tools.openapi.schemas.definitions import Definitions


def as_content(media_type: str, place: ParameterPlace, schema: JsonObject, definitions: Definitions) -> Style:
    """The value as a text of the media type; its name before it in a query and in a cookie."""
    is_named = place in (ParameterPlace.QUERY, ParameterPlace.COOKIE)
    xml = XmlWriter(definitions)

    def spell(name: str, value: JsonValue) -> str:
        match kind_of(media_type):
            case BodyFormat.JSON | BodyFormat.ANY if place is ParameterPlace.HEADER:
                # Escaped, since headers hold ASCII only (RFC 9110 §5.5).
                return dumps_ascii(value)
            case BodyFormat.JSON | BodyFormat.ANY:
                return json_text(value)
            case BodyFormat.XML:
                return xml.document(value, schema, name)
            case BodyFormat.FORM:
                return urlencoded(value, {})
            case BodyFormat.LINES:
                return lines_of_json(value)
            case _:
                return text(value)

    def write(name: str, value: JsonValue, explode: bool, encode: Encode) -> str:
        spelled = encode(spell(name, value))
        return f"{encode(name)}={spelled}" if is_named else spelled

    return write
