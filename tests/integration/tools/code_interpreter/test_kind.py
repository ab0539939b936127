"""The code interpreter in the real sandbox, its programs played by a model."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from openplaybook.jsonvalues import as_list
from openplaybook.sandbox.local.executor import LocalExecutor
from openplaybook.storage.sqlite import SqliteStore
from openplaybook.tools.base import EarlierCall, StoredFile, Success, ToolContext
from openplaybook.tools.session_files import SessionFiles
from tests.kit.agents import PlayedModel
from tests.kit.code import NO_FILE, SESSION, asked, output_of, writes

EQUATIONS = [
    ("solve x^2 = 4 for x", "[-2, 2]"),
    ("solve x + y = 3 and x - y = 1", "{x: 2, y: 1}"),
    ("integrate sin(x) from 0 to pi", "2"),
    ("integrate x^2/3", "x**3/9"),
    ("differentiate x^3 + 2x", "3*x**2 + 2"),
    ("simplify (x^2 - 1)/(x - 1)", "x + 1"),
    ("factor x^2 - 1", "(x - 1)*(x + 1)"),
]


@pytest.mark.proves("B4")
async def test_four_and_four_is_eight(executor: LocalExecutor) -> None:
    assert output_of(await asked(executor, "4 + 4")) == {
        "execution_result": "8",
        "execution_error": "",
        "output_files": [NO_FILE],
        "generated_code": "print(4 + 4)",
    }


@pytest.mark.proves("B6")
async def test_equations_and_formulas_are_computed_without_a_model(executor: LocalExecutor) -> None:
    answers = [output_of(await asked(executor, query)) for query, _ in EQUATIONS]
    assert [(each["execution_result"], each["execution_error"]) for each in answers] == [
        (answer, "") for _, answer in EQUATIONS
    ]


@pytest.mark.proves("B6")
async def test_code_that_is_given_as_code_draws_without_a_model(executor: LocalExecutor) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1, 2, 4])\nprint('drawn')"
    output = output_of(await asked(executor, f"Run this:\n```python\n{code}\n```"))
    assert (output["execution_result"], output["execution_error"]) == ("drawn", "")
    (file,) = as_list(output["output_files"])
    assert (file["name"], file["mime_type"]) == ("figure_1.png", "image/png")
    with Image.open(BytesIO(base64.b64decode(file["contents"]))) as drawn:
        colours = {colour for _, colour in drawn.convert("RGB").getcolors(1_000_000) or ()}
    assert {(255, 255, 255), (31, 119, 180)} <= colours


async def test_an_error_is_the_traceback_of_the_code_alone(executor: LocalExecutor) -> None:
    output = output_of(await asked(executor, "1 / 0"))
    assert output["execution_result"] == ""
    assert output["execution_error"] == (
        'Traceback (most recent call last):\n  File "<code>", line 1, in <module>\n    print(1 / 0)\n'
        "          ~~^~~\nZeroDivisionError: division by zero\nexit code 1"
    )


async def a_conversation(store: SqliteStore) -> SessionFiles:
    files = SessionFiles(store, SESSION)
    await files.put("sales.csv", "text/csv", b"month,amount\nMay,3\nJune,4\n")
    return files


@pytest.mark.proves("B2", "B3")
async def test_a_table_goes_in_and_a_corrected_program_gives_a_file_back(
    executor: LocalExecutor, store: SqliteStore
) -> None:
    files = await a_conversation(store)
    wrong = "import csv\nrows = list(csv.DictReader(open('sales.csv')))\nprint(sum(row['amount'] for row in rows))"
    right = wrong.replace("row['amount'] for", "int(row['amount']) for") + "\nopen('total.txt', 'w').write('7')"
    model = PlayedModel(writes(wrong), writes(right))
    outcome = await asked(
        executor, "What is the total of sales.csv?", ToolContext("s", session=SESSION, files=files, model=model)
    )
    output = output_of(outcome)
    (file,) = as_list(output["output_files"])
    stored = await files.get(file["contents"])
    assert (output["execution_result"], output["generated_code"]) == ("7", right)
    assert stored == StoredFile(file["contents"], "total.txt", "text/plain", b"7")
    asked_first, told = str(model.asked[0].conversation[0]), str(model.asked[1].conversation[-1])
    assert '{"name":"sales.csv","bytes":26,"begins":["month,amount","May,3","June,4"]}' in asked_first
    assert "TypeError: unsupported operand type" in told


@pytest.mark.proves("B3")
async def test_what_another_tool_answered_is_there_for_the_program(executor: LocalExecutor) -> None:
    earlier = EarlierCall("pets", "listPets", {}, {"200": [{"name": "Bella"}, {"name": "Milo"}]})
    code = "import json\nprint([pet['name'] for pet in json.load(open('tool_results.json'))[0]['result']['200']])"
    context = ToolContext("s", session=SESSION, model=PlayedModel(writes(code)), earlier=lambda: (earlier,))
    output = output_of(await asked(executor, "Name the pets.", context))
    assert (output["execution_result"], output["output_files"]) == ("['Bella', 'Milo']", [NO_FILE])


async def test_each_call_is_fresh_unless_sessions_are_kept(executor: LocalExecutor, keeping: LocalExecutor) -> None:
    async def in_turn(where: LocalExecutor, session: str) -> list[str]:
        context = ToolContext("s", session=session)
        outcomes = [
            await asked(where, f"```python\n{code}\n```", context) for code in ("x = 5", "print('x' in globals())")
        ]
        return [str(output_of(outcome)["execution_result"]) for outcome in outcomes]

    assert await in_turn(executor, SESSION) == ["", "False"]
    assert await in_turn(keeping, SESSION) == ["", "True"]
    assert await in_turn(keeping, f"{SESSION}2") == ["", "True"]


async def test_a_call_that_has_lost_its_session_says_so(keeping: LocalExecutor) -> None:
    before = EarlierCall("code-interpreter", "generate_and_execute", {"query": "x = 5"}, {})
    context = ToolContext("s", session=SESSION, earlier=lambda: (before,))
    outcome = await asked(keeping, "```python\nprint(1)\n```", context)
    assert isinstance(outcome, Success)
    assert outcome.note == "Variables and files of earlier calls were gone: this call began anew."


async def test_a_run_ends_when_the_time_its_caller_gave_is_over(executor: LocalExecutor) -> None:
    outcome = await asked(executor, "```python\nprint(1, flush=True)\nwhile True: pass\n```", timeout=500)
    output = output_of(outcome)
    assert output["execution_result"] == "1"
    assert str(output["execution_error"]).splitlines()[-1] == "ended by the limit: time"
