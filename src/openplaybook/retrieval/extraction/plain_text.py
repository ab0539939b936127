"""Plain text and Markdown: paragraphs between empty lines; of Markdown also headings, lists, tables, front matter."""

import re
from dataclasses import dataclass
from typing import Final

from openplaybook.retrieval.extraction.block_collector import BlockCollector, clean_text

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_SETEXT: Final = re.compile(r" {0,3}(=+|-+)[ \t]*")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+\S")
_BULLET: Final = re.compile(r"^\s*[-*+]\s+(?:\[[ xX]\]\s+)?")
_TABLE_RULE: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_RULE: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})")
_FRONT_MATTER: Final = re.compile(r"---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.S)
_MEMBER: Final = re.compile(r"^(title|lang|language)[ \t]*:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.M | re.I)
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?=[-_]|$)", re.I)

_IMAGE_OR_LINK: Final = re.compile(r"!?\[([^\[\]]{0,2000})\]\([^()\s]{0,2000}(?:[ \t]+\"[^\"]{0,500}\")?\)")
_STRONG: Final = re.compile(r"(\*\*|__)(?=\S)([^*_\n]+?)(?<=\S)\1")
_EMPHASIS: Final = re.compile(
    r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])|(?<![\w_])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])"
)
_CODE: Final = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_TAG: Final = re.compile(
    r"</?(?:a|b|br|code|details|div|em|i|img|kbd|p|span|strong|sub|summary|sup)(?:\s[^<>]{0,500})?/?>", re.I
)


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What a text says about itself."""

    title: str = ""
    language: str = ""
    """Primary subtag of BCP-47."""


def read_text(text: str, into: BlockCollector) -> TextFacts:
    """Take the paragraphs of a plain text, their line breaks as they are only where lines are items of a list."""
    for part in re.split(r"\n[ \t\r\f]*\n", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")):
        lines = [line for line in part.splitlines() if line.strip()]
        if len(lines) > 1 and all(map(_ITEM.match, lines)):
            into.items(lines)
        else:
            into.paragraph(part)
    return TextFacts()


def read_markdown(text: str, into: BlockCollector) -> TextFacts:
    """Take the blocks of a Markdown text; marks of emphasis and targets of links are left out."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    facts = TextFacts()
    if matter := _FRONT_MATTER.match(text):
        facts = _front_matter(matter[1])
        text = text[matter.end() :]
    _MarkdownLines(_without_comments(text).split("\n"), into).read()
    return facts


def _without_comments(text: str) -> str:
    kept: list[str] = []
    at = 0
    while (begin := text.find("<!--", at)) >= 0 and (end := text.find("-->", begin + 4)) >= 0:
        kept.append(text[at:begin])
        at = end + 3
    return "".join([*kept, text[at:]])


def _front_matter(matter: str) -> TextFacts:
    members = {found[1].lower(): clean_text(found[2]) for found in _MEMBER.finditer(matter)}
    language = _LANGUAGE.match(members.get("lang") or members.get("language", ""))
    return TextFacts(members.get("title", ""), language[0].lower() if language else "")


def _plain(line: str) -> str:
    """A line without its marks."""
    line = _IMAGE_OR_LINK.sub(r"\1", line)
    line = _CODE.sub(r"\2", line)
    line = _STRONG.sub(r"\2", line)
    line = _EMPHASIS.sub(lambda found: found[1] or found[2], line)
    return _TAG.sub(" ", line)


class _MarkdownLines:
    """Goes through the lines once; each method takes the block that begins at `_at`."""

    def __init__(self, lines: list[str], into: BlockCollector) -> None:
        self._lines = lines
        self._into = into
        self._at = 0
        self._waiting: list[str] = []
        """Lines of the paragraph that has not ended."""

    def read(self) -> None:
        """Take all blocks."""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip():
                self._end_paragraph()
                self._at += 1
            elif not (self._fence(line) or self._heading(line) or self._table(line) or self._list(line)):
                self._waiting.append(_plain(line.lstrip(" \t>")))
                self._at += 1
        self._end_paragraph()

    def _end_paragraph(self) -> None:
        self._into.paragraph(" ".join(self._waiting))
        self._waiting.clear()

    def _fence(self, line: str) -> bool:
        found = _FENCE.match(line)
        if not found:
            return False
        self._end_paragraph()
        begin = self._at = self._at + 1
        while self._at < len(self._lines) and not self._lines[self._at].lstrip().startswith(found[1]):
            self._at += 1
        self._into.lines("\n".join(self._lines[begin : self._at]))
        self._at += 1
        return True

    def _heading(self, line: str) -> bool:
        if found := _ATX.fullmatch(line):
            self._end_paragraph()
            self._into.heading(_plain(found[2] or ""), len(found[1]))
        elif (found := _SETEXT.fullmatch(line)) and self._waiting:
            self._into.heading(" ".join(self._waiting), 1 if found[1][0] == "=" else 2)
            self._waiting.clear()
        elif _RULE.fullmatch(line):
            self._end_paragraph()
        else:
            return False
        self._at += 1
        return True

    def _table(self, line: str) -> bool:
        following = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        if "|" not in line or "|" not in following or not _TABLE_RULE.fullmatch(following):
            return False
        self._end_paragraph()
        rows = [_cells(line)]
        self._at += 2
        while self._at < len(self._lines) and "|" in self._lines[self._at]:
            rows.append(_cells(self._lines[self._at]))
            self._at += 1
        self._into.table(rows, header_rows=1)
        return True

    def _list(self, line: str) -> bool:
        if not _ITEM.match(line):
            return False
        self._end_paragraph()
        items: list[str] = []
        while self._at < len(self._lines) and (line := self._lines[self._at]).strip():
            if _ITEM.match(line):
                items.append(_plain(_BULLET.sub("", line)))
            elif items and not _FENCE.match(line) and not _ATX.fullmatch(line):
                items[-1] += " " + _plain(line)
            else:
                break
            self._at += 1
        self._into.items(items)
        return True


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|").removesuffix("|")
    return [_plain(cell.replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", bare)]
