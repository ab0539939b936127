"""What kind of thing an answer is, by its headers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.tools.openapi.answers.content_headers import ContentType, file_name, is_attachment, media_of

URL = "https://api.example/pets/3/photo%20one?size=large"


@pytest.mark.parametrize(
    ("content_type", "media"),
    [
        ("application/json", ContentType("application/json", "utf-8", is_json=True, is_text=False, is_page=False)),
        ("Application/HAL+JSON; charset=UTF-16", ContentType("application/hal+json", "utf-16", True, False, False)),
        ("text/csv; header=present; charset='iso-8859-1'", ContentType("text/csv", "iso-8859-1", False, True, False)),
        ("text/plain;charset=utf-8-le", ContentType("text/plain", "utf-8", False, True, False)),
        ("text/plain;charset=iso-8859-99", ContentType("text/plain", "utf-8", False, True, False)),
        ("text/plain;charset=windows-9999", ContentType("text/plain", "utf-8", False, True, False)),
        ("text/html;charset=punycode", ContentType("text/html", "utf-8", False, True, True)),
        ("application/xhtml+xml", ContentType("application/xhtml+xml", "utf-8", False, True, True)),
        ("image/svg+xml", ContentType("image/svg+xml", "utf-8", False, True, False)),
        ("application/x-ndjson", ContentType("application/x-ndjson", "utf-8", False, True, False)),
        (
            "application/vnd.oai.openapi+yaml",
            ContentType("application/vnd.oai.openapi+yaml", "utf-8", False, True, False),
        ),
        ("application/pdf", ContentType("application/pdf", "utf-8", False, False, False)),
        ("", ContentType("", "utf-8", False, False, False)),
    ],
)
def test_a_content_type_is_read(content_type: str, media: ContentType) -> None:
    assert media_of(content_type) == media


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ("", "photo one.png"),
        ("inline", "photo one.png"),
        ('attachment; filename="rex.png"', "rex.png"),
        ("attachment; filename=rex.jpeg", "rex.jpeg"),
        ("attachment; filename*=UTF-8''r%C3%A9x.png; filename=rex.png", "réx.png"),
        ("attachment; filename=\"rex.png\"; filename*=iso-8859-1'de'r%E9x.png", "réx.png"),
        ("attachment; filename*=punycode''abc; filename=rex.png", "rex.png"),
        ('attachment; filename="../../etc/passwd"', "passwd.png"),
        ("attachment; filename*=UTF-8''..%2F..%5Cboot.ini", "boot.ini"),
        ('attachment; filename="..."', "file.png"),
        ('attachment; filename=""', "photo one.png"),
        ("attachment; filename*=UTF-8''a%00b%0Ac.png", "a_b_c.png"),
        ("attachment; filename*1*=a; filename*=utf-8-le''b; filename*", "photo one.png"),
        ('attachment; filename="' + ";" * 8000, "photo one.png"),
        (f'attachment; filename="{"a" * 200}.png"', "a" * 96 + ".png"),
    ],
)
@pytest.mark.proves("O6")
def test_a_file_is_called_what_the_service_calls_it_without_folders(disposition: str, name: str) -> None:
    assert file_name(disposition, URL, "image/png") == name


@pytest.mark.parametrize(
    ("url", "kind", "name"),
    [
        ("https://api.example/pets/3", "application/pdf", "3.pdf"),
        ("https://api.example/", "application/pdf", "file.pdf"),
        ("https://api.example/report.pdf", "application/octet-stream", "report.pdf"),
        ("https://api.example/report", "x/unheard-of", "report"),
        ("https://api.example/a%2Fb", "text/plain", "b.txt"),
    ],
)
def test_a_file_without_a_name_is_called_as_its_address_ends(url: str, kind: str, name: str) -> None:
    assert file_name("", url, kind) == name


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_header_makes_a_name_that_leads_elsewhere(disposition: str, given_name: str) -> None:
    name = file_name(f'attachment; filename="{given_name}"; {disposition}', URL, "image/png")
    assert name.isprintable()
    assert not set("/\\") & set(name)
    assert name.strip(".") != ""
    assert len(name) <= 110


@pytest.mark.parametrize(
    ("disposition", "saved"),
    [("attachment", True), (' Attachment ; filename="a"', True), ("inline", False), ("", False)],
)
def test_an_attachment_is_to_be_saved(disposition: str, saved: bool) -> None:
    assert is_attachment(disposition) is saved
