"""Reading what was written gives the same app, whatever it holds."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openplaybook.jsonvalues import JsonObject
from openplaybook.packages.ces.app_package import AppPackage, Layout, renamed
from openplaybook.packages.ces.app_reader import read_app
from openplaybook.packages.ces.app_writer import app_files, withheld_secrets, write_app
from openplaybook.packages.package_files import zip_of
from openplaybook.packages.report import NoteKind
from tests.kit.thoroughness import examples
from tests.unit.packages.ces.building import APP, only_public, read

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
ids = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,12}", fullmatch=True)
paths = st.sampled_from(["tools/x/python_code.py", "instruction.txt", "README.md"])
scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts
free_json = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=5
)
objects = st.dictionaries(texts, free_json, max_size=3)
code = st.fixed_dictionaries({"pythonCode": texts | paths})


def drawn_names(draw: st.DrawFn, collection: str, most: int = 3) -> list[str]:
    found = draw(st.lists(ids, max_size=most, unique_by=str.casefold))
    return [f"{APP}/{collection}/{one}" for one in found]


def some_of(choices: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(choices), max_size=3) if choices else st.just([])


@st.composite
def apps(draw: st.DrawFn) -> AppPackage:
    agents, tools, toolsets = (drawn_names(draw, collection) for collection in ("agents", "tools", "toolsets"))
    guardrails, examples = drawn_names(draw, "guardrails", 2), drawn_names(draw, "examples", 2)
    titles = draw(st.lists(names, min_size=12, max_size=12, unique=True))

    def of(full_names: list[str], optional: dict[str, st.SearchStrategy[object]]) -> tuple[JsonObject, ...]:
        return tuple(
            draw(
                st.fixed_dictionaries(
                    {"name": st.just(name), "displayName": st.just(titles[number])},
                    optional=optional,
                )
            )
            for number, name in enumerate(full_names)
        )

    agent_fields: dict[str, st.SearchStrategy[object]] = {
        "instruction": texts | paths,
        "tools": some_of([*tools, "end_session"]),
        "childAgents": some_of(agents),
        "guardrails": some_of(guardrails),
        "beforeModelCallbacks": st.lists(code, max_size=3),
    }
    if toolsets:
        toolset = st.fixed_dictionaries({"toolset": st.sampled_from(toolsets)}, optional={"toolIds": some_of(["a"])})
        agent_fields["toolsets"] = st.lists(toolset, max_size=2)
    chunk = st.fixed_dictionaries({"text": texts}) | st.fixed_dictionaries({"updatedVariables": objects})
    if tools:
        call = st.fixed_dictionaries({"tool": st.sampled_from(tools), "args": objects})
        chunk = chunk | st.fixed_dictionaries({"toolCall": call})
    app: JsonObject = {"name": APP, "displayName": draw(names), "globalInstruction": draw(texts)}
    if agents:
        app["rootAgent"] = draw(st.sampled_from(agents))
    return AppPackage(
        app,
        of(agents, agent_fields),
        of(tools, {"pythonFunction": code, "clientFunction": st.fixed_dictionaries({"parameters": objects})}),
        of(toolsets, {"openApiToolset": st.fixed_dictionaries({"openApiSchema": texts | paths})}),
        of(examples, {"messages": st.lists(st.fixed_dictionaries({"chunks": st.lists(chunk, max_size=2)}))}),
        of(guardrails, {"contentFilter": st.fixed_dictionaries({"bannedContents": st.lists(texts, max_size=2)})}),
        draw(st.dictionaries(st.sampled_from(["evaluations/e/e.json", "x/y"]), st.binary(max_size=20))),
    )


def in_order(package: AppPackage) -> dict[str, object]:
    """What the app holds, in an order that does not depend on file names."""
    below = {
        collection: sorted(resources, key=lambda each: each["name"])
        for collection, resources in package.collections().items()
    }
    return {"app": package.app, "files": package.other_files, **below}


generously = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=examples(60))


@pytest.mark.proves("X2")
@given(apps(), st.booleans())
@generously
def test_reading_what_was_written_gives_the_same_app(package: AppPackage, yaml: bool) -> None:
    once = write_app(package, yaml=yaml)
    again, _ = read_app(once, APP, only_public)
    assert in_order(again) == in_order(package)
    assert write_app(again, yaml=yaml) == once


@given(apps())
@generously
def test_another_app_gets_the_same_under_its_own_name(package: AppPackage) -> None:
    other = "projects/q/locations/m/apps/b"
    moved, _ = read_app(write_app(package), other, only_public)
    back, _ = read_app(write_app(moved), APP, only_public)
    assert in_order(back) == in_order(package)


@given(apps())
@generously
def test_other_names_stand_wherever_the_first_ones_did(package: AppPackage) -> None:
    others = {
        resource["name"]: f"{resource['name']}-2" for _, resource in package.resources() if resource["name"] != APP
    }
    there = renamed(package, others)
    assert renamed(there, {after: before for before, after in others.items()}) == package
    assert not {resource["name"] for _, resource in there.resources()} & others.keys()


FILES: dict[str, JsonObject | str] = {
    "app.json": {"_comment": ["first"], "name": "mine", "displayName": "A", "tools": ["t"], "rootAgent": "front"},
    "agents/front/front.json": {
        "displayName": "front",
        "_comment_tools": "why",
        "tools": ["t"],
        "instruction": "agents/front/instruction.txt",
        "afterModelCallbacks": [{"pythonCode": "agents/front/gone.py"}],
    },
    "agents/front/instruction.txt": "Be kind.\nBe quick.\n",
    "tools/t/t.json": {"pythonFunction": {"name": "t", "pythonCode": "tools/t/code.py"}, "displayName": "t"},
    "tools/t/code.py": "def t(): ...\n",
    "toolsets/o/o.json": {"displayName": "Orders", "openApiToolset": {"openApiSchema": "openapi: 3.0.0"}},
    "evaluations/e/e.json": '{"odd":   "spacing"}',
    "environment.json": '{"toolsets":  {"Orders": {"openApiToolset": {"url": "https://a.example"}}}}',
}


def test_files_are_written_where_they_were_with_their_members_in_order() -> None:
    package, _ = read(FILES)
    written = app_files(package)
    schema = "toolsets/o/open_api_toolset/open_api_schema.yaml"
    assert set(written) == {*FILES, schema}
    for path, content in FILES.items():
        if isinstance(content, str):
            assert written[path].decode() == content
        elif path != "toolsets/o/o.json":
            assert list(json.loads(written[path]).items()) == list(content.items())
    assert json.loads(written["toolsets/o/o.json"])["openApiToolset"] == {"openApiSchema": schema}


def test_a_changed_line_changes_one_line_of_one_file() -> None:
    package, _ = read(FILES)
    agent = {**package.agents[0], "instruction": "Be kind.\nBe brief.\n"}
    before, after = app_files(package), app_files(replace(package, agents=(agent,)))
    assert {path for path in before if before[path] != after[path]} == {"agents/front/instruction.txt"}
    assert after["agents/front/instruction.txt"] == b"Be kind.\nBe brief.\n"


def test_a_changed_value_of_the_environment_is_written_there() -> None:
    package, _ = read(FILES)
    toolset = {**package.toolsets[0], "openApiToolset": {**package.toolsets[0]["openApiToolset"], "url": "https://b"}}
    written = app_files(replace(package, toolsets=(toolset,)))
    assert json.loads(written["environment.json"]) == {"toolsets": {"Orders": {"openApiToolset": {"url": "https://b"}}}}
    assert "url" not in json.loads(written["toolsets/o/o.json"])["openApiToolset"]


def test_members_that_a_server_gives_are_not_written() -> None:
    package, _ = read(FILES)
    times = {"createTime": "2026-01-01T00:00:00Z", "updateTime": "2026-01-02T00:00:00Z", "etag": "x"}
    stamped = replace(package, app={**package.app, **times}, agents=({**package.agents[0], **times},))
    assert app_files(stamped) == app_files(package)


def test_secrets_stay_out_and_are_missed_when_it_is_read() -> None:
    package, _ = read(FILES)
    bearer = {"bearerTokenConfig": {"token": "s3cret"}}
    toolset = package.toolsets[0]
    armed: JsonObject = {
        **toolset,
        "openApiToolset": {**toolset["openApiToolset"], "apiAuthentication": bearer},
    }
    written = app_files(replace(package, toolsets=(armed,)))
    assert b"s3cret" not in b"".join(written.values())
    place = "$.openApiToolset.apiAuthentication.bearerTokenConfig.token"
    assert [note.place for note in withheld_secrets(replace(package, toolsets=(armed,))).notes] == [f"Orders {place}"]
    _, report = read_app(zip_of(written), APP, only_public)
    assert [note.place for note in report.of(NoteKind.MISSING_SECRET)] == [f"toolsets/o/o.json {place}"]


def test_resources_without_a_file_get_one_after_their_display_name() -> None:
    package, _ = read(FILES)
    made: JsonObject = {"name": f"{APP}/agents/1b", "displayName": "Front / Desk", "instruction": "Hi"}
    twin: JsonObject = {"name": f"{APP}/agents/2b", "displayName": "Front? Desk", "instruction": ""}
    written = app_files(replace(package, agents=(*package.agents, made, twin)))
    assert json.loads(written["agents/Front_Desk/Front_Desk.json"]) == {
        "name": "1b",
        "displayName": "Front / Desk",
        "instruction": "agents/Front_Desk/instruction.txt",
    }
    assert written["agents/Front_Desk/instruction.txt"] == b"Hi"
    assert json.loads(written["agents/Front_Desk_2/Front_Desk_2.json"])["name"] == "2b"


def test_the_archive_has_one_folder_named_after_the_app_and_equal_apps_give_equal_bytes() -> None:
    package, _ = read(FILES)
    titled = replace(package, app={**package.app, "displayName": "Pets & Co."})
    files = {f"Pets_Co/{path}": content for path, content in app_files(titled).items()}
    assert write_app(titled) == zip_of(files)
    reordered = replace(titled, layouts=dict(reversed(list(titled.layouts.items()))))
    assert write_app(reordered) == write_app(titled)


def test_a_new_app_has_the_name_of_its_folder_and_one_that_was_read_its_own() -> None:
    package, _ = read(FILES)
    assert json.loads(app_files(package)["app.json"])["name"] == "mine"
    made = replace(package, app={**package.app, "displayName": "Pets & Co."}, layouts={})
    assert json.loads(app_files(made)["app.json"])["name"] == "Pets_Co"


def test_a_layout_of_something_that_is_gone_is_in_nobodys_way() -> None:
    package, _ = read(FILES)
    gone = Layout("agents/New/New.json")
    made: JsonObject = {"name": f"{APP}/agents/n", "displayName": "New"}
    written = app_files(replace(package, agents=(made,), layouts={**package.layouts, "agents/gone": gone}))
    assert "agents/New/New.json" in written
