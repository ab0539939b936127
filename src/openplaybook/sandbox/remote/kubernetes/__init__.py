"""Machines of Kubernetes agent-sandbox (kubernetes-sigs/agent-sandbox, `extensions.agents.x-k8s.io/v1beta1`).

A `SandboxClaim` takes a warm pod out of a `SandboxWarmPool`; the pod has the project's Python runtime, whose few HTTP
paths bring files there, run a command and fetch files. Written from the CRDs and the Python client 1.0.8.
"""
