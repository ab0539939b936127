"""From an answer to what the model and the trace are told of it."""
