"""Where what dfcx-scrapi needs is."""

from pathlib import Path

SCRAPI = Path(__file__).parents[1] / "scrapi"
STAND_IN = SCRAPI / "stand_in"
"""To be on the path of a process that imports dfcx-scrapi where IPython is not installed."""
