"""A whole deal between hosts that share nothing but a network: they find each other, play, and agree."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from lan import REASON, lan

from p2p.protocol.audit import audit

pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

LIMIT_S = 120.0


async def bot(machine: str, home: Path, *arguments: str) -> list[dict[str, Any]]:
    """Run a headless peer in a namespace; return what it said."""
    process = await asyncio.create_subprocess_exec(
        *("ip", "netns", "exec", machine, sys.executable, "-m", "ui", "bot", "--json", *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "VERISH_HOME": str(home)},
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            said, complaint = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, complaint.decode()
    return [json.loads(line) for line in said.splitlines()]


async def test_three_hosts_on_a_bridge_play_a_deal_to_its_audited_end(tmp_path: Path) -> None:
    transcript = tmp_path / "deal.jsonl"
    with lan() as net:
        machines = [
            net.machine("10.77.0.1/24"),
            net.machine("10.77.0.2/24", mtu=1280),
            net.machine("10.77.0.3/24", "fd77::3/64"),
        ]
        common = ("--policy", "counting", "--patience", "60")
        stories = await asyncio.gather(
            bot(
                machines[0],
                tmp_path / "0",
                *("--open", "Bridge", "--seats", "3", "--name", "Anna", "--seed", "1"),
                *("--transcript", str(transcript), *common),
            ),
            bot(machines[1], tmp_path / "1", "--join", "Bridge", "--name", "Boris", "--seed", "2", *common),
            bot(machines[2], tmp_path / "2", "--join", "Bridge", "--name", "Vera", "--seed", "3", *common),
        )
    results = [story[-1] for story in stories]
    assert {result["event"] for result in results} == {"result"}
    assert (
        len({(result["loser"], result["steps"], result["digest"], result["head"]) for result in results}) == 1
    )
    assert audit(transcript.read_bytes(), os.urandom).ok
    digests = [
        {said["step"]: said["digest"] for said in story if said["event"] == "step"} for story in stories
    ]
    for step in set.intersection(*(set(seen) for seen in digests)):
        assert len({seen[step] for seen in digests}) == 1, f"step {step}"
