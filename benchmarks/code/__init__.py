"""Running code: our sandbox against a plain process, which has no walls at all, and google-adk's executor."""
