"""Jobs beside the loop: they return, fail, are dropped, outlive a dead worker, and leave nothing behind."""

import asyncio
import math
import operator
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from bounds import WAIT_S, LoopWatch

from crypto import Check, Context, InvalidProof, check_commitment
from p2p.errors import LocalError, LocalReason, RemoteError
from p2p.net.jobs import Jobs
from p2p.net.worker import LENGTH_BYTES, JobFailedError, answer, place_of


@asynccontextmanager
async def running(workers: int = 1) -> AsyncIterator[Jobs]:
    jobs = Jobs(workers)
    await jobs.start()
    try:
        yield jobs
    finally:
        await jobs.close()


def gone(pid: int, limit_s: float = WAIT_S) -> bool:
    """Whether the process has ended, or ends within the limit."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], limit_s)[0])
    finally:
        os.close(handle)


@pytest.mark.parametrize("workers", [0, 1, 2])
async def test_result_comes_back_from_another_process_or_thread(workers: int) -> None:
    async with running(workers) as jobs:
        assert await jobs.run(math.factorial, 20) == math.factorial(20)
        assert (await jobs.run(os.getpid) != os.getpid()) == (workers > 0)
        assert jobs.in_processes == (workers > 0)


@pytest.mark.parametrize("workers", [0, 1])
async def test_exception_of_a_job_is_raised_where_it_was_asked_for(workers: int) -> None:
    async with running(workers) as jobs:
        with pytest.raises(ZeroDivisionError):
            await jobs.run(operator.truediv, 1, 0)
        assert await jobs.run(operator.add, 1, 1) == 2


async def test_invalid_proof_keeps_the_name_of_its_check_on_the_way() -> None:
    context = Context("test", bytes(32), 1, 0, 0, bytes(32))
    async with running() as jobs:
        with pytest.raises(InvalidProof) as caught:
            await jobs.run(check_commitment, bytes(32), b"coin", context, b"value", bytes(32))
        assert caught.value.check is Check.COMMITMENT


def test_exception_that_cannot_travel_is_reported_by_type_and_place() -> None:
    def convict() -> None:
        raise RemoteError(1, "a check")

    frame = answer(convict, ())
    worked, error = pickle.loads(frame[LENGTH_BYTES:])
    assert not worked
    assert isinstance(error, JobFailedError)
    assert str(error).startswith("RemoteError in test_exception_that_cannot_travel")


async def test_result_that_cannot_travel_is_an_error_of_its_job() -> None:
    async with running() as jobs:
        with pytest.raises(TypeError):
            await jobs.run(threading.Lock)
        assert await jobs.run(operator.add, 1, 1) == 2


def test_place_of_an_exception_names_no_value() -> None:
    try:
        operator.getitem({}, "a secret")
    except KeyError as error:
        text = place_of(error)
    assert text.startswith("KeyError in test_place_of_an_exception")
    assert "secret" not in text


async def test_loop_answers_while_a_job_runs() -> None:
    async with running() as jobs:
        job = asyncio.create_task(jobs.run(time.sleep, 1.0))
        ticks = 0
        while not job.done():
            await asyncio.sleep(0.005)
            ticks += 1
        assert ticks > 10


async def test_two_workers_run_two_jobs_at_once(tmp_path: Path) -> None:
    meeting = tmp_path / "meeting"
    async with running(2) as jobs:
        os.mkfifo(meeting)
        # Each end of a named pipe opens only when the other is opened too.
        async with asyncio.timeout(WAIT_S):
            _, heard = await asyncio.gather(
                jobs.run(Path.write_text, meeting, "here"), jobs.run(Path.read_text, meeting)
            )
        assert heard == "here"


async def test_cancelled_job_that_has_not_begun_never_runs(tmp_path: Path) -> None:
    async with running() as jobs:
        first = asyncio.create_task(jobs.run(time.sleep, 0.2))
        second = asyncio.create_task(jobs.run(os.mkdir, str(tmp_path / "made")))
        await asyncio.sleep(0)
        second.cancel()
        await first
        assert await jobs.run(os.getpid)
    assert not (tmp_path / "made").exists()


async def test_job_whose_worker_is_killed_is_done_by_a_fresh_one() -> None:
    async with running() as jobs:
        worker = await jobs.run(os.getpid)
        job = asyncio.create_task(jobs.run(time.sleep, 0.2))
        await asyncio.sleep(0.05)
        assert isinstance(worker, int)
        os.kill(worker, signal.SIGKILL)
        await job
        assert await jobs.run(os.getpid) != worker


async def test_job_that_kills_every_worker_fails_and_the_next_one_works() -> None:
    async with running() as jobs:
        with pytest.raises(LocalError) as caught:
            await jobs.run(os._exit, 1)
        assert caught.value.reason is LocalReason.JOBS_STOPPED
        assert await jobs.run(operator.add, 1, 1) == 2


async def test_closing_ends_the_processes_and_fails_what_waits() -> None:
    async with running() as jobs:
        worker = await jobs.run(os.getpid)
        waiting = [asyncio.create_task(jobs.run(time.sleep, 0.7)) for _ in range(3)]
        await asyncio.sleep(0.02)
        await jobs.close()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert all(isinstance(result, LocalError) for result in results)
        with pytest.raises(LocalError):
            await jobs.run(os.getpid)
        assert isinstance(worker, int)
        assert gone(worker)


async def test_wedged_worker_is_killed_at_the_end_of_the_grace_time() -> None:
    async with running() as jobs:
        worker = await jobs.run(os.getpid)
        job = asyncio.create_task(jobs.run(time.sleep, 60))
        await asyncio.sleep(0.02)
        with LoopWatch() as watch:
            await jobs.close()
        assert watch.seconds < 5
        with pytest.raises(LocalError):
            await job
        assert isinstance(worker, int)
        assert gone(worker)


PARENT = """
import asyncio, os, sys, time
from p2p.net.jobs import Jobs
async def main():
    jobs = Jobs(2)
    await jobs.start()
    print(*await asyncio.gather(jobs.run(os.getpid), jobs.run(os.getpid)), flush=True)
    await asyncio.gather(jobs.run(time.sleep, 0.3), jobs.run(time.sleep, 0.3))
    await asyncio.sleep(60)
asyncio.run(main())
"""


def test_no_worker_outlives_a_parent_killed_at_work() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
    assert len(workers) == 2
    assert all(gone(pid) for pid in workers)
