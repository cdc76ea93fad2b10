"""One peer as a process: finds others, links with all of them, and says what happens as JSON lines. For
tests.

    python lone_peer.py NUMBER [--interface NAME] [--dial HOST:PORT] [--quiet]

With `--quiet` it neither announces nor looks for anybody. Each line it reads on stdin it sends to all peers.
"""

import argparse
import asyncio
import hashlib
import json
import sys

from crypto import Identity
from p2p.errors import NetworkError
from p2p.net.discovery import Discovery
from p2p.net.discovery_record import Hints, PeerRecord
from p2p.net.endpoint import Endpoint
from p2p.net.interfaces import Address, parse_address

RETRY_S = 0.5


def say(event: str, **data: object) -> None:
    print(json.dumps({"event": event, **data}), flush=True)


class LonePeer:
    def __init__(self, number: int) -> None:
        self.identity = Identity(bytes([number]) * 32)
        self.endpoint: Endpoint
        self.dialling: dict[str, asyncio.Task[None]] = {}
        self.records: dict[str, PeerRecord] = {}

    async def run(self, arguments: argparse.Namespace) -> None:
        self.endpoint = await Endpoint.open(
            self.identity,
            interface=arguments.interface,
            on_up=lambda key, address: say("up", key=key.hex(), address=str(address)),
            on_message=self.message,
            on_down=self.down,
        )
        say("open", port=self.endpoint.port, key=self.identity.public.hex())
        discovery = Discovery(
            self.endpoint.fingerprint,
            self.endpoint.port,
            Hints(1, f"peer {arguments.number}"),
            interface=arguments.interface,
            on_found=self.found,
            on_lost=lambda fingerprint: say("lost", fingerprint=fingerprint),
            on_problem=lambda problem: say("problem", problem=problem),
        )
        if not arguments.quiet:
            await discovery.start()
        for text in arguments.dial:
            self.dial(text, [parse_address(text)], None)
        reader = asyncio.StreamReader(limit=1 << 20)
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
        )
        while line := await reader.readline():
            for key in self.endpoint.keys:
                self.endpoint.send(key, line.strip())
        await discovery.stop()
        await self.endpoint.close()
        say("closed")

    def message(self, key: bytes, message: bytes) -> None:
        say("message", key=key.hex(), size=len(message), digest=hashlib.sha256(message).hexdigest())

    def found(self, record: PeerRecord) -> None:
        say("found", fingerprint=record.fingerprint, addresses=[str(address) for address in record.addresses])
        self.records[record.fingerprint] = record
        self.dial(record.fingerprint, list(record.addresses), record.fingerprint)

    def down(self, key: bytes, reason: str) -> None:
        say("down", key=key.hex(), reason=reason)
        for record in self.records.values():
            self.dial(record.fingerprint, list(record.addresses), record.fingerprint)

    def dial(self, name: str, addresses: list[Address], expect: str | None) -> None:
        if name not in self.dialling:
            self.dialling[name] = asyncio.create_task(self.keep_dialling(name, addresses, expect))

    async def keep_dialling(self, name: str, addresses: list[Address], expect: str | None) -> None:
        """Until it is linked."""
        while True:
            try:
                latest = self.records[name].addresses if name in self.records else addresses
                await self.endpoint.connect(latest, expect)
            except NetworkError as error:
                say("failed", name=name, reason=type(error).__name__)
                await asyncio.sleep(RETRY_S)
            else:
                del self.dialling[name]
                return


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("number", type=int)
    parser.add_argument("--interface")
    parser.add_argument("--dial", action="append", default=[])
    parser.add_argument("--quiet", action="store_true")
    arguments = parser.parse_args()
    asyncio.run(LonePeer(arguments.number).run(arguments))


if __name__ == "__main__":
    main()
