"""The examples are those of RFC 7616 §3.9."""

import re
from hashlib import md5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplaybook.credentials.http_digest import DigestAttempt, DigestChallenge, answered, strongest

NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
OPAQUE = "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
MEMBERS = f'realm="http-auth@example.org", qop="auth, auth-int", nonce="{NONCE}", opaque="{OPAQUE}"'
BOTH = f"Digest {MEMBERS}, algorithm=SHA-256, Digest {MEMBERS}, algorithm=MD5"
ATTEMPT = DigestAttempt("GET", "/dir/index.html", b"", 1, "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")


def response(value: str) -> str:
    found = re.search(r'response="([0-9a-f]+)"', value)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (BOTH, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        (f"Digest {MEMBERS}, algorithm=MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        (f"Digest {MEMBERS}", "8ca523f5e9506fed4657c9700eebdbec"),
    ],
)
def test_the_strongest_challenge_is_answered_as_in_the_rfcs_example(header: str, expected: str) -> None:
    challenge = strongest(header)
    assert challenge is not None
    assert response(answered(challenge, ATTEMPT, "Mufasa", "Circle of Life")) == expected


def test_a_user_name_is_hashed_when_the_service_asks_for_it_as_in_the_rfcs_example() -> None:
    nonce, opaque = "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", "HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS"
    challenge = strongest(
        f'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="{nonce}", opaque="{opaque}", '
        "charset=UTF-8, userhash=true"
    )
    assert challenge is not None
    attempt = DigestAttempt("GET", "/doe.json", b"", 1, "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
    value = answered(challenge, attempt, "Jäsøn Doe", "Secret, or not?")
    # As erratum 4897 corrects them: the RFC's own figures are those of a draft of SHA-512/256.
    assert 'username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"' in value
    assert response(value) == "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5"


def test_a_service_of_rfc_2069_gets_neither_count_nor_nonce_of_ours() -> None:
    challenge = strongest('Digest realm="r", nonce="n"')
    assert challenge is not None
    assert challenge == DigestChallenge("r", "n")
    secret, asked = md5(b'a"b:r:p').hexdigest(), md5(b"GET:/dir/index.html").hexdigest()
    proof = md5(f"{secret}:n:{asked}".encode()).hexdigest()
    assert answered(challenge, ATTEMPT, 'a"b', "p") == (
        f'Digest username="a\\"b", realm="r", nonce="n", uri="/dir/index.html", response="{proof}", algorithm=MD5'
    )


def test_a_body_is_proved_where_the_service_asks_for_nothing_less() -> None:
    challenge = strongest('Digest realm="r", nonce="n", qop="auth-int", algorithm=MD5-sess')
    assert challenge is not None
    one, other = [
        answered(challenge, DigestAttempt("POST", "/", body, 2, "c"), "ü", "p") for body in (b"this", b"that")
    ]
    assert response(one) != response(other)
    assert "username*=UTF-8''%C3%BC" in one
    assert "qop=auth-int, nc=00000002" in one


@pytest.mark.parametrize(
    "header",
    [
        "",
        'Basic realm="r"',
        'Digest realm="r"',
        'Digest realm="r", nonce="n", algorithm=SHA-1',
        'Digest realm="r", nonce="n", qop="auth-conf"',
    ],
)
def test_what_cannot_be_answered_is_no_challenge(header: str) -> None:
    assert strongest(header) is None


def test_a_challenge_is_found_among_others_and_its_quotes_are_read() -> None:
    header = 'Basic realm="a, Digest b", digest realm="say \\"hi\\"", nonce="n", stale=TRUE, Bearer'
    assert strongest(header) == DigestChallenge('say "hi"', "n", is_stale=True)


@given(st.text() | st.text(alphabet='Digest realm="nonce",\\= \t'))
def test_any_header_is_a_challenge_or_none(header: str) -> None:
    challenge = strongest(header)
    assert challenge is None or challenge.nonce
