"""From arguments to the request, as the description says it is written."""
