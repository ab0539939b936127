"""The kinds of systems there are, and the opening of connections to them."""
