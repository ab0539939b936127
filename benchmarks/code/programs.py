"""What is run: programs as models write them."""

PRINT = "print(6 * 7)\n"

PANDAS = """
import numpy as np
import pandas as pd

frame = pd.DataFrame({"day": np.arange(1000) % 7, "units": np.arange(1000)})
print(frame.groupby("day").units.agg(["sum", "mean"]).round(2).to_string())
"""

PLOT = """
import matplotlib.pyplot as plt
import numpy as np

x = np.linspace(0, 10, 200)
plt.plot(x, np.sin(x), label="sin")
plt.title("A wave")
plt.legend()
plt.savefig("wave.png")
print("saved")
"""

IMPORTS = "import numpy, pandas, matplotlib.pyplot\n"

PROGRAMS = {"print": PRINT, "numpy and pandas": PANDAS, "a plot as PNG": PLOT}
EXPECTED = {"print": "42\n", "numpy and pandas": "       sum   mean\n", "a plot as PNG": "saved\n"}
"""How the output begins."""

_REST = "\nimport sys, time\nsys.stdout.flush()\ntime.sleep(60)\n"
RESTING = {"print": PRINT + _REST, "numpy and pandas": PANDAS + _REST}
"""Have done their work and are still there."""
IMPORTED = IMPORTS + _REST
