"""The files in `deploy/` against the schemas of those who read them. None of them is run here."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from jsonschema import Draft7Validator

from openplaybook.jsonvalues import JsonObject
from openplaybook.server.settings import Settings

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
KUBERNETES = (DEPLOY / "kubernetes" / "openplaybook.yaml").read_text()
COMPOSE: JsonObject = yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def manifests() -> Sequence[JsonObject]:
    return list(yaml.safe_load_all(KUBERNETES))


def container() -> JsonObject:
    return next(each for each in manifests() if each["kind"] == "Deployment")["spec"]["template"]["spec"]["containers"][
        0
    ]


@pytest.mark.parametrize("version", ["1.31", "1.34"])
@pytest.mark.parametrize(
    "manifest", manifests(), ids=lambda manifest: f"{manifest['kind']}-{manifest['metadata']['name']}"
)
def test_each_manifest_is_what_kubernetes_takes(manifest: JsonObject, version: str) -> None:
    kubernetes_validate.validate(manifest, version, strict=True)


def test_the_compose_file_is_what_the_specification_takes() -> None:
    schema = files("check_jsonschema.builtin_schemas.vendor") / "compose-spec.json"
    assert [error.message for error in Draft7Validator(json.loads(schema.read_text())).iter_errors(COMPOSE)] == []


def test_what_a_manifest_refers_to_is_there() -> None:
    mounted = {each["name"] for each in container()["volumeMounts"]}
    pod = next(each for each in manifests() if each["kind"] == "Deployment")["spec"]["template"]
    assert mounted == {each["name"] for each in pod["spec"]["volumes"]}
    selectors = [
        each["spec"].get("selector", each["spec"].get("podSelector", {}))
        for each in manifests()
        if each["kind"] in ("Service", "PodDisruptionBudget", "NetworkPolicy")
    ]
    assert [each.get("matchLabels", each) for each in selectors] == [pod["metadata"]["labels"]] * 4


@pytest.mark.parametrize(
    "variables",
    [[each["name"] for each in container()["env"]], list(COMPOSE["services"]["server"]["environment"])],
    ids=["kubernetes", "compose"],
)
def test_each_variable_is_a_setting(variables: Sequence[str]) -> None:
    known = {f"OPENPLAYBOOK_{name.upper()}" for name in Settings.__dataclass_fields__} | {"OPENPLAYBOOK_MASTER_KEY"}
    assert set(variables) - known == set()


def test_the_image_copies_only_what_is_here() -> None:
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    root = DEPLOY.parent
    assert [name for names in copied for name in names if not (root / name).exists()] == []
