"""The agent of the benchmark; `adk` looks for `agent.root_agent` in here."""

from . import agent as agent
