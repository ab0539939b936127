"""The slots of a declaration, and which of the user's words may be their values."""
