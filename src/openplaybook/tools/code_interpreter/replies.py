"""The program in a model's reply."""

from openplaybook.jsonvalues import JsonValue, as_object
from openplaybook.models.base import ModelReply
from openplaybook.tools.code_interpreter.task_prompt import RUN_PYTHON
from openplaybook.tools.code_interpreter.without_model.arithmetic import parsed
from openplaybook.tools.code_interpreter.without_model.base import OutOfReach
from openplaybook.tools.code_interpreter.without_model.code_blocks import fenced, read_code


def code_of(reply: ModelReply) -> str:
    """The program, from a call of `run_python`, a fenced block, or words that are nothing but a program.

    Empty where there is none.
    """
    for call in reply.calls:
        # Some models leave the object away and hand over the text alone.
        given: JsonValue = as_object(call.arguments).get("code", call.arguments) if call.name == RUN_PYTHON else None
        if isinstance(given, str) and given.strip():
            return unfenced(given)
    blocks = [text for _, text in fenced(reply.text)]
    if blocks:
        # Several blocks are one program that was explained piece by piece.
        return "\n\n".join(block.strip("\n") for block in blocks)
    return reply.text.strip("\n") if _is_program(reply.text) else ""


def unfenced(code: str) -> str:
    """Code without the fence that some put around it."""
    blocks = fenced(code.strip())
    is_fenced = len(blocks) == 1 and code.strip().startswith("```") and parsed(code) is None
    return (blocks[0][1] if is_fenced else code).strip("\n")


def _is_program(text: str) -> bool:
    try:
        return read_code(text) is not None
    except OutOfReach:
        return False
