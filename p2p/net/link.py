"""One link: a QUIC connection, the hello on its only stream, then messages both ways, with pings to know it
alive.

    HELLO ------ the hello is done ------> UP ----- close, silence, misbehaviour -----> ENDED
      `--- refused, timed out (a refusal may linger until it is acknowledged) ------------^

The Link owns the timers and the stream; who may have a link is the endpoint's business (`LinkOwner`). QUIC
is aioquic's sans-IO QuicConnection: datagrams in, datagrams and events out. After every touch of it the
pending datagrams are sent and its timer is set anew (`_transmit`).
"""

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final

from aioquic.quic import events
from aioquic.quic.connection import QuicConnection

from p2p.net.hello import HELLO_LIMIT, Hello, HelloError, Role, Stage
from p2p.net.link_errors import CloseCode, DownReason, LinkDown, QueueFull
from p2p.net.link_frames import FRAME_LIMIT, FrameError, FrameReader, encode_frame
from p2p.net.link_heartbeat import LATE_S, Heartbeat
from p2p.net.link_limits import TokenBucket
from p2p.net.link_owner import LinkOwner
from p2p.net.quic_internals import peer_certificate, unacknowledged
from p2p.net.quic_tls import fingerprint
from p2p.net.worker import place_of

STREAM: Final = 0
"""The client opens it; both write to it. Data on any other stream is a violation."""

HELLO_TIMEOUT_S: Final = 5.0
"""From the first packet to the end of the hello. On a local network it takes milliseconds."""

GRACE_AFTER_STALL_S: Final = 0.05
"""After such a stall, time to read what lies in the socket before anyone is declared dead."""

LINGER_S: Final = 1.0
"""How long a refusal waits for its last words to be acknowledged."""

PHRASE_LIMIT: Final = 100
"""Characters that are kept of the words in which a peer ends a link."""

QUEUE_LIMIT: Final = 2 * 1024 * 1024
"""Bytes sent and not acknowledged, for one link; eight of the largest messages."""

MESSAGE_RATE: Final = 10_000.0
MESSAGE_BURST: Final = 20_000.0
"""Messages a second from one peer. A deal sends a few dozen a second at most; a measurement of round trips,
thousands.
"""

BYTE_RATE: Final = 16e6
BYTE_BURST: Final = 64e6
"""Bytes a second from one peer. A whole deal's ledger is under 1 MB."""


_DOWN_REASONS: Final = {
    CloseCode.GOODBYE: DownReason.GOODBYE,
    CloseCode.REPLACED: DownReason.REPLACED,
    CloseCode.DUPLICATE: DownReason.REPLACED,
    CloseCode.TIMEOUT: DownReason.TIMEOUT,
}


class LinkState(Enum):
    """How far a link is."""

    HELLO = auto()
    UP = auto()
    ENDED = auto()


class Link:
    """A link to one peer. Made by the endpoint; `start` for a client, `receive` for every datagram."""

    def __init__(
        self, quic: QuicConnection, hello: Hello, owner: LinkOwner, server_certificate: bytes | None
    ) -> None:
        """server_certificate: its fingerprint, for a server; a client reads it from the handshake."""
        self.hello = hello
        self.state = LinkState.HELLO
        self.down_reason = DownReason.CLOSED
        self.failure: HelloError | None = None
        self.up_at = 0.0
        self.connection_ids: set[bytes] = set()
        self._quic = quic
        self._owner = owner
        self._certificate = server_certificate
        self._loop = asyncio.get_running_loop()
        self._reader = FrameReader(HELLO_LIMIT)
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at: float | None = None
        self._transmit_handle: asyncio.Handle | None = None
        self._hello_timer = self._loop.call_later(HELLO_TIMEOUT_S, self._too_late)
        self._linger: Callable[[], None] | None = None
        self._flushed: list[asyncio.Future[None]] = []
        self._gone = False
        self._proof_sent = False
        self._heartbeat = Heartbeat(self._ping, self._too_late)
        self._messages = TokenBucket(MESSAGE_RATE, MESSAGE_BURST, self._loop.time())
        self._bytes = TokenBucket(BYTE_RATE, BYTE_BURST, self._loop.time())

    @property
    def role(self) -> Role:
        """Which side of the connection we are."""
        return self.hello.role

    @property
    def key(self) -> bytes:
        """The peer's proven key, 32 bytes."""
        assert self.hello.remote is not None
        return self.hello.remote.key

    @property
    def instance(self) -> bytes:
        """The run of the peer's program, 16 bytes, proven with the key."""
        assert self.hello.remote is not None
        return self.hello.remote.instance

    @property
    def binding(self) -> bytes:
        """What both sides of this very link, and nobody else, have alike: 32 bytes."""
        assert self._certificate is not None
        return self.hello.binding(self._certificate)

    @property
    def was_up(self) -> bool:
        """Whether the link ever was up."""
        return self.hello.stage is Stage.DONE

    @property
    def _reads(self) -> bool:
        """Whether what arrives still means anything."""
        return self.state is not LinkState.ENDED and self._linger is None

    def is_awaiting_welcome(self, key: bytes) -> bool:
        """Whether, as a client, we have proven ourselves to this key and wait for its word."""
        remote = self.hello.remote
        return self.state is LinkState.HELLO and self._proof_sent and remote is not None and remote.key == key

    @property
    def address(self) -> Any:
        """The peer's socket address, where its last packets came from."""
        return self._quic.get_peer_address()

    @property
    def unacknowledged(self) -> int:
        """Bytes of messages that the peer's machine has not acknowledged."""
        return unacknowledged(self._quic, STREAM)

    def start(self, address: Any) -> None:
        """Open the connection, as a client."""
        self._quic.connect(address, now=self._loop.time())
        self._transmit()

    def receive(self, data: bytes, address: Any) -> None:
        """Take a datagram that was routed here."""
        try:
            self._quic.receive_datagram(data, address, now=self._loop.time())
            self._process_events()
            self._after_progress()
        except Exception as error:  # whatever hostile bytes do must not reach the other links
            self._break(error)
        else:
            self._transmit_soon()

    def send(self, message: bytes) -> None:
        """Queue a message of 1 to FRAME_LIMIT bytes.

        Raises: LinkDown, QueueFull, MessageTooLarge.
        """
        if self.state is not LinkState.UP:
            raise LinkDown
        frame = encode_frame(message)
        queued = self.unacknowledged
        if queued + len(frame) > QUEUE_LIMIT:
            raise QueueFull(queued=queued)
        self._quic.send_stream_data(STREAM, frame)
        self._transmit_soon()

    async def flush(self) -> None:
        """Wait until all that was sent is acknowledged, or the link has ended. Bound it with a timeout."""
        if self.state is LinkState.ENDED or self.unacknowledged == 0:
            return
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._flushed.append(waiter)
        await waiter

    def close(self, code: CloseCode, reason: DownReason = DownReason.CLOSED) -> None:
        """End the link now and tell the peer why. Does nothing to a link that has ended."""
        self._end(reason, HelloError(code, f"closed here: {code.name}"))
        self._close_quic(code)

    def discard(self) -> None:
        """Cancel every timer; no more datagrams leave. To be called before the socket closes."""
        self._linger = None
        self._heartbeat.stop()
        for handle in (self._timer, self._transmit_handle, self._hello_timer):
            if handle is not None:
                handle.cancel()
        self._timer = self._transmit_handle = None
        if not self._gone:
            self._gone = True
            self._owner.link_gone(self)

    def accept(self) -> None:
        """Send the Welcome, as a server, and be up."""
        self._write(self.hello.welcome())
        self._go_up()

    # What QUIC says

    def _process_events(self) -> None:
        while (event := self._quic.next_event()) is not None:
            match event:
                case events.StreamDataReceived():
                    self._stream_data(event)
                case events.PingAcknowledged():
                    self._heartbeat.answered()
                case events.HandshakeCompleted():
                    self._handshake_completed()
                case events.ConnectionIdIssued():
                    self.connection_ids.add(event.connection_id)
                    self._owner.id_issued(self, event.connection_id)
                case events.ConnectionIdRetired():
                    self.connection_ids.discard(event.connection_id)
                    self._owner.id_retired(self, event.connection_id)
                case events.StreamReset() | events.StopSendingReceived():
                    self.close(CloseCode.BAD_FRAME, DownReason.MISBEHAVED)
                case events.ConnectionTerminated():
                    self._terminated(event)
                case _:
                    pass

    def _handshake_completed(self) -> None:
        if self.role is Role.CLIENT:
            certificate = peer_certificate(self._quic)
            assert certificate is not None
            self._certificate = fingerprint(certificate)
            for message in self.hello.start():
                self._write(message)

    def _stream_data(self, event: events.StreamDataReceived) -> None:
        if not self._reads:
            return
        if event.stream_id != STREAM or event.end_stream:
            self.close(CloseCode.BAD_FRAME, DownReason.MISBEHAVED)
            return
        if not self._bytes.take(len(event.data), self._loop.time()):
            self.close(CloseCode.FLOOD, DownReason.MISBEHAVED)
            return
        self._reader.feed(event.data)
        try:
            while self._reads and (message := self._reader.next_message()) is not None:
                self._message(message)
        except FrameError:
            self.close(CloseCode.BAD_FRAME, DownReason.MISBEHAVED)

    def _message(self, message: bytes) -> None:
        if self.state is LinkState.UP:
            if self._messages.take(1, self._loop.time()):
                self._owner.link_message(self, message)
            else:
                self.close(CloseCode.FLOOD, DownReason.MISBEHAVED)
            return
        assert self._certificate is not None
        try:
            for reply in self.hello.receive(message, self._certificate):
                self._write(reply)
            if self.hello.stage is Stage.PROVEN:
                self._owner.link_proven(self)
                if self.role is Role.SERVER:
                    self.accept()
                else:
                    self._proof_sent = True
                    self._write(self.hello.prove(self._certificate))
            elif self.hello.stage is Stage.DONE and self.role is Role.CLIENT:
                self._go_up()
        except HelloError as error:
            self._refuse(error)

    def _terminated(self, event: events.ConnectionTerminated) -> None:
        if event.frame_type is None and event.error_code in CloseCode._value2member_map_:
            code = CloseCode(event.error_code)
            reason = _DOWN_REASONS.get(code, DownReason.MISBEHAVED)
        else:
            code, reason = CloseCode.TIMEOUT, DownReason.TIMEOUT
        # The peer chooses the phrase, and it is shown and logged: nothing in it may act on a terminal.
        self._end(reason, HelloError(code, ascii(event.reason_phrase)[1:-1][:PHRASE_LIMIT] or code.name))
        self.discard()

    # The hello's two ends

    def _go_up(self) -> None:
        self.state = LinkState.UP
        self.up_at = self._loop.time()
        self._reader.limit = FRAME_LIMIT
        self._hello_timer.cancel()
        self._heartbeat.start()
        self._owner.link_up(self)

    def _refuse(self, error: HelloError) -> None:
        for message in self.hello.replies_on_error:
            self._write(message)
        self.failure = error
        self._linger = lambda: self._finish_refusal(error)
        self._loop.call_later(LINGER_S, self._finish_linger)
        self._transmit_soon()
        self._after_progress()

    def _finish_refusal(self, error: HelloError) -> None:
        self._end(DownReason.MISBEHAVED, error)
        self._close_quic(error.code)

    def _finish_linger(self) -> None:
        linger, self._linger = self._linger, None
        if linger is not None:
            linger()

    def _too_late(self) -> None:
        self.close(CloseCode.TIMEOUT, DownReason.TIMEOUT)

    def _after_progress(self) -> None:
        if (self._linger is not None or self._flushed) and self.unacknowledged == 0:
            self._release_flushed()
            self._finish_linger()

    def _release_flushed(self) -> None:
        for waiter in self._flushed:
            if not waiter.done():
                waiter.set_result(None)
        self._flushed.clear()

    # Ending and sending

    def _end(self, reason: DownReason, failure: HelloError) -> None:
        if self.state is LinkState.ENDED:
            return
        self.state = LinkState.ENDED
        self.down_reason = reason
        self.failure = self.failure or failure
        self._linger = None
        self._hello_timer.cancel()
        self._heartbeat.stop()
        self._release_flushed()
        self._owner.link_ended(self)

    def _break(self, error: Exception) -> None:
        """Give the link up at once: its transport can no longer be trusted to say anything."""
        self._end(DownReason.MISBEHAVED, HelloError(CloseCode.BAD_FRAME, f"transport: {place_of(error)}"))
        self.discard()

    def _ping(self, number: int) -> None:
        self._quic.send_ping(number)
        self._transmit()

    def _close_quic(self, code: CloseCode) -> None:
        self._quic.close(error_code=code)
        self._transmit()

    def _write(self, message: bytes) -> None:
        self._quic.send_stream_data(STREAM, encode_frame(message))
        self._transmit_soon()

    def _transmit_soon(self) -> None:
        if self._transmit_handle is None and not self._gone:
            self._transmit_handle = self._loop.call_soon(self._transmit)

    def _transmit(self) -> None:
        if self._transmit_handle is not None:
            self._transmit_handle.cancel()
            self._transmit_handle = None
        if self._gone:
            return
        for data, address in self._quic.datagrams_to_send(now=self._loop.time()):
            self._owner.send_datagram(data, address)
        timer_at = self._quic.get_timer()
        if self._timer is not None and self._timer_at != timer_at:
            self._timer.cancel()
            self._timer = None
        if self._timer is None and timer_at is not None:
            self._timer = self._loop.call_at(timer_at, self._on_timer)
        self._timer_at = timer_at

    def _on_timer(self) -> None:
        self._timer = None
        now = self._loop.time()
        assert self._timer_at is not None
        if now - self._timer_at > LATE_S:
            # We stood still. What the peer sent meanwhile is read first, and only then is its silence judged.
            self._timer_at = now + GRACE_AFTER_STALL_S
            self._timer = self._loop.call_at(self._timer_at, self._on_timer)
            return
        try:
            self._quic.handle_timer(now=max(now, self._timer_at))
            self._process_events()
            self._after_progress()
        except Exception as error:  # a link without its timer would never end
            self._break(error)
        else:
            self._transmit()
