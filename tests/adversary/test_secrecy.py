"""What nobody may learn: hand cards, for a spectator or for all others together, and secrets, from anything
that is published, logged or stored.
"""

import base64
import logging
import pickle
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from deal_players import Table, run_job, table_of
from memory_table import MemoryNetwork, Player
from node_tables import TITLE, nodes, play

from crypto import Element, Ristretto255, Stream, card_element, share
from engine import Card, Slot
from p2p.net.headless import BotConfig
from p2p.protocol.deal_own import DealSecrets
from p2p.protocol.effects import Effect, Run
from p2p.protocol.entry import Kind
from p2p.protocol.ledger import DealState, Phase, card_value
from p2p.protocol.messages import Entries, decode
from p2p.protocol.snapshot import Phase as TablePhase
from p2p.protocol.transcript import write_transcript

Check = Callable[[Table], None]


def at_every_move(table: Table, check: Check) -> None:
    """Play a deal to its end and check something between all moves."""
    table.start()
    check(table)
    for _ in range(400):
        table.deliver()
        check(table)
        if not table.move():
            break
    assert table.deals[0].outcome is not None


def owners(state: DealState) -> dict[Slot, int]:
    """Whose each card is that lies in a hand, or in a packet that nobody has opened."""
    assert state.game is not None
    held = {slot: int(seat) for seat in state.game.order for slot in state.game.hand_of(seat)}
    held |= {slot: int(packet.owner) for packet in state.game.table for slot in packet.slots}
    return {slot: seat for slot, seat in held.items() if state.cards.cards[slot].face is None}


def read(state: DealState, slot: Slot, more: Iterable[Element] = ()) -> Card | None:
    """The card that the published shares and `more` open, if they open one."""
    published = state.cards.cards[slot].shares
    more = tuple(more)
    if not published and not more:
        return None
    return state.frame.faces.get(state.cards.opened(slot, more))


def test_a_spectator_who_collects_every_share_opens_no_hand_and_no_packet() -> None:
    table = table_of(3, seed=3, watchers=1)
    looked = 0

    def nothing_opens(table: Table) -> None:
        nonlocal looked
        watcher = table.deals[3]
        state = watcher.public_state
        if state.game is None:
            return
        for slot in owners(state):
            looked += 1
            assert read(state, slot) is None
        assert watcher.view is not None
        assert not set(owners(state)) & set(watcher.view.faces)

    at_every_move(table, nothing_opens)
    assert looked > 500


def test_all_others_together_cannot_read_a_hand_or_a_packet_or_the_burned_card() -> None:
    """Everybody but one pools the secrets. The one who is left can read just his own cards."""
    table = table_of(3, seed=3)
    keys = [deal._secrets.key for deal in table.deals if deal._secrets is not None]
    own_cards = 0

    def only_the_owner(table: Table) -> None:
        nonlocal own_cards
        state = table.deals[0].public_state
        if state.game is None or state.phase is Phase.OVER:
            return
        for slot, owner in owners(state).items():
            card = state.cards.cards[slot]
            shares = {seat: share(table.group, keys[seat].secret, card.ciphertext) for seat in range(3)}
            others = [shares[seat] for seat in range(3) if seat != owner and seat not in card.shares]
            assert read(state, slot, others) is None
            if len(card.shares) == 2:
                assert read(state, slot, [shares[owner]]) == table.deals[owner].view.faces[slot]
                own_cards += 1
        for slot in state.game.burned:
            card = state.cards.cards[slot]
            assert not card.shares
            for absent in range(3):
                pooled = [
                    share(table.group, keys[s].secret, card.ciphertext) for s in range(3) if s != absent
                ]
                assert read(state, slot, pooled) is None

    at_every_move(table, only_the_owner)
    assert table.deals[0].state is not None
    assert table.deals[0].state.burned
    assert own_cards > 500


def spellings(secret: bytes) -> list[bytes]:
    """The ways in which a program might write 32 bytes down: raw, hexadecimal, base 64, as a number."""
    found = [secret, secret[::-1]]
    for one in (secret, secret[::-1]):
        found += [one.hex().encode(), one.hex().upper().encode()]
        found += [str(int.from_bytes(one, "big")).encode(), repr(one)[2:-1].encode()]
        for shift in range(3):
            text = base64.b64encode(bytes(shift) + one).rstrip(b"=")[4 if shift else 0 : -2]
            found += [text, text.translate(bytes.maketrans(b"+/", b"-_"))]
    return found


def found_in(data: bytes, secrets: Iterable[bytes]) -> list[bytes]:
    """Which of the secrets stand in some spelling in the data."""
    return [secret for secret in secrets if any(spelling in data for spelling in spellings(secret))]


def test_the_search_finds_what_is_written_in_any_spelling() -> None:
    secret = bytes(range(7, 39))
    for text in (
        secret,
        b"x" + secret.hex().encode(),
        repr({"key": secret}).encode(),
        base64.b64encode(b"ab" + secret + b"cd"),
        base64.b64encode(b"a" + secret + b"cd"),
        str(int.from_bytes(secret, "little")).encode(),
    ):
        assert found_in(text, [secret]) == [secret]
    assert found_in(bytes(1000), [secret]) == []


def test_nothing_that_a_table_publishes_or_shows_holds_a_secret_or_a_card_that_was_never_shown() -> None:
    """Every byte on the wire, every event and picture for the screen, all journalled entries, transcripts."""
    network = MemoryNetwork(3, seed=4, group=Ristretto255(), audits=True)
    published, shown = bytearray(), bytearray()
    first_open = 0
    streams: set[bytes] = set()
    carry_out = network.carry_out

    def on_message(_sender: Player, _receiver: Player, message: bytes) -> bytes:
        nonlocal first_open
        decoded = decode(message)
        if not first_open and isinstance(decoded, Entries):
            opens = any(signed.open().kind is Kind.OPEN for signed in decoded.entries)
            first_open = len(published) if opens else 0
        published.extend(message)
        return message

    def watch(player: Player, effects: tuple[object, ...]) -> None:
        for effect in effects:
            shown.extend(repr(effect).encode())
            job = getattr(effect, "job", None)
            arguments = () if job is None else job.args
            streams.update(one.seed for one in arguments if isinstance(one, Stream))
        carry_out(player, effects)

    network.on_message = on_message
    network.carry_out = watch
    network.seat_bots("honest")
    assert network.gather()
    group = Ristretto255()
    held = [player.peer._table.deals.current.deal._secrets for player in network.players]
    keys = [group.encode_scalar(one.key.secret) for one in held if one is not None]
    assert len(keys) == 3
    over = network.run(lambda: network.all_in(TablePhase.OVER), seconds=900)
    assert over
    network.run(seconds=3)
    for player in network.players:
        shown.extend(repr((player.table, player.lobby, player.peer.junk, player.identity)).encode())
        published.extend(player.peer.transcript() or b"")
        published.extend(b"".join(sorted(player.disk.entries)))
        assert player.disk.secrets == {}
    secrets = [*keys, *(player.identity.seed for player in network.players), *streams]
    assert len(streams) > 20
    assert found_in(bytes(published), secrets) == []
    assert found_in(bytes(shown), secrets) == []
    # The coins and blindings are to be published, but only once every seat is committed.
    assert first_open
    coins = [part for one in held if one is not None for part in (one.coin, one.blinding)]
    assert found_in(bytes(published[:first_open]), coins) == []
    assert sorted(found_in(bytes(published), coins)) == sorted(coins)
    assert never_shown(network, bytes(published), group)


def never_shown(network: MemoryNetwork, published: bytes, group: Ristretto255) -> list[Card]:
    """The cards that were in no packet or set that was opened, after checking that none stands anywhere."""
    state = network.players[0].peer._table.deals.current.deal.public_state
    opened = {card.face for card in state.cards.cards.values()}
    closed = [card for card in state.frame.faces.values() if card not in opened]
    assert found_in(published, [card_element(group, card_value(card)).encode() for card in closed]) == []
    return closed


def test_a_transcript_names_the_cards_that_were_opened_and_no_other() -> None:
    table = table_of(3, seed=3)
    table.start()
    table.play()
    text = write_transcript(table.deals[0]).decode()
    state = table.deals[0].public_state
    named = {
        Card.parse(card)
        for cards in re.findall(r'"cards":\[([^\]]*)\]', text)
        for card in re.findall(r'"([^"]+)"', cards)
    }
    assert named == {card.face for card in state.cards.cards.values() if card.face is not None}
    assert len(named) < len(state.frame.faces)


def test_proofs_in_the_making_and_their_failures_show_no_secret() -> None:
    """What a crash would print: the texts of jobs, of their arguments' errors, and of the whole deal."""
    table = table_of(2, seed=1, group=Ristretto255())
    shown = bytearray()
    secrets = {
        table.group.encode_scalar(deal._secrets.key.secret)
        for deal in table.deals
        if deal._secrets is not None
    }

    def watch(_index: int, effect: Effect) -> None:
        shown.extend(repr(effect).encode())
        if isinstance(effect, Run):
            secrets.update(one.seed for one in effect.job.args if isinstance(one, Stream))
            broken = pickle.loads(pickle.dumps(effect.job))
            object.__setattr__(broken, "args", broken.args[:-1])
            try:
                run_job(broken)
            except TypeError as error:
                shown.extend(repr(error).encode())

    table.watch = watch
    table.start()
    for deal in table.deals:
        shown.extend(repr(vars(deal)).encode())
    assert len(secrets) > 6
    assert found_in(bytes(shown), secrets) == []


def contents(folder: Path) -> dict[Path, bytes]:
    """All files below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.network
async def test_the_fullest_log_and_all_files_of_a_real_deal_hold_no_secret_and_no_card(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two programs over real sockets. Once the deal is over, its keys are not even in their own stores."""
    made: list[DealSecrets] = []
    make = DealSecrets.make

    def noted(group: Ristretto255, draw: Callable[[int], bytes]) -> DealSecrets:
        made.append(make(group, draw))
        return made[-1]

    monkeypatch.setattr(DealSecrets, "make", noted)
    events: list[list[dict[str, object]]] = []
    with caplog.at_level(logging.DEBUG):
        async with nodes(tmp_path / "home", 2) as running:
            seeds = [node._endpoint.identity.seed for node in running]
            await play(running, BotConfig(TITLE, transcript=tmp_path / "deal"), events)
    group = Ristretto255()
    keys = [group.encode_scalar(one.key.secret) for one in made]
    assert len(keys) >= 2
    log = caplog.text.encode() + repr(events).encode()
    assert found_in(log, [*keys, *seeds, *(one.blinding for one in made)]) == []
    assert not re.search(r"\b(?:10|[2-9JQKA])[SHDC]\b", caplog.text)
    files = contents(tmp_path)
    assert {"main.sqlite", "main-2.sqlite", "deal.0.jsonl", "deal.1.jsonl"} <= {path.name for path in files}
    for path, content in files.items():
        assert found_in(content, keys) == [], path.name
