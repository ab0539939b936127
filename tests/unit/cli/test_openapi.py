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
