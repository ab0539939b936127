"""Parts of what runs on a remote machine, taken alone."""

import os
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as some

from openplaybook.sandbox.remote.shipped.archive_run import OutputStream
from openplaybook.sandbox.remote.shipped.remote_guest import receive, send


@given(some.dictionaries(some.text(max_size=5), some.text(max_size=50) | some.integers() | some.booleans(), max_size=5))
def test_documents_arrive_as_they_were_sent(document: dict[str, object]) -> None:
    one, other = socket.socketpair()
    with one, other:
        send(one, document)
        send(one, {"next": 1})
        assert [receive(other), receive(other)] == [(document, []), ({"next": 1}, [])]


def test_descriptors_come_with_their_document() -> None:
    one, other = socket.socketpair()
    reading, writing = os.pipe()
    with one, other:
        send(one, {"a": 1}, [writing])
        os.close(writing)
        document, (copy,) = receive(other)
        os.write(copy, b"said")
        os.close(copy)
    assert (document, os.read(reading, 10), os.read(reading, 10)) == ({"a": 1}, b"said", b"")
    os.close(reading)


@pytest.mark.parametrize("sent", [b"", b"\0\0", b"\0\0\0\x09{}"])
def test_a_document_that_breaks_off_is_an_end(sent: bytes) -> None:
    one, other = socket.socketpair()
    with other:
        with one:
            one.sendall(sent)
        with pytest.raises(EOFError):
            receive(other)


def test_output_is_kept_up_to_its_limit_and_the_rest_counted() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"0123456789")
    stream = OutputStream(4)
    stream.drain(reading)
    os.write(writing, b"abc")
    os.close(writing)
    stream.drain(reading)
    os.close(reading)
    assert (bytes(stream.kept), stream.dropped) == (b"0123", 9)
