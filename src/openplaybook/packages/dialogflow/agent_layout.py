"""Where things stand in a package, and how names become file names.

As exports show: ASCII letters, digits, blank, `_`, `-` and `.` stand for themselves, every other byte of the
UTF-8 form is percent-encoded with lower-case hexadecimal digits.
"""

import re
from urllib.parse import unquote

from openplaybook.jsonvalues import JsonObject
from openplaybook.resources.tool_kinds import TextPlace, ToolMessage, tool_kinds

AGENT = "agent.json"
PLAYBOOKS = "playbooks"
EXAMPLES = "examples"
TOOLS = "tools"
SCHEMA = "schema.yaml"
GENERATIVE_SETTINGS = "generativeSettings"
FLOWS = "flows"

_SPECIAL = re.compile(rb"[^A-Za-z0-9 _.\-]")


def encode_name(name: str) -> str:
    """The file name of a display name; `decode_name` is its inverse."""
    encoded = _SPECIAL.sub(lambda match: b"%%%02x" % match[0][0], name.encode())
    text = encoded.decode("ascii")
    return text.replace(".", "%2e") if text in (".", "..") else text


def decode_name(file_name: str) -> str:
    """The display name of a file name, without its ending; bytes that are not UTF-8 become U+FFFD."""
    return unquote(file_name, errors="replace")


def resource_path(folder: str, stem: str) -> str:
    """The main file of a resource that has a folder of its own."""
    return f"{folder}/{stem}/{stem}.json"


def example_path(playbook_stem: str, stem: str) -> str:
    """An example's file."""
    return f"{PLAYBOOKS}/{playbook_stem}/{EXAMPLES}/{stem}.json"


def schema_path(tool_stem: str) -> str:
    """The file of a tool's document."""
    return f"{TOOLS}/{tool_stem}/{SCHEMA}"


def document_of(tool: JsonObject) -> tuple[str, TextPlace]:
    """The field of a tool (JSON form), and the place in it of the document that is in a file beside the tool.

    Of a tool that has no such field, those of the first kind that has a document.
    """
    known = [field for field in tool_kinds().fields(ToolMessage.TOOL) if field.texts]
    field = next((field for field in known if field.name in tool), known[0])
    return field.name, field.texts[0]


def settings_path(language_code: str) -> str:
    """The file of generative settings in one language."""
    return f"{GENERATIVE_SETTINGS}/{encode_name(language_code)}.json"
