"""The steps of a turn: intake, decisions, calls, handlers, guards, pauses."""
