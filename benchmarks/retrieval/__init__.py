"""Quality and speed of searching in data stores."""
