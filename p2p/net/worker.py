"""The process that makes and checks proofs beside the event loop; `p2p.net.jobs` starts it and talks to it.

It reads framed pickles of (function, arguments) from standard input, one at a time, and answers each on what
was standard output with (True, result) or (False, exception). The end of its input ends it, so it outlives
its parent by one job at most, even if that was killed. Pickle is safe here: both ends are one program's, over
a pipe that only they hold.
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from typing import BinaryIO

LENGTH_BYTES = 8
"""Every frame is its length, big-endian in this many bytes, and a pickle."""


class JobFailedError(Exception):
    """A job raised something that cannot travel; the text is only the type and the place."""


def encode_frame(value: object) -> bytes:
    """Return `value` pickled behind its length."""
    body = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def place_of(error: BaseException) -> str:
    """Return the type of an exception and the function and line that raised it: what may be logged of it."""
    trace = error.__traceback__
    if trace is None:
        return type(error).__name__
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    file = os.path.basename(code.co_filename)
    return f"{type(error).__name__} in {code.co_qualname}, {file}:{trace.tb_lineno}"


def answer(function: Callable[..., object], arguments: tuple[object, ...]) -> bytes:
    """Run one job and return the frame of its answer."""
    try:
        return encode_frame((True, function(*arguments)))
    except Exception as error:  # whatever it is, it belongs to the job and not to the worker
        try:
            frame = encode_frame((False, error))
            # An exception with its own constructor may pickle and still not come back.
            pickle.loads(frame[LENGTH_BYTES:])  # noqa: S301
        except Exception:
            return encode_frame((False, JobFailedError(place_of(error))))
        return frame


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer jobs from `source` on `sink` until the end of either."""
    while len(length := source.read(LENGTH_BYTES)) == LENGTH_BYTES:
        size = int.from_bytes(length, "big")
        body = source.read(size)
        if len(body) < size:
            return
        function, arguments = pickle.loads(body)  # noqa: S301
        sink.write(answer(function, arguments))
        sink.flush()


def warm_up() -> None:
    """Import what the jobs need and load its library, so that the first proof does not wait for it."""
    from crypto import Ristretto255, Scalar  # noqa: PLC0415  # the parent imports this module for its frames only

    Ristretto255().base_multiply(Scalar(1))


def main() -> None:
    """Serve standard input until it ends."""
    # Ctrl-C in the terminal is for the parent, which then closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever a library prints must not fall into the answers.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    warm_up()
    try:
        serve(sys.stdin.buffer, sink)
    except BrokenPipeError:
        # The parent is gone. Skip the flush of the closed pipe at exit, which would raise once more.
        os._exit(0)
