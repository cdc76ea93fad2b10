"""Hosts of their own for tests: network namespaces around a bridge."""

import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from bounds import WAIT_S

_numbers = itertools.count()


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, timeout=WAIT_S)


def why_not() -> str | None:
    """Why there can be no namespaces here, or None."""
    if shutil.which("ip") is None:
        return "there is no `ip` command"
    name = f"verish-probe-{os.getpid()}"
    tried = subprocess.run(
        ["ip", "netns", "add", name], capture_output=True, text=True, timeout=WAIT_S, check=False
    )
    if tried.returncode != 0:
        return f"`ip netns add` is not permitted: {tried.stderr.strip()}"
    ip("netns", "del", name)
    return None


REASON = why_not()
"""Why there can be no namespaces here, or None."""


class Lan:
    """Namespaces around a bridge, which lives in one of its own. Each has `lo` and, once plugged in,
    `eth0`.
    """

    def __init__(self) -> None:
        self.tag = f"vs{os.getpid() % 100000}x{next(_numbers)}"
        self.bridge = f"{self.tag}b"
        self.machines: list[str] = []
        self._cables = itertools.count()

    def machine(self, *addresses: str, mtu: int = 1500) -> str:
        """A namespace, plugged in at once if it is given addresses such as 10.77.0.1/24."""
        name = f"{self.tag}m{len(self.machines)}"
        ip("netns", "add", name)
        self.machines.append(name)
        ip("-n", name, "link", "set", "lo", "up")
        if addresses:
            self.plug(name, *addresses, mtu=mtu)
        return name

    def plug(self, name: str, *addresses: str, mtu: int = 1500, interface: str = "eth0") -> None:
        """Join a namespace to the bridge."""
        end = f"c{next(self._cables)}"
        ip("-n", self.bridge, "link", "add", end, "type", "veth", "peer", "name", interface, "netns", name)
        ip("-n", self.bridge, "link", "set", end, "master", "lan", "mtu", str(mtu), "up")
        self.set_up(name, *addresses, mtu=mtu, interface=interface)

    def set_up(self, name: str, *addresses: str, mtu: int, interface: str) -> None:
        """Give an interface of a namespace its addresses, and bring it up."""
        ip("-n", name, "link", "set", interface, "mtu", str(mtu))
        for address in addresses:
            self.add_address(name, address, interface)
        ip("-n", name, "link", "set", interface, "up")

    def add_address(self, name: str, address: str, interface: str = "eth0") -> None:
        """Add an address such as 10.77.0.1/24, to be used at once."""
        ip("-n", name, "addr", "add", address, "dev", interface, *(("nodad",) if ":" in address else ()))

    def unplug(self, name: str, interface: str = "eth0") -> None:
        """Remove the interface."""
        ip("-n", name, "link", "del", interface)

    def remove_machines(self) -> None:
        """Remove the namespaces and all interfaces in them."""
        for name in self.machines:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, timeout=WAIT_S, check=False)


@contextmanager
def lan() -> Iterator[Lan]:
    """A bridge with nothing on it yet."""
    net = Lan()
    ip("netns", "add", net.bridge)
    try:
        ip(
            "-n",
            net.bridge,
            "link",
            "add",
            "lan",
            "type",
            "bridge",
            "forward_delay",
            "0",
            "mcast_snooping",
            "0",
        )
        ip("-n", net.bridge, "link", "set", "lan", "up")
        yield net
    finally:
        net.machines.append(net.bridge)
        net.remove_machines()
