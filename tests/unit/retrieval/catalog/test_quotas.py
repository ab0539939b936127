"""What a project may hold."""

import pytest

from openplaybook.retrieval.base import StoreStatistics
from openplaybook.retrieval.catalog.base import CatalogQuota
from openplaybook.retrieval.catalog.quotas import HoldingsChange, check_quota, project_of, statistics_of
from openplaybook.retrieval.errors import QuotaExceeded


def test_a_store_belongs_to_the_project_in_its_name() -> None:
    assert project_of("projects/p/locations/l/collections/c/dataStores/d") == "projects/p"


def test_a_limit_itself_may_be_reached_and_none_is_none() -> None:
    check_quota(CatalogQuota(10, 1000), "projects/p", HoldingsChange(documents=1, bytes=1), 10, 1000)
    check_quota(CatalogQuota(), "projects/p", HoldingsChange(documents=1, bytes=1), 10**9, 10**15)


def test_what_becomes_less_is_not_refused_even_above_the_limit() -> None:
    check_quota(CatalogQuota(10, 1000), "projects/p", HoldingsChange(documents=-1, bytes=-5), 11, 1001)


def test_the_refusal_says_which_limit_how_much_it_is_and_what_would_be_needed() -> None:
    change = HoldingsChange(documents=2, bytes=500)
    with pytest.raises(QuotaExceeded, match=r"projects/p may hold 1,000 documents .* 1,001 would be needed"):
        check_quota(CatalogQuota(documents=1000), "projects/p", change, 1001, 0)
    with pytest.raises(QuotaExceeded, match=r"projects/p may hold 2,000 bytes .* 2,500 would be needed"):
        check_quota(CatalogQuota(bytes=2000), "projects/p", change, 1001, 2500)


def test_languages_come_most_first_without_those_that_nothing_is_in() -> None:
    told = statistics_of(6, 7, 8, [("de", 2), ("", 1), ("fr", 0), ("en", 3), ("ar", 2)])
    assert told == StoreStatistics(6, 7, 8, (("en", 3), ("ar", 2), ("de", 2)))
