"""From what a search found to an answer that can be trusted: rewriting, extracts, grounding, and the way through."""
