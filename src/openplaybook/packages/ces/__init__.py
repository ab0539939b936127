"""Apps of CX Agent Studio as files: the layout of its exports, read and written."""
