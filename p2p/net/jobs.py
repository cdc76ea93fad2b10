"""Long work off the event loop: proofs run in worker processes, so that the loop answers while they run.

Why processes: measured on CPython 3.11 with 52 cards beside a loop that was busy two fifths of the time, a
thread took 36 ms to shuffle and prove and 17 ms to verify, and made the loop up to 9 ms late; a process took
23 and 11 ms, and 4.5 ms. A thread shares the interpreter's lock with the loop; a process does not, and if it
dies it is replaced.

Each worker is a plain child with two pipes (`p2p.net.worker`), not `multiprocessing`: it imports only the
cryptography, starts in a fraction of a second, and ends by itself when its input ends, so nothing is left
behind even by SIGKILL. Where no process can be started, one thread does the work.
"""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from p2p.errors import LocalError, LocalReason
from p2p.net.worker import LENGTH_BYTES, encode_frame

CLOSE_GRACE_S = 1.0
"""How long a worker may take to finish the job at hand when it is closed; the longest proof takes a tenth of
it.
"""

MOST_TRIES = 2
"""A job whose worker dies is given to a fresh one once: an accident is repaired, a job that kills is not
repeated for ever.
"""

_PROGRAM = "from p2p.net.worker import main; main()"


@dataclass(slots=True, eq=False)
class _Task:
    function: Callable[..., object]
    arguments: tuple[object, ...] = field(repr=False)
    done: "asyncio.Future[object]" = field(repr=False)


class Jobs:
    """Workers for long jobs. `start`, then `run` from any task of the loop, then `close`."""

    def __init__(self, workers: int = 1) -> None:
        """workers: how many processes; 0 runs jobs in one thread of this process."""
        self._count = workers
        self._queue: asyncio.Queue[_Task] = asyncio.Queue()
        self._servers: list[asyncio.Task[None]] = []
        self._processes: set[Process] = set()
        self._thread: ThreadPoolExecutor | None = None
        self._closed = False

    @property
    def in_processes(self) -> bool:
        """Whether jobs run in processes, rather than in a thread."""
        return self._thread is None

    async def start(self) -> None:
        """Start the workers; they load their libraries while the caller goes on."""
        try:
            started = [await self._launch() for _ in range(self._count)]
        except OSError:
            started = []
        if not started:
            self._thread = ThreadPoolExecutor(1, "verish-jobs")
            self._servers.append(asyncio.create_task(self._serve_in_thread(self._thread)))
        for process in started:
            self._servers.append(asyncio.create_task(self._serve(process)))

    async def run(self, function: Callable[..., object], *arguments: object) -> object:
        """Run `function(*arguments)`, all picklable, in a worker and return its result.

        Cancelling drops the job if it has not begun, and its result otherwise.
        Raises: what the function raised (JobFailedError if that cannot travel); LocalError (jobs-stopped).
        """
        if self._closed:
            raise LocalError(LocalReason.JOBS_STOPPED)
        done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Task(function, arguments, done))
        return await done

    async def close(self) -> None:
        """End all workers within `CLOSE_GRACE_S`; jobs still waiting fail. Does nothing the second time."""
        if self._closed:
            return
        self._closed = True
        for process in self._processes:
            if process.stdin is not None:
                process.stdin.close()
        for server in self._servers:
            server.cancel()
        await asyncio.gather(*self._servers, return_exceptions=True)
        while not self._queue.empty():
            _fail(self._queue.get_nowait(), LocalError(LocalReason.JOBS_STOPPED))
        await asyncio.gather(*(self._end(process) for process in tuple(self._processes)))
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)

    async def _launch(self) -> Process:
        # The worker finds exactly the modules that we find; an empty entry means the folder we stand in.
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        environment = {**os.environ, "PYTHONPATH": paths}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", _PROGRAM),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self._processes.add(process)
        return process

    async def _end(self, process: Process) -> None:
        try:
            async with asyncio.timeout(CLOSE_GRACE_S):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        self._processes.discard(process)

    async def _serve(self, process: Process) -> None:
        """Feed one worker, replacing it when it dies."""
        while True:
            task = await self._queue.get()
            try:
                process = await self._serve_one(task, process)
            finally:
                # Also when this server is ended in the middle: nobody waits for an answer that cannot come.
                _fail(task, LocalError(LocalReason.JOBS_STOPPED))

    async def _serve_one(self, task: _Task, process: Process) -> Process:
        """Settle a task, if any worker can; return the worker for the next one."""
        for _ in range(MOST_TRIES):
            if task.done.done():
                break
            try:
                _settle(task, await _ask(process, encode_frame((task.function, task.arguments))))
            except (OSError, EOFError):
                await self._end(process)
                try:
                    process = await self._launch()
                except OSError:
                    break
            except Exception as error:  # a job that does not pickle is its caller's fault
                _fail(task, error)
        return process

    async def _serve_in_thread(self, thread: ThreadPoolExecutor) -> None:
        while True:
            task = await self._queue.get()
            if task.done.done():
                continue
            running = asyncio.get_running_loop().run_in_executor(thread, task.function, *task.arguments)
            try:
                _settle(task, (True, await running))
            except asyncio.CancelledError:
                _fail(task, LocalError(LocalReason.JOBS_STOPPED))
                raise
            except Exception as error:  # the job's, so its caller gets it
                _fail(task, error)


async def _ask(process: Process, frame: bytes) -> tuple[bool, object]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(frame)
    await process.stdin.drain()
    size = int.from_bytes(await process.stdout.readexactly(LENGTH_BYTES), "big")
    worked, value = pickle.loads(await process.stdout.readexactly(size))  # noqa: S301  # our own worker's
    return worked, value


def _settle(task: _Task, answer: tuple[bool, object]) -> None:
    worked, value = answer
    if worked:
        if not task.done.done():
            task.done.set_result(value)
    else:
        assert isinstance(value, Exception)
        _fail(task, value)


def _fail(task: _Task, error: Exception) -> None:
    if not task.done.done():
        task.done.set_exception(error)
