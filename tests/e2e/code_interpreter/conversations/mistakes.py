"""Code that fails: repaired by its traceback, or told as it is."""

from collections.abc import Sequence

from tests.e2e.code_interpreter.conversation import Attachment, Conversation, Turn, lines, python
from tests.e2e.code_interpreter.conversations.tables import exactly

_SEMICOLONS = Attachment("semicolons.csv", b"city;people\nBern;134794\nLima;10092000\n")

REPAIRED = Conversation(
    "a mistake is repaired at the second attempt",
    [
        Turn(
            "How many people live in the cities of semicolons.csv?",
            python(
                """
                print(pd.read_csv("semicolons.csv").people.sum())
                """,
                """
                print(pd.read_csv("semicolons.csv", sep=";").people.sum())
                """,
            ),
            result="10226794",
            attachments=[_SEMICOLONS],
        )
    ],
)

THIRD = Conversation(
    "what needs a missing library or too much memory is done in another way at the third attempt",
    [
        Turn(
            "Sum up the numbers below one million.",
            python(
                """
                import polars
                print(polars.Series(range(10**6)).sum())
                """,
                """
                held = bytearray()
                while True:
                    held += b"x" * 50_000_000
                """,
                """
                print(np.arange(10**6).sum())
                """,
            ),
            result="499999500000",
        )
    ],
)

HONEST = Conversation(
    "code that fails every time is told with its error and what it did, and the conversation goes on",
    [
        Turn(
            "What is the mean of the prices in empty.csv?",
            python(
                "print(sum([]) / 0)",
                "print(prices.mean())",
                """
                open("notes.txt", "w").write("no prices")
                print("looked")
                raise ValueError("there are no prices in empty.csv")
                """,
            ),
            result="looked",
            error=lines("ValueError: there are no prices in empty.csv", "exit code 1"),
            attachments=[Attachment("empty.csv", b"price\n")],
            files={"notes.txt": exactly("no prices")},
        ),
        Turn("Then just add 40 and 2.", python("40 + 2"), result="42"),
    ],
)

UNREADABLE = Conversation(
    "code that is no Python is asked for again",
    [
        Turn(
            "Print the squares up to 16.",
            python("for n in range(1, 5) print(n ** 2)", "for n in range(1, 5):\n    print(n ** 2)"),
            result=lines("1", "4", "9", "16"),
        )
    ],
)

MISTAKES: Sequence[Conversation] = (REPAIRED, THIRD, HONEST, UNREADABLE)
