"""A model's draft of a schema: read, made harmless, and held against the rules and the samples."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from openplaybook.documents.errors import UnreadableDocument
from openplaybook.documents.yaml_output import to_yaml
from openplaybook.drafting.document_tree import changed, objects
from openplaybook.drafting.draft_prompt import SUBMIT
from openplaybook.drafting.draft_remarks import Remarks
from openplaybook.drafting.sample_merge import absorbed
from openplaybook.drafting.samples import METHODS, ApiExchange
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object, dumps, loads
from openplaybook.models.base import ModelReply
from openplaybook.tools.openapi.description.source_text import load_document
from openplaybook.tools.openapi.description_report import inspect
from openplaybook.tools.schema.dialect import INJECTION, SESSION_CONTEXT

MAX_DRAFT = 400_000
"""Characters of a draft."""

_MAX_TEXT = 2_000
_MAX_PROBLEMS = 20
_FENCED = re.compile(r"```(?:ya?ml|json|openapi)?\s*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_ORIGIN = re.compile(r"https?://[^\s/?#\"'<>)]+", re.IGNORECASE)
_TEXTS = frozenset({"description", "summary", "title"})


class UnusableDraft(Exception):
    """A draft is no schema that could be used; the message says why, for the model to do better."""


@dataclass(frozen=True, slots=True)
class DraftBasis:
    """What a draft is held against."""

    exchanges: Sequence[ApiExchange]
    before: JsonObject | None
    """The schema to merge into."""
    words: str


def draft_of(reply: ModelReply, basis: DraftBasis, remarks: Remarks) -> JsonObject:
    """The schema in a reply, without servers that nobody named and without sources of injection.

    Raises `UnusableDraft` when there is none, or it cannot be used as a tool.
    """
    text = _text(reply)
    if len(text) > MAX_DRAFT:
        raise UnusableDraft(f"the document is longer than {MAX_DRAFT:,} characters")
    try:
        root = as_object(loads(dumps(dict(load_document(text).root))))
    except UnreadableDocument as error:
        raise UnusableDraft(str(error)) from error
    if not str(root.get("openapi")).startswith("3."):
        raise UnusableDraft("the document is not OpenAPI 3; write openapi: 3.0.3")
    foreign = [str(each["$ref"]) for each in objects(root) if not str(each.get("$ref", "#/")).startswith("#/")]
    if foreign:
        raise UnusableDraft(f"$ref: {foreign[0]} leaves the document; refer to #/components only")
    root = as_object(changed(root, _shortened))
    for each in objects(root):
        for key in (INJECTION, SESSION_CONTEXT):
            each.pop(key, None)
    _drop_servers(root, basis, remarks)
    if faults := _faults(root):
        raise UnusableDraft("\n".join(faults))
    return root


def misfits(draft: JsonObject, exchanges: Sequence[ApiExchange]) -> list[str]:
    """What in a usable draft does not hold for the samples."""
    remarks = Remarks()
    full = absorbed(draft, exchanges, remarks)
    before = _operations(draft)
    missing = [f"{operation} is missing, which the samples show." for operation in _operations(full) - before]
    return [*sorted(missing), *remarks.conflicts][:_MAX_PROBLEMS]


def _text(reply: ModelReply) -> str:
    """The document in a call, or in a fenced block, or as the whole answer."""
    for call in reply.calls:
        document: JsonValue = as_object(call.arguments).get("schema") if call.name == SUBMIT else None
        if isinstance(document, dict):
            return dumps(document).decode()
        if isinstance(document, str) and document.strip():
            return _unfenced(document)
    if reply.text.strip():
        return _unfenced(reply.text)
    raise UnusableDraft(f"the reply contains no document; call {SUBMIT} with it")


def _unfenced(text: str) -> str:
    blocks = _FENCED.findall(text)
    return max(blocks, key=len) if blocks else text


def _shortened(key: str, value: JsonValue) -> JsonValue:
    is_long = key in _TEXTS and isinstance(value, str) and len(value) > _MAX_TEXT
    return f"{value[:_MAX_TEXT]}…" if is_long else value


def _drop_servers(root: JsonObject, basis: DraftBasis, remarks: Remarks) -> None:
    """Servers that neither samples nor schema nor words name would receive what users say."""
    named = _named_origins(basis)
    for holder in [root, *_holders(root)]:
        servers = as_list(holder.get("servers"))
        allowed = [each for each in servers if _origin(as_object(each).get("url")) in named]
        strange = [str(as_object(each).get("url")) for each in servers if each not in allowed]
        if strange and not named:
            remarks.add(f"The server {strange[0]} was added by the model: check it.")
        elif strange:
            remarks.add(f"The server {strange[0]} was left out: only the model named it.")
            holder["servers"] = allowed
        if "servers" in holder and not holder["servers"]:
            del holder["servers"]
    if basis.exchanges or basis.before is not None or "servers" in root:
        return
    raise UnusableDraft("$.servers names no server; name the one the API is at, with its absolute URL")


def _named_origins(basis: DraftBasis) -> Collection[str]:
    known = [each.origin for each in basis.exchanges]
    for holder in [basis.before or {}, *_holders(basis.before or {})]:
        known += [_origin(as_object(each).get("url")) for each in as_list(holder.get("servers"))]
    known += [_origin(url) for url in _ORIGIN.findall(basis.words)]
    return {each for each in known if each}


def _origin(url: JsonValue) -> str:
    """Scheme and host of a URL; empty for one that cannot be read."""
    try:
        parts = urlsplit(str(url).strip().rstrip(".,;"))
    except ValueError:
        return ""
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}" if parts.scheme and parts.netloc else ""


def _holders(root: JsonObject) -> list[JsonObject]:
    items = [as_object(item) for item in as_object(root.get("paths")).values()]
    return [*items, *(as_object(item[method]) for item in items for method in METHODS if method in item)]


def _faults(root: JsonObject) -> list[str]:
    """What our own reader finds wrong."""
    report = inspect(to_yaml(root), "schema")
    if not as_list(report["actions"]):
        return ["$.paths has no operations"]
    problems = [*as_list(report["problems"]), *(each for action in report["actions"] for each in action["problems"])]
    messages = [f"{each['path']}: {each['message']}" for each in problems if each["severity"] == "error"]
    return list(dict.fromkeys(messages))[:_MAX_PROBLEMS]


def _operations(root: JsonObject) -> set[str]:
    paths = as_object(root.get("paths"))
    return {
        f"{method.upper()} {path}" for path, item in paths.items() for method in METHODS if method in as_object(item)
    }
