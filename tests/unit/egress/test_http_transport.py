import pytest
from yarl import URL

from openplaybook.egress.base import HttpRequest
from openplaybook.egress.errors import AddressRefused, BadResponse
from openplaybook.egress.http_transport import redirected

HEADERS = (
    ("Authorization", "Bearer t"),
    ("X-Api-Key", "k"),
    ("Cookie", "a=b"),
    ("Accept", "application/json"),
    ("Content-Type", "application/json"),
)


def follow(status: int, location: str, method: str = "GET", url: str = "https://a.example/x/y") -> HttpRequest:
    body = b"{}" if method in ("POST", "PUT", "PATCH") else None
    return redirected(HttpRequest(method, url, HEADERS, body), URL(url), status, location)


@pytest.mark.parametrize(
    ("status", "method", "becomes"),
    [
        (301, "GET", "GET"),
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "POST", "GET"),
        (303, "PUT", "GET"),
        (303, "HEAD", "HEAD"),
        (301, "PUT", "PUT"),
        (307, "POST", "POST"),
        (308, "PATCH", "PATCH"),
        (302, "DELETE", "DELETE"),
    ],
)
def test_the_method_follows_the_status(status: int, method: str, becomes: str) -> None:
    followed = follow(status, "/z", method)
    assert followed.method == becomes
    assert followed.url == "https://a.example/z"
    assert (followed.body is None) == (becomes in ("GET", "HEAD", "DELETE"))


def test_a_get_made_of_a_post_has_no_content_headers() -> None:
    assert [name for name, _ in follow(303, "/z", "POST").headers] == [
        "Authorization",
        "X-Api-Key",
        "Cookie",
        "Accept",
    ]


def test_headers_stay_within_the_origin() -> None:
    assert follow(302, "z?q=%2F").headers == HEADERS
    assert follow(302, "z?q=%2F").url == "https://a.example/x/z?q=%2F"


@pytest.mark.parametrize("location", ["https://b.example/", "https://a.example:444/", "//b.example/"])
def test_another_origin_gets_no_header_that_could_be_a_credential(location: str) -> None:
    assert follow(302, location).headers == (("Accept", "application/json"), ("Content-Type", "application/json"))


def test_a_step_up_to_https_is_another_origin() -> None:
    assert follow(302, "https://a.example/", url="http://a.example/").headers == HEADERS[3:]


def test_a_step_down_to_http_is_refused() -> None:
    with pytest.raises(AddressRefused) as caught:
        follow(302, "http://a.example/")
    assert (caught.value.rule, caught.value.sent) == ("downgrade", True)


def test_a_body_is_not_carried_to_another_origin() -> None:
    with pytest.raises(AddressRefused) as caught:
        follow(307, "https://b.example/", "POST")
    assert caught.value.rule == "body_to_other_origin"


@pytest.mark.parametrize("location", ["http://[::1", "https://a.example:99999999/"])
def test_a_location_that_is_no_url_is_a_bad_response(location: str) -> None:
    with pytest.raises(BadResponse):
        follow(302, location)
