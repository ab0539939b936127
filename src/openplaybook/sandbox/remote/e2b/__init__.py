"""Machines of E2B (e2b.dev): a Firecracker machine for each sandbox.

Three doors: the platform's API (`POST /sandboxes` and so on), `envd` in the machine for files (port 49983), and the
code interpreter's server in it (port 49999), whose answer is JSON lines. Written from E2B's published OpenAPI
documents, the sources of its code interpreter template, and its Python SDK.
"""
