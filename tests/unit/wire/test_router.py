"""Path templates, and from paths to RPCs."""

import pytest

from openplaybook.wire.api import Api, Binding, Method
from openplaybook.wire.router import PathVariable, Router, TemplateError, parse_template

AGENT = "/v3/projects/p/locations/l/agents/a"
V3 = "google.cloud.dialogflow.cx.v3"


@pytest.fixture(scope="module")
def router(api: Api) -> Router:
    return Router(api.methods.values())


def bindings(api: Api) -> list[tuple[Method, Binding]]:
    return [(method, binding) for method in api.methods.values() for binding in method.bindings]


def test_every_rest_binding_leads_to_its_own_method(api: Api, router: Router) -> None:
    assert len(bindings(api)) == 718
    for method, binding in bindings(api):
        match = router.match(binding.verb, parse_template(binding.template).path("word"))
        assert match is not None
        assert (match.route.method.full_name, match.route.binding) == (method.full_name, binding)


def test_the_variables_of_every_binding_are_strings_of_the_request(api: Api) -> None:
    for method, binding in bindings(api):
        for variable in parse_template(binding.template).variables:
            descriptor = method.input
            for name in variable.field[:-1]:
                inner = descriptor.fields_by_name[name].message_type
                assert inner is not None
                descriptor = inner
            field = descriptor.fields_by_name[variable.field[-1]]
            assert (field.type, field.is_repeated) == (field.TYPE_STRING, False)


def test_only_streams_from_clients_and_health_have_no_rest_binding(api: Api) -> None:
    without = {method.full_name for method in api.methods.values() if not method.bindings}

    assert without == {
        "google.cloud.ces.v1.SessionService.BidiRunSession",
        "google.cloud.ces.v1beta.SessionService.BidiRunSession",
        "google.cloud.dialogflow.cx.v3.Sessions.StreamingDetectIntent",
        "google.cloud.dialogflow.cx.v3beta1.Sessions.StreamingDetectIntent",
        "grpc.health.v1.Health.Check",
        "grpc.health.v1.Health.Watch",
    }


@pytest.mark.parametrize(
    ("verb", "path", "method", "variables"),
    [
        ("GET", AGENT, f"{V3}.Agents.GetAgent", {"name": AGENT[4:]}),
        ("PATCH", f"{AGENT}/tools/t", f"{V3}.Tools.UpdateTool", {"tool.name": f"{AGENT[4:]}/tools/t"}),
        ("GET", f"{AGENT}:x", f"{V3}.Agents.GetAgent", {"name": f"{AGENT[4:]}:x"}),
        ("GET", f"{AGENT}:export", f"{V3}.Agents.GetAgent", {"name": f"{AGENT[4:]}:export"}),
        ("POST", f"{AGENT}:export", f"{V3}.Agents.ExportAgent", {"name": AGENT[4:]}),
        ("POST", f"{AGENT}%3Ax:export", f"{V3}.Agents.ExportAgent", {"name": f"{AGENT[4:]}:x"}),
        ("POST", f"{AGENT}/playbooks:import", f"{V3}.Playbooks.ImportPlaybook", {"parent": AGENT[4:]}),
        (
            "POST",
            f"{AGENT}/tools/t:execute",
            "openplaybook.v1.OpenPlaybook.ExecuteTool",
            {"tool": f"{AGENT[4:]}/tools/t"},
        ),
        ("GET", "/v1/openplaybook:doctor", "openplaybook.v1.OpenPlaybook.Doctor", {}),
        (
            "GET",
            "/v3/projects/p/operations/o",
            "google.longrunning.Operations.GetOperation",
            {"name": "projects/p/operations/o"},
        ),
        (
            "GET",
            "/v1beta/projects/p/locations",
            "google.cloud.location.Locations.ListLocations",
            {"name": "projects/p"},
        ),
        (
            "POST",
            "/v1/projects/p/locations/l/apps/a/sessions/s:runSession",
            "google.cloud.ces.v1.SessionService.RunSession",
            {"config.session": "projects/p/locations/l/apps/a/sessions/s"},
        ),
    ],
)
def test_a_path_leads_to_its_rpc(router: Router, verb: str, path: str, method: str, variables: dict[str, str]) -> None:
    match = router.match(verb, path)

    assert match is not None
    assert match.route.method.full_name == method
    assert {".".join(field): value for field, value in match.variables()} == variables


@pytest.mark.parametrize(
    "path", ["", "/", "/v3", "/v4/projects/p", f"{AGENT}/", f"{AGENT}//tools", "/v3/projects//locations/l/agents/a"]
)
def test_an_unknown_path_leads_nowhere(router: Router, path: str) -> None:
    assert router.match("GET", path) is None
    assert router.allowed(path) == []


def test_a_path_knows_its_http_methods(router: Router) -> None:
    assert router.allowed(AGENT) == ["DELETE", "GET", "PATCH"]


def test_two_rpcs_at_one_path_are_refused(api: Api) -> None:
    method = api.methods[f"{V3}.Agents.GetAgent"]

    with pytest.raises(ValueError, match=r"leads to google\.cloud\.dialogflow\.cx\.v3\.Agents\.GetAgent already"):
        Router([method, method])


def test_a_template_has_segments_variables_and_a_verb() -> None:
    template = parse_template("/v3/{tool.name=projects/*/tools/*}/parts/{part}:execute")

    assert template.segments == ("v3", "projects", "*", "tools", "*", "parts", "*")
    assert template.variables == (PathVariable(("tool", "name"), 1, 5), PathVariable(("part",), 6, 7))
    assert template.verb == "execute"
    assert template.path("a b") == "/v3/projects/a%20b/tools/a%20b/parts/a%20b:execute"


def test_a_double_star_takes_what_is_left() -> None:
    template = parse_template("/v1/{name=operations/**}")

    assert template.variables[0].value(["v1", "operations", "a", "b"]) == "operations/a/b"


def test_a_verb_may_stand_after_a_literal() -> None:
    assert parse_template("/v1/openplaybook:doctor").verb == "doctor"


@pytest.mark.parametrize(
    ("segments", "value"),
    [
        (["v3", "projects", "a%20%C3%A9"], "projects/a é"),
        (["v3", "projects", "a%2Fb%2fc"], "projects/a%2Fb%2fc"),
        (["v3", "projects", "a%3Ab"], "projects/a:b"),
    ],
)
def test_several_segments_are_decoded_but_for_the_slash(segments: list[str], value: str) -> None:
    assert parse_template("/v3/{name=projects/*}").variables[0].value(segments) == value


def test_one_segment_is_decoded_whole() -> None:
    assert parse_template("/v3/{name}").variables[0].value(["v3", "a%2Fb"]) == "a/b"


def test_percent_codes_that_are_no_utf_8_are_an_error() -> None:
    with pytest.raises(UnicodeDecodeError):
        parse_template("/v3/{name}").variables[0].value(["v3", "%ff"])


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 1),
        ("v3", 1),
        ("/", 1),
        ("/v3/", 4),
        ("/v3/{name", 4),
        ("/v3/{name=}", 4),
        ("/v3/{Name}", 4),
        ("/v3/{name=a//b}", 16),
        ("/v3/{name=**}/more", 14),
        ("/v3:", 4),
        ("/v3:exe/cute", 4),
    ],
)
def test_a_malformed_template_is_refused(text: str, position: int) -> None:
    with pytest.raises(TemplateError) as caught:
        parse_template(text)

    assert str(caught.value) == f"{text}: not a path template at character {position}"
