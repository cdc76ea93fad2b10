"""The few things that aioquic knows and has no public word for, all in one place.

`check_library` looks for them before a socket is opened, so that a version of the library that has moved them
ends in one clear sentence and not in the middle of a deal.
"""

from importlib import metadata
from typing import Any

from aioquic.quic.connection import QuicConnection
from cryptography import x509

from p2p.errors import LocalError, LocalReason
from p2p.net.quic_tls import client_configuration


def check_library() -> None:
    """Look for everything that is read below.

    Raises: LocalError (no-cryptography), naming the version, if this aioquic keeps it elsewhere.
    """
    quic = QuicConnection(configuration=client_configuration())
    try:
        quic.connect(("::1", 1), now=0.0)
        quic.send_stream_data(0, b"-")
        known = unacknowledged(quic, 0) == 1 and peer_certificate(quic) is None
    except AttributeError:
        known = False
    if not known:
        subject = f"aioquic {metadata.version('aioquic')}"
        raise LocalError(
            LocalReason.NO_CRYPTOGRAPHY, subject, "another version than this program was tested with"
        )


def unacknowledged(quic: QuicConnection, stream_id: int) -> int:
    """Bytes written to a stream that the other side has not acknowledged."""
    # What is not acknowledged stays in the sender's buffer.
    stream: Any = quic._streams.get(stream_id)
    return 0 if stream is None else len(stream.sender._buffer)


def peer_certificate(quic: QuicConnection) -> x509.Certificate | None:
    """The certificate that the server showed to us as its client, once the handshake is complete."""
    # Client certificates and exporters are not offered; the server's certificate is kept here.
    return quic.tls._peer_certificate
