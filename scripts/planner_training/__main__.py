"""Command line: see the package."""

import argparse
import gzip
import zlib
from collections.abc import Sequence
from pathlib import Path

from openplaybook.encoders.minilm import MiniLmEncoder, missing_packages, model_folder
from openplaybook.jsonvalues import JsonObject, dumps_sorted
from openplaybook.models.offline.learned.tool_features import LearnedTool, Meanings
from openplaybook.models.offline.learned.weights import FILE
from scripts.planner_training.choice_lessons import ChoiceLessons, Fillings, MeaningsOf, learn_choice
from scripts.planner_training.invented_cases import invented_cases
from scripts.planner_training.meanings import TextMeanings
from scripts.planner_training.pair_lessons import learn_pairs
from scripts.planner_training.published_cases import grouped_cases, published_cases
from scripts.planner_training.score_table import HEAD, table_row
from scripts.planner_training.training_cases import TrainingCase, family_numbers, folds_of, read_cases

_FOLDS = 4
_BORDERS = ((0.0, 0.0), (0.2, 0.2), (0.3, 0.12), (0.3, 0.15), (0.3, 0.18), (0.3, 0.2), (0.3, 0.3), (0.3, 0.4))


def main() -> None:
    """Learn, show what trees come to that have not seen a case's family, and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m scripts.planner_training")
    parser.add_argument("cases", type=Path, help="folder with the cases")
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--published", type=Path, help="folder with the files of Seal-Tools: more values to learn from")
    parser.add_argument("--few", type=int, help="only so many cases of each category, to try the script")
    options = parser.parse_args()
    cases = read_cases(options.cases, options.few)
    cases += invented_cases(cases)
    folds = folds_of(family_numbers(cases), _FOLDS)
    with_tool = [number for number, case in enumerate(cases) if case.right >= 0]
    published = list(published_cases(options.published)) if options.published else []
    print(f"{len(cases)} cases, {len(published)} published ones")
    pairs = learn_pairs(
        [cases[number] for number in with_tool] + published,
        [folds[number] for number in with_tool] + [_fold_by_name(case) for case in published],
        _FOLDS,
    )
    stored: JsonObject = {"pair": pairs.stored_first, "rival": pairs.stored_second}
    grouped = list(grouped_cases(published))
    cases += grouped
    folds += [_fold_by_name(case) for case in grouped]
    fillings: Fillings = {}
    for kind, meanings_of in _kinds().items():
        lessons = learn_choice(cases, folds, pairs.without_fold, meanings_of, fillings)
        _show(kind, cases, lessons)
        stored |= {f"right_{kind}": lessons.stored_right, f"exact_{kind}": lessons.stored_exact}
    options.out.write_bytes(gzip.compress(dumps_sorted(stored), 9, mtime=0))


def _fold_by_name(case: TrainingCase) -> int:
    name = case.tools[case.right].name if case.right >= 0 else case.text
    return zlib.crc32(name.encode()) % _FOLDS


def _kinds() -> dict[str, MeaningsOf]:
    if missing := missing_packages():
        raise SystemExit(f"the encoder is needed to learn with it; not installed: {', '.join(missing)}")
    return {"by_words": _no_meanings, "by_meaning": TextMeanings(MiniLmEncoder(model_folder()))}


def _no_meanings(text: str, tools: Sequence[LearnedTool]) -> Meanings | None:
    return None


def _show(kind: str, cases: Sequence[TrainingCase], lessons: ChoiceLessons) -> None:
    print(f"{kind}: exact of calls made, out of fold\n{HEAD}")
    for least_right, least_exact in _BORDERS:
        print(table_row(cases, lessons.calls, least_right, least_exact))


if __name__ == "__main__":
    main()
