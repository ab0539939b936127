"""Questions of public test sets find their answers among the first ten hits as well as they were measured to."""

import os
from pathlib import Path

import pytest

from benchmarks.retrieval.quality import quality, question_set
from tests.integration.retrieval.index_until_killed import opened

_CORPUS = "OPENPLAYBOOK_CORPUS"

AT_LEAST = {"covidfaq-en": 0.835, "xquad-zh": 0.955}
"""nDCG@10 by set: the best of the engines that were compared when this one was chosen, less what chance may do."""


@pytest.mark.parametrize("name", AT_LEAST)
async def test_answers_are_found(tmp_path: Path, name: str) -> None:
    root = os.environ.get(_CORPUS)
    if not root:
        pytest.skip(f"{_CORPUS} names no folder of test sets: how well answers are found is not tested")
    engine = await opened(tmp_path)
    found = await quality(engine, question_set(Path(root) / "retrieval" / name))
    await engine.close()
    assert found.ndcg >= AT_LEAST[name]
