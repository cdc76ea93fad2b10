"""`python -m tests.fuzz.make_corpus`: write the good samples of every target anew, from real deals.

To be run when a format changes. Samples that once broke something (`found-*`) are kept.
"""

import json
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from tests.fuzz.targets import CERTIFICATE, CORPUS  # isort: skip - it makes the helpers known

import msgspec
from deal_players import seeded_draw
from memory_table import MemoryNetwork, Player
from message_samples import samples as message_samples
from private_table import CODE

from crypto import Ciphertext, Identity, Ristretto255, ask_password, encode_deck, mask
from crypto.elgamal import card_element
from engine import Ruleset
from engine.notation import state_to_text
from engine.rules import PRESETS
from p2p.net.discovery_record import Hints, pack_hints
from p2p.net.hello import Hello, Role
from p2p.net.link_frames import encode_frame
from p2p.net.store import DealEnd, JournalBatch, JournalEntry, open_store
from p2p.protocol.ballot import (
    AbsentAnswer,
    Answer,
    Ballot,
    HereAnswer,
    Leave,
    Poll,
    SeeAnswer,
    sign_leave,
)
from p2p.protocol.deal_own import DealSecrets
from p2p.protocol.entry import SignedEntry
from p2p.protocol.evidence import Evidence
from p2p.protocol.messages import Draft, Entries, Formed, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase

MOST_OF_A_KIND = 3
MOST_SAMPLE_BYTES = 12_000

Samples = dict[str, dict[str, bytes]]


def main() -> None:
    """Write all folders."""
    found: Samples = defaultdict(dict)
    network = _played(found)
    _of_a_deal(found, network)
    _hellos(found)
    _texts(found)
    _votes(found)
    for message in message_samples():
        found["messages"][f"sample-{type(message).__name__}"] = encode(message)
    some = list(found["messages"].values())
    found["frames"] = {"stream": b"".join(map(encode_frame, some)), "one": encode_frame(some[0])}
    for target, samples in found.items():
        folder = CORPUS / target
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("good-*"):
            old.unlink()
        for name, data in samples.items():
            (folder / f"good-{name}").write_bytes(data)
    total = sum(len(data) for samples in found.values() for data in samples.values())
    print(f"{len(found)} targets, {total} bytes")


def _played(found: Samples) -> MemoryNetwork:
    """One deal of three at a private table, from the lobby to its end; what travelled goes to `messages`."""
    network = MemoryNetwork(3, seed=5)
    kinds: Counter[str] = Counter()

    def note(_sender: Player, _receiver: Player, message: bytes) -> bytes:
        word = decode(message)
        kind = type(word).__name__
        if isinstance(word, Entries):
            kind += "-" + "-".join(dict.fromkeys(signed.open().kind.value for signed in word.entries))
        if kinds[kind] < MOST_OF_A_KIND and len(message) <= MOST_SAMPLE_BYTES:
            found["messages"][f"{kind}-{kinds[kind]}"] = message
            kinds[kind] += 1
        if isinstance(word, Entries):
            for signed in word.entries:
                if len(signed.entry) <= MOST_SAMPLE_BYTES:
                    found["entries"][signed.open().kind.value] = signed.entry
                    found["signed-entries"][signed.open().kind.value] = msgspec.msgpack.encode(signed)
        elif isinstance(word, Draft):
            found["proposals"]["real"] = word.proposal
        elif isinstance(word, Formed):
            found["signed-proposals"]["real"] = msgspec.msgpack.encode(word.signed)
        return message

    network.on_message = note
    network.seat_bots("random")
    network.do(0, Peer.open_table, "Кухня", Ruleset.preset("pagat"), 3, code=CODE)
    network.run(lambda: all(player.lobby.offers for player in network.players), seconds=5)
    offer = network.players[0].lobby.offers[0]
    for index in (1, 2):
        network.do(index, Peer.join, offer.opener, offer.offer_id, code=CODE)
    network.run(
        lambda: all(one.peer.table and len(one.table.members) == 3 for one in network.players), seconds=5
    )
    for index in range(3):
        network.do(index, Peer.set_ready, True)
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=60)
    states = found["states"]
    while not network.all_in(Phase.OVER):
        view = network.players[0].table.view
        if view is not None and len(states) < 8:
            states[str(len(states))] = state_to_text(view.state).encode()
        network.run(seconds=2)
    return network


def _votes(found: Samples) -> None:
    """A ballot of each kind, and a leave."""
    entry = SignedEntry(found["entries"]["seal"], bytes(64))
    answers: dict[str, Answer] = {
        "absent": AbsentAnswer(),
        "here": HereAnswer((entry,)),
        "see": SeeAnswer(1, 0, (1,)),
    }
    poll = Poll(2, 2, (1,), (3,), (0,))
    for name, answer in answers.items():
        found["ballots"][name] = Ballot(bytes(32), 1, 27, bytes(32), 2, poll, answer).encode()
    identity = Identity(bytes(32))
    found["leaves"]["real"] = sign_leave(identity, Leave(bytes(32), 1, 2)).leave


def _of_a_deal(found: Samples, network: MemoryNetwork) -> None:
    """What a deal leaves behind: terms, evidence, transcripts, a store."""
    player = network.players[0]
    written = player.peer.transcript()
    assert written is not None
    lines = written.split(b"\n")
    found["transcripts"] = {
        "whole": written,
        "unfinished": b"\n".join(lines[:9]) + b"\n",
        "header": lines[0] + b"\n",
    }
    table = player.peer._table
    assert table is not None
    deal = table.deals.current.deal
    found["terms"]["real"] = deal.terms.encode()
    ledger = [signed for keep in player.disk.keeps for signed in keep.store.entries]
    found["evidence"]["fork"] = Evidence(1, "fork", deal.terms, (), tuple(ledger[:2])).encode()
    found["evidence"]["breach"] = Evidence(
        1, "key.equation", deal.terms, tuple(ledger[:9]), (ledger[9],)
    ).encode()
    secrets = DealSecrets.make(Ristretto255(), seeded_draw("secrets")).encode(Ristretto255())
    found["secrets"]["real"] = secrets
    table_id, terms = player.disk.keeps[0].table_id, deal.terms.encode()
    entries = tuple(
        JournalEntry(signed.open().step, signed.open().seat, msgspec.msgpack.encode(signed), own=False)
        for signed in ledger[:40]
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile.sqlite"
        store, _ = open_store(path)
        store.remember_peers([(one.peer.key, f"Player {one.index}", None) for one in network.players], 1e9)
        for number in (1, 2):
            batch = JournalBatch(table_id, number, terms, entries, (("deal", secrets),))
            store.write([batch], 1e9)
        store.end_deal(table_id, 1, DealEnd("pagat", "finished", "Кухня", "packs=2"), 1e9)
        store.close()
        found["stores"]["two-deals"] = path.read_bytes()


def _hellos(found: Samples) -> None:
    """Both sides of the hello that the targets have in mind."""
    server = Hello(Role.SERVER, Identity(b"\1" * 32), b"i" * 16, b"n" * 32)
    client = Hello(Role.CLIENT, Identity(b"\2" * 32), b"j" * 16, b"m" * 32)
    [opening] = client.start()
    for reply in server.receive(opening, CERTIFICATE):
        client.receive(reply, CERTIFICATE)
    found["hello-server"]["opening"] = opening
    found["hello-proof"]["proof"] = client.prove(CERTIFICATE)
    other = Hello(Role.SERVER, Identity(b"\3" * 32), b"i" * 16, b"n" * 32)
    found["hello-client"]["opening"] = other.receive(opening, CERTIFICATE)[0]


def _texts(found: Samples) -> None:
    """Texts, records, rules, positions, decks."""
    names = ("Vera", "Вера Николаевна", "Zoë 🂡", "[b]x[/]", "a" * 24)
    for number, name in enumerate(names):
        found["names"][str(number)] = found["own-texts"][str(number)] = name.encode()
    for number, code in enumerate(("4821 9037", "красный кот", "Correct horse, battery!")):
        found["codes"][str(number)] = code.encode()
    for number, address in enumerate(
        ("192.168.1.23:52417", "[2001:db8::1]:1", "host.local:65535", "127.0.0.1:9")
    ):
        found["addresses"][str(number)] = address.encode()
    for number, hints in enumerate((Hints(1, "Вера", "Кухня", "2/4"), Hints(65535, "a" * 60), Hints(1))):
        items = [f"{key}={value}".encode() for key, value in pack_hints(hints).items()]
        found["hints"][str(number)] = b"".join(bytes([len(item)]) + item for item in items)
    for form in PRESETS:
        found["rules"][form] = msgspec.msgpack.encode(Ruleset.preset(form).to_mapping())
    for file in sorted((CORPUS.parents[1] / "positions").glob("*.json"))[::9]:
        position: Any = json.loads(file.read_text(encoding="utf-8"))
        found["positions"][file.stem] = json.dumps(position, separators=(",", ":")).encode()
    moves = (
        "2 lay 4,17 Q 2 out",
        "0 ne_veryu 1",
        "0 answer 0 ne_veryu",
        "2 reveal 4,17 QS,7C",
        "3 draw_index 3",
    )
    for number, move in enumerate(moves):
        found["moves"][str(number)] = move.encode()
    group = Ristretto255()
    key = group.base_multiply(group.decode_scalar((7).to_bytes(32, "little")))
    deck: list[Ciphertext] = [
        mask(
            group,
            key,
            card_element(group, str(card).encode()),
            group.decode_scalar((card + 2).to_bytes(32, "little")),
        )
        for card in range(52)
    ]
    found["decks"]["52"] = encode_deck(deck)
    found["password-elements"]["real"] = ask_password(b"p" * 32, b"a", b"b", b"t" * 32)


if __name__ == "__main__":
    main()
