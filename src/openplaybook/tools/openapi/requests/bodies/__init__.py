"""Request bodies: which media type is sent, and how a value is written in it."""

from openplaybook.tools.openapi.requests.bodies.body import Body, body_of
from openplaybook.tools.openapi.requests.bodies.media_types import is_json

__all__ = ["Body", "body_of", "is_json"]
