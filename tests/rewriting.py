"""The pytest plugin that shares out, between workers, what each of them would otherwise do with every test.

pytest rewrites the assertions of every file of tests, and keeps what it made next to it. Workers begin at once, with
the same file: where nothing is kept yet, as in a fresh checkout, each would rewrite all of them.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


class Rewriting:
    """In a worker, rewrites every n-th file of the folders that the run collects; n is the number of workers."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Do this worker's share. Where the others are behind, it does theirs as it comes to them, as pytest does."""
        worker: dict[str, object] | None = getattr(session.config, "workerinput", None)
        if worker is not None and not sys.dont_write_bytecode:
            number, workers = int(str(worker["workerid"]).removeprefix("gw")), int(str(worker["workercount"]))
            for path in list(_files(session.config))[number::workers]:
                rewrite_assertions(path, session.config)


def rewrite_assertions(path: Path, config: pytest.Config) -> None:
    """Keep what pytest makes of a file of tests, if it did not yet."""
    kept = rewrite.get_cache_dir(path) / f"{path.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(path, kept) is None:  # pyright: ignore[reportPrivateUsage]
        rewrite.try_makedirs(kept.parent)
        source_hash, code = rewrite._rewrite_test(path, config)  # pyright: ignore[reportPrivateUsage]
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, kept)  # pyright: ignore[reportPrivateUsage]


def _files(config: pytest.Config) -> Iterator[Path]:
    for argument in sorted(config.args):
        place = config.invocation_params.dir / argument.partition("::")[0]
        yield from [place] if place.is_file() else sorted(place.rglob("test_*.py"))
