"""An open, self-hosted runtime for playbook agents and their tools."""

__version__ = "0.1.0"
