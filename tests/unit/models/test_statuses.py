import time
from email.utils import formatdate

import pytest

from openplaybook.models.errors import ModelError, ModelRateLimited, ModelRejected, ModelTimeout, ModelUnavailable
from openplaybook.models.statuses import refusal, retry_after_s


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, ModelRejected),
        (401, ModelRejected),
        (404, ModelRejected),
        (408, ModelTimeout),
        (409, ModelUnavailable),
        (429, ModelRateLimited),
        (500, ModelUnavailable),
        (503, ModelUnavailable),
        (529, ModelUnavailable),
    ],
)
def test_a_status_says_whether_asking_again_may_help(status: int, error: type[ModelError]) -> None:
    assert type(refusal("no", status, {})) is error


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "3", "retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_the_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after_s(headers) == seconds


def test_a_date_to_come_is_a_wait() -> None:
    seconds = retry_after_s({"retry-after": formatdate(time.time() + 100, usegmt=True)})
    assert seconds is not None
    assert 90 < seconds <= 100
