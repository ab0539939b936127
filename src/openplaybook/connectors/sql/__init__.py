"""Databases: entity types by reflection, conditions as bound parameters, one statement a call, on SQLAlchemy."""
