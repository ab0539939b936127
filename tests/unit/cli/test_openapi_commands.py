"""`openplaybook openapi inspect`."""

import json
from pathlib import Path

from typer.testing import CliRunner

from openplaybook.cli.errors import CommandError
from openplaybook.cli.main import app

GOOD = """
openapi: 3.0.0
info: {title: Shop, version: '1'}
servers: [{url: https://shop.example/v1}]
paths:
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: found}}
"""
BROKEN = (
    GOOD
    + """
    delete:
      operationId: deleteItem
      parameters: [{$ref: '#/components/parameters/missing'}]
      responses: {'200': {description: gone}}
"""
)


def inspect(folder: Path, text: str, *options: str) -> tuple[int, str]:
    spec = folder / "shop.yaml"
    spec.write_text(text)
    result = CliRunner().invoke(app, ["openapi", "inspect", str(spec), *options])
    return result.exit_code, result.output


def test_a_good_document_lists_its_actions_and_succeeds(tmp_path: Path) -> None:
    code, output = inspect(tmp_path, GOOD)
    assert code == 0
    assert output == f"getItem  GET  /items/{{id}}\n{tmp_path}/shop.yaml: 1 of 1 operations can be called.\n"


def test_an_operation_that_cannot_be_called_gives_exit_code_1(tmp_path: Path) -> None:
    code, output = inspect(tmp_path, BROKEN)
    assert code == 1
    assert "error: $.paths" in output
    assert output.endswith("1 of 2 operations can be called.\n")


def test_an_unreadable_document_gives_exit_code_2(tmp_path: Path) -> None:
    code, output = inspect(tmp_path, "openapi: [")
    assert code == 2
    assert output.endswith("shop.yaml: no operations.\n")


def test_the_report_as_json_has_the_documented_members(tmp_path: Path) -> None:
    code, output = inspect(tmp_path, GOOD, "--json")
    report = json.loads(output)
    assert code == 0
    assert list(report) == ["document", "actions", "problems"]
    assert list(report["actions"][0]) == [
        "name",
        "operationId",
        "method",
        "path",
        "inputSchema",
        "outputSchema",
        "problems",
    ]


def test_a_missing_file_is_an_error_with_exit_code_2(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["openapi", "inspect", str(tmp_path / "none.yaml")])
    assert isinstance(result.exception, CommandError)
    assert result.exception.exit_code == 2
    assert str(result.exception).endswith("none.yaml cannot be read: No such file or directory")


def test_an_address_is_no_file() -> None:
    result = CliRunner().invoke(app, ["openapi", "inspect", "https://api.example/openapi.json"])
    assert isinstance(result.exception, CommandError)
    assert str(result.exception) == "inspect reads files, not URLs: download the document first"


PARTS = """
openapi: 3.0.0
info: {title: Shop, version: '1'}
paths:
  /items:
    get:
      operationId: getItems
      parameters: [{$ref: 'parts/parameters.yaml#/limit'}]
      responses: {}
"""


def test_files_beside_and_below_the_document_are_read(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "parameters.yaml").write_text("limit: {$ref: '../limit number.json'}")
    (tmp_path / "limit number.json").write_text('{"name": "limit", "in": "query"}')
    code, output = inspect(tmp_path, PARTS, "--server-url", "https://shop.example", "--json")
    report = json.loads(output)
    assert (code, report["problems"]) == (0, [])
    assert list(report["actions"][0]["inputSchema"]["properties"]) == ["limit"]


def test_a_server_that_is_not_named_is_a_warning_with_its_line(tmp_path: Path) -> None:
    code, output = inspect(tmp_path, GOOD.replace("https://shop.example", ""))
    assert code == 0
    assert "warning: $.servers (line 4): the server URL '/v1' is relative; set settings.serverUrl" in output


def test_files_elsewhere_are_never_read(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    (outside / "parameters.yaml").write_text("limit: {name: limit, in: query}")
    (home / "parts").symlink_to(outside)
    for reference in ("parts/parameters.yaml", "../outside/parameters.yaml", (outside / "parameters.yaml").as_uri()):
        code, output = inspect(home, PARTS.replace("parts/parameters.yaml", reference))
        assert code == 1
        assert "leaves the document; give the text of file://" in output


ODD = """
openapi: 3.0.0
info: {title: Shop, version: '1'}
servers: [{url: https://shop.example/v1}]
paths:
  /pets/{petId}:
    get:
      operationId: getPet
      parameters:
        - {name: petID, in: path, required: true, schema: {type: intger}}
      responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}}
    put:
      operationId: putPet
      parameters:
        - {name: petId, in: path, required: true, schema: {type: integer}}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
components:
  schemas:
    Pet: {type: object, properties: {mother: {$ref: '#/components/schemas/Pet'}}}
"""


def test_what_is_odd_is_a_warning_with_its_line_and_every_operation_can_be_called(tmp_path: Path) -> None:
    code, output = inspect(tmp_path, ODD)
    assert code == 0
    assert output.splitlines()[2:] == [
        "warning: $.paths./pets/{petId}.get.parameters[0] (line 10): {petId} of the path is not declared, declared is "
        "petID: names are case-sensitive; petId is taken as a text, and petID is not sent",
        "warning: $.paths./pets/{petId}.get.parameters[0].schema.type (line 10): the type 'intger' is not known, so "
        "any value is taken; did you mean integer?",
        f"{tmp_path}/shop.yaml: 2 of 2 operations can be called.",
    ]


def test_the_report_as_json_has_each_shared_schema_once_and_an_action_a_line(tmp_path: Path) -> None:
    code, output = inspect(tmp_path, ODD, "--json")
    report = json.loads(output)
    pet = {"$ref": "#/definitions/Pet"}
    assert (code, list(report)) == (0, ["document", "actions", "problems", "definitions"])
    assert report["definitions"] == {"Pet": {"type": "object", "properties": {"mother": pet}}}
    assert report["actions"][0]["outputSchema"]["properties"] == {"200": pet}
    assert report["actions"][1]["inputSchema"]["properties"]["requestBody"] == pet
    assert [(each["line"], each["severity"]) for each in report["problems"]] == [(10, "warning")] * 2
    names = [json.loads(line.rstrip(",]"))["name"] for line in output.splitlines() if line.startswith('{"name"')]
    assert names == ["getPet", "putPet"]


def test_nothing_is_told_of_the_progress_where_standard_error_is_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(GOOD)
    result = CliRunner().invoke(app, ["openapi", "inspect", str(tmp_path / "shop.yaml")])
    assert result.stderr == ""
