import logging

import pytest

from openplaybook.credentials.errors import CredentialError, CredentialUnavailable, SecretNotFound
from openplaybook.credentials.secrets.configured_backends import EnvironmentSecrets
from openplaybook.credentials.secrets.secret_chain import SecretChain
from openplaybook.resources.secret_names import SecretVersionName

VERSION = "projects/p/secrets/api-key/versions/latest"


class Down:
    about = "down"

    async def access(self, name: SecretVersionName) -> str | None:
        raise CredentialUnavailable("it does not answer")

    async def check(self) -> None:
        raise CredentialUnavailable("it does not answer")


def holding(value: str) -> EnvironmentSecrets:
    return EnvironmentSecrets({"OPENPLAYBOOK_SECRET_API_KEY": value})


@pytest.mark.proves("A9")
async def test_the_first_back_end_that_has_the_name_answers() -> None:
    chain = SecretChain([EnvironmentSecrets({}), holding("first"), holding("second"), Down()])
    assert await chain.access(VERSION) == "first"


async def test_a_back_end_that_cannot_be_asked_is_not_passed_over() -> None:
    with pytest.raises(CredentialUnavailable):
        await SecretChain([Down(), holding("other")]).access(VERSION)


@pytest.mark.proves("A9")
async def test_a_line_break_at_the_end_is_left_out_with_one_warning_a_version(caplog: pytest.LogCaptureFixture) -> None:
    chain = SecretChain([holding("planted\r\n")])
    first = VERSION.replace("latest", "1")
    with caplog.at_level(logging.WARNING, "openplaybook.secrets"):
        assert [await chain.access(version) for version in (VERSION, VERSION, first)] == ["planted"] * 3
    assert [record.__dict__["version"] for record in caplog.records] == [VERSION, first]
    assert "planted" not in caplog.text


async def test_a_secret_that_nobody_has_says_who_was_asked() -> None:
    with pytest.raises(SecretNotFound) as caught:
        await SecretChain([EnvironmentSecrets({}), EnvironmentSecrets({"OPENPLAYBOOK_SECRET_API_KEY": ""})]).access(
            VERSION
        )
    assert str(caught.value) == (
        f"the secret version {VERSION} does not exist; searched: environment (OPENPLAYBOOK_SECRET_…); "
        "environment (OPENPLAYBOOK_SECRET_…)"
    )


@pytest.mark.parametrize("version", ["projects/p/secrets/a.b/versions/1", "a", "projects/p/secrets/a/versions/0"])
async def test_what_is_no_name_of_a_version_is_refused(version: str) -> None:
    with pytest.raises(CredentialError, match=r"expected projects/{project}/secrets/{secret}/versions/"):
        await SecretChain([holding("v")]).access(version)
