"""What a link asks of the endpoint that holds it."""

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from p2p.net.link import Link


class LinkOwner(Protocol):
    """What a link asks of its endpoint. All calls come from the event loop."""

    def send_datagram(self, data: bytes, address: Any) -> None:
        """Send it, or lose it."""

    def id_issued(self, link: "Link", connection_id: bytes) -> None:
        """From now on datagrams with this destination id are this link's."""

    def id_retired(self, link: "Link", connection_id: bytes) -> None:
        """Datagrams with this id are nobody's any more."""

    def link_proven(self, link: "Link") -> None:
        """`link.remote` is proven. Raises: HelloError to refuse the link."""

    def link_up(self, link: "Link") -> None:
        """The hello is done on our side."""

    def link_message(self, link: "Link", message: bytes) -> None:
        """A message of 1 to FRAME_LIMIT bytes arrived."""

    def link_ended(self, link: "Link") -> None:
        """Called once. `link.down_reason` and `link.failure` say why; ids are still routed until
        `link_gone`.
        """

    def link_gone(self, link: "Link") -> None:
        """QUIC has nothing more to say for this link."""
