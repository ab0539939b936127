"""Search tools that only CX Agent Studio has: uploaded files, the web."""

import re

from openplaybook.jsonvalues import JsonObject, as_list
from openplaybook.resources.tool_kinds import KindField, StoredKind, ToolMessage
from openplaybook.tools.base import Problem
from openplaybook.tools.tool_kind import ToolKind, ToolParts
from openplaybook.tools.unimplemented.placeholder import QUERY, PlaceholderTool, text_input, tool_with_action

_CORPUS = re.compile(r"projects/[^/]+/locations/[^/]+/ragCorpora/[^/]+")
_MOST = {"contextUrls": 20, "preferredDomains": 20, "excludeDomains": 2000}


def _build_file_search(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `fileSearchTool` (CES v1beta `FileSearchTool`, JSON form); raises `InvalidTool`."""
    path, corpus = "$.fileSearchTool", str(spec.get("fileCorpus") or "")
    wrong = bool(corpus) and not _CORPUS.fullmatch(corpus)
    problems = (
        [Problem(f"{path}.fileCorpus", "must have the form projects/P/locations/L/ragCorpora/C")] if wrong else []
    )
    return tool_with_action("file search tools", resource, text_input("query", QUERY), problems, is_read_only=True)


def _build_google_search(resource: JsonObject, spec: JsonObject, parts: ToolParts) -> PlaceholderTool:
    """The tool for a `googleSearchTool` (CES v1beta `GoogleSearchTool`, JSON form); raises `InvalidTool`."""
    problems = [
        Problem(f"$.googleSearchTool.{field}", f"has {count:,} entries; allowed are {most:,}")
        for field, most in _MOST.items()
        if (count := len(as_list(spec.get(field)))) > most
    ]
    return tool_with_action("Google Search tools", resource, text_input("query", QUERY), problems, is_read_only=True)


FILE_SEARCH = ToolKind(
    StoredKind(
        name="filesearch",
        noun="file search tool",
        fields=(KindField("fileSearchTool", ToolMessage.APP_TOOL, "file search", kept="searches files"),),
    ),
    {"fileSearchTool": _build_file_search},
)

GOOGLE_SEARCH = ToolKind(
    StoredKind(
        name="googlesearch",
        noun="Google Search tool",
        fields=(KindField("googleSearchTool", ToolMessage.APP_TOOL, "Google search", kept="searches the web"),),
    ),
    {"googleSearchTool": _build_google_search},
)
