"""Plots, held against the same plot drawn from the numbers that have to come out."""

from collections.abc import Sequence
from importlib import import_module

import numpy as np

from openplaybook.wire.messages import ApiMessage
from tests.e2e.code_interpreter.conversation import Attachment, Conversation, Turn, lines, python
from tests.kit.pictures import looks_like

VISITS = b"day,visits,orders\nMon,120,8\nTue,95,5\nWed,160,13\nThu,140,9\nFri,210,21\n"
DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri"]


def _bars(plt: ApiMessage) -> None:
    plt.bar(DAYS, [120, 95, 160, 140, 210])
    plt.title("Visits")
    plt.ylabel("people")


BARS = Conversation(
    "a bar chart that was left open comes back as a picture",
    [
        Turn(
            "Draw the visits of visits.csv as bars.",
            python("""
                visits = pd.read_csv("visits.csv")
                plt.bar(visits.day, visits.visits)
                plt.title("Visits")
                plt.ylabel("people")
                plt.show()
            """),
            attachments=[Attachment("visits.csv", VISITS)],
            files={"figure_1.png": looks_like(_bars, trimmed=True, _1f77b4=0.2)},
        )
    ],
)


def _two_lines(plt: ApiMessage) -> None:
    figure, left = plt.subplots()
    left.plot(DAYS, [120, 95, 160, 140, 210], color="#2ca02c", label="visits")
    left.legend(loc="upper left")
    right = left.twinx()
    right.plot(DAYS, [8, 5, 13, 9, 21], "--", color="#d62728", label="orders")
    right.legend(loc="lower right")
    figure.autofmt_xdate()


LINES = Conversation(
    "a plot that was saved comes back under its name only",
    [
        Turn(
            "Plot visits and orders of visits.csv on two axes and save it as both.png.",
            python("""
                visits = pd.read_csv("visits.csv")
                figure, left = plt.subplots()
                left.plot(visits.day, visits.visits, color="#2ca02c", label="visits")
                left.legend(loc="upper left")
                right = left.twinx()
                right.plot(visits.day, visits.orders, "--", color="#d62728", label="orders")
                right.legend(loc="lower right")
                figure.autofmt_xdate()
                plt.savefig("both.png")
                print(visits.orders.sum(), "orders")
            """),
            result="56 orders",
            attachments=[Attachment("visits.csv", VISITS)],
            files={"both.png": looks_like(_two_lines, _2ca02c=0.001, _d62728=0.001)},
        )
    ],
)


def _scatter(plt: ApiMessage) -> None:
    plt.scatter([1, 2, 3, 4], [3, 5, 7, 9], c="#ff7f0e", s=80)
    plt.plot([0, 5], [1, 11], "k-")


SCATTER = Conversation(
    "points and the line through them are drawn",
    [
        Turn(
            "Plot y over x of points.csv with the regression line.",
            python("""
                points = pd.read_csv("points.csv")
                slope, offset = np.polyfit(points.x, points.y, 1)
                plt.scatter(points.x, points.y, c="#ff7f0e", s=80)
                plt.plot([0, 5], [offset, 5 * slope + offset], "k-")
                plt.show()
                print(f"y = {slope:.3f} x + {offset:.3f}")
            """),
            result="y = 2.000 x + 1.000",
            attachments=[Attachment("points.csv", b"x,y\n1,3\n2,5\n3,7\n4,9\n")],
            files={"figure_1.png": looks_like(_scatter, trimmed=True, _ff7f0e=0.001)},
        )
    ],
)


def _histogram(plt: ApiMessage) -> None:
    plt.stairs([1, 3, 4, 2], [0, 10, 20, 30, 40], fill=True, color="#9467bd")
    plt.axvline(21.3, color="#d62728", lw=3)
    plt.xlim(-2, 42)
    plt.ylim(0, 5)


HISTOGRAM = Conversation(
    "a distribution is drawn with its mean",
    [
        Turn(
            "Draw the distribution of the waiting times 3, 11, 12, 19, 21, 25, 27, 29, 31, 35 in tens of minutes.",
            python("""
                waiting = np.array([3, 11, 12, 19, 21, 25, 27, 29, 31, 35])
                counts, edges = np.histogram(waiting, bins=range(0, 50, 10))
                plt.stairs(counts, edges, fill=True, color="#9467bd")
                plt.axvline(waiting.mean(), color="#d62728", lw=3)
                plt.xlim(-2, 42)
                plt.ylim(0, 5)
                print(counts.tolist(), waiting.mean())
            """),
            result="[1, 3, 4, 2] 21.3",
            files={"figure_1.png": looks_like(_histogram, trimmed=True, _9467bd=0.25, _d62728=0.002)},
        )
    ],
)


def _heat_map(plt: ApiMessage) -> None:
    plt.imshow([[1, -1, 0.5], [-1, 1, -0.5], [0.5, -0.5, 1]], cmap="coolwarm", vmin=-1, vmax=1)
    plt.colorbar()
    plt.xticks(range(3), ["up", "down", "odd"])
    plt.yticks(range(3), ["up", "down", "odd"])


HEAT_MAP = Conversation(
    "correlations are drawn as a heat map",
    [
        Turn(
            "Show how the columns of columns.csv correlate.",
            python("""
                correlated = pd.read_csv("columns.csv").corr()
                plt.imshow(correlated, cmap="coolwarm", vmin=-1, vmax=1)
                plt.colorbar()
                plt.xticks(range(3), correlated.columns)
                plt.yticks(range(3), correlated.columns)
                print(correlated.round(2).to_csv().strip())
            """),
            result=lines(",up,down,odd", "up,1.0,-1.0,0.5", "down,-1.0,1.0,-0.5", "odd,0.5,-0.5,1.0"),
            attachments=[Attachment("columns.csv", b"up,down,odd\n1,6,2\n2,4,1\n3,2,3\n")],
            files={"figure_1.png": looks_like(_heat_map, trimmed=True, _b40426=0.05, _3b4cc0=0.03)},
        )
    ],
)


def _pie(plt: ApiMessage) -> None:
    plt.figure(figsize=(4, 4))
    plt.pie([50, 30, 20], labels=["rent", "food", "fun"], autopct="%d%%", startangle=90)


PIE = Conversation(
    "shares are drawn as a pie of the size that was asked for",
    [
        Turn(
            "Draw a small pie of a budget: rent 1000, food 600, fun 400.",
            python("""
                budget = {"rent": 1000, "food": 600, "fun": 400}
                plt.figure(figsize=(4, 4))
                plt.pie(list(budget.values()), labels=list(budget), autopct="%d%%", startangle=90)
                plt.savefig("budget.png")
            """),
            files={"budget.png": looks_like(_pie, _1f77b4=0.1, _ff7f0e=0.05, _2ca02c=0.04)},
        )
    ],
)


def _surface(plt: ApiMessage) -> None:
    across, along = np.meshgrid(np.linspace(-2, 2, 25), np.linspace(-2, 2, 25))
    axes = plt.figure().add_subplot(projection="3d")
    axes.plot_surface(across, along, np.exp(-(across**2) - along**2), cmap="viridis")
    axes.set_zlim(0, 1)


SURFACE = Conversation(
    "a function of two variables is drawn in three dimensions",
    [
        Turn(
            "Draw exp(-x² - y²) as a surface.",
            python("""
                x, y = np.meshgrid(np.linspace(-2, 2, 25), np.linspace(-2, 2, 25))
                z = np.exp(-x**2 - y**2)
                axes = plt.figure().add_subplot(projection="3d")
                axes.plot_surface(x, y, z, cmap="viridis")
                axes.set_zlim(0, 1)
                print(float(z.max()))
            """),
            result="1.0",
            files={"figure_1.png": looks_like(_surface, trimmed=True, _440154=0.005)},
        )
    ],
)


def _boxes(plt: ApiMessage) -> None:
    frame = import_module("pandas").DataFrame(
        {"dose": ["low"] * 4 + ["high"] * 4, "growth": [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 20.0]}
    )
    axes = import_module("seaborn").boxplot(data=frame, x="dose", y="growth", color="#8c564b")
    axes.set_title("Growth")


BOXES = Conversation(
    "a statistical plot of seaborn is drawn",
    [
        Turn(
            "Compare the growth at both doses of growth.csv with box plots.",
            python("""
                import seaborn as sns
                growth = pd.read_csv("growth.csv")
                axes = sns.boxplot(data=growth, x="dose", y="growth", color="#8c564b")
                axes.set_title("Growth")
                print(growth.groupby("dose").growth.median().to_dict())
            """),
            result="{'high': 8.5, 'low': 4.5}",
            attachments=[
                Attachment(
                    "growth.csv",
                    b"dose,growth\nlow,3\nlow,4\nlow,5\nlow,6\nhigh,7\nhigh,8\nhigh,9\nhigh,20\n",
                )
            ],
            files={"figure_1.png": looks_like(_boxes, trimmed=True)},
        )
    ],
)


def _panels(plt: ApiMessage) -> None:
    dates = np.array(["2024-01-01", "2024-02-01", "2024-03-01"], dtype="datetime64[D]")
    figure, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
    axes[0, 0].plot(dates, [3, 1, 2], marker="o")
    axes[0, 1].barh(["a", "b"], [4, 2], color="#bcbd22")
    axes[1, 0].fill_between([0, 1, 2], [0, 1, 4], color="#17becf")
    axes[1, 1].step([0, 1, 2], [2, 0, 1])
    for tick in axes[0, 0].get_xticklabels():
        tick.set_rotation(45)
    figure.suptitle("Four views: α² ≤ β")


PANELS = Conversation(
    "several plots stand in one figure",
    [
        Turn(
            "Show four views of my numbers in one figure.",
            python("""
                figure, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
                axes[0, 0].plot(pd.date_range("2024-01-01", periods=3, freq="MS"), [3, 1, 2], marker="o")
                axes[0, 1].barh(["a", "b"], [4, 2], color="#bcbd22")
                axes[1, 0].fill_between([0, 1, 2], [0, 1, 4], color="#17becf")
                axes[1, 1].step([0, 1, 2], [2, 0, 1])
                axes[0, 0].tick_params(axis="x", rotation=45)
                figure.suptitle("Four views: α² ≤ β")
                figure.savefig("views.png")
                plt.close(figure)
            """),
            files={"views.png": looks_like(_panels, _bcbd22=0.05, _17becf=0.02)},
        )
    ],
)


def _sine(plt: ApiMessage) -> None:
    plt.plot(np.linspace(0, 6, 50), np.sin(np.linspace(0, 6, 50)))


def _cosine(plt: ApiMessage) -> None:
    plt.figure(dpi=50)
    plt.plot(np.linspace(0, 6, 50), np.cos(np.linspace(0, 6, 50)), "r.")


FIGURES = Conversation(
    "each figure that was left open is a picture of its own",
    [
        Turn(
            "Draw sine and cosine, each by itself.",
            python("""
                x = np.linspace(0, 6, 50)
                plt.plot(x, np.sin(x))
                plt.figure(dpi=50)
                plt.plot(x, np.cos(x), "r.")
                "two figures"
            """),
            result="'two figures'",
            files={
                "figure_1.png": looks_like(_sine, trimmed=True, _1f77b4=0.002),
                "figure_2.png": looks_like(_cosine, trimmed=True, _ff0000=0.0005),
            },
        )
    ],
)

PLOTS: Sequence[Conversation] = (
    BARS,
    LINES,
    SCATTER,
    HISTOGRAM,
    HEAT_MAP,
    PIE,
    SURFACE,
    BOXES,
    PANELS,
    FIGURES,
)
