"""Connections to systems: entities and actions of databases, of services with an API, of files, behind one port."""
