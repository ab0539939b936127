"""Writes the table of what works into README.md, from tests/requirements.py."""

from pathlib import Path

from tests.requirements import REQUIREMENTS, SECTIONS, Status

BEGIN = "<!-- requirements:begin (make docs) -->"
END = "<!-- requirements:end -->"


def table() -> str:
    """The Markdown between the two marks: a section's requirements, and how many of them are proved."""
    proved = sum(item.status is Status.PROVED for item in REQUIREMENTS)
    lines = [f"{proved} of {len(REQUIREMENTS)} requirements work and are proved by tests in every run.", ""]
    for letter, title in SECTIONS.items():
        items = [item for item in REQUIREMENTS if item.id[0] == letter]
        done = sum(item.status is Status.PROVED for item in items)
        lines += ["<details>", f"<summary>{title}: {done} of {len(items)}</summary>", ""]
        lines += ["| | | works |", "|---|---|---|"]
        for item in items:
            sentence = f"{item.sentence} *Difference: {item.divergence}*" if item.divergence else item.sentence
            lines.append(f"| {item.id} | {sentence} | {'yes' if item.status is Status.PROVED else 'not yet'} |")
        lines += ["", "</details>"]
    return "\n".join(lines)


def with_table(document: str) -> str:
    """`document` with everything between the marks replaced; `ValueError` when the marks are not both there."""
    head, begin, rest = document.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the document lacks {BEGIN} or {END}")
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


def main() -> None:
    """Rewrite README.md in the working directory."""
    readme = Path("README.md")
    readme.write_text(with_table(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
