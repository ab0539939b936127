"""The blocks of an HTML page as its elements say them: headings with their levels, paragraphs, lists, tables, code."""

from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborNode

from openplaybook.retrieval.errors import InvalidSource
from openplaybook.retrieval.extraction.base import ExtractionLimits
from openplaybook.retrieval.extraction.block_collector import BlockCollector

_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_ANY_HEADING: Final = "h1, h2, h3, h4, h5, h6"
_LISTS: Final = frozenset({"ul", "ol", "menu"})
_MAIN: Final = frozenset({"main", "article"})
_SKIPPED: Final = frozenset({"aside", "audio", "button", "canvas", "datalist", "dialog", "embed", "footer", "head"}) | {
    *("iframe", "input", "math", "nav", "noscript", "object", "script", "select", "style", "svg", "template"),
    *("textarea", "video"),
}
"""Elements whose text nobody reads as part of the page."""
_BLOCKS: Final = frozenset(
    {"address", "article", "blockquote", "body", "caption", "center", "dd", "details", "div"}
) | {
    *("dl", "dt", "fieldset", "figcaption", "figure", "form", "header", "hgroup", "hr", "html", "legend", "li", "main"),
    *("menu", "ol", "p", "pre", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
}
_ROLES: Final = frozenset({"navigation", "search", "contentinfo", "menu", "menubar", "dialog"})
_BANNERS: Final = ("header", "banner")
_ANCHOR_MARKS, _LEADING_MARKS = " ¶#§\u200b", " \n¶§"
"""Behind or before headings of generated manuals stands a link to the heading."""
_TEXT: Final = "-text"


class PageStructure:
    """Takes the blocks of a page, and knows which of them stand in its `main` or `article`."""

    def __init__(self, into: BlockCollector) -> None:
        self._into = into
        self._words: list[str] = []
        self._main_depth = 0
        self.main: list[bool] = []
        """Of each block, whether it stands in the main part."""

    def read(self, root: LexborNode) -> None:
        """Take all blocks beneath a node, which lies no deeper than `refuse_depth` lets pass."""
        self._visit(root)
        self._end_paragraph()

    def _visit(self, node: LexborNode) -> None:
        for child in node.iter(include_text=True):
            tag = child.tag or ""
            if tag == _TEXT:
                self._words.append(child.text_content or "")
            elif tag == "br":
                self._words.append("\n")
            elif tag.startswith("-") or _is_aside(child, tag):
                continue
            elif tag in _BLOCKS or tag in _HEADINGS:
                self._end_paragraph()
                self._block(child, tag)
                self._end_paragraph()
            else:
                self._visit(child)

    def _block(self, node: LexborNode, tag: str) -> None:
        if level := _HEADINGS.get(tag):
            self._into.heading(_text(node).rstrip(_ANCHOR_MARKS).lstrip(_LEADING_MARKS), level)
        elif tag in _LISTS and not _holds(node, f"{_ANY_HEADING}, table, pre"):
            self._into.items(_items(node))
        elif tag == "table" and not _holds(node, f"{_ANY_HEADING}, table, pre"):
            self._table(node)
        elif tag == "pre":
            self._into.lines(node.text(deep=True))
        else:
            self._main_depth += tag in _MAIN
            self._visit(node)
            self._end_paragraph()
            self._main_depth -= tag in _MAIN
        self._mark()

    def _table(self, table: LexborNode) -> None:
        rows = table.css("tr")
        caption = table.css_first("caption")
        if caption:
            self._into.paragraph(_text(caption))
        heads = 0
        while heads < len(rows) and _is_head(rows[heads]):
            heads += 1
        self._into.table(([_text(cell) for cell in row.css("td, th")] for row in rows), header_rows=heads)

    def _end_paragraph(self) -> None:
        if self._words:
            self._into.paragraph("".join(self._words))
            self._words.clear()
            self._mark()

    def _mark(self) -> None:
        self.main += [bool(self._main_depth)] * (len(self._into) - len(self.main))


def refuse_depth(root: LexborNode, limits: ExtractionLimits) -> None:
    """Refuse a page whose elements lie too deep within each other, without recursion. Raises `InvalidSource`."""
    node: LexborNode | None = root
    depth = 0
    while node is not None:
        if child := node.first_child:
            node = child
            depth += 1
            if depth > limits.max_depth:
                raise InvalidSource(f"its elements lie in each other more than {limits.max_depth} levels deep")
            continue
        while node is not None and node.next is None:
            node = node.parent
            depth -= 1
            if depth <= 0:
                return
        node = node.next if node is not None else None


def _holds(node: LexborNode, selector: str) -> bool:
    # A selector finds the node itself too.
    return any(found != node for found in node.css(selector))


def _is_head(row: LexborNode) -> bool:
    return row.css_first("th") is not None and row.css_first("td") is None


def _is_aside(node: LexborNode, tag: str) -> bool:
    """Whether an element is no part of what a page says."""
    if tag in _SKIPPED:
        return True
    attributes = node.attributes
    role = attributes.get("role") or ""
    if tag in _BANNERS or role in _BANNERS:
        return node.css_first("h1") is None
    style = (attributes.get("style") or "").replace(" ", "")
    return role in _ROLES or "hidden" in attributes or "display:none" in style


def _pieces(node: LexborNode) -> Iterator[tuple[str, str]]:
    """Texts beneath a node, and the tags between them that part words."""
    for child in node.iter(include_text=True):
        tag = child.tag or ""
        if tag == _TEXT:
            yield _TEXT, child.text_content or ""
        elif tag == "br":
            yield tag, ""
        elif not tag.startswith("-") and tag not in _SKIPPED:
            if tag in _BLOCKS:
                yield tag, ""
            yield from _pieces(child)
            if tag in _BLOCKS:
                yield "", ""


def _text(node: LexborNode) -> str:
    return "".join(text if tag == _TEXT else " " for tag, text in _pieces(node))


def _items(node: LexborNode) -> list[str]:
    """Items of a list, those of lists within it behind the item that they belong to."""
    items = [""]
    for tag, text in _pieces(node):
        if tag == "li":
            items.append("")
        else:
            items[-1] += text if tag == _TEXT else " "
    return items
