"""Documents of files."""

from openplaybook.retrieval.base import Passage, StoreDocument
from openplaybook.retrieval.extraction.base import BlockKind, ExtractedDocument, TextBlock
from openplaybook.retrieval.passages.passage_cutter import FileDescription, PassageOptions, document_of_file

READ = ExtractedDocument(
    "From the file", "de", (TextBlock(BlockKind.PARAGRAPH, "Text", page=1),), "text/html", "http://c/"
)


def test_a_file_is_known_by_its_address_and_says_the_rest_itself() -> None:
    assert document_of_file(READ, FileDescription("http://a/", "d1")) == StoreDocument(
        id="282a35d7a0da6ae48eee116ad6193fa8",
        title="From the file",
        uri="http://a/",
        passages=(Passage("Text", page=1),),
        language="de",
        media_type="text/html",
        digest="d1",
    )


def test_what_is_said_about_a_file_counts_more_than_what_it_says() -> None:
    about = FileDescription("gs://b/o.html", "d1", "7", {"title": "T", "url": "http://t/"}, {"content": {"uri": "u"}})
    document = document_of_file(READ, about, PassageOptions(is_whole=True))
    assert (document.id, document.title, document.uri) == ("7", "T", "http://t/")
    assert (document.data, document.source) == (about.data, about.source)
