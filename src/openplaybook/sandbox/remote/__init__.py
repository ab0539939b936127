"""Executors on machines elsewhere, for code of tenants that must not share a kernel."""
