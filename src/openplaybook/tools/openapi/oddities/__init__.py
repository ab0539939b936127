"""What is odd about a description that can be used all the same: misspelt members, unknown types, names that differ."""
