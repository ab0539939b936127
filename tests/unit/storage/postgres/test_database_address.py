"""Database URLs."""

import pytest
from psycopg.conninfo import conninfo_to_dict

from openplaybook.storage.errors import StoreUnusable
from openplaybook.storage.postgres.database_address import read_address


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("postgresql://u:secret@db.example:5432/chats", "postgresql://db.example:5432/chats"),
        ("postgres://u:secret@db.example/chats?sslmode=require", "postgresql://db.example/chats"),
        ("postgresql://u:secret@one:1,two:2/chats", "postgresql://one,two:1,2/chats"),
        ("postgresql:///chats?host=/run/postgresql&password=secret", "postgresql://%2Frun%2Fpostgresql/chats"),
        ("postgresql://u:s%40cret@[::1]:5433/chats", "postgresql://::1:5433/chats"),
        ("postgresql://", "postgresql:///"),
    ],
)
def test_a_place_names_the_database_and_no_password(url: str, place: str) -> None:
    address = read_address(url)
    assert address.place == place
    assert "secret" not in repr(address)


def test_what_the_url_says_holds_and_the_rest_is_filled_in() -> None:
    found = conninfo_to_dict(
        read_address(
            "postgresql://u:p%40ss@h/d?connect_timeout=60&target_session_attrs=any&sslmode=verify-full"
        ).conninfo
    )
    assert found == {
        "user": "u",
        "password": "p@ss",
        "host": "h",
        "dbname": "d",
        "connect_timeout": "60",
        "target_session_attrs": "any",
        "sslmode": "verify-full",
        "application_name": "openplaybook",
        "keepalives_idle": "5",
        "keepalives_interval": "2",
        "keepalives_count": "3",
        "tcp_user_timeout": "10000",
        "client_encoding": "utf8",
    }


@pytest.mark.parametrize(
    "password", ["top@secret", "top/secret", "top%secret", "top:secret", "top?secret", "top#secret"]
)
def test_no_piece_of_a_password_that_is_not_encoded_is_shown(password: str) -> None:
    try:
        shown = read_address(f"postgresql://u:{password}@h/d").place
    except StoreUnusable as refused:
        shown = str(refused)
        assert "%40 for @" in shown
    assert "top" not in shown
    assert "secret" not in shown


@pytest.mark.parametrize(
    "url", ["mysql://u:secret@h/d", "host=h password=secret", "secret", "postgresql://h/d?secret=1"]
)
def test_what_is_no_url_of_postgresql_is_refused_without_a_word_of_it(url: str) -> None:
    with pytest.raises(StoreUnusable) as refused:
        read_address(url)
    assert "secret" not in str(refused.value)
