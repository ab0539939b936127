"""The catalogue has the systems that Google's connectors reach, each with what a connection to it needs."""

import re
from typing import cast

import pytest

from openplaybook.connectors.catalog.connectors import catalogue, definition_of, open_connection
from openplaybook.connectors.definitions import ConnectorDefinition, SystemAccess
from openplaybook.connectors.errors import UnknownName
from openplaybook.connectors.settings import ConnectionSettings

TITLES = """
AlloyDB, Asana, Azure AD (Entra ID), BigQuery, Box, Cloud Search, Cloud Spanner, Cloud SQL for MySQL, Cloud SQL for
PostgreSQL, Cloud SQL for SQL Server, Cloud Storage, Cloud Translation, Confluence, Couchbase, DocuSign, Dropbox,
Dynamics 365, Elasticsearch, Enterprise License Manager, Firestore, FreshBooks, FTP, GitHub, Gmail, Google Analytics,
Google Calendar, Google Classroom, Cloud Natural Language, Google Contacts, Google Docs, Google Forms, Google Sheets,
Google Slides, Greenplum, Jira Cloud, Jira Service Management, Kintone, Magento, Mailchimp, MariaDB, Meta Ads, Microsoft
Teams, Monday, MongoDB, Neo4j, OneDrive, Oracle DB, PayPal, PostgreSQL, Salesforce, Salesforce Marketing Cloud, SAP
HANA, SAP SuccessFactors, ServiceNow, SharePoint, Shopify, Slack, Stripe, Trello, WordPress, Workday, Zendesk
"""
SECOND_VERSIONS = {"MongoDB", "Oracle DB"}


@pytest.mark.proves("K2")
def test_all_systems_are_there_by_the_titles_that_google_gives_them() -> None:
    expected = {" ".join(each.split()) for each in TITLES.split(",")}
    assert len(expected) == 62
    titles = {each.title for each in catalogue().values()}
    # Beside Google's, a file of SQLite can be reached.
    assert titles - {"SQLite"} == expected


def test_those_that_google_has_in_a_second_version_are_of_that_version() -> None:
    assert {each.title for each in catalogue().values() if each.version == 2} == SECOND_VERSIONS


def test_the_page_of_a_consent_follows_from_what_every_connection_has() -> None:
    # What the page of a consent is made of is required, or its first option counts: that is all that a client sees.
    for definition in catalogue().values():
        pages = [each.consent.authorize_url for each in definition.authentications if each.consent is not None]
        named = {key for page in pages for key in re.findall(r"\{config\.(\w+)\}", page)}
        for template in definition.config:
            if template.key in named and not template.is_required:
                assert template.default == template.options[0], (definition.id, template.key)


@pytest.mark.parametrize("definition", catalogue().values(), ids=lambda each: each.id)
def test_a_system_says_what_a_connection_needs_and_what_is_known_of_it(definition: ConnectorDefinition) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", definition.id)
    assert definition.evidence_note.endswith(".")
    assert definition.documentation.startswith("https://")
    assert definition.description.endswith(".")
    assert definition.authentications
    keys = [each.key for each in definition.config]
    assert len(keys) == len(set(keys))
    for way in definition.authentications:
        assert not {each.key for each in way.variables} & set(keys)


def test_a_destination_is_for_systems_that_people_run_themselves() -> None:
    by_url = {each.id for each in catalogue().values() if each.takes_destination and not each.default_port}
    assert by_url == {"elasticsearch", "github", "magento", "wordpress"}
    dialled = {each.id for each in catalogue().values() if each.default_port}
    assert {"postgresql", "mongodb", "neo4j", "couchbase", "ftp"} <= dialled


def test_they_are_listed_by_title() -> None:
    titles = [each.title.casefold() for each in catalogue().values()]
    assert titles == sorted(titles)


async def test_an_unknown_kind_is_named_with_those_that_there_are() -> None:
    with pytest.raises(UnknownName, match=r"there is no connector 'oracle'; there are: .*alloydb"):
        definition_of("oracle")
    with pytest.raises(UnknownName):
        await open_connection(ConnectionSettings("c", "oracle"), cast("SystemAccess", None))
