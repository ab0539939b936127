"""CX Agent Studio (CES), v1 and v1beta."""
