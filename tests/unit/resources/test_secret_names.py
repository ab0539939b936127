import pytest

from openplaybook.resources.errors import InvalidName
from openplaybook.resources.secret_names import SecretName, SecretVersionName


@pytest.mark.parametrize("text", ["projects/p/secrets/api-key_1", f"projects/example.com:p/secrets/{'a' * 255}"])
def test_a_secrets_name_reads_back_as_it_was(text: str) -> None:
    assert str(SecretName.parse(text)) == text


@pytest.mark.parametrize(("version", "is_latest"), [("1", False), ("latest", True), ("9" * 19, False)])
def test_a_versions_name_reads_back_as_it_was(version: str, is_latest: bool) -> None:
    text = f"projects/p/secrets/api-key/versions/{version}"
    name = SecretVersionName.parse(text)
    assert (str(name), name.is_latest, name.secret) == (text, is_latest, SecretName("p", "api-key"))
    assert SecretName("p", "api-key").version(version) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "api-key",
        "projects/p/secrets/",
        "projects/p/secrets/a.b",
        "projects/p/secrets/../b",
        "projects/p/secrets/ü",
        f"projects/p/secrets/{'a' * 256}",
        "projects//secrets/a",
        "projects/../secrets/a",
        "projects/./secrets/a",
        "projects/two words/secrets/a",
        "projects/p/secrets/a/versions/1",
        "projects/p/secrets/a\n",
    ],
)
def test_what_is_no_secrets_name_is_refused(text: str) -> None:
    with pytest.raises(InvalidName, match="expected projects/"):
        SecretName.parse(text)


@pytest.mark.parametrize("version", ["", "0", "01", "-1", "1.0", "newest", "LATEST", "9" * 20, "1\n"])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(InvalidName, match="expected projects/"):
        SecretVersionName.parse(f"projects/p/secrets/a/versions/{version}")
