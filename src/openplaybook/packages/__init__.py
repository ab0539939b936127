"""Reading and writing agent exports."""
