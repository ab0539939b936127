"""Whatever callers and operators write, there is an answer in words."""

from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from openplaybook.server.access.api_keys import ApiKeys, read_api_keys
from openplaybook.server.access.authenticator import candidates
from openplaybook.server.access.proxies import parse_proxies
from openplaybook.server.errors import SettingsError

WORDS = st.sampled_from(["admin", "runtime", "sha256:", "a" * 16, "a" * 64, "#", "\n", " ", "ä", "\t"]) | st.text()
ENTRIES = (
    st.sampled_from(["10.0.0.1", "198.51.100.1", "[2001:db8::1]:80", "1.2.3.4:5", ",", "", "unknown", "::"]) | st.text()
)


@given(st.lists(ENTRIES).map(",".join), st.sampled_from(["10.0.0.9", "203.0.113.1", "::1"]))
def test_a_client_is_an_address_whatever_is_forwarded(forwarded: str, peer: str) -> None:
    client = parse_proxies("10.0.0.0/8,::1").client(peer, forwarded)
    assert str(ip_address(client)) == client
    assert client == peer or peer in ("10.0.0.9", "::1")


@given(st.lists(WORDS).map("".join))
def test_a_file_of_keys_is_used_or_refused(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "keys"
        file.write_text(text, encoding="utf-8", newline="")
        refused = ""
        try:
            read_api_keys(file)
        except SettingsError as error:
            refused = str(error)
        assert refused == "" or str(file) in refused


@given(st.dictionaries(st.sampled_from(["authorization", "x-goog-api-key"]), st.text()), st.binary())
def test_nobody_is_let_in_by_a_key_that_is_not_there(headers: dict[str, str], query: bytes) -> None:
    assert ApiKeys([]).find(candidates(headers, query)) is None
