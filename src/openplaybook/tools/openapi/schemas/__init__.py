"""The schemas of a description: as the model sees them, as values are judged, and what is filled in."""
