"""`openplaybook openapi generate`, without a server."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from openplaybook.cli.main import app
from openplaybook.jsonvalues import JsonObject
from openplaybook.tools.openapi.description.source_text import load_document
from tests.integration.cli.conftest import refusal

URL = "https://api.shop.example/v1/pets"


def generate(*words: str | Path, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, ["openapi", "generate", *map(str, words)], input=typed)


def paths(schema: str) -> list[str]:
    return list(load_document(schema).root["paths"])


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A schema that was written for one sample, and edited."""
    path = tmp_path / "shop.yaml"
    assert generate("--url", f"{URL}/3", "-o", path).exit_code == 0
    path.write_text(path.read_text().replace("Get a pet", "Fetch it"))
    return path


def test_a_request_and_its_answer_give_a_schema_on_standard_output(tmp_path: Path) -> None:
    (tmp_path / "new.json").write_text('{"name": "Rex"}')
    request = ("--url", URL, "--method", "post", "--header", "X-Tenant: acme", "--request", tmp_path / "new.json")
    result = generate(*request, "--response", "-", "--status", "201", typed='{"id": 3}')
    assert result.exit_code == 0
    assert result.stderr == ""
    operation = load_document(result.stdout).root["paths"]["/pets"]["post"]
    assert operation["operationId"] == "createPet"
    assert [each["name"] for each in operation["parameters"]] == ["X-Tenant"]
    assert list(operation["responses"]) == ["201"]


def test_samples_come_from_files_singly_or_in_lists(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps({"url": URL, "responseBody": [{"name": "Rex"}]}))
    (tmp_path / "two.json").write_text(json.dumps([{"url": f"{URL}/3"}, {"url": f"{URL}/4", "status": 404}]))
    result = generate("--sample", tmp_path / "one.json", "--sample", tmp_path / "two.json")
    assert paths(result.stdout) == ["/pets", "/pets/{petId}"]


def test_an_archive_is_read_and_can_be_narrowed(tmp_path: Path) -> None:
    def entry(url: str) -> JsonObject:
        return {"request": {"url": url, "method": "GET"}, "response": {"status": 200, "content": {}}}

    archive = tmp_path / "session.har"
    entries = [entry("https://ads.example/x"), *(entry(f"{URL}/{number}") for number in range(60))]
    archive.write_text(json.dumps({"log": {"entries": entries}}))
    result = generate("--har", archive, "--only", "https://api.shop.example/")
    assert paths(result.stdout) == ["/pets/{petId}"]
    assert result.stderr == (
        f"note: {archive} contains 60 requests; only the first 50 were read. Select requests with --only.\n"
    )
    assert refusal(generate("--har", archive, "--only", "https://none.example/")) == (
        f"{archive} contains no API requests with responses whose URL begins with https://none.example/"
    )


@pytest.mark.proves("O8")
def test_more_is_merged_into_an_edited_schema(schema: Path) -> None:
    result = generate("--url", URL, "--into", schema, "-o", schema)
    assert (result.exit_code, result.stdout) == (0, "")
    root = load_document(schema.read_text()).root
    assert list(root["paths"]) == ["/pets/{petId}", "/pets"]
    assert root["paths"]["/pets/{petId}"]["get"]["summary"] == "Fetch it"


def test_a_file_is_not_overwritten_unasked(schema: Path) -> None:
    before = schema.read_text()
    result = generate("--url", URL, "-o", schema)
    assert refusal(result) == f"{schema} exists; give --force, or merge with --into {schema}"
    assert schema.read_text() == before
    assert generate("--url", URL, "-o", schema, "--force").exit_code == 0
    assert paths(schema.read_text()) == ["/pets"]
    assert [file.name for file in schema.parent.iterdir()] == ["shop.yaml"]


def test_a_file_that_ends_in_json_gets_json(tmp_path: Path) -> None:
    assert generate("--url", URL, "-o", tmp_path / "shop.json").exit_code == 0
    assert list(json.loads((tmp_path / "shop.json").read_text())["paths"]) == ["/pets"]


def test_a_file_that_cannot_be_written_is_said_with_exit_code_1(tmp_path: Path) -> None:
    result = generate("--url", URL, "-o", tmp_path / "none" / "shop.yaml")
    assert refusal(result) == f"{tmp_path}/none/shop.yaml cannot be written: No such file or directory"
    assert getattr(result.exception, "exit_code", None) == 1


def test_the_report_as_json_has_the_documented_members() -> None:
    result = generate("--url", f"{URL}?api_key=planted", "--json")
    report = json.loads(result.stdout)
    assert list(report) == ["schema", "usedModel", "remarks"]
    assert report["usedModel"] is False
    assert result.stderr == f"note: {report['remarks'][0]}\n"
    assert "planted" not in result.output


def test_a_model_writes_the_schema_and_its_progress_is_told(tmp_path: Path) -> None:
    script = tmp_path / "writer.yaml"
    draft = {
        "openapi": "3.0.3",
        "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": "https://api.shop.example/v1"}],
        "paths": {"/pets": {"get": {"operationId": "listPets", "responses": {}}}},
    }
    script.write_text(json.dumps({"replies": [{"text": json.dumps(draft)}]}))
    result = generate("--prompt", "Pets at https://api.shop.example/v1", "--model", f"scripted:{script}")
    assert result.exit_code == 0
    assert load_document(result.stdout).root["info"] == draft["info"]
    assert result.stderr == "… asking scripted:writer.yaml\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--url", "/pets"), "samples[0].url: is not absolute; write one with scheme and host, such as"),
        (("--prompt", "Pets."), "there is nothing to start from: give samples"),
        (("--request", "-"), "--request, --response and --header describe a request: give its --url"),
        (("--url", URL, "--request", "-", "--response", "-"), "only one of --request and --response can be read"),
        (("--url", URL, "--header", "secret-without-colon"), "--header number 1 is not NAME:VALUE"),
        (("--url", URL, "--into", "none.yaml"), "none.yaml cannot be read: No such file or directory"),
        (("--sample", "none.json"), "none.json cannot be read: No such file or directory"),
    ],
    ids=["url", "words", "no url", "input", "header", "into", "sample"],
)
def test_what_cannot_be_used_is_said_with_exit_code_2(words: tuple[str, ...], sentence: str) -> None:
    result = generate(*words, typed="{}")
    assert refusal(result).startswith(sentence)
    assert getattr(result.exception, "exit_code", None) == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is not JSON: unexpected end of data"),
        ("[3]", "[0] is not an object; a sample has url, method, headers, requestBody, responseBody, status"),
        ('{"uri": "x"}', " has 'uri'; a sample has url, method, headers, requestBody, responseBody, status"),
        ('{"url": "x", "status": "ok"}', ".status is 'ok'; it must be a number such as 200"),
    ],
)
def test_a_sample_file_that_holds_something_else_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "sample.json"
    path.write_text(text)
    assert (
        refusal(generate("--sample", path))
        .replace(f"{path} is not", "is not")
        .removeprefix(str(path))
        .startswith(sentence)
    )
