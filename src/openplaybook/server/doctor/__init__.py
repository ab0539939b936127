"""What `doctor` says of a machine: one room at the top asks all others, and none of them asks it."""
