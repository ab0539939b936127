"""What the planner knows of languages before it has seen any agent: words, small talk, and sentences of its own."""
