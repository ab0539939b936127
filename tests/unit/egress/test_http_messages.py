"""Heads of requests, and how fast bodies of answers are read."""

import asyncio

import pytest
from yarl import URL

from openplaybook.egress.http_messages import Pace, head_of

LARGE = 2_000_000

HEADERS = (("Accept", "text/plain"), ("X-A", "b\tc"))


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
        "X-A: b\tc",
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
        ("GET", ("A", "b\x0bc")),
        ("GET", ("A", "b\x7f")),
        ("GET", ("A", "\ud800")),
        ("GET", ("A: b, C", "d")),
        ("GET", ("A ", "b")),
        ("GET", ("", "b")),
        ("GET", ("Ä", "b")),
        ("GET", ("Host", "other.example")),
        ("GET", ("content-length", "9")),
        ("POST", ("Transfer-Encoding", "chunked")),
        ("POST", ("Connection", "close")),
    ],
)
def test_what_would_be_read_as_something_else_is_refused(method: str, header: tuple[str, str]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any will do
        head_of(method, URL("http://a/"), (header,), None)


async def test_one_piece_of_a_large_answer_passes_in_a_round_of_the_loop() -> None:
    pace, passed, rounds = Pace(), list[int](), 0

    async def read(number: int) -> None:
        for _ in range(3):
            await pace.keep(LARGE)
            passed.append(number)

    reading = [asyncio.create_task(read(number)) for number in range(4)]
    most = 0
    while not all(task.done() for task in reading):
        before = len(passed)
        await asyncio.sleep(0)
        rounds, most = rounds + 1, max(most, len(passed) - before)

    assert (most, len(passed)) == (1, 12)
    assert sorted(passed[:4]) == [0, 1, 2, 3]


async def test_a_small_answer_waits_for_nobody() -> None:
    pace = Pace()
    large = asyncio.create_task(pace.keep(LARGE))
    await asyncio.sleep(0)
    await pace.keep(1_000)

    assert not large.done()
    await large
