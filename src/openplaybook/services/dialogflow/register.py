"""Puts the Dialogflow CX services on the registry that both transports serve."""

from openplaybook.services.dialogflow import (
    agent_packages,
    agent_tools,
    agent_validation,
    agents,
    answer_feedback,
    conversation_history,
    environments,
    flows,
    generative_settings,
    playbook_examples,
    playbook_packages,
    playbook_versions,
    playbooks,
    tool_packages,
    tool_versions,
)
from openplaybook.services.dialogflow.agent_locks import unless_locked
from openplaybook.services.errors import translated
from openplaybook.services.parts import ServiceParts
from openplaybook.wire.registry import Registry

__all__ = ["ServiceParts", "register"]


def register(registry: Registry, parts: ServiceParts) -> None:
    """Register every handler of this folder; turns of sessions are registered by a module of their own."""
    for service, handlers in (
        (agents.SERVICE, agents.Agents(parts)),
        (agent_packages.SERVICE, agent_packages.AgentPackages(parts)),
        (agent_validation.SERVICE, agent_validation.AgentValidation(parts)),
        (generative_settings.SERVICE, generative_settings.GenerativeSettings(parts)),
        (playbooks.SERVICE, playbooks.Playbooks(parts)),
        (playbook_packages.SERVICE, playbook_packages.PlaybookPackages(parts)),
        (playbook_versions.SERVICE, playbook_versions.PlaybookVersions(parts)),
        (playbook_examples.SERVICE, playbook_examples.PlaybookExamples(parts)),
        (agent_tools.SERVICE, agent_tools.AgentTools(parts)),
        (tool_packages.SERVICE, tool_packages.ToolPackages(parts)),
        (tool_versions.SERVICE, tool_versions.ToolVersions(parts)),
        (answer_feedback.SERVICE, answer_feedback.AnswerFeedback(parts)),
        (conversation_history.SERVICE, conversation_history.ConversationHistory(parts)),
        (environments.SERVICE, environments.Environments(parts)),
        (flows.SERVICE, flows.Flows(parts)),
    ):
        for name, handler in handlers.methods().items():
            registry.unary(f"{service}.{name}", translated(unless_locked(name, handler, parts)))
