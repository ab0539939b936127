"""Commands of the offline model."""
