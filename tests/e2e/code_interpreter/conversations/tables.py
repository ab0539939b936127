"""Tables as text: CSV, TSV, JSON, logs, and data in the words themselves."""

from collections.abc import Sequence

from openplaybook.jsonvalues import loads
from tests.e2e.code_interpreter.conversation import Attachment, Check, Conversation, Turn, lines, python


def exactly(text: str) -> Check:
    """The file is this text in UTF-8."""

    def check(data: bytes) -> None:
        assert data.decode() == text

    return check


def json_of(value: object) -> Check:
    """The file is this value in JSON, written in any way."""

    def check(data: bytes) -> None:
        assert loads(data) == value

    return check


SALES = b"""region,product,units,price
North,Tea,10,2.50
South,Tea,4,2.50
North,Coffee,3,7.00
West,Coffee,5,7.00
South,Cocoa,8,3.25
North,Cocoa,1,3.25
"""

BY_REGION = Conversation(
    "a CSV is summed up by region and comes back as a CSV",
    [
        Turn(
            "What is the revenue of each region in sales.csv? Give me a file, too.",
            python("""
                sales = pd.read_csv("sales.csv")
                sales["revenue"] = sales.units * sales.price
                by_region = sales.groupby("region", as_index=False).revenue.sum()
                by_region = by_region.sort_values("revenue", ascending=False)
                by_region.to_csv("revenue.csv", index=False)
                print(by_region.to_string(index=False))
            """),
            result=lines("region  revenue", " North    49.25", " South    36.00", "  West    35.00"),
            attachments=[Attachment("sales.csv", SALES)],
            files={"revenue.csv": exactly("region,revenue\nNorth,49.25\nSouth,36.0\nWest,35.0\n")},
        )
    ],
)

MISSING = Conversation(
    "missing values are counted and filled",
    [
        Turn(
            "How many values are missing in sensors.csv? Fill them with the column's median.",
            python("""
                readings = pd.read_csv("sensors.csv", na_values=["-"])
                print(readings.isna().sum().to_dict())
                numbers = readings.select_dtypes("number")
                readings[numbers.columns] = numbers.fillna(numbers.median())
                readings.to_csv("filled.csv", index=False)
                print(round(readings.temperature.mean(), 2))
            """),
            result=lines("{'sensor': 0, 'temperature': 1, 'humidity': 2}", "20.25"),
            attachments=[Attachment("sensors.csv", b"sensor,temperature,humidity\na,19,-\nb,,40\nc,20,50\nd,22,NaN\n")],
            files={
                "filled.csv": exactly(
                    "sensor,temperature,humidity\na,19.0,45.0\nb,20.0,40.0\nc,20.0,50.0\nd,22.0,45.0\n"
                )
            },
        )
    ],
)

DATES = Conversation(
    "times with offsets become months of one time zone",
    [
        Turn(
            "Count the orders of orders.csv by month, in Berlin's time.",
            python("""
                orders = pd.read_csv("orders.csv")
                at = pd.to_datetime(orders["at"], utc=True).dt.tz_convert("Europe/Berlin")
                print(at.dt.strftime("%B %Y").value_counts(sort=False).to_string())
                print(at.max().isoformat(), at.max().day_name())
            """),
            result=lines(
                "at",
                "January 2024     1",
                "February 2024    2",
                "March 2024       2",
                "2024-03-31T03:30:00+02:00 Sunday",
            ),
            attachments=[
                Attachment(
                    "orders.csv",
                    b"id,at\n1,2024-01-31T22:59:00Z\n2,2024-01-31T23:00:00Z\n"
                    b"3,2024-02-29T18:30:00-05:00\n4,2024-02-28T23:59:59+14:00\n5,2024-03-31T01:30:00Z\n",
                )
            ],
        )
    ],
)

UNICODE = Conversation(
    "names of files and people may be of any language",
    [
        Turn(
            "Sortiere umsätze.csv nach Umsatz. 谁是第一?",
            python("""
                table = pd.read_csv("umsätze.csv", sep=";", decimal=",", encoding="utf-8-sig")
                table = table.sort_values("Umsatz", ascending=False)
                table.to_csv("übersicht 表.csv", index=False, sep=";", decimal=",")
                print(table.Name.iloc[0], table.Umsatz.iloc[0])
                print(", ".join(table.Name))
            """),
            result=lines("Łukasz 1234.5", "Łukasz, Zoë, 李雷, Ünal 🦊"),
            attachments=[
                Attachment(
                    "umsätze.csv",
                    "\ufeffName;Umsatz\nZoë;99,25\nÜnal 🦊;-3,5\n李雷;7,0\nŁukasz;1234,5\n".encode(),
                )
            ],
            files={
                "übersicht 表.csv": exactly("Name;Umsatz\nŁukasz;1234,5\nZoë;99,25\n李雷;7,0\nÜnal 🦊;-3,5\n"),
            },
        )
    ],
)

JOINED = Conversation(
    "two files of different kinds are joined",
    [
        Turn(
            "Join people.tsv with cities.json and tell who lives in the largest city.",
            python("""
                import json
                people = pd.read_csv("people.tsv", sep="\\t")
                with open("cities.json") as file:
                    cities = pd.DataFrame(json.load(file)["cities"])
                joined = people.merge(cities, left_on="city", right_on="name", suffixes=("", "_of_city"), how="left")
                joined[["name", "city", "population"]].to_json("joined.json", orient="records")
                joined.loc[joined.population.idxmax(), "name"]
            """),
            result="'Bo'",
            attachments=[
                Attachment("people.tsv", b"name\tcity\nAda\tBern\nBo\tLima\nCy\tOslo\n"),
                Attachment(
                    "cities.json",
                    b'{"cities": [{"name": "Lima", "population": 10092000}, {"name": "Bern", "population": 134794}]}',
                ),
            ],
            files={
                "joined.json": json_of(
                    [
                        {"name": "Ada", "city": "Bern", "population": 134794.0},
                        {"name": "Bo", "city": "Lima", "population": 10092000.0},
                        {"name": "Cy", "city": "Oslo", "population": None},
                    ]
                )
            },
        )
    ],
)


def _large_csv() -> bytes:
    """Ten million bytes."""
    rests = [f",{'abcdefg'[n % 7]},{n % 1000}.25,{'x' * 28}{n % 10:02d}\n" for n in range(7000)]
    rows = "".join(f"{number:07d}{rests[number % 7000]}" for number in range(210_000))
    return f"id,group,amount,note\n{rows}".encode()


LARGE = Conversation(
    "a CSV of ten megabytes is read whole",
    [
        Turn(
            "Sum up the amounts of large.csv by group.",
            python("""
                large = pd.read_csv("large.csv")
                print(len(large), large.amount.sum())
                print(large.groupby("group").amount.agg(["count", "max"]).loc["c"].to_dict())
            """),
            result=lines("210000 104947500.0", "{'count': 30000.0, 'max': 999.25}"),
            attachments=[Attachment("large.csv", _large_csv())],
        )
    ],
)

LOG = Conversation(
    "a log is read line by line",
    [
        Turn(
            "Which addresses met errors in access.log, and how slow was the slowest request?",
            python(r"""
                from collections import Counter
                line = re.compile(r'(?P<ip>\S+) .*?"(?P<request>[^"]*)" (?P<status>\d{3}) (?P<ms>\d+)ms')
                met = [found for found in map(line.match, open("access.log")) if found]
                print(Counter(found["status"] for found in met).most_common())
                print(sorted({found["ip"] for found in met if found["status"] >= "500"}))
                print(max(int(found["ms"]) for found in met))
                with open("errors.txt", "w") as file:
                    file.writelines(found[0] + "\n" for found in met if found["status"] >= "400")
            """),
            result=lines("[('200', 3), ('500', 1), ('404', 1), ('503', 1)]", "['10.0.0.7', '2001:db8::1']", "900"),
            attachments=[
                Attachment(
                    "access.log",
                    b'10.0.0.5 - - "GET / HTTP/1.1" 200 12ms\n'
                    b'10.0.0.7 - - "GET /a HTTP/1.1" 500 900ms\n'
                    b"--- rotated ---\n"
                    b'10.0.0.5 - - "GET /b HTTP/1.1" 404 3ms\n'
                    b'2001:db8::1 - - "POST /c HTTP/1.1" 503 30ms\n'
                    b'10.0.0.5 - - "GET / HTTP/1.1" 200 11ms\n'
                    b'10.0.0.6 - - "GET / HTTP/1.1" 200 10ms\n',
                )
            ],
            files={
                "errors.txt": exactly(
                    '10.0.0.7 - - "GET /a HTTP/1.1" 500 900ms\n'
                    '10.0.0.5 - - "GET /b HTTP/1.1" 404 3ms\n'
                    '2001:db8::1 - - "POST /c HTTP/1.1" 503 30ms\n'
                )
            },
        )
    ],
)

IN_WORDS = Conversation(
    "the data may stand in the question",
    [
        Turn(
            "Pivot these by day and shift: Mon early 4, Mon late 6, Tue early 5, Tue late 9, Mon early 1.",
            python("""
                rows = [("Mon", "early", 4), ("Mon", "late", 6), ("Tue", "early", 5), ("Tue", "late", 9),
                        ("Mon", "early", 1)]
                table = pd.DataFrame(rows, columns=["day", "shift", "count"])
                print(table.pivot_table(index="day", columns="shift", values="count", aggfunc="sum", margins=True))
            """),
            result=lines(
                "shift  early  late  All",
                "day                    ",
                "Mon        5     6   11",
                "Tue        5     9   14",
                "All       10    15   25",
            ),
            in_a_fence=True,
        )
    ],
)

TABLES: Sequence[Conversation] = (BY_REGION, MISSING, DATES, UNICODE, JOINED, LARGE, LOG, IN_WORDS)
