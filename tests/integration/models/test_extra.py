import subprocess
import sys

PROGRAM = """
import sys
sys.modules["pydantic_ai"] = None
from openplaybook.models.errors import ModelNotConfigured
from openplaybook.models.model_registry import create_model
assert create_model("openai:m", {"OPENAI_API_KEY": "k"}).name == "openai:m"
try:
    create_model("google:m", {"GOOGLE_API_KEY": "k"})
except ModelNotConfigured as error:
    print(error)
"""


def test_without_the_extra_openai_works_and_others_say_what_to_install() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ran.stdout == (
        "google:m needs packages that are not installed: they come with the extra models (docs/installing.md); "
        "providers other than OpenAI, Google and Anthropic also need pydantic-ai's extra for them.\n"
    )
