"""The one door out: transport, TLS, resolver, address policy, caps."""
