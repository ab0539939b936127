"""An HTML page: its title, language and address, and the blocks of its main content.

trafilatura judges which text is main content; what the blocks are, and in which order, the page's elements say.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode
from trafilatura import bare_extraction

from openplaybook.retrieval.extraction.base import BlockKind, ExtractionLimits, ExtractionOptions, TextBlock
from openplaybook.retrieval.extraction.block_collector import CELL_BREAK, BlockCollector, clean_text
from openplaybook.retrieval.extraction.html_structure import PageStructure, refuse_depth

_LANGUAGE: Final = re.compile(r"\s*([a-z]{2,3})(?:[-_]|\s*$)", re.I)
_LEAST_OF_MAIN: Final = 0.6
"""Part of the words in `main` or `article` that trafilatura has to find to be believed."""
_LEAST_OF_PAGE: Final = 0.3
"""The same of all words of a page without such a part."""
_LONGEST_JUDGED: Final = 1_000_000
"""Characters of a page that trafilatura judges, in a second or so; of a longer one all blocks are main content."""
_LONGEST_ADDRESS: Final = 2_000


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page says about itself."""

    title: str
    language: str
    """Primary subtag of BCP-47; empty where the page names none."""
    uri: str
    """Its canonical address; empty where it names none."""
    blocks: tuple[TextBlock, ...]


def read_page(text: str, address: str, options: ExtractionOptions, limits: ExtractionLimits) -> PageFacts:
    """What an HTML text says. `address` is where it comes from, for canonical addresses that are relative.

    Raises `InvalidSource` where it goes beyond a limit.
    """
    tree = LexborHTMLParser(text)
    root = tree.root
    if root is None:
        return PageFacts("", "", "", ())
    refuse_depth(root, limits)
    is_cut = _exclude(root, options)
    collector = BlockCollector(limits)
    structure = PageStructure(collector)
    structure.read(tree.body or root)
    html = (tree.html or "") if is_cut else text
    blocks = _main_blocks(collector.blocks, structure.main, _MainText(html))
    return PageFacts(_title(root), _language(root), _canonical(root, address), blocks)


def _exclude(root: LexborNode, options: ExtractionOptions) -> bool:
    """Take out what the options exclude; gives whether there was any."""
    elements = frozenset(name.lower() for name in options.exclude_html_elements)
    classes, ids = frozenset(options.exclude_html_classes), frozenset(options.exclude_html_ids)
    if not (elements or classes or ids):
        return False
    found: dict[int, LexborNode] = {}
    for node in root.traverse():
        attributes = node.attributes
        own_classes = (attributes.get("class") or "").split()
        if node.tag in elements or attributes.get("id") in ids or not classes.isdisjoint(own_classes):
            found[node.mem_id] = node
    # One within another goes with it, and must not be touched afterwards.
    outermost = [node for node in found.values() if not any(parent.mem_id in found for parent in _ancestors(node))]
    for node in outermost:
        node.decompose()
    return bool(outermost)


def _ancestors(node: LexborNode) -> Iterable[LexborNode]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


class _MainText:
    """What trafilatura takes for the main content, letters and digits alone; nothing where it finds none."""

    def __init__(self, html: str) -> None:
        is_short = len(html) <= _LONGEST_JUDGED
        document = bare_extraction(html, include_comments=False, include_tables=True) if is_short else None
        text = str(getattr(document, "text", "") or "")
        self._lines = frozenset(map(_key, text.splitlines()))
        self._whole = _key(text)

    def has(self, block: TextBlock) -> bool:
        """Whether most of a block is in it."""
        parts = [key for line in block.text.splitlines() for part in line.split(CELL_BREAK) if (key := _key(part))]
        return 2 * sum(key in self._lines or key in self._whole for key in parts) > len(parts)


def _key(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _main_blocks(blocks: Sequence[TextBlock], main: Sequence[bool], main_text: _MainText) -> tuple[TextBlock, ...]:
    """Blocks of the main content, with the headings that lead to them; all where none can be told from the rest."""
    is_kept = [block.kind is not BlockKind.HEADING and main_text.has(block) for block in blocks]
    has_main = any(main)
    candidates = main if has_main else [True] * len(blocks)
    least = _LEAST_OF_MAIN if has_main else _LEAST_OF_PAGE
    body = [block.kind is not BlockKind.HEADING for block in blocks]
    if _words(blocks, is_kept) < least * _words(blocks, [a and b for a, b in zip(candidates, body, strict=True)]):
        is_kept = [a or (b and c) for a, b, c in zip(is_kept, candidates, body, strict=True)]
    _keep_headings(blocks, is_kept)
    return tuple(block for block, kept in zip(blocks, is_kept, strict=True) if kept) or tuple(blocks)


def _words(blocks: Sequence[TextBlock], which: Sequence[bool]) -> int:
    return sum(len(block.text) for block, counts in zip(blocks, which, strict=True) if counts)


def _keep_headings(blocks: Sequence[TextBlock], is_kept: list[bool]) -> None:
    """Keep each heading that a kept block stands under, before the next heading that is as high."""
    deepest = 7
    has_kept = False
    for at in range(len(blocks) - 1, -1, -1):
        if blocks[at].kind is not BlockKind.HEADING:
            has_kept = has_kept or is_kept[at]
            deepest = 7 if is_kept[at] else deepest
        elif has_kept and blocks[at].level < deepest:
            is_kept[at] = True
            deepest = blocks[at].level


def _title(root: LexborNode) -> str:
    for selector in ("head > title", "h1"):
        found = root.css_first(selector)
        if found and (title := clean_text(found.text(deep=True, separator=" "))):
            return title
    meta = root.css_first('meta[property="og:title"]')
    return clean_text(meta.attributes.get("content") or "") if meta else ""


def _language(root: LexborNode) -> str:
    html = root if root.tag == "html" else root.css_first("html")
    meta = root.css_first('meta[http-equiv="content-language" i]')
    declared = (html.attributes.get("lang") if html else "") or (meta.attributes.get("content") if meta else "") or ""
    found = _LANGUAGE.match(declared)
    return found[1].lower() if found else ""


def _canonical(root: LexborNode, address: str) -> str:
    link = root.css_first('link[rel~="canonical" i]')
    target = (link.attributes.get("href") or "").strip() if link else ""
    if not target or len(target) > _LONGEST_ADDRESS:
        return ""
    try:
        whole = urljoin(address, target)
        return whole if urlsplit(whole).scheme in ("http", "https") and urlsplit(whole).hostname else ""
    except ValueError:
        return ""
