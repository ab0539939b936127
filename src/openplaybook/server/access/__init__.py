"""Who may use a server: API keys, tokens of an identity provider, roles, and how often."""
