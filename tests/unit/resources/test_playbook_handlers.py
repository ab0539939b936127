import pytest

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.resources.conditions.parser import parse_condition
from openplaybook.resources.findings import Finding, Severity
from openplaybook.resources.fulfillments import Case, Cases, Fulfillment, Guard, MessageTemplate
from openplaybook.resources.playbook_handlers import Handler, HandlerStage, compile_handlers


def text(words: str) -> JsonObject:
    return {"text": {"text": [words]}}


def starting(**more: JsonValue) -> JsonObject:
    return {"lifecycleHandler": {"lifecycleStage": "playbook-start", **more}}


def test_a_whole_handler_is_compiled() -> None:
    found: list[Finding] = []
    cases = {"cases": [{"condition": "true", "caseContent": [{"message": text("a")}]}, {"caseContent": []}]}
    nested = {"cases": [{"caseContent": [{"additionalCases": cases}]}]}
    handlers: list[JsonObject] = [
        {
            "lifecycleHandler": {
                "lifecycleStage": "pre-action-execution",
                "condition": "$next-action.name = pay",
                "fulfillment": {
                    "messages": [text("One moment."), {"payload": {"a": 1}}, {"endInteraction": {}}],
                    "setParameterActions": [{"parameter": "n", "value": 1}, {"parameter": "gone", "value": None}],
                    "conditionalCases": [nested],
                },
                "targetPlaybook": "p2",
            }
        },
        {"eventHandler": {"event": "sys.no-input-default", "fulfillment": {}}},
    ]
    branch = Cases((Case(Guard("true", parse_condition("true")), (MessageTemplate(text("a")),)), Case(Guard(), ())))
    assert compile_handlers(handlers, report=found.append) == (
        Handler(
            index=0,
            stage=HandlerStage.EXECUTION,
            guard=Guard("$next-action.name = pay", parse_condition("$next-action.name = pay")),
            fulfillment=Fulfillment(
                parameters=(("n", 1), ("gone", None)),
                messages=(
                    MessageTemplate(text("One moment.")),
                    MessageTemplate({"payload": {"a": 1}}),
                    MessageTemplate({"endInteraction": {}}),
                ),
                choices=(Cases((Case(Guard(), (branch,)),)),),
            ),
            target_playbook="p2",
        ),
        Handler(
            index=1, stage=HandlerStage.EVENT, guard=Guard(), fulfillment=Fulfillment(), event="sys.no-input-default"
        ),
    )
    assert found == []


@pytest.mark.parametrize(
    ("handler", "path", "severity", "start"),
    [
        ({}, "$.handlers[0]", Severity.WARNING, None),
        ({"lifecycleHandler": {"lifecycleStage": "later"}}, "$.handlers[0].lifecycleHandler.lifecycleStage", "W", None),
        ({"eventHandler": {}}, "$.handlers[0].eventHandler.event", Severity.WARNING, None),
        (starting(condition="$a = 1"), "$.handlers[0].lifecycleHandler.condition", Severity.WARNING, 0),
        (
            starting(condition="true AND $page.params.status = FINAL"),
            "$.handlers[0].lifecycleHandler.condition",
            Severity.WARNING,
            9,
        ),
        (starting(targetFlow="f"), "$.handlers[0].lifecycleHandler.targetFlow", Severity.REMARK, None),
        (
            starting(fulfillment={"messages": [{"mixedAudio": {}}]}),
            "$.handlers[0].lifecycleHandler.fulfillment.messages[0]",
            Severity.WARNING,
            None,
        ),
        (
            starting(fulfillment={"messages": [{"channel": "sms", **text("x")}]}),
            "$.handlers[0].lifecycleHandler.fulfillment.messages[0].channel",
            Severity.REMARK,
            None,
        ),
        (
            starting(fulfillment={"messages": [{"payload": {"a": ["x $sys.func.X()"]}}]}),
            "$.handlers[0].lifecycleHandler.fulfillment.messages[0].payload.a[0]",
            Severity.WARNING,
            2,
        ),
        (
            starting(fulfillment={"setParameterActions": [{"value": 1}]}),
            "$.handlers[0].lifecycleHandler.fulfillment.setParameterActions[0]",
            Severity.ERROR,
            None,
        ),
    ],
)
def test_what_will_not_do_what_it_says_is_told(
    handler: JsonObject, path: str, severity: Severity | str, start: int | None
) -> None:
    found: list[Finding] = []
    compile_handlers([handler], report=found.append)
    severity = Severity.WARNING if severity == "W" else severity
    assert [(each.path, each.severity, each.start) for each in found] == [(path, severity, start)]


@pytest.mark.parametrize(
    ("fulfillment", "words"),
    [
        ({"webhook": "w"}, "webhook w"),
        ({"codeBlockFunction": "f"}, "code block function f"),
        ({"generators": [{"generator": "g"}]}, "generator g"),
        ({"enableGenerativeFallback": True}, "the generative fallback"),
    ],
)
def test_what_of_a_fulfillment_is_not_run_is_kept_in_words(fulfillment: JsonObject, words: str) -> None:
    found: list[Finding] = []
    (handler,) = compile_handlers([starting(fulfillment=fulfillment)], report=found.append)
    assert handler.fulfillment == Fulfillment(not_run=(words,))
    assert [(each.message, each.severity) for each in found] == [(f"{words} is kept, but not run", Severity.REMARK)]


def test_a_guard_that_cannot_be_read_keeps_its_text_and_what_is_wrong() -> None:
    (handler,) = compile_handlers([starting(condition="1 ==")])
    assert handler.guard == Guard("1 ==", problem="'=' is not a value (at 3)")


def test_choices_are_read_to_a_limit() -> None:
    cases: JsonObject = {"cases": []}
    for _ in range(30):
        cases = {"cases": [{"caseContent": [{"additionalCases": cases}]}]}
    found: list[Finding] = []
    compile_handlers([starting(fulfillment={"conditionalCases": [cases]})], report=found.append)
    assert [each.message for each in found] == ["more than 16 levels of cases; what is deeper is left out"]
