# Runs in google-adk's own environment, which the type checker does not see.
# pyright: basic, reportMissingImports=false
"""google-adk's local executor: code as a JSON text a line in, what came of it a line out."""

import json
import resource
import sys
import time
from typing import cast

from google.adk.agents.invocation_context import InvocationContext
from google.adk.code_executors.code_execution_utils import CodeExecutionInput
from google.adk.code_executors.unsafe_local_code_executor import UnsafeLocalCodeExecutor


def _cpu_s() -> float:
    parts = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in parts)


def main() -> None:
    """Until there are no more."""
    executor = UnsafeLocalCodeExecutor()
    # It is never looked into.
    context = cast(InvocationContext, None)
    for line in sys.stdin:
        code = CodeExecutionInput(code=json.loads(line))
        cpu, begun = _cpu_s(), time.perf_counter()
        done = executor.execute_code(context, code)
        wall, cpu = time.perf_counter() - begun, _cpu_s() - cpu
        told = {"wall_ms": wall * 1000, "cpu_ms": cpu * 1000, "stdout": done.stdout, "stderr": done.stderr}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
