"""Statistics: regressions, tests, clusters, series."""

from collections.abc import Sequence
from csv import DictReader
from io import StringIO

from tests.e2e.code_interpreter.conversation import Attachment, Conversation, Turn, lines, python

REGRESSION = Conversation(
    "several influences on a price are told apart",
    [
        Turn(
            "Explain the rent in flats.csv by size and floor.",
            python("""
                import statsmodels.api as sm
                flats = pd.read_csv("flats.csv")
                fitted = sm.OLS(flats.rent, sm.add_constant(flats[["size", "floor"]])).fit()
                for name, value in fitted.params.items():
                    print(f"{name}: {value:.3f}")
                print(f"R²: {fitted.rsquared:.4f}")
            """),
            result=lines("const: 100.000", "size: 12.000", "floor: 25.000", "R²: 1.0000"),
            attachments=[
                Attachment("flats.csv", b"size,floor,rent\n50,1,725\n60,3,895\n80,2,1110\n45,5,765\n30,0,460\n")
            ],
        )
    ],
)

TESTED = Conversation(
    "two samples are tested for a difference",
    [
        Turn(
            "Is B really slower than A? A: 12.1 11.8 12.4 12.0 11.9; B: 12.9 13.1 12.7 13.4 12.8.",
            python("""
                from scipy import stats
                a, b = [12.1, 11.8, 12.4, 12.0, 11.9], [12.9, 13.1, 12.7, 13.4, 12.8]
                t, p = stats.ttest_ind(a, b)
                print(f"t = {t:.4f}, p = {p:.6f}")
                print("different" if p < 0.05 else "not different")
                observed = [[30, 10], [20, 40]]
                chi2, p, degrees, expected = stats.chi2_contingency(observed, correction=False)
                print(f"chi² = {chi2:.4f}, {degrees} degree of freedom")
            """),
            result=lines("t = -5.8296, p = 0.000392", "different", "chi² = 16.6667, 1 degree of freedom"),
        )
    ],
)


def _check_clusters(data: bytes) -> None:
    rows = list(DictReader(StringIO(data.decode())))
    together = {frozenset(row["name"] for row in rows if row["cluster"] == cluster) for cluster in "012"}
    assert together == {frozenset("abc"), frozenset("def"), frozenset("gh")}


CLUSTERS = Conversation(
    "points are grouped by nearness",
    [
        Turn(
            "Group the places of places.csv into three.",
            python("""
                from sklearn.cluster import KMeans
                places = pd.read_csv("places.csv")
                found = KMeans(n_clusters=3, n_init=10, random_state=0).fit(places[["x", "y"]])
                places["cluster"] = found.labels_
                places.to_csv("grouped.csv", index=False)
                print(sorted(tuple(round(float(place), 3) for place in centre) for centre in found.cluster_centers_))
            """),
            result="[(0.333, 0.333), (5.0, 9.5), (10.333, 0.333)]",
            attachments=[
                Attachment("places.csv", b"name,x,y\na,0,0\nb,1,0\nc,0,1\nd,10,0\ne,11,0\nf,10,1\ng,5,9\nh,5,10\n")
            ],
            files={"grouped.csv": _check_clusters},
        )
    ],
)

SERIES = Conversation(
    "a series is smoothed and its rhythm found",
    [
        Turn(
            "Find the weekly rhythm in 28 days that go 5 6 7 8 9 2 1, and the trend.",
            python("""
                days = pd.date_range("2024-01-01", periods=28)
                series = pd.Series([5, 6, 7, 8, 9, 2, 1] * 4, index=days) + np.arange(28)
                trend = series.rolling(7, center=True).mean().dropna()
                print(trend.iloc[0], trend.diff().dropna().round(9).unique().tolist())
                print([float(round(series.diff().autocorr(lag), 3)) for lag in (1, 7)])
                print((series - trend).groupby((series - trend).index.day_name()).mean().round(2).idxmin())
            """),
            result=lines("8.428571428571429 [1.0]", "[0.044, 1.0]", "Sunday"),
        )
    ],
)

STATISTICS: Sequence[Conversation] = (REGRESSION, TESTED, CLUSTERS, SERIES)
