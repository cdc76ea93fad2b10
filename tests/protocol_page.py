"""The worked examples of docs/protocol.md that depend on the proposal, made anew.

`python -m tests.protocol_page` writes them into the page; a test holds the page to them.

Each example is a line that is told by how it begins and by the heading above it.
"""

import re
from pathlib import Path
from typing import Final

from crypto import (
    Ciphertext,
    Context,
    Identity,
    Ristretto255,
    Stream,
    card_element,
    commit,
    first_deck,
    mask,
    remask,
    share,
    verify_key,
    verify_shares,
    verify_shuffle,
)
from crypto.shares import context_string, generate_proof
from crypto.shuffle import prove_shuffle
from crypto.shuffle_proof import ShuffleTranscript
from crypto.transcript import Transcript
from engine import Ruleset
from p2p.protocol.ballot import AbsentAnswer, Ballot, Leave, Poll, sign_ballot, sign_leave
from p2p.protocol.books import Wish, sign_wish
from p2p.protocol.deal_terms import DealTerms, Setup
from p2p.protocol.entry import CommitBody, Entry, sign_entry
from p2p.protocol.hashing import head_after_deal, head_after_void, next_head
from p2p.protocol.messages import Fetch, Status, Talk
from p2p.protocol.messages import encode as encode_message
from p2p.protocol.proposal import Member, Proposal, SignedProposal, sign_proposal
from p2p.protocol.talk import Remark
from p2p.protocol.transcript_lines import entry_line, spell
from p2p.protocol.wire import encode

PAGE: Final = Path(__file__).parent.parent / "docs" / "protocol.md"

GROUP = Ristretto255()
ANN, BORIS = Identity(b"\x01" * 32), Identity(b"\x02" * 32)

Examples = dict[str, list[tuple[str, str]]]
"""By heading: how the line begins, and the whole line."""


def terms() -> DealTerms:
    """The first deal of the page's table."""
    members = (Member(ANN.public, b"\x21" * 32, "Ann"), Member(BORIS.public, b"\x22" * 32, "Борис"))
    proposal = Proposal.make(b"\x10" * 16, "Kitchen", Ruleset.preset("pagat"), members).encode()
    return DealTerms.first(
        SignedProposal(proposal, tuple(sign_proposal(who, proposal) for who in (ANN, BORIS)))
    )


def short(data: bytes) -> str:
    """A long value, its middle left out."""
    return f"{data.hex()[:8]}…{data.hex()[-4:]}"


def named(width: int, *lines: tuple[str, bytes | str]) -> list[tuple[str, str]]:
    """Lines of a name and a value in two columns."""
    texts = [(name, value if isinstance(value, str) else value.hex()) for name, value in lines]
    return [(f"{name:{width}}", f"{name:{width}}{text}") for name, text in texts]


def examples() -> Examples:
    """All examples that depend on the proposal, and on how deals follow one another."""
    return {
        "### Proposal": _proposal(),
        "### Commit, entry, head": _entry(),
        "### Cards, shares and proofs": [*_proofs(), *_shuffle()],
        "### Ballot, leave and wish": _votes(),
        "### Hello and messages": _messages(),
    }


def _proposal() -> list[tuple[str, str]]:
    signed = terms().proposal
    options = signed.open().options
    start = (
        "Offer id 16 bytes `10`, title `Kitchen`, the preset pagat as it is, the usual table rules, nonces "
        "32 bytes `21` and `22`. "
    )
    rest = "bytes; the gap holds the other options, ascending."
    shown = " ".join(encode(option).hex() for option in options[:3])
    return [
        (start, f"{start}{len(signed.proposal)} {rest}"),
        ("dc00", f"{encode(options).hex()[:6]} {shown} … {encode(options[-1]).hex()}"),
        *named(
            17,
            ("table id", terms().table.table_id),
            ("Ann's signature", signed.signatures[0]),
            ("Борис's", signed.signatures[1]),
        ),
    ]


def _context(step: int, seat: int, previous: bytes) -> Context:
    return Context(GROUP.name, terms().table.table_id, 1, step, seat, previous)


def _entry() -> list[tuple[str, str]]:
    head = terms().first_head
    context, public = _context(0, 0, head), GROUP.base_multiply(GROUP.scalar(7))
    commitment = commit(b"opening", context, public.encode() + b"\x31" * 32, b"\x41" * 32)
    entry = Entry(head, 1, 0, 0, head, CommitBody(commitment))
    signed = sign_entry(ANN, entry)
    other = Entry(head, 1, 0, 1, head, CommitBody(b"\x55" * 32))
    after = next_head(head, (signed.entry, other.encode()))
    spelt = f"96 c420 {short(head)} 01 00 00 c420 {short(head)} 92 a6636f6d6d6974 c420 {short(commitment)}"
    players, setup = encode((0, 2, 3)), encode(Setup((2, 0, 1), 0))
    six = b"\x61" * 32
    return [
        *named(
            22,
            ("ctx (step 0, seat 0)", context.digest()),
            ("7·G", public.encode()),
            ("commitment", commitment),
            (f"entry, {len(signed.entry)} bytes", spelt),
            ("signature", signed.signature),
        ),
        (
            "If Борис's commitment is",
            "If Борис's commitment is 32 bytes `55` (his entry the same but for seat `01` and the "
            f"commitment), the head of step 1 is `{after.hex()}`. The line of Ann's entry in a transcript:",
        ),
        ('{"step":0', spell(entry_line(entry, signed.signature, None, accused=False)).decode().strip()),
        (
            "Players 0, 2, 3:",
            f"Players 0, 2, 3: `{players.hex()}`. Setup with order 2, 0, 1 (so table seats 3, 0, 2) and "
            f"dealer 0: `{setup.hex()}`. With 32 bytes `61` for the head: "
            '`H("next", head, Players, Setup)` = '
            f'`{head_after_deal(six, players, setup).hex()}`, `H("after void", head, Players, "")` = '
            f"`{head_after_void(six, players, b'').hex()}`.",
        ),
    ]


def _proofs() -> list[tuple[str, str]]:
    context, secret = _context(0, 0, terms().first_head), GROUP.scalar(7)
    public = GROUP.base_multiply(secret)
    nonce = GROUP.base_multiply(GROUP.scalar(9))
    transcript = Transcript(b"key proof", GROUP, context)
    transcript.append_element(b"public", public)
    transcript.append_element(b"R", nonce)
    challenge = transcript.challenge(b"c")
    answer = GROUP.encode_scalar(GROUP.scalar(9 + challenge * 7))
    verify_key(GROUP, public, nonce.encode() + answer, context)
    card = mask(GROUP, public, card_element(GROUP, b"QS"), GROUP.scalar(5))
    part = share(GROUP, secret, card)
    bound = context_string(context, public, [card.first], [part])
    proof = generate_proof(GROUP, bound, secret, public, [card.first], [part], GROUP.scalar(11))
    verify_shares(GROUP, public, (card,), (part,), proof, context)
    return named(
        9,
        ("  c", GROUP.encode_scalar(challenge)),
        ("  R ‖ s", f"{nonce.encode().hex()} {answer.hex()}"),
        ("  cs", f"{bound[:16].hex()} {bound[16:].hex()}"),
        ("  c ‖ s", f"{proof[:32].hex()} {proof[32:].hex()}"),
    )


def _shuffle() -> list[tuple[str, str]]:
    context = _context(2, 0, b"\x91" * 32)
    key, deck = GROUP.base_multiply(GROUP.scalar(12)), first_deck(GROUP, [b"QS", b"10D"])
    masks = (GROUP.scalar(3), GROUP.scalar(4))
    new = tuple(remask(GROUP, key, deck[place], r) for place, r in zip((1, 0), masks, strict=True))
    stream = Stream(b"example", b"\x92" * 32)
    proof = prove_shuffle(GROUP, key, deck, new, (1, 0), masks, context, stream)
    verify_shuffle(GROUP, key, deck, new, proof.encode(GROUP), context, bytes(range(64)), first_deck=True)
    transcript = ShuffleTranscript(GROUP, key, deck, new, context)
    t = transcript.permutation_challenges(proof.c, proof.c_d, Ciphertext(proof.e_d_first, proof.e_d_second))
    lambda_, x = transcript.content_challenges(proof.f, proof.Z)
    w = transcript.final_challenge(proof.c_1, proof.c_2, proof.c_3)
    elements = ("c", "c_d", "E_d.first", "E_d.second", "c_1", "c_2", "c_3")
    points = (proof.c, proof.c_d, proof.e_d_first, proof.e_d_second, proof.c_1, proof.c_2, proof.c_3)
    names = ("f_1", "f_2", "g_1", "g_2", "h_1", "Z", "z", "z_h", "t_1", "t_2", "lambda", "x", "w")
    scalars = (*proof.f, *proof.g, *proof.h, proof.Z, proof.z, proof.z_h, *t, lambda_, x, w)
    return [
        *named(8, ("ctx", context.digest()), ("Y", key.encode())),
        *named(
            8,
            *(
                (f"E_{number}", f"{card.first.encode().hex()} {card.second.encode().hex()}")
                for number, card in enumerate(new, 1)
            ),
        ),
        *named(12, *((name, point.encode()) for name, point in zip(elements, points, strict=True))),
        *named(12, *((name, GROUP.encode_scalar(s)) for name, s in zip(names, scalars, strict=True))),
    ]


def _messages() -> list[tuple[str, str]]:
    table = terms().table.table_id
    status = encode_message(Status(table, 1, 3, b"\x81" * 32, (b"\x82" * 32,), 5, None, 6))
    fetch = encode_message(Fetch(table, 1, 3, 5))
    line, remark = (encode_message(Talk(b"\x10" * 16, said)) for said in ("Хм", Remark.WELL_PLAYED))
    assert status == bytes.fromhex(f"990cc420{table.hex()}0103c420{'81' * 32}91c420{'82' * 32}05c006")
    assert line == bytes.fromhex(f"9315c410{'10' * 16}a4{'Хм'.encode().hex()}")
    assert remark == bytes.fromhex(f"9315c410{'10' * 16}04")
    assert fetch == bytes.fromhex(f"950dc420{table.hex()}010305")
    return named(
        40,
        (
            "Status, deal 1, step 3, seats 0 and 2",
            f"99 0c c420 {short(table)} 01 03 c420 81…81 91 c420 82…82 05 c0 06",
        ),
        ("Fetch of the same", f"95 0d c420 {short(table)} 01 03 05"),
        ("Talk, the line Хм", f"93 15 c410 10…10 a4 {'Хм'.encode().hex()}"),
        ("Talk, the remark “well played”", "93 15 c410 10…10 04"),
    )


def _votes() -> list[tuple[str, str]]:
    """Ann misses Борис, who then leaves; at a table of two no more comes of it."""
    table = terms().table.table_id
    poll = Poll(1, 0, (1,), (), ())
    ballot = Ballot(table, 1, 3, b"\x81" * 32, 0, poll, AbsentAnswer())
    leave = Leave(table, 1, 1)
    wish = sign_wish(ANN, Wish(table, 1, b"\x82" * 32, 0))
    said, left = sign_ballot(ANN, ballot), sign_leave(BORIS, leave)
    assert wish.wish == bytes.fromhex(f"94c420{table.hex()}01c420{'82' * 32}00")
    assert said.ballot == bytes.fromhex(
        f"97c420{table.hex()}0103c420{'81' * 32}00950100910190" + "90" + f"91a6{b'absent'.hex()}"
    )
    assert left.leave == bytes.fromhex(f"93c420{table.hex()}0101")
    return named(
        40,
        (
            "Ballot of Ann, absent",
            f"97 c420 {short(table)} 01 03 c420 81…81 00 95 01 00 91 01 90 90 91 a6 {b'absent'.hex()}",
        ),
        ("its signature", said.signature),
        ("Leave of Борис", f"93 c420 {short(table)} 01 01"),
        ("signature of that", left.signature),
        ("Wish of Ann, final head 32 bytes 82", f"94 c420 {short(table)} 01 c420 82…82 00"),
        ("signature under it", wish.signature),
    )


def rewritten(page: str) -> str:
    """The page with every example as it is now.

    Raises: LookupError if an example has no place, or more than one.
    """
    for heading, lines in examples().items():
        before, found, after = page.partition(f"\n{heading}\n")
        if not found:
            raise LookupError(heading)
        section, divider, rest = (
            re.split(r"(\n##)", after, maxsplit=1) if "\n##" in after else (after, "", "")
        )
        for start, line in lines:
            pattern = re.compile(rf"^{re.escape(start)}.*$", re.MULTILINE)
            section, count = pattern.subn(lambda _, line=line: line, section)
            if count != 1:
                raise LookupError(f"{heading}: {start!r} stands there {count} times")
        page = before + found + section + divider + rest
    return page


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
