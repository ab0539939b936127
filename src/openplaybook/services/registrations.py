"""Every RPC that this server implements, and its handler: one list for each API, service by service.

What is in no list answers UNIMPLEMENTED. Handlers of resources raise what the rooms below refuse, which is translated
here; those of turns translate it themselves.
"""

from collections.abc import Mapping

from openplaybook.services.agent_models import AgentModels
from openplaybook.services.ces.app_conversations import AppConversations
from openplaybook.services.ces.app_packages import AppPackages
from openplaybook.services.ces.app_resources import AppExamples, AppResources, Deployments
from openplaybook.services.ces.app_tools import AppTools, Toolsets
from openplaybook.services.ces.app_versions import AppVersions
from openplaybook.services.ces.apps import Apps
from openplaybook.services.ces.bidi_sessions import BidiSessions, GoingAway
from openplaybook.services.ces.changelog import Changelogs
from openplaybook.services.ces.evaluation_files import EvaluationFiles
from openplaybook.services.ces.evaluations import (
    EvaluationDatasets,
    EvaluationExpectations,
    EvaluationResults,
    EvaluationRuns,
    Evaluations,
)
from openplaybook.services.ces.golden_drafts import GoldenDrafts
from openplaybook.services.ces.run_schedules import ScheduledEvaluationRuns
from openplaybook.services.ces.session_service import SessionService
from openplaybook.services.ces.tool_service import ToolService
from openplaybook.services.ces.toolset_generation import AppResourceGeneration
from openplaybook.services.dialogflow.agent_locks import unless_locked
from openplaybook.services.dialogflow.agent_packages import AgentPackages
from openplaybook.services.dialogflow.agent_test_cases import AgentTestCases
from openplaybook.services.dialogflow.agent_tools import AgentTools, ToolPackages
from openplaybook.services.dialogflow.agent_validation import AgentValidation
from openplaybook.services.dialogflow.agents import Agents
from openplaybook.services.dialogflow.answer_feedback import AnswerFeedback
from openplaybook.services.dialogflow.conversation_history import ConversationHistory
from openplaybook.services.dialogflow.detect_intent import DetectIntentHandlers
from openplaybook.services.dialogflow.flows import Environments, Flows
from openplaybook.services.dialogflow.generative_settings import GenerativeSettings
from openplaybook.services.dialogflow.playbook_examples import PlaybookExamples
from openplaybook.services.dialogflow.playbook_packages import PlaybookPackages
from openplaybook.services.dialogflow.playbooks import Playbooks
from openplaybook.services.dialogflow.test_case_coverage import TestCaseCoverage
from openplaybook.services.dialogflow.test_case_packages import TestCasePackages
from openplaybook.services.dialogflow.test_case_results import AgentTestResults
from openplaybook.services.dialogflow.versions import PlaybookVersions, ToolVersions
from openplaybook.services.errors import translated
from openplaybook.services.mixins import Locations, Operations, OperationWatch
from openplaybook.services.openplaybook.agent_previews import AgentPreviews
from openplaybook.services.openplaybook.app_checks import AppChecks
from openplaybook.services.openplaybook.draft_checks import DraftChecks
from openplaybook.services.openplaybook.example_drafts import ExampleDrafts
from openplaybook.services.openplaybook.example_rehearsals import ExampleRehearsals
from openplaybook.services.openplaybook.execute_tool import ToolExecution
from openplaybook.services.openplaybook.secret_store import SecretStore
from openplaybook.services.openplaybook.session_exports import Recordings, SessionFileExport
from openplaybook.services.openplaybook.session_permits import SessionPermits
from openplaybook.services.openplaybook.sessions import SessionsAsTheyStand
from openplaybook.services.openplaybook.tool_actions import ToolActions
from openplaybook.services.openplaybook.tool_drafts import ToolDrafts
from openplaybook.services.openplaybook.tool_trials import TrialParts
from openplaybook.services.openplaybook.turns import Turns
from openplaybook.services.parts import ServiceParts
from openplaybook.services.resource_kinds import APP_AGENT, APP_GUARDRAIL, CES, CX
from openplaybook.services.resource_service import ResourceService
from openplaybook.services.schema_generation import SchemaGeneration
from openplaybook.storage.base import Store
from openplaybook.tools.base import ToolBuilder
from openplaybook.tools.toolbox import Toolbox
from openplaybook.turns.engine import TurnEngine
from openplaybook.turns.session.seals import ParameterSeals
from openplaybook.turns.turn_streams import TurnStreams
from openplaybook.wire.api import Api
from openplaybook.wire.registry import Registry, UnaryHandler

_OURS = "openplaybook.v1.OpenPlaybook."


def register_mixins(registry: Registry, parts: ServiceParts) -> None:
    """What every API of Google's has, in every version, beside its own services."""
    operations = Operations(parts)
    locations = Locations(parts)
    handlers = {
        "google.longrunning.Operations.GetOperation": operations.get,
        "google.longrunning.Operations.ListOperations": operations.list,
        "google.longrunning.Operations.CancelOperation": operations.cancel,
        "google.longrunning.Operations.DeleteOperation": operations.delete,
        "google.longrunning.Operations.WaitOperation": operations.wait,
        "google.cloud.location.Locations.GetLocation": locations.get,
        "google.cloud.location.Locations.ListLocations": locations.list,
    }
    for rpc, handler in handlers.items():
        registry.unary(rpc, translated(handler))


def register_dialogflow(registry: Registry, parts: ServiceParts) -> None:
    """Dialogflow CX, all but turns of sessions."""
    agents = Agents(parts)
    agent_packages = AgentPackages(parts)
    agent_validation = AgentValidation(parts)
    generative_settings = GenerativeSettings(parts)
    playbooks = Playbooks(parts)
    playbook_packages = PlaybookPackages(parts)
    playbook_versions = PlaybookVersions(parts)
    examples = PlaybookExamples(parts)
    test_cases = AgentTestCases(parts)
    test_packages = TestCasePackages(parts)
    test_results = AgentTestResults(parts)
    tools = AgentTools(parts)
    tool_versions = ToolVersions(parts)
    history = ConversationHistory(parts)
    environments = Environments(parts)
    flows = Flows(parts)
    handlers: Mapping[str, UnaryHandler] = {
        "Agents.CreateAgent": agents.create,
        "Agents.GetAgent": agents.get,
        "Agents.ListAgents": agents.list,
        "Agents.UpdateAgent": agents.update,
        "Agents.DeleteAgent": agents.delete,
        "Agents.ExportAgent": agent_packages.export,
        "Agents.RestoreAgent": agent_packages.restore,
        "Agents.ValidateAgent": agent_validation.validate,
        "Agents.GetAgentValidationResult": agent_validation.result,
        "Agents.GetGenerativeSettings": generative_settings.get,
        "Agents.UpdateGenerativeSettings": generative_settings.update,
        "Playbooks.CreatePlaybook": playbooks.create,
        "Playbooks.GetPlaybook": playbooks.get,
        "Playbooks.ListPlaybooks": playbooks.list,
        "Playbooks.UpdatePlaybook": playbooks.update,
        "Playbooks.DeletePlaybook": playbooks.delete,
        "Playbooks.ExportPlaybook": playbook_packages.export,
        "Playbooks.ImportPlaybook": playbook_packages.import_,
        "Playbooks.CreatePlaybookVersion": playbook_versions.create,
        "Playbooks.GetPlaybookVersion": playbook_versions.get,
        "Playbooks.ListPlaybookVersions": playbook_versions.list,
        "Playbooks.DeletePlaybookVersion": playbook_versions.delete,
        "Playbooks.RestorePlaybookVersion": playbook_versions.restore,
        "Examples.CreateExample": examples.create,
        "Examples.GetExample": examples.get,
        "Examples.ListExamples": examples.list,
        "Examples.UpdateExample": examples.update,
        "Examples.DeleteExample": examples.delete,
        "Tools.CreateTool": tools.create,
        "Tools.GetTool": tools.get,
        "Tools.ListTools": tools.list,
        "Tools.UpdateTool": tools.update,
        "Tools.DeleteTool": tools.delete,
        "Tools.ExportTools": ToolPackages(parts).export,
        "Tools.CreateToolVersion": tool_versions.create,
        "Tools.GetToolVersion": tool_versions.get,
        "Tools.ListToolVersions": tool_versions.list,
        "Tools.DeleteToolVersion": tool_versions.delete,
        "Tools.RestoreToolVersion": tool_versions.restore,
        "Sessions.SubmitAnswerFeedback": AnswerFeedback(parts).submit,
        "ConversationHistory.ListConversations": history.list,
        "ConversationHistory.GetConversation": history.get,
        "ConversationHistory.DeleteConversation": history.delete,
        "TestCases.CreateTestCase": test_cases.create,
        "TestCases.GetTestCase": test_cases.get,
        "TestCases.ListTestCases": test_cases.list,
        "TestCases.UpdateTestCase": test_cases.update,
        "TestCases.BatchDeleteTestCases": test_cases.delete_many,
        "TestCases.ExportTestCases": test_packages.export,
        "TestCases.ImportTestCases": test_packages.import_,
        "TestCases.CalculateCoverage": TestCaseCoverage(parts).calculate,
        "TestCases.GetTestCaseResult": test_results.get,
        "TestCases.ListTestCaseResults": test_results.list,
        "Environments.GetEnvironment": environments.get,
        "Environments.ListEnvironments": environments.list,
        "Flows.GetFlow": flows.get,
        "Flows.ListFlows": flows.list,
    }
    for rpc, handler in handlers.items():
        method = rpc.rpartition(".")[2]
        registry.unary(CX + rpc, translated(unless_locked(method, handler, parts)))


def register_detect_intent(
    registry: Registry, api: Api, store: Store, engine: TurnEngine, streams: TurnStreams
) -> None:
    """Turns of Dialogflow CX."""
    sessions = DetectIntentHandlers(api, store, engine, streams)
    registry.unary(f"{CX}Sessions.DetectIntent", sessions.detect_intent)
    registry.server_streaming(f"{CX}Sessions.ServerStreamingDetectIntent", sessions.server_streaming_detect_intent)
    registry.stream(f"{CX}Sessions.StreamingDetectIntent", sessions.streaming_detect_intent)


def register_apps(registry: Registry, parts: ServiceParts) -> None:
    """The resources of CX Agent Studio."""
    apps = Apps(parts)
    packages = AppPackages(parts)
    agents = AppResources(APP_AGENT, parts)
    tools = AppTools(parts)
    toolsets = Toolsets(parts)
    examples = AppExamples(parts)
    guardrails = AppResources(APP_GUARDRAIL, parts)
    deployments = Deployments(parts)
    versions = AppVersions(parts)
    changelogs = Changelogs(parts)
    handlers: Mapping[str, UnaryHandler] = {
        "AgentService.CreateApp": apps.create,
        "AgentService.GetApp": apps.get,
        "AgentService.ListApps": apps.list,
        "AgentService.UpdateApp": apps.update,
        "AgentService.DeleteApp": apps.delete,
        "AgentService.ExportApp": packages.export,
        "AgentService.ImportApp": packages.import_,
        "AgentService.CreateAgent": agents.create,
        "AgentService.GetAgent": agents.get,
        "AgentService.ListAgents": agents.list,
        "AgentService.UpdateAgent": agents.update,
        "AgentService.DeleteAgent": agents.delete,
        "AgentService.CreateTool": tools.create,
        "AgentService.GetTool": tools.get,
        "AgentService.ListTools": tools.list,
        "AgentService.UpdateTool": tools.update,
        "AgentService.DeleteTool": tools.delete,
        "AgentService.CreateToolset": toolsets.create,
        "AgentService.GetToolset": toolsets.get,
        "AgentService.ListToolsets": toolsets.list,
        "AgentService.UpdateToolset": toolsets.update,
        "AgentService.DeleteToolset": toolsets.delete,
        "AgentService.CreateExample": examples.create,
        "AgentService.GetExample": examples.get,
        "AgentService.ListExamples": examples.list,
        "AgentService.UpdateExample": examples.update,
        "AgentService.DeleteExample": examples.delete,
        "AgentService.CreateGuardrail": guardrails.create,
        "AgentService.GetGuardrail": guardrails.get,
        "AgentService.ListGuardrails": guardrails.list,
        "AgentService.UpdateGuardrail": guardrails.update,
        "AgentService.DeleteGuardrail": guardrails.delete,
        "AgentService.CreateDeployment": deployments.create,
        "AgentService.GetDeployment": deployments.get,
        "AgentService.ListDeployments": deployments.list,
        "AgentService.UpdateDeployment": deployments.update,
        "AgentService.DeleteDeployment": deployments.delete,
        "AgentService.CreateAppVersion": versions.create,
        "AgentService.GetAppVersion": versions.get,
        "AgentService.ListAppVersions": versions.list,
        "AgentService.DeleteAppVersion": versions.delete,
        "AgentService.RestoreAppVersion": versions.restore,
        **_evaluations(parts),
        "AgentService.GetChangelog": changelogs.get,
        "AgentService.ListChangelogs": changelogs.list,
    }
    for rpc, handler in handlers.items():
        registry.unary(CES + rpc, translated(handler))


def _evaluations(parts: ServiceParts) -> Mapping[str, UnaryHandler]:
    """Evaluations of apps, all but their runs."""
    kinds: Mapping[str, ResourceService] = {
        "Evaluation": Evaluations(parts),
        "EvaluationDataset": EvaluationDatasets(parts),
        "EvaluationExpectation": EvaluationExpectations(parts),
        "ScheduledEvaluationRun": ScheduledEvaluationRuns(parts),
    }
    runs, results, files = EvaluationRuns(parts), EvaluationResults(parts), EvaluationFiles(parts)
    handlers: dict[str, UnaryHandler] = {
        "GetEvaluationRun": runs.get,
        "ListEvaluationRuns": runs.list,
        "DeleteEvaluationRun": runs.delete_with_results,
        "GetEvaluationResult": results.get,
        "ListEvaluationResults": results.list,
        "DeleteEvaluationResult": results.delete,
        "GenerateEvaluation": GoldenDrafts(parts).generate,
        "ExportEvaluations": files.export_evaluations,
        "ExportEvaluationResults": files.export_results,
        "ExportEvaluationRuns": files.export_runs,
        "ImportEvaluations": files.import_,
    }
    for noun, service in kinds.items():
        handlers |= {
            f"Create{noun}": service.create,
            f"Get{noun}": service.get,
            f"List{noun}s": service.list,
            f"Update{noun}": service.update,
            f"Delete{noun}": service.delete,
        }
    return {f"EvaluationService.{rpc}": handler for rpc, handler in handlers.items()}


def register_app_sessions(
    registry: Registry, parts: ServiceParts, engine: TurnEngine, streams: TurnStreams, going_away: GoingAway
) -> None:
    """Turns of CX Agent Studio. `going_away` returns once the server was told to stop."""
    sessions = SessionService(parts, engine, streams)
    registry.unary(f"{CES}SessionService.RunSession", sessions.run_session)
    registry.server_streaming(f"{CES}SessionService.StreamRunSession", sessions.stream_run_session)
    bidi_sessions = BidiSessions(parts, sessions, going_away)
    registry.stream(f"{CES}SessionService.BidiRunSession", bidi_sessions.bidi_run_session)


def register_around_app_sessions(
    registry: Registry, parts: ServiceParts, toolbox: ToolBuilder, models: AgentModels
) -> None:
    """What stands around sessions of CX Agent Studio: their conversations, tools on their own, and new tools."""
    conversations = AppConversations(parts)
    tools = ToolService(parts, toolbox, models)
    handlers: Mapping[str, UnaryHandler] = {
        "AgentService.ListConversations": conversations.list,
        "AgentService.GetConversation": conversations.get,
        "AgentService.DeleteConversation": conversations.delete,
        "AgentService.BatchDeleteConversations": conversations.delete_many,
        "AgentService.GenerateAppResource": AppResourceGeneration(parts, models).generate,
        "ToolService.ExecuteTool": tools.execute,
        "ToolService.RetrieveToolSchema": tools.retrieve_schema,
        "ToolService.RetrieveTools": tools.retrieve_tools,
    }
    for rpc, handler in handlers.items():
        registry.unary(CES + rpc, translated(handler))


def register_openplaybook(
    registry: Registry, parts: ServiceParts, toolbox: Toolbox, models: AgentModels, seals: ParameterSeals
) -> None:
    """Our own service over tools and conversations of the past."""
    api, store = parts.api, parts.store
    trials = TrialParts(store, ToolDrafts(parts), seals, toolbox.answering)
    registry.unary(f"{_OURS}ExecuteTool", translated(ToolExecution(api, store, toolbox, models, trials).execute))
    registry.unary(f"{_OURS}GetSessionFile", translated(SessionFileExport(api, store).get))
    recordings = Recordings(api, store)
    registry.unary(f"{_OURS}RecordSession", translated(recordings.record))
    registry.unary(f"{_OURS}DraftTestCase", translated(recordings.draft_test))
    registry.unary(f"{_OURS}DraftExample", translated(ExampleDrafts(parts).draft))
    registry.server_streaming(f"{_OURS}WatchOperation", OperationWatch(parts).watch)
    previews = AgentPreviews(parts)
    registry.unary(f"{_OURS}PreviewImport", translated(previews.preview))
    registry.unary(f"{_OURS}DiffAgents", translated(previews.diff))
    checks = DraftChecks(parts)
    registry.unary(f"{_OURS}CheckPlaybook", translated(checks.check_playbook))
    registry.unary(f"{_OURS}CheckExample", translated(checks.check_example))
    app_checks = AppChecks(parts)
    registry.unary(f"{_OURS}CheckApp", translated(app_checks.check_app))
    registry.unary(f"{_OURS}CheckAppResource", translated(app_checks.check_resource))
    registry.server_streaming(f"{_OURS}RehearseExamples", ExampleRehearsals(parts).rehearse)
    actions = ToolActions(parts)
    registry.unary(f"{_OURS}ListToolActions", translated(actions.list))
    registry.unary(f"{_OURS}InspectOpenApi", translated(actions.inspect))
    registry.unary(f"{_OURS}GenerateOpenApiSchema", translated(SchemaGeneration(api, models).generate))


def register_turns(registry: Registry, turns: Turns) -> None:
    """Our RPCs over turns, as they were and as they happen."""
    registry.unary(f"{_OURS}ListTurns", translated(turns.list))
    registry.unary(f"{_OURS}GetTurn", translated(turns.get))
    registry.unary(f"{_OURS}ListTurnSteps", translated(turns.list_steps))
    registry.server_streaming(f"{_OURS}WatchTurn", turns.watch)


def register_sessions(registry: Registry, sessions: SessionsAsTheyStand) -> None:
    """Our RPCs over sessions between turns."""
    registry.unary(f"{_OURS}GetSession", translated(sessions.get))
    registry.unary(f"{_OURS}UpdateSessionParameters", translated(sessions.update_parameters))
    registry.unary(f"{_OURS}ForkSession", translated(sessions.fork))


def register_session_tokens(registry: Registry, permits: SessionPermits) -> None:
    """Our RPC for pages that hold one conversation."""
    registry.unary(f"{_OURS}CreateSessionToken", translated(permits.create))


def register_secrets(registry: Registry, secrets: SecretStore) -> None:
    """Our RPCs over the local store of secrets."""
    registry.unary(f"{_OURS}AddSecretVersion", translated(secrets.add))
    registry.unary(f"{_OURS}ListSecrets", translated(secrets.list))
    registry.unary(f"{_OURS}DeleteSecret", translated(secrets.delete))
