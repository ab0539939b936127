"""The demo: a small agent and the real HTTP service its tool calls. Nothing else in the project knows it."""
