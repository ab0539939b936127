"""The journal: events and what is folded from them; a session's state, its conversation, the trace of a turn."""
