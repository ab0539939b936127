"""A judge that asks a model."""

import pytest

from openplaybook.retrieval.answers.base import PromptFailed
from openplaybook.retrieval.answers.claim_judge import MAX_FACT, PromptedJudge, verdicts


class Model:
    """Says one thing."""

    name = "model-1"

    def __init__(self, says: str) -> None:
        self.says = says
        self.prompt = ""

    async def reply(self, prompt: str) -> str:
        self.prompt = prompt
        return self.says


async def test_a_model_gives_a_verdict_for_each_claim() -> None:
    model = Model('Here: [{"claim": 1, "support": 1}, {"claim": 2, "support": 0.25}]')
    assert await PromptedJudge(model).judge(["a is {b}", 'say "c"'], ["fact", "x" * 9_000]) == [1.0, 0.25]
    assert '["a is {b}", "say \\"c\\""]' in model.prompt
    assert "x" * MAX_FACT in model.prompt
    assert "x" * (MAX_FACT + 1) not in model.prompt


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("no", "the judge's answer has 0 verdicts for 1 claims"),
        ('[{"support": 1}, {"support": 1}]', "the judge's answer has 2 verdicts for 1 claims"),
        ('[{"claim": 2, "support": 1}]', "verdict 1 of the judge is for claim 2"),
        ('[{"claim": 1, "support": 2}]', "verdict 1 of the judge has no support between 0 and 1"),
        ('[{"claim": 1, "support": true}]', "verdict 1 of the judge has no support between 0 and 1"),
        ("[1]", "verdict 1 of the judge has no support between 0 and 1"),
    ],
)
def test_another_answer_is_refused(output: str, problem: str) -> None:
    with pytest.raises(PromptFailed) as refused:
        verdicts(output, 1)
    assert str(refused.value) == problem


def test_an_answer_that_is_no_json_is_refused() -> None:
    with pytest.raises(PromptFailed, match="the judge's answer is no JSON"):
        verdicts("[yes]", 1)
