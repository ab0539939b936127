"""Writes the descriptor set into the source tree: `python -m build_api`."""

import sys

from build_api.assemble import write
from build_api.place import OUTPUT

if __name__ == "__main__":
    digest = write()
    sys.stdout.write(f"{OUTPUT}: sha256 {digest}\n")
