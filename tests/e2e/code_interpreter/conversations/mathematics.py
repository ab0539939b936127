"""Equations, optimisation, texts counted, and arithmetic."""

from collections.abc import Sequence

from tests.e2e.code_interpreter.conversation import Conversation, Turn, lines, python

SUM = Conversation(
    "the documents' question has the documents' answer",
    [Turn("4 + 4", python("print(4 + 4)"), result="8")],
)

EQUATIONS = Conversation(
    "equations are solved exactly",
    [
        Turn(
            "Where do the circle x² + y² = 25 and the line y = x + 1 meet, and what is the area under sin from 0 to π?",
            python("""
                from sympy import Eq, integrate, pi, sin, solve, symbols
                x, y = symbols("x y")
                print(solve([Eq(x**2 + y**2, 25), Eq(y, x + 1)], [x, y]))
                print(integrate(sin(x), (x, 0, pi)))
            """),
            result=lines("[(-4, -3), (3, 4)]", "2"),
        )
    ],
)

OPTIMUM = Conversation(
    "the best plan within limits is found",
    [
        Turn(
            "Tables earn 70 and chairs 50; wood: 4 and 3 of 240, hours: 2 and 1 of 100. How many of each?",
            python("""
                from scipy.optimize import linprog, minimize_scalar
                best = linprog([-70, -50], A_ub=[[4, 3], [2, 1]], b_ub=[240, 100])
                print(best.status, [float(round(each, 6)) for each in best.x], float(round(-best.fun, 6)))
                print(round(float(minimize_scalar(lambda x: (x - 3) ** 2 + 2).x), 4))
            """),
            result=lines("0 [30.0, 40.0] 4100.0", "3.0"),
        )
    ],
)

WORDS = Conversation(
    "words of any script are counted",
    [
        Turn(
            "Count the words in: Déjà vu, déjà lu. Straße STRASSE; naïve naïve!",
            python("""
                import unicodedata
                from collections import Counter
                text = "Déjà vu, déjà lu. Straße STRASSE; naïve nai\\u0308ve!"
                found = re.findall(r"\\w+", unicodedata.normalize("NFC", text).casefold())
                for word, count in Counter(found).most_common():
                    print(f"{word:<8}{count}")
            """),
            result=lines("déjà    2", "strasse 2", "naïve   2", "vu      1", "lu      1"),
        )
    ],
)

MATHEMATICS: Sequence[Conversation] = (SUM, EQUATIONS, OPTIMUM, WORDS)
