"""Texts within what Google's APIs give and take: runs of text of documents and slides, and e-mails (RFC 5322)."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from codecs import lookup
from collections.abc import Iterator
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from html import unescape

from openplaybook.connectors.errors import InvalidValue
from openplaybook.jsonvalues import JsonObject, JsonValue, as_list, as_object

MIME_MESSAGE = "mime.message"
"""The placeholder that stands for an e-mail, made of the parameters `to`, `cc`, `bcc`, `subject`, `text`, `html` and
`in_reply_to`, in base64url."""

_MOST_DEPTH = 100
_MOST_PARTS = 100
_MOST_CHARACTERS = 1_000_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
_MAILBOX = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9.-]{1,253}"
_ADDRESS = re.compile(rf"(?:([^<>@]{{0,200}})<({_MAILBOX})>|({_MAILBOX}))")
_IDENTIFIER = re.compile(r"<[!-;=?-~]{1,900}>")
_TAG = re.compile(r"<(/?)([A-Za-z!?][A-Za-z0-9]*)[^<>]*>")
_CHARSET = re.compile(r"charset\s*=\s*\"?([\w.:-]{1,40})", re.IGNORECASE)
_BREAKS = frozenset({"br", "p", "div", "tr", "li", "table", "blockquote", "h1", "h2", "h3", "h4"})
_UNSEEN = frozenset({"script", "style", "head", "title"})
_BLANKS = re.compile(r"[ \t\xa0]+")
_EMPTY_LINES = re.compile(r"\n[ \n]*\n")


def text_of_runs(value: JsonValue) -> str:
    """The texts of all runs of a document's body, or of slides, in order."""
    return "".join(_runs(value, 0))[:_MOST_CHARACTERS]


def _runs(value: JsonValue, depth: int) -> Iterator[str]:
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, list):
        for each in as_list(value):
            yield from _runs(each, depth + 1)
        return
    for name, each in as_object(value).items():
        if name == "textRun":
            yield str(as_object(each).get("content") or "")
        elif isinstance(each, dict | list):
            yield from _runs(each, depth + 1)


def text_of_mail(payload: JsonValue) -> str:
    """What a message says: its plain text, else its HTML without tags; attachments are left out."""
    parts = list(_parts(payload, 0))[:_MOST_PARTS]
    plain = [_decoded(each) for each in parts if each.get("mimeType") == "text/plain"]
    if any(text.strip() for text in plain):
        return "\n".join(plain)[:_MOST_CHARACTERS]
    pages = [plain_text(_decoded(each)) for each in parts if each.get("mimeType") == "text/html"]
    return "\n".join(pages)[:_MOST_CHARACTERS]


def _parts(part: JsonValue, depth: int) -> Iterator[JsonObject]:
    members = as_object(part)
    if depth > _MOST_DEPTH or members.get("filename"):
        return
    yield members
    for each in as_list(members.get("parts")):
        yield from _parts(each, depth + 1)


def _decoded(part: JsonObject) -> str:
    data = as_object(part.get("body")).get("data")
    if not isinstance(data, str):
        return ""
    try:
        content = urlsafe_b64decode(data[: 2 * _MOST_CHARACTERS] + "===")
    except ValueError:
        return ""
    return content.decode(_charset(part), "replace")


def _charset(part: JsonObject) -> str:
    kinds = (
        each for each in as_list(part.get("headers")) if str(as_object(each).get("name")).lower() == "content-type"
    )
    found = _CHARSET.search(str(as_object(next(kinds, None)).get("value")))
    try:
        return lookup(found[1]).name if found else "utf-8"
    except LookupError:
        return "utf-8"


def plain_text(page: str) -> str:
    """HTML without its tags, a line for each paragraph."""
    made: list[str] = []
    unseen, start = "", 0
    for tag in _TAG.finditer(page):
        name = tag[2].lower()
        if not unseen:
            made.append(page[start : tag.start()])
            made += "\n" if name in _BREAKS else ""
        if not tag[1] and name in _UNSEEN:
            unseen = unseen or name
        elif tag[1] and name == unseen:
            unseen = ""
        start = tag.end()
    made.append("" if unseen else page[start:])
    lines = _BLANKS.sub(" ", unescape("".join(made)))
    return _EMPTY_LINES.sub("\n\n", lines).strip()


def mail_of(parameters: JsonObject) -> str:
    """An e-mail in base64url. Raises `InvalidValue`."""
    message = EmailMessage(policy=SMTP)
    for name in ("to", "cc", "bcc"):
        value = parameters.get(name)
        given = as_list(value) if isinstance(value, list) else [value]
        addresses = [_address(name, _line(name, each)) for each in given if each]
        if addresses:
            message[name.title()] = addresses
    message["Subject"] = _line("subject", parameters.get("subject") or "")
    replied = parameters.get("in_reply_to")
    if replied:
        identifier = _line("in_reply_to", replied)
        if not _IDENTIFIER.fullmatch(identifier):
            raise InvalidValue("in_reply_to", "must be the Message-ID of a message, such as <a1@example.org>")
        message["In-Reply-To"] = message["References"] = identifier
    text, page = str(parameters.get("text") or ""), str(parameters.get("html") or "")
    try:
        message.set_content(text or plain_text(page))
        if page:
            message.add_alternative(page, subtype="html")
        return urlsafe_b64encode(message.as_bytes()).decode()
    except UnicodeError:
        raise InvalidValue("text", "holds half of a character, which no message can carry") from None


def _address(name: str, text: str) -> Address:
    """One recipient; Python's own reader of addresses fails at odd ones."""
    found = _ADDRESS.fullmatch(text.strip())
    if found is None:
        raise InvalidValue(name, "must hold addresses such as ann@example.org or Ann Lee <ann@example.org>")
    user, _, domain = (found[2] or found[3]).rpartition("@")
    return Address((found[1] or "").strip().strip('"'), user, domain)


def _line(name: str, value: JsonValue) -> str:
    """A header's value: what holds a line break could be another header."""
    text = str(value)
    if _CONTROL.search(text) or len(text) > 10_000:
        raise InvalidValue(name, "may not hold line breaks or control characters, nor more than 10,000 characters")
    return text
