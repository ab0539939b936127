"""Puts the Dialogflow CX services on the registry that both transports serve."""

from openplaybook.services.dialogflow import (
    agent_packages,
    agent_validation,
    agents,
    answer_feedback,
    conversations,
    environments,
    examples,
    flows,
    generative_settings,
    playbook_packages,
    playbook_versions,
    playbooks,
    tool_packages,
    tool_versions,
    tools,
)
from openplaybook.services.dialogflow.locks import unless_locked
from openplaybook.services.errors import translated
from openplaybook.services.parts import Parts
from openplaybook.wire.registry import Registry

__all__ = ["Parts", "register"]


def register(registry: Registry, parts: Parts) -> None:
    """Register every handler of this folder; turns of sessions are registered by a module of their own."""
    for service, handlers in (
        (agents.SERVICE, agents.Agents(parts)),
        (agent_packages.SERVICE, agent_packages.AgentPackages(parts)),
        (agent_validation.SERVICE, agent_validation.AgentValidation(parts)),
        (generative_settings.SERVICE, generative_settings.GenerativeSettings(parts)),
        (playbooks.SERVICE, playbooks.Playbooks(parts)),
        (playbook_packages.SERVICE, playbook_packages.PlaybookPackages(parts)),
        (playbook_versions.SERVICE, playbook_versions.PlaybookVersions(parts)),
        (examples.SERVICE, examples.Examples(parts)),
        (tools.SERVICE, tools.Tools(parts)),
        (tool_packages.SERVICE, tool_packages.ToolPackages(parts)),
        (tool_versions.SERVICE, tool_versions.ToolVersions(parts)),
        (answer_feedback.SERVICE, answer_feedback.AnswerFeedback(parts)),
        (conversations.SERVICE, conversations.Conversations(parts)),
        (environments.SERVICE, environments.Environments(parts)),
        (flows.SERVICE, flows.Flows(parts)),
    ):
        for name, handler in handlers.methods().items():
            registry.unary(f"{service}.{name}", translated(unless_locked(name, handler, parts)))
