"""What every API of Google's has beside its own services: long-running operations, and locations."""
