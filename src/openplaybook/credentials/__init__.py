"""Who we are to the outside."""
