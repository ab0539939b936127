"""What the judged calls come to, at some pair of borders."""

from collections.abc import Sequence

from scripts.planner_training.choice_lessons import JudgedCall
from scripts.planner_training.training_cases import CALLS, REFUSALS, TrainingCase

HEAD = "| borders | " + " | ".join((*CALLS, *REFUSALS)) + " | precision | given the tool |\n" + "|---" * 9 + "|"


def table_row(
    cases: Sequence[TrainingCase], calls: Sequence[JudgedCall], least_right: float, least_exact: float
) -> str:
    """Shares of exact calls (of refusals: of no call), of those of `simple_python` and `multiple` that were made,
    and of fillings that are exact where the right tool is given."""
    best: dict[int, JudgedCall] = {}
    for call in calls:
        if call.case not in best or call.right > best[call.case].right:
            best[call.case] = call
    made = {
        number: call
        for number, call in best.items()
        if call.right >= least_right and call.is_whole and call.exact >= least_exact
    }
    given = {call.case for call in calls if call.is_exact}
    cells: list[str] = []
    givens: list[str] = []
    for category in (*CALLS, *REFUSALS):
        own = [number for number, case in enumerate(cases) if case.category == category]
        if category in CALLS:
            share = _percent(sum(number in made and made[number].is_exact for number in own), len(own))
            cells.append(f"{share} of {_percent(sum(number in made for number in own), len(own))}")
            givens.append(str(_percent(sum(number in given for number in own), len(own))))
        else:
            cells.append(str(_percent(sum(number not in made for number in own), len(own))))
    plain = [call for number, call in made.items() if cases[number].category in CALLS[:2]]
    precision = _percent(sum(call.is_exact for call in plain), len(plain))
    return f"| {least_right} / {least_exact} | {' | '.join(cells)} | {precision} | {' / '.join(givens)} |"


def _percent(part: int, whole: int) -> float:
    return round(100 * part / max(1, whole), 1)
