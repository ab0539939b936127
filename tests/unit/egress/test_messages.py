"""Heads of requests."""

import pytest
from yarl import URL

from openplaybook.egress.messages import head_of

HEADERS = (("Accept", "text/plain"), ("X-A", "b"))


def lines(method: str, url: str, headers: tuple[tuple[str, str], ...], body: bytes | None) -> list[str]:
    head = head_of(method, URL(url, encoded=True), headers, body).decode()
    assert head.endswith("\r\n\r\n")
    return head.removesuffix("\r\n\r\n").split("\r\n")


def test_what_is_usual_is_sent_unless_it_is_given() -> None:
    assert lines("GET", "http://api.example/a%2Fb?q=%2C&r=a,b", HEADERS, None) == [
        "GET /a%2Fb?q=%2C&r=a,b HTTP/1.1",
        "Host: api.example",
        "User-Agent: openplaybook",
        "Accept-Encoding: gzip, deflate",
        "Accept: text/plain",
        "X-A: b",
    ]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://api.example:8080/", "api.example:8080"),
        ("https://api.example:443/", "api.example"),
        ("http://[fd00::7]:81/", "[fd00::7]:81"),
        ("http://[fd00::7]/", "[fd00::7]"),
    ],
)
def test_the_host_is_the_urls(url: str, host: str) -> None:
    assert lines("GET", url, (), None)[1] == f"Host: {host}"


def test_a_body_has_a_length_and_a_type() -> None:
    assert lines("PUT", "http://a/", (), b"abc")[-2:] == [
        "Content-Type: application/octet-stream",
        "Content-Length: 3",
    ]
    typed = lines("PUT", "http://a/", (("content-type", "text/plain"),), b"")
    assert typed[-2:] == ["content-type: text/plain", "Content-Length: 0"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "TRACE"])
def test_no_body_has_no_length(method: str) -> None:
    assert not any(line.startswith("Content-") for line in lines(method, "http://a/", (), None))
    assert lines("DELETE", "http://a/", (), None)[-1] == "Content-Length: 0"


@pytest.mark.parametrize(
    ("method", "header"),
    [
        ("GET /b HTTP/1.1\r\nA: b", ("A", "b")),
        ("", ("A", "b")),
        ("GET", ("A", "b\r\nB: c")),
        ("GET", ("A", "b\rc")),
        ("GET", ("A\n", "b")),
        ("GET", ("A", "b\0")),
        ("GET", ("A", "\ud800")),
    ],
)
def test_what_would_be_read_as_something_else_is_refused(method: str, header: tuple[str, str]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any will do
        head_of(method, URL("http://a/"), (header,), None)
