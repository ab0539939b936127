"""The turn engine: snapshot, steps, frames, pause and resume, guards, journal, trace."""
