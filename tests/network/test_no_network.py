"""Every test that opens a socket passes on a machine that has no network at all."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from lan import REASON, lan

pytestmark = [
    pytest.mark.network,
    pytest.mark.long,
    pytest.mark.skipif(REASON is not None, reason=REASON or ""),
]

ROOT = Path(__file__).parents[2]
ARGUMENTS = ("-q", "-m", "(network or terminal) and not long", "--ignore", "tests/network")
LIMIT_S = 1500.0
"""Ten minutes, beside other programs."""


async def test_the_tests_need_no_network() -> None:
    with lan() as net:
        process = await asyncio.create_subprocess_exec(
            *("ip", "netns", "exec", net.machine(), sys.executable, "-m", "pytest", *ARGUMENTS),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(LIMIT_S):
                said, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    assert process.returncode == 0, said.decode()[-4000:]
