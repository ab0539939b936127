"""The words of manifests of which one must be chosen."""

from enum import Enum


class BodyKind(Enum):
    """How the body of a request is written."""

    JSON = "json"
    FORM = "form"
    """`a=b&c=d`."""
    FORM_BRACKETS = "form_brackets"
    """`a[b][0]=c`, as PHP and Rails read it."""
    MULTIPART = "multipart"
    """Texts of a form, each a part (RFC 7578)."""
    QUERY = "query"
    """No body: the members are query parameters."""


class ListPlace(Enum):
    """Where parameters of a list go."""

    QUERY = "query"
    BODY = "body"


class PagingKind(Enum):
    """How the next page is asked for."""

    NONE = "none"
    OFFSET = "offset"
    PAGE = "page"
    CURSOR = "cursor"
    LINK_HEADER = "link_header"
    NEXT_URL = "next_url"
    CONTINUE = "continue"


class UpdateKind(Enum):
    """What an update sends."""

    PATCH = "patch"
    """The changed fields."""
    PUT_MERGE = "put_merge"
    """The whole entity as it was, with the changes."""
    POST = "post"
    """The changed fields, to an address that is no entity's own; it may not be repeated."""
    JSON_PATCH = "json_patch"
    """An array of replacements (RFC 6902)."""


class ValueCodec(Enum):
    """How a value is written in the system, where that is not as we have it."""

    PLAIN = "plain"
    EPOCH = "epoch"
    """A moment as seconds since 1970."""
    EPOCH_MS = "epoch_ms"
    """The same in thousandths."""
    ADF = "adf"
    """Text as Atlassian's document format."""
    CSV = "csv"
    """A list as texts with commas between them."""
    NUMBER_TEXT = "number_text"
    """A number as text (protobuf's int64, decimals)."""
    SEGMENT = "segment"
    """The last part of a resource name, such as `c1` of `people/c1`."""
    UTC_TEXT = "utc_text"
    """A moment as `2026-11-26 09:00:00`, in UTC."""
    SLASH_DATE = "slash_date"
    """A date or moment as `/Date(1795651200000)/` (OData 2)."""
    JSON_TEXT = "json_text"
    """Any value as the text of its JSON."""
    BOOLEAN_TEXT = "boolean_text"
    """A boolean as the text `true` or `false`."""
    TEXT_RUNS = "text_runs"
    """What Google Docs and Slides hold as runs of text, here one text."""
    MAIL = "mail"
    """The parts of an e-mail as Gmail has them, here its text."""


class FailureClass(Enum):
    """What an error of a system means, by the keys of `errors.codes`."""

    INVALID = "invalid"
    AUTHENTICATION = "authentication"
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    LIMITED = "limited"
    UNAVAILABLE = "unavailable"
