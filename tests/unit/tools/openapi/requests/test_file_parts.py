"""Of which type the part of a form is that holds a file."""

import pytest

from openplaybook.tools.openapi.requests.bodies.file_arguments import BodyFile
from openplaybook.tools.openapi.requests.bodies.form_fields import FormField
from openplaybook.tools.openapi.requests.bodies.multipart import form_data_parts

OCTETS = "application/octet-stream"


@pytest.mark.parametrize(
    ("file", "allowed", "media_type"),
    [
        (BodyFile("sales.csv", "", b"a"), "", OCTETS),
        (BodyFile("", "", b"a"), "", OCTETS),
        (BodyFile("sales.csv", "text/csv", b"a"), "", "text/csv"),
        (BodyFile("sales.csv", "", b"a"), "text/*", "text/csv"),
        (BodyFile("cat.png", "", b"a"), "image/jpeg, image/png", "image/png"),
        (BodyFile("sales.csv", "", b"a"), "image/png", "image/png"),
    ],
)
def test_a_file_is_octets_unless_its_type_is_said(file: BodyFile, allowed: str, media_type: str) -> None:
    first = "" if "*" in allowed else allowed.partition(",")[0]
    (part,) = form_data_parts({"f": file}, {"f": FormField(allowed=allowed, media_type=first)}, {})
    assert dict(part.headers)["Content-Type"] == media_type
