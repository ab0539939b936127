"""A sealer whose key everybody knows."""

from openplaybook.credentials.sealing import Sealer

KEY = bytes(range(32))
SEALER = Sealer([KEY])
