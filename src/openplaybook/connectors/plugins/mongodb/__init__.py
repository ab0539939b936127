"""MongoDB: collections as entity types, documents as entities."""
