"""The executor of this machine: a fork server in namespaces."""
