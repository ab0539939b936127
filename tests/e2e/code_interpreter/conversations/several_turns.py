"""Conversations in which one result feeds the next."""

from collections.abc import Sequence

from openplaybook.wire.messages import ApiMessage
from tests.e2e.code_interpreter.conversation import Attachment, Conversation, Turn, lines, python
from tests.e2e.code_interpreter.conversations.tables import exactly
from tests.kit.pictures import looks_like


def _months(plt: ApiMessage) -> None:
    plt.bar(["Jan", "Feb", "Mar"], [300, 250, 400], color="#e377c2")


FROM_AN_API = Conversation(
    "a file that an API gave is analysed, and the analysis is drawn",
    [
        Turn(
            "Get the report of the year and total it.",
            python("""
                report = pd.read_csv("report.csv")
                report.to_csv("months.csv", index=False, columns=["month", "total"])
                print(report.total.sum())
            """),
            result="950",
            calls_first="Reports.getReport",
            hands_on="200.file.handle",
            files={"months.csv": exactly("month,total\nJan,300\nFeb,250\nMar,400\n")},
        ),
        Turn(
            "Now draw the months of it.",
            python("""
                months = pd.read_csv("months.csv")
                plt.bar(months.month, months.total, color="#e377c2")
                print(months.month[months.total.idxmax()])
            """),
            result="Mar",
            files={"figure_1.png": looks_like(_months, trimmed=True, _e377c2=0.2)},
        ),
    ],
)

FROM_A_JSON_ANSWER = Conversation(
    "what an API answered as JSON can be computed with",
    [
        Turn(
            "Ask for the stock and tell me what it is worth.",
            python("""
                import json
                [answer] = json.load(open("tool_results.json"))
                stock = answer["result"]["200"]
                print(sum(each["count"] * each["price"] for each in stock))
            """),
            result="83.5",
            calls_first="Reports.getStock",
        )
    ],
)

CLEANED = Conversation(
    "files of earlier turns stay, and the newest of a name wins",
    [
        Turn(
            "Clean up raw.csv.",
            python("""
                raw = pd.read_csv("raw.csv").drop_duplicates().dropna()
                raw.to_csv("clean.csv", index=False)
                print(len(raw), "rows")
            """),
            result="2 rows",
            attachments=[Attachment("raw.csv", b"k,v\na,1\na,1\nb,2\nc,\n")],
            files={"clean.csv": exactly("k,v\na,1.0\nb,2.0\n")},
        ),
        Turn(
            "Double the clean values.",
            python("""
                clean = pd.read_csv("clean.csv").assign(v=lambda table: table.v * 2)
                clean.to_csv("clean.csv", index=False)
                print(clean.v.tolist())
            """),
            result="[2.0, 4.0]",
            files={"clean.csv": exactly("k,v\na,2.0\nb,4.0\n")},
        ),
        Turn(
            "Here is a newer raw.csv; list what there is.",
            python("""
                import os
                print(sorted(os.listdir(".")))
                print(open("raw.csv").read().strip())
                print(pd.read_csv("clean.csv").v.sum())
            """),
            result=lines("['clean.csv', 'raw.csv']", "k,v", "z,9", "6.0"),
            attachments=[Attachment("raw.csv", b"k,v\nz,9\n")],
        ),
    ],
)

FRESH = Conversation(
    "variables of an earlier turn are gone where the server keeps none",
    [
        Turn("Remember 42 as x.", python("x = 42"), result=""),
        Turn("Is x still there?", python("print('x' in globals())"), result="False"),
    ],
)

LEFT_BEHIND = Conversation(
    "only files of the working directory stay",
    [
        Turn(
            "Leave a note in two places.",
            python("""
                open("note.txt", "w").write("mine")
                open("/tmp/note.txt", "w").write("mine, too")
                math.tau = 6
            """),
            files={"note.txt": exactly("mine")},
        ),
        Turn(
            "What is there?",
            python("""
                import os
                print(os.listdir("."), os.path.exists("/tmp/note.txt"), round(math.tau, 2))
            """),
            result="['note.txt'] False 6.28",
        ),
    ],
)

SEVERAL_TURNS: Sequence[Conversation] = (FROM_AN_API, FROM_A_JSON_ANSWER, CLEANED, FRESH, LEFT_BEHIND)
