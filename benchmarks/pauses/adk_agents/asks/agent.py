# Runs in google-adk's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""An agent whose one function takes long: its turns wait for a client."""

import os

from google.adk.agents import Agent
from google.adk.models import Gemini
from google.adk.tools import LongRunningFunctionTool


def ask(question: str) -> None:
    """Asks the client a question; the answer comes later."""


root_agent = Agent(
    name="asks",
    model=Gemini(model="gemini-2.5-flash", base_url=os.environ["BENCH_MODEL_URL"]),
    description="Asks the client.",
    instruction="Ask the client what the user wants to know.",
    tools=[LongRunningFunctionTool(func=ask)],
)
