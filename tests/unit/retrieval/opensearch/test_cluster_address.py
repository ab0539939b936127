"""The argument of `opensearch:` says where a cluster is, and names the files that hold what is secret."""

from base64 import b64encode
from pathlib import Path

import pytest

from openplaybook.retrieval.opensearch.cluster_address import ClusterAddress, read_cluster_address


def test_a_url_alone_is_enough() -> None:
    assert read_cluster_address("http://search:9200/") == ClusterAddress("http://search:9200")
    assert read_cluster_address("https://h/es/?prefix=team-1").url == "https://h/es"
    assert read_cluster_address("https://h?prefix=team-1").prefix == "team-1"


def test_secrets_are_read_from_files_and_not_shown(tmp_path: Path) -> None:
    key, password, ca = (tmp_path / name for name in ("key", "password", "ca"))
    key.write_text("abc=\n")
    password.write_text("p:w\n")
    ca.write_bytes(b"PEM")
    by_key = read_cluster_address(f"https://h:1?api_key_file={key}&ca_file={ca}")
    assert (by_key.authorization, by_key.ca_certificate, by_key.secret) == ("ApiKey abc=", b"PEM", "abc=")
    by_user = read_cluster_address(f"https://h?user=me&password_file={password}")
    assert by_user.authorization == "Basic " + b64encode(b"me:p:w").decode()
    assert "abc" not in repr(by_key)
    assert by_user.secret not in repr(by_user)


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("", "takes a URL"),
        ("host:9200", "takes a URL"),
        ("ftp://h", "takes a URL"),
        ("https://me:pw@h", "without user name and password"),
        ("https://h?timeout=5", "no option 'timeout'; allowed are user, password_file"),
        ("https://h?prefix=Upper", "prefix"),
        ("https://h?prefix=_x", "prefix"),
        ("https://h?user=me", "user and password_file together"),
        ("https://h?api_key_file=/nowhere/key", "API key file /nowhere/key of opensearch cannot be read: No such file"),
        ("https://h?user=a&password_file=b&api_key_file=c", "not both"),
    ],
)
def test_what_is_wrong_is_said(argument: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_cluster_address(argument)


def test_a_file_without_a_line_of_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("a\nb")
    with pytest.raises(ValueError, match="must hold one line of text"):
        read_cluster_address(f"https://h?api_key_file={tmp_path / 'key'}")
