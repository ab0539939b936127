"""URLs → servers and path templates."""

import pytest

from openplaybook.drafting.samples import Sample
from tests.unit.drafting.written import API, document, got, sent

USER = {"login": "x", "age": 3}


def paths(*urls: str) -> list[str]:
    return list(document([Sample(url if "://" in url else f"{API}{url}") for url in urls])["paths"])


def servers(*urls: str) -> list[str]:
    return [server["url"] for server in document([Sample(url) for url in urls])["servers"]]


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("/pets/42", "/pets/{petId}"),
        ("/pets/123e4567-e89b-12d3-a456-426614174000/toys/9f86d081884c7d65", "/pets/{petId}/toys/{toyId}"),
        (
            "/categories/7/companies/8/addresses/9",
            "/categories/{categoryId}/companies/{companyId}/addresses/{addressId}",
        ),
        ("/users/kim@shop.example", "/users/{userId}"),
        ("/reports/2024-02-29", "/reports/{reportId}"),
        ("/pets/42.json", "/pets/{petId}.json"),
        ("/pets/42:feed", "/pets/{petId}:feed"),
        ("/order-items/42", "/order-items/{orderItemId}"),
        ("/grid/1/2", "/grid/{gridId}/{id}"),
        ("/42", "/{id}"),
        ("/pets/{name}", "/pets/{name}"),
        ("/pets/", "/pets/"),
        ("/", "/"),
        ("", "/v1"),
        ("/a%7Bb%7D", "/a%7Bb%7D"),
        ("/caf%C3%A9", "/caf%C3%A9"),
    ],
)
def test_identifiers_become_variables_named_after_what_they_follow(url: str, path: str) -> None:
    assert paths(url) == [path]


def test_a_name_given_in_one_sample_is_that_of_all() -> None:
    assert paths("/pets/42", "/pets/{number}", "/pets/43/toys") == ["/pets/{number}", "/pets/{number}/toys"]


def test_words_that_vary_before_like_answers_are_values() -> None:
    users = [got(f"/users/{name}", USER) for name in ("alice", "bob")]
    assert list(document([*users, got("/users/me", USER), got("/users", [USER])])["paths"]) == [
        "/users/{userId}",
        "/users/me",
        "/users",
    ]


def test_words_before_other_answers_are_names() -> None:
    samples = [got("/users/alice", USER), got("/users/totals", {"count": 3, "active": 2, "banned": 1})]
    assert list(document(samples)["paths"]) == ["/users/alice", "/users/totals"]
    assert paths("/shop/alice", "/shop/bob", "/users/x", "/users/y") == [
        "/shop/alice",
        "/shop/bob",
        "/users/x",
        "/users/y",
    ]


def test_words_that_say_what_to_do_are_names() -> None:
    done = {"id": 1, "state": "done"}
    posted = [sent("POST", f"/messages/{word}", {"id": 1}, done) for word in ("schedule", "withhold")]
    assert list(document(posted)["paths"]) == ["/messages/schedule", "/messages/withhold"]
    failed = [got(f"/users/{word}", {"code": 1, "message": "no"}, 500) for word in ("alice", "bob")]
    assert list(document(failed)["paths"]) == ["/users/alice", "/users/bob"]


@pytest.mark.parametrize(
    ("urls", "expected"),
    [
        (["https://a.example/api/v1/pets", "https://a.example/api/v1/pets/3"], ["https://a.example/api/v1"]),
        (["https://a.example/api/v1/pets", "https://a.example/api/v2/pets"], ["https://a.example/api"]),
        (["https://a.example:8443/pets"], ["https://a.example:8443"]),
        (["https://kim:pw@a.example/v1/pets"], ["https://a.example/v1"]),
        (["https://a.example/api"], ["https://a.example"]),
        (["https://[2001:db8::1]/v1/pets"], ["https://[2001:db8::1]/v1"]),
        (
            ["https://api.a.example/2010-04-01/Accounts/AC0123456789/Messages.json"],
            ["https://api.a.example/2010-04-01"],
        ),
        (["https://a.example/pets", "https://b.example/pets"], ["https://a.example", "https://b.example"]),
    ],
)
def test_the_server_is_what_the_urls_have_in_common(urls: list[str], expected: list[str]) -> None:
    assert servers(*urls) == expected


def test_paths_that_only_another_server_has_name_that_server() -> None:
    root = document(
        [Sample("https://a.example/pets"), Sample("https://a.example/x"), Sample("https://b.example/owners")]
    )
    assert root["servers"] == [{"url": "https://a.example"}]
    assert root["paths"]["/owners"]["servers"] == [{"url": "https://b.example"}]
