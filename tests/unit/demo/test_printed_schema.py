from pathlib import Path

import yaml

from openplaybook.demo.demo_agent import agent_files

PRINTED = Path(__file__).parents[2] / "fixtures" / "pets_verbatim.yaml"


def test_the_schema_is_the_printed_one_but_for_the_server_and_the_id() -> None:
    printed = yaml.safe_load(PRINTED.read_text(encoding="utf-8"))
    printed["servers"] = [{"url": "http://127.0.0.1:1/v1"}]
    printed["components"]["schemas"]["Pet"]["properties"]["id"]["readOnly"] = True
    assert yaml.safe_load(agent_files("http://127.0.0.1:1/v1")["tools/pets/schema.yaml"]) == printed
