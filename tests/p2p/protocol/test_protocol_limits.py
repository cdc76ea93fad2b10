"""Section 14 of docs/protocol.md states the limits that the program has, section 8 what a header holds."""

import re

from finished_table import transcript

from crypto import shares, shuffle_proof
from p2p.net import (
    discovery,
    discovery_record,
    link,
    link_door,
    link_frames,
    link_heartbeat,
    quic_socket,
    quic_tls,
)
from p2p.net.endpoint import CROSSING_S
from p2p.protocol import (
    announcing,
    archive,
    ballot,
    code_gate,
    deal_held,
    deal_sight,
    entry,
    evidence,
    gathering,
    gossip,
    guesses,
    limits,
    messages,
    neighbours,
    own_table,
    peer,
    poll_bounds,
    proposal,
    reopening,
    returning,
    seeking,
    table_answers,
    table_code,
    table_talk,
    text,
    transcript_lines,
    transcript_tail,
)
from p2p.protocol import (
    transcript as transcripts,
)
from p2p.protocol.limits import JUNK_RATE, RATES, WATCHER_RATES, Rate
from tests.protocol_page import PAGE

LIMITS = {
    "seats": f"2…{entry.MAX_SEATS}",
    "cards in a deck, slots in an entry": f"{entry.MAX_CARDS}",
    "cards in a shuffle proof, as such": f"{shuffle_proof.MAX_CARDS}",
    "pairs in a share proof, as such": f"{shares.MAX_BATCH}",
    "entry": f"{entry.MAX_ENTRY_BYTES} bytes",
    "deck in an entry": f"{entry.MAX_DECK_BYTES} bytes",
    "proof in an entry": f"{entry.MAX_PROOF_BYTES} bytes",
    "shares in an entry": f"{entry.MAX_ELEMENT_BYTES * entry.MAX_CARDS} bytes",
    "step": f"{entry.MAX_STEP}",
    "slot": f"{entry.MAX_SLOT}",
    "proposal": f"{proposal.MAX_PROPOSAL_BYTES} bytes",
    "options in a proposal": f"{proposal.MAX_OPTIONS}",
    "name, title in a proposal": f"{proposal.MAX_NAME} characters",
    "ballot, leave": f"{ballot.MAX_BALLOT_BYTES}, {ballot.MAX_LEAVE_BYTES} bytes",
    "ballots kept, beside those of complete polls": (
        f"{poll_bounds.BALLOTS_PER_SEAT} a seat and step, of {poll_bounds.POLL_STEPS_KEPT} steps"
    ),
    "held entries": f"{deal_held.HELD_PER_SEAT} a seat",
    "evidence": f"{evidence.MAX_EVIDENCE_BYTES} bytes",
    "transcript": (
        f"{transcripts.MAX_TRANSCRIPT_BYTES} bytes, {transcripts.MAX_LINES} lines, "
        f"{transcripts.MAX_TAIL_LINES} behind the entries"
    ),
    "line of a transcript": (
        f"{transcripts.MAX_LINE_BYTES} bytes, of a ballot {transcript_tail.MAX_TAIL_LINE_BYTES}"
    ),
    "frame": f"{link_frames.FRAME_LIMIT} bytes",
    "hello": f"{link.HELLO_TIMEOUT_S:g} s",
    "idle timeout": f"{quic_tls.IDLE_TIMEOUT_S:g} s",
    "ping": f"each {link_heartbeat.PING_INTERVAL_S:g} s, unanswered {link_heartbeat.PING_LIMIT_S:g} s",
    "Retry from": f"{link_door.RETRY_FROM} half-open handshakes",
    "half-open handshakes": f"{link_door.HALF_OPEN_LIMIT}, of one host {link_door.HALF_OPEN_PER_HOST}",
    "links up": f"{link_door.LINK_LIMIT}, of one host {link_door.LINKS_PER_HOST}",
    "unacknowledged bytes out": f"{link.QUEUE_LIMIT} a link",
    "messages in": f"{link.MESSAGE_RATE:.0f}/s, burst {link.MESSAGE_BURST:.0f}, a link (code 8)",
    "bytes in": f"{link.BYTE_RATE:.0f}/s, burst {link.BYTE_BURST:.0f}, a link (code 8)",
    "datagrams waiting": (
        f"{quic_socket.RECEIVE_BOUND} in, of which {quic_socket.STRANGERS_BOUND} of strangers, "
        f"{quic_socket.SEND_BOUND} out"
    ),
    "crossing links": f"{CROSSING_S:g} s",
    "TXT": f"< {discovery_record.TXT_LIMIT} bytes",
    "addresses of a record": f"{discovery_record.RECORD_ADDRESS_LIMIT}",
    "records known": f"{discovery.KNOWN_LIMIT}",
    "text in a message": f"{messages.TEXT_CHARACTERS} characters",
    "people remembered": f"{neighbours.PEOPLE_LIMIT}",
    "Presence": f"each {announcing.PRESENCE_PAUSE_S:g} s at most",
    "seat without link kept": f"{gathering.SEAT_KEPT_S:g} s",
    "signatures awaited": f"{gathering.SIGNING_S:g} s",
    "answer to Join awaited": f"{seeking.ANSWER_S:g} s, asked again each {seeking.ASK_AGAIN_S:g} s",
    "readiness taken back": f"each {peer.UNREADY_PAUSE_S:g} s at most",
    "tables of one member pointed to": f"{reopening.INVITATIONS} after a deal",
    "drafts signed and remembered": f"{seeking.SIGNED_LIMIT}",
    "guesses at a code": f"{guesses.GUESSES_PER_HOST} a minute an address, {guesses.GUESSES_IN_ALL} in all",
    "answers to guesses at work at once": f"{code_gate.ANSWERS_AT_ONCE}",
    "keys let in and remembered": f"{code_gate.ADMITTED_LIMIT}",
    "letters of a code": f"at least {table_code.CODE_LEAST}",
    "code": f"{table_code.CODE_CHARACTERS} characters, {table_code.CODE_BYTES} bytes",
    "line of talk": (
        f"{text.TALK_CHARACTERS} characters, {text.TALK_BYTES} bytes; {table_talk.LINES_KEPT} kept"
    ),
    "early messages kept": f"{own_table.EARLY_LIMIT}",
    "deals kept for those who missed them": f"{archive.DEALS_KEPT}",
    "watchers that a member feeds": f"{limits.WATCHERS_LIMIT}",
    "entries in a message": f"{messages.ENTRIES_LIMIT}",
    "bytes in an answer to Fetch": f"{deal_sight.ENTRIES_LIMIT_BYTES}",
    "digests in a Status": f"{messages.DIGESTS_LIMIT}",
    "Status": f"each {gossip.STATUS_EVERY_S:g} s; {gossip.STATUS_PAUSE_S:g} s after a change",
    "patience before a Fetch": f"{gossip.PATIENCE_S:g} s",
    "answer to Fetch awaited": f"{gossip.ANSWER_S:g} s",
    "Evidence again": f"{table_answers.EVIDENCE_AGAIN_S:g} s",
    "ballots in a message": f"{messages.BALLOTS_LIMIT}",
    "Formed again": f"{gossip.FORMED_AGAIN_S:g} s",
    "told that he is behind": f"each {gossip.TOLD_AGAIN_S:g} s at most",
    "half of the others heard after a return": f"{returning.PATIENCE_S:g} s",
    "notes in a Watched": f"{messages.NOTES_LIMIT}",
}
"""As the page words them."""


def cells(section: str, width: int) -> list[tuple[str, ...]]:
    """All groups of so many cells in the rows of the section's tables."""
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    found = [
        tuple(cell.strip() for cell in row[at : at + width])
        for row in rows
        for at in range(0, len(row), width)
    ]
    return [group for group in found if group[0]]


def section(number: int) -> str:
    page = PAGE.read_text(encoding="utf-8")
    return page.split(f"\n## {number}. ")[1].split("\n## ")[0]


def test_the_page_states_the_limits_of_the_program() -> None:
    limits_table, _, rates_table = section(14).partition("Messages of one kind")
    stated = {
        name: value for name, value in cells(limits_table, 2) if value and not name.startswith(("**", "--"))
    }
    assert {name: stated.get(name) for name in LIMITS} == LIMITS
    # These stand in no constant as the page writes them.
    assert stated.keys() - LIMITS.keys() == {"limit", "frame during the hello", "deal", "hint"}
    rates = {kind.__name__: rate for kind, rate in RATES.items()}
    rates |= {f"*of a watcher:* {kind.__name__}": rate for kind, rate in WATCHER_RATES.items()}
    told = {
        name: Rate(float(burst), float(each))
        for name, burst, each in cells(rates_table, 3)
        if re.fullmatch(r"[0-9.]+", burst)
    }
    assert told == rates
    assert f"{JUNK_RATE.burst}, then {JUNK_RATE.each_second} a second" in rates_table


def test_the_page_names_every_field_of_a_transcripts_header() -> None:
    header = transcript().splitlines()[0].decode("ascii")
    plain = section(8).split("```")[1]

    def names(text: str) -> set[str]:
        return set(re.findall(r'"(\w+)":', re.sub(r'"rules":\{.*?\}', '"rules":{}', text, flags=re.DOTALL)))

    of_follows = {"key", "losses", "wins", "table", "standings"}
    assert names(plain) - of_follows == names(header) - of_follows
    assert transcript_lines.FORMAT_VERSION == 1
