"""The console's client, as it is written from the server's own descriptors."""

import shutil
from pathlib import Path

import pytest

from build_api.console_client import GENERATED, USED, write
from build_api.place import OUTPUT

ROOT = Path(__file__).parents[3]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for place in (OUTPUT, USED):
        (tmp_path / place).parent.mkdir(parents=True)
    shutil.copyfile(ROOT / OUTPUT, tmp_path / OUTPUT)
    return tmp_path


def generated(project: Path, *used: str) -> tuple[str, str]:
    (project / USED).write_text("# Comments are skipped.\n" + "\n".join(used))
    write(project)
    types, methods = ((project / GENERATED / name).read_text() for name in ("types.ts", "methods.ts"))
    return types, methods


def test_a_method_has_its_verb_its_body_its_paths_and_its_types(project: Path) -> None:
    _, methods = generated(project, "cx Tools.UpdateTool", "op OpenPlaybook.ListSecrets")
    path = "/v3beta1/{tool.name=projects/*/locations/*/agents/*/tools/*}"
    assert f'  updateTool: rpc("PATCH", "tool", "{path}") as Method<cx.UpdateToolRequest, cx.Tool>,\n' in methods
    assert 'listSecrets: rpc("GET", "", "/v1/{parent=projects/*}/secrets")' in methods
    assert "deleteTool" not in methods


def test_messages_are_their_canonical_json(project: Path) -> None:
    types, _ = generated(project, "cx Sessions.DetectIntent", "de DataStoreService.GetDataStore")
    for expected in (
        "    sessionTtl?: string;",
        "    parameters?: JsonObject;",
        "    webhookHeaders?: { [key: string]: string };",
        "    responseMessages?: cx.ResponseMessage[];",
        '  export type DetectIntentResponse_ResponseType = "RESPONSE_TYPE_UNSPECIFIED" | "PARTIAL" | "FINAL";',
        "export namespace de {",
    ):
        assert expected in types


def test_only_what_is_reached_is_written(project: Path) -> None:
    types, _ = generated(project, "op OpenPlaybook.DeleteSecret")
    assert "interface DeleteSecretRequest" in types
    assert "interface Secret " not in types


@pytest.mark.parametrize("used", [["cx Tools.Nothing"], ["cx Tools.GetTool", "cx Tools.GetTool"]])
def test_a_name_that_is_none_or_twice_is_refused(project: Path, used: list[str]) -> None:
    with pytest.raises(ValueError, match=r"used\.txt"):
        generated(project, *used)
