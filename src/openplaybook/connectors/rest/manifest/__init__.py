"""What a manifest says: its classes, and the reading of its YAML."""
