"""Tool kinds that are kept and checked for form, but cannot be called on this server yet (UNIMPLEMENTED)."""
