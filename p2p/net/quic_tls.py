"""The TLS side of QUIC: a certificate made at each start, and configurations for both roles.

The certificate proves nothing and is not checked against any authority or clock; the hello signs its
fingerprint.
"""

import datetime
import logging
import ssl
from dataclasses import dataclass, field
from typing import Final

from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.packet import QuicProtocolVersion
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

# The library writes some lines a connection, a stranger's included, and a warning for each that breaks its
# rules: strangers write no log of ours. Whoever wants them can lower this again.
logging.getLogger("quic").setLevel(logging.ERROR)

ALPN: Final = "verish"
"""Without a version: peers of different versions must get as far as the hello, to tell each other."""

CONNECTION_ID_LENGTH: Final = 8

MAX_DATAGRAM_SIZE: Final = 1200
"""Fits an MTU of 1280 with the headers of IPv6 and UDP, the least that IPv6 allows."""

IDLE_TIMEOUT_S: Final = 3.5
"""Restarted by what arrives, and once more by the next packet sent after it: with a ping each second the
last sign of life is at most 1 + 3.5 s old when a link is given up, which keeps the promise of 5 s.
"""

INITIAL_RTT_S: Final = 0.02
"""A local network's, not the Internet's: a lost first packet is sent again after 60 ms, not a second."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A self-signed certificate and its key. fingerprint: SHA-256 of the DER encoding, 32 bytes."""

    certificate: x509.Certificate
    fingerprint: bytes
    key: ec.EllipticCurvePrivateKey = field(repr=False)


def make_certificate() -> Certificate:
    """Make a fresh P-256 key and certificate. The dates are fixed: no clock has a say in whether a link is
    made.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, ALPN)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC))
        .not_valid_after(datetime.datetime(2999, 1, 1, tzinfo=datetime.UTC))
        .sign(key, hashes.SHA256())
    )
    return Certificate(certificate, fingerprint(certificate), key)


def fingerprint(certificate: x509.Certificate) -> bytes:
    """SHA-256 of the certificate's DER encoding, 32 bytes."""
    digest = hashes.Hash(hashes.SHA256())
    digest.update(certificate.public_bytes(serialization.Encoding.DER))
    return digest.finalize()


def client_configuration() -> QuicConfiguration:
    """How we open a connection. The certificate is not checked here: the hello does that."""
    configuration = _configuration(is_client=True)
    configuration.verify_mode = ssl.CERT_NONE
    return configuration


def server_configuration(certificate: Certificate) -> QuicConfiguration:
    """How we accept a connection."""
    configuration = _configuration(is_client=False)
    configuration.certificate = certificate.certificate
    configuration.private_key = certificate.key
    return configuration


def _configuration(*, is_client: bool) -> QuicConfiguration:
    return QuicConfiguration(
        alpn_protocols=[ALPN],
        connection_id_length=CONNECTION_ID_LENGTH,
        idle_timeout=IDLE_TIMEOUT_S,
        initial_rtt=INITIAL_RTT_S,
        is_client=is_client,
        max_datagram_size=MAX_DATAGRAM_SIZE,
        supported_versions=[QuicProtocolVersion.VERSION_1],
    )
