"""`python flooder.py KIND PORT RATE COUNT [HEX ...]`: a stranger floods one UDP port of this machine.

KIND "junk": random bytes, from one address. KIND "first": first packets of handshakes, each with a connection
id of its own, from 16 addresses. KIND "old": the datagrams that are given, in turn, from one address. RATE:
datagrams a second, at most. Prints how many it sent and in what time;
the system and a busy machine may make it fewer a second, never more.
"""

import random
import socket
import sys
import time

SLICE_S = 0.01
"""What is due is sent so often: a flood in small bursts."""


def junk(chance: random.Random) -> list[bytes]:
    """Random bytes of all sizes; every other one looks like a packet of a link."""
    made = [chance.randbytes(chance.randrange(1, 1200)) for _ in range(500)]
    return [data if number % 2 else b"\x43" + data for number, data in enumerate(made)]


def first_packets(chance: random.Random) -> list[bytes]:
    """First packets as they should be, but for their connection ids."""
    from aioquic.quic.connection import QuicConnection  # noqa: PLC0415

    from p2p.net.quic_tls import client_configuration  # noqa: PLC0415

    made = []
    for _ in range(200):
        quic = QuicConnection(configuration=client_configuration())
        quic.connect(("::1", 1, 0, 0), now=0.0)
        data = quic.datagrams_to_send(now=0.0)[0][0]
        # The connection id: behind the first byte, the version and its own length.
        made += [data[:6] + chance.randbytes(8) + data[14:] for _ in range(10)]
    return made


def main(kind: str, port: int, rate: float, count: int, old: list[bytes]) -> None:
    """Send so many."""
    chance = random.Random(kind)
    datagrams = old if old else {"junk": junk, "first": first_packets}[kind](chance)
    sockets = []
    for number in range(16 if kind == "first" else 1):
        sockets.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        sockets[-1].bind((f"127.0.1.{1 + number}", 0))
    sent, begun = 0, time.monotonic()
    while sent < count:
        due = min(count, int((time.monotonic() - begun) * rate))
        while sent < due:
            sockets[sent % len(sockets)].sendto(datagrams[sent % len(datagrams)], ("127.0.0.1", port))
            sent += 1
        time.sleep(SLICE_S)
    print(sent, time.monotonic() - begun)


if __name__ == "__main__":
    kept = [bytes.fromhex(text) for text in sys.argv[5:]]
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), kept)
