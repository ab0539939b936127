"""Evaluations of an app with Google's own client: kept, grouped, run against the app, with results that are kept."""

import pytest
from google.api_core import exceptions

from openplaybook.jsonvalues import JsonObject, JsonValue
from openplaybook.wire.messages import ApiMessage
from tests.e2e.kit.studio import Studio, to_json
from tests.kit.http_peer import HttpPeer

pytestmark = pytest.mark.proves("X1")


def said(text: str) -> JsonObject:
    return {"user_input": {"text": text}}


def expected(**condition: JsonValue) -> JsonObject:
    return {"expectation": condition}


def words(text: str) -> JsonObject:
    return expected(agent_response={"chunks": [{"text": text}]})


@pytest.fixture
def evaluations(beta_studio: Studio) -> ApiMessage:
    return beta_studio.google("EvaluationService")


def golden(evaluations: ApiMessage, studio: Studio, title: str, *turns: "list[JsonObject]") -> ApiMessage:
    body = {"display_name": title, "golden": {"turns": [{"steps": steps} for steps in turns]}}
    return evaluations.create_evaluation(parent=studio.app, evaluation=body)


def results(evaluations: ApiMessage, studio: Studio, *made: ApiMessage, **request: JsonValue) -> "list[ApiMessage]":
    wanted = {"app": studio.app, "evaluations": [each.name for each in made], **request}
    run = evaluations.run_evaluation(wanted).result().evaluation_run
    found = evaluations.get_evaluation_run(name=run)
    assert found.state.name == "COMPLETED"
    return [evaluations.get_evaluation_result(name=name) for name in found.evaluation_results]


def outcomes(result: ApiMessage) -> "list[list[str]]":
    turns = result.golden_result.turn_replay_results
    return [[each.outcome.name for each in turn.expectation_outcome] for turn in turns]


def test_a_conversation_that_goes_as_expected_passes(
    evaluations: ApiMessage, beta_studio: Studio, pets: HttpPeer
) -> None:
    call = {"toolset_tool": {"toolset": beta_studio.pets, "tool_id": "getPet"}}
    made = golden(
        evaluations,
        beta_studio,
        "Pets and bills",
        [said("pet 3"), expected(tool_call={**call, "args": {"petId": 3}}), words("luna belongs to Aisha")],
        [said("my bill"), expected(agent_transfer={"target_agent": beta_studio.agents["billing"]})],
        [said("hello"), expected(no_tool_calls=True)],
    )
    [result] = results(evaluations, beta_studio, made)
    assert outcomes(result) == [["PASS", "PASS"], ["PASS"], ["PASS"]]
    assert (result.evaluation_status.name, result.execution_state.name) == ("PASS", "COMPLETED")
    observed = result.golden_result.turn_replay_results[0].expectation_outcome[0].observed_tool_call
    assert to_json(observed)["args"] == {"petId": 3}
    assert [received.target for received in pets.requests] == ["/v1/pets/3"]
    read = evaluations.get_evaluation(name=made.name)
    assert read.last_completed_result == result
    assert list(read.evaluation_runs) == [result.evaluation_run]


def test_what_differs_fails_with_what_was_observed(evaluations: ApiMessage, beta_studio: Studio) -> None:
    call = {"toolset_tool": {"toolset": beta_studio.pets, "tool_id": "getPet"}, "args": {"petId": 4}}
    made = golden(
        evaluations,
        beta_studio,
        "Another pet",
        [said("pet 3"), expected(tool_call=call), words("Luna is gone.")],
        [said("hello"), expected(tool_call=call), expected(agent_response={}, skip_evaluation=True)],
    )
    [result] = results(evaluations, beta_studio, made)
    assert outcomes(result) == [["FAIL", "FAIL"], ["FAIL", "SKIPPED"]]
    assert result.evaluation_status.name == "FAIL"
    first, second = result.golden_result.turn_replay_results
    called, told = first.expectation_outcome
    assert called.tool_invocation_result.explanation == "other arguments, or none: petId"
    assert told.observed_agent_response.chunks[0].text == "Luna belongs to Aisha."
    assert second.overall_tool_invocation_result.outcome.name == "FAIL"


def test_mocks_answer_in_place_of_services(evaluations: ApiMessage, beta_studio: Studio, pets: HttpPeer) -> None:
    response = {"200": {"name": "Rex", "owner": "Ben"}}
    mock = {"toolset_tool": {"toolset": beta_studio.pets, "tool_id": "getPet"}, "response": response}
    steps = [said("pet 3"), expected(mock_tool_response=mock), words("Rex belongs to Ben.")]
    made = golden(evaluations, beta_studio, "Mocked", steps)
    [result] = results(evaluations, beta_studio, made)
    assert (outcomes(result), result.evaluation_status.name) == ([["SKIPPED", "PASS"]], "PASS")
    assert pets.requests == []


def test_a_dataset_is_run_several_times(evaluations: ApiMessage, beta_studio: Studio) -> None:
    good = golden(evaluations, beta_studio, "Good", [said("hello"), words("You said: hello")])
    bad = golden(evaluations, beta_studio, "Bad", [said("hello"), words("Never.")])
    dataset = evaluations.create_evaluation_dataset(
        parent=beta_studio.app, evaluation_dataset={"display_name": "All", "evaluations": [good.name, bad.name]}
    )
    found = results(evaluations, beta_studio, evaluation_dataset=dataset.name, run_count=2, display_name="Nightly")
    assert [each.evaluation_status.name for each in found] == ["PASS", "PASS", "FAIL", "FAIL"]
    [run] = evaluations.list_evaluation_runs(parent=beta_studio.app)
    counts = (run.progress.total_count, run.progress.passed_count, run.progress.failed_count)
    assert (run.display_name, counts) == ("Nightly", (4, 2, 2))
    assert run.evaluation_run_summaries[bad.name].failed_count == 2
    listed = evaluations.list_evaluation_results(parent=f"{beta_studio.app}/evaluations/-")
    assert {each.name for each in listed} == {each.name for each in found}
    with pytest.raises(exceptions.FailedPrecondition, match="is in All; set force"):
        evaluations.delete_evaluation(name=good.name)
    evaluations.delete_evaluation({"name": good.name, "force": True})
    assert list(evaluations.get_evaluation_dataset(name=dataset.name).evaluations) == [bad.name]
    evaluations.delete_evaluation_run(name=run.name).result()
    assert list(evaluations.list_evaluation_results(parent=bad.name)) == []


def test_a_scenario_is_kept_and_its_run_is_an_error(evaluations: ApiMessage, beta_studio: Studio) -> None:
    scenario = {"task": "Buy a pet.", "rubrics": ["It is polite."], "scenario_expectations": [{"agent_response": {}}]}
    body = {"display_name": "Bought", "scenario": scenario}
    made = evaluations.create_evaluation(parent=beta_studio.app, evaluation=body)
    [result] = results(evaluations, beta_studio, made)
    assert (result.execution_state.name, result.error_info.error_type.name) == ("ERROR", "USER_SIMULATION_FAILURE")


def test_evaluations_are_changed_and_name_what_is_there(evaluations: ApiMessage, beta_studio: Studio) -> None:
    made = golden(evaluations, beta_studio, "First", [said("hello")])
    changed = evaluations.update_evaluation(
        evaluation={"name": made.name, "description": "New"}, update_mask={"paths": ["description"]}
    )
    assert (changed.description, changed.display_name) == ("New", "First")
    with pytest.raises(exceptions.AlreadyExists):
        golden(evaluations, beta_studio, "First", [said("hello")])
    call = expected(tool_call={"tool": f"{beta_studio.app}/tools/none"})
    with pytest.raises(exceptions.NotFound, match=r"golden\.turns"):
        golden(evaluations, beta_studio, "Second", [said("hello"), call])
    with pytest.raises(exceptions.InvalidArgument, match="needs golden or scenario"):
        evaluations.create_evaluation(parent=beta_studio.app, evaluation={"display_name": "Empty"})
    with pytest.raises(exceptions.InvalidArgument, match="evaluations: is required"):
        evaluations.run_evaluation(app=beta_studio.app)
    wanted = {"app": beta_studio.app, "evaluations": [made.name], "app_version": f"{beta_studio.app}/versions/v"}
    with pytest.raises(exceptions.MethodNotImplemented, match="app_version is not served"):
        evaluations.run_evaluation(wanted)


def test_an_evaluation_is_generated_from_a_conversation_and_passes(
    evaluations: ApiMessage, beta_studio: Studio, pets: HttpPeer
) -> None:
    for text in ("pet 3", "weather in Oslo", "order 2", "report 3", "expert: why", "my bill", "goodbye"):
        beta_studio.say(text)
        if text.startswith("weather"):
            weather = {"tool": beta_studio.weather, "display_name": "get_weather", "response": {"temperature": 7}}
            beta_studio.give(weather)
    asked = len(pets.requests)
    conversation = f"{beta_studio.app}/conversations/s1"
    made = evaluations.generate_evaluation({"conversation": conversation}).result()
    assert made.display_name == "pet 3"
    [result] = results(evaluations, beta_studio, made)
    assert {outcome for turn in outcomes(result) for outcome in turn} == {"PASS", "SKIPPED"}
    assert (result.evaluation_status.name, len(pets.requests)) == ("PASS", asked)
    again = evaluations.generate_evaluation({"conversation": conversation}).result()
    assert again.display_name == "pet 3 (2)"
    with pytest.raises(exceptions.MethodNotImplemented, match="SCENARIO is not served"):
        evaluations.generate_evaluation({"conversation": conversation, "evaluation_type": "SCENARIO"})
    with pytest.raises(exceptions.NotFound):
        evaluations.generate_evaluation({"conversation": f"{conversation}2"})


def test_each_turn_of_a_stable_run_begins_with_what_was_expected(evaluations: ApiMessage, beta_studio: Studio) -> None:
    weather = {"tool": beta_studio.weather, "display_name": "get_weather"}
    returned = {"tool_responses": {"tool_responses": [{**weather, "response": {"temperature": 7}}]}}
    billing = beta_studio.agents["billing"]
    made = golden(
        evaluations,
        beta_studio,
        "Step by step",
        [said("hello"), words("Never said."), expected(agent_transfer={"target_agent": billing})],
        [said("anything"), words("Billing heard: anything")],
        [said("more"), words("Billing heard: more")],
    )
    client = golden(
        evaluations,
        beta_studio,
        "With a client",
        [said("weather in Oslo"), expected(tool_call={**weather, "args": {"city": "Oslo"}})],
        [{"user_input": returned}, words("It is 7 degrees.")],
        [{"user_input": {"variables": {"shop": "Ulm"}}}, said("where am I"), words("In Ulm.")],
        [said("where am I"), words("In Ulm.")],
    )
    naive, _ = results(evaluations, beta_studio, made, client)
    assert outcomes(naive) == [["FAIL", "FAIL"], ["FAIL"], ["FAIL"]]
    stable, with_client = results(evaluations, beta_studio, made, client, golden_run_method="STABLE")
    assert outcomes(stable) == [["FAIL", "FAIL"], ["PASS"], ["PASS"]]
    assert outcomes(with_client) == [["PASS"], ["PASS"], ["PASS"], ["PASS"]]
    assert stable.golden_run_method.name == "STABLE"
