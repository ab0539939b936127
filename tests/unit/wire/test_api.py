"""The loaded API."""

import subprocess
import sys

import pytest
from google.cloud import dialogflowcx_v3

from openplaybook.wire.api import Api, load_api

MEASURE = """
import time
import openplaybook.wire.api as api, openplaybook.wire.router as router
start = time.process_time()
loaded = api.load_api()
router.Router(loaded.methods.values())
print(time.process_time() - start)
"""


def test_it_is_loaded_once() -> None:
    assert load_api() is load_api()


def test_a_message_that_the_api_lacks_is_a_key_error(api: Api) -> None:
    with pytest.raises(KeyError, match=r"no\.Such"):
        api.message("no.Such")


def test_its_names_do_not_meet_those_of_googles_packages(api: Api) -> None:
    ours = api.message("google.cloud.dialogflow.cx.v3.Agent").DESCRIPTOR

    assert ours is not dialogflowcx_v3.Agent.pb().DESCRIPTOR
    assert ours.full_name == dialogflowcx_v3.Agent.pb().DESCRIPTOR.full_name


def test_loading_it_with_all_routes_takes_at_most_150_ms_of_cpu() -> None:
    runs = [
        float(subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, check=True, text=True).stdout)
        for _ in range(3)
    ]

    assert min(runs) <= 0.150
