"""A playbook's own examples, put to the planner turn by turn: what it would do in place of what they show."""
