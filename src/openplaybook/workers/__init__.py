"""Work beside the event loop: threads of one purpose each, and child processes for foreign input."""
