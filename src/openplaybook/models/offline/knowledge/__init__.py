"""What the planner knows of a playbook: learned once from its declarations and examples, then only read."""
