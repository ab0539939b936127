"""What is crawled is what can be read: the crawler stands below the readers of files, and names their types itself."""

from openplaybook.retrieval.crawl.base import PAGE_TYPES
from openplaybook.retrieval.extraction.media_types import DOCX, HTML, MARKDOWN, PDF, PPTX, TEXT, XLSX


def test_pages_are_of_the_types_that_documents_are_made_of() -> None:
    assert {HTML, "application/xhtml+xml", TEXT, MARKDOWN, PDF, DOCX, PPTX, XLSX} == PAGE_TYPES
