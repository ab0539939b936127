"""How large a secret may be."""

MAX_SECRET_BYTES = 64 * 1024
"""Of a value in UTF-8; Secret Manager's limit too."""
