"""Commands, thin: heavy imports stand inside the command."""
