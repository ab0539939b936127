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
    assert str(result.exception) == "inspect reads files, not addresses: save the document first"


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
