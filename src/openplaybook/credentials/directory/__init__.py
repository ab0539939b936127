"""Where services in private networks listen."""
