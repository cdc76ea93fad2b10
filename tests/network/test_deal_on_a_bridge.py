"""A whole deal between hosts that share nothing but a network: they find each other, play, and agree."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lan import REASON, lan

from p2p.protocol.audit import audit

pytestmark = [pytest.mark.network, pytest.mark.skipif(REASON is not None, reason=REASON or "")]

LIMIT_S = 120.0


async def bot(
    machine: str, home: Path, *arguments: str, heard: Callable[[dict[str, Any]], None] = lambda _: None
) -> list[dict[str, Any]]:
    """Run a headless peer in a namespace; return what it said. heard: takes each event as it is said."""
    said: list[dict[str, Any]] = []
    process = await asyncio.create_subprocess_exec(
        *("ip", "netns", "exec", machine, sys.executable, "-m", "ui", "bot", "--json", *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "VERISH_HOME": str(home)},
    )
    try:
        async with asyncio.timeout(LIMIT_S):
            assert process.stdout is not None
            while line := await process.stdout.readline():
                said.append(json.loads(line))
                heard(said[-1])
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, said[-3:]
    return said


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


@pytest.mark.parametrize("back", ["10.77.0.2/24", "10.77.0.9/24"], ids=["same address", "another address"])
async def test_deal_goes_on_by_itself_when_a_host_is_back(tmp_path: Path, back: str) -> None:
    laid = asyncio.Event()
    log = tmp_path / "log"

    def heard(event: dict[str, Any]) -> None:
        if event.get("what") == "laid":
            laid.set()

    with lan() as net:
        machines = [net.machine("10.77.0.1/24"), net.machine("10.77.0.2/24")]
        common = ("--pause", "0.1", "--patience", "60")
        opener = ("--open", "Bridge", "--name", "Anna", "--seed", "1", "--verbose", "--log-file", str(log))
        joiner = ("--join", "Bridge", "--name", "Boris", "--seed", "2")
        playing = asyncio.gather(
            bot(machines[0], tmp_path / "0", *opener, *common, heard=heard),
            bot(machines[1], tmp_path / "1", *joiner, *common),
        )
        async with asyncio.timeout(LIMIT_S):
            await laid.wait()
            net.unplug(machines[1])
            while "down: timeout" not in log.read_text():  # noqa: ASYNC110  # another process's file
                await asyncio.sleep(0.1)
        net.plug(machines[1], back)
        stories = await playing
    assert [(story[-1]["outcome"], story[-1]["audit"]) for story in stories] == [("finished", "ok")] * 2
