"""Tables with a code: who knows it gets in, both sides show that they do, and nobody can guess for long."""

import pytest
from memory_table import MemoryNetwork
from msgspec.structs import replace
from private_table import CODE, PAGAT, WRONG, at_table, join, opened, overheard, refusal

from p2p.protocol.guesses import GUESSES_IN_ALL, GUESSES_PER_HOST, MINUTE_S
from p2p.protocol.messages import (
    CodeAnswer,
    CodeProof,
    CodeShare,
    Join,
    Roster,
    RosterSeat,
    Withdraw,
    decode,
    encode,
)
from p2p.protocol.peer import Peer
from p2p.protocol.peer_effects import Run
from p2p.protocol.snapshot import ClosedBecause, JoinRefused, OfferStatus, Phase, RefusedJoin, TableClosed
from p2p.protocol.table_code import own_code
from p2p.protocol.table_rules import USUAL

# The way in


@pytest.mark.parametrize("seed", range(5))
def test_who_knows_the_code_gets_in_and_the_table_is_formed(seed: int) -> None:
    network, offer = opened(4, 4, seed=seed)
    assert offer.needs_code
    for index in (1, 2, 3):
        join(network, index, offer, own_code(" 48219037 "))
    assert network.run(lambda: all(len(at_table(network, one)) == 4 for one in range(4)), seconds=5)
    for index in range(4):
        network.do(index, Peer.set_ready, True)
    players = network.players
    assert network.run(lambda: all(one.table.table_id is not None for one in players), seconds=10)


def test_the_code_is_shown_to_its_opener_alone_and_only_while_the_table_gathers() -> None:
    network, offer = opened(2, 2)
    join(network, 1, offer)
    assert network.run(lambda: at_table(network, 1) == {0, 1}, seconds=5)
    assert network.players[0].table.code == CODE
    assert network.players[1].table.code is None
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=60)
    network.run(seconds=1)
    assert network.players[0].table.code is None
    (playing,) = network.players[1].lobby.offers
    assert (playing.needs_code, playing.status) == (True, OfferStatus.PLAYING)


def test_a_wrong_code_is_told_at_once_with_the_tries_that_are_left_and_the_right_one_still_works() -> None:
    network, offer = opened(2, 3)
    for tried in (1, 2, 3):
        join(network, 1, offer, WRONG)
        assert network.run(lambda: network.players[1].lobby.joining is None, seconds=1)
        network.run(lambda tried=tried: len(network.players[1].of(JoinRefused)) == tried, seconds=2)
        last = network.players[1].of(JoinRefused)[-1]
        assert (last.reason, last.tries_left) == (RefusedJoin.WRONG_CODE, GUESSES_PER_HOST - tried)
    assert at_table(network, 0) == {0}
    join(network, 1, offer)
    assert network.run(lambda: at_table(network, 0) == at_table(network, 1) == {0, 1}, seconds=2)


def test_without_a_code_a_private_table_is_not_even_asked() -> None:
    network, offer = opened(2, 3)
    heard = overheard(network)
    join(network, 1, offer, None)
    network.run(seconds=3)
    assert refusal(network, 1) is RefusedJoin.CODE
    assert not [one for one in heard if one[0] == 1 and isinstance(one[2], Join | CodeShare)]


def test_with_a_code_a_table_that_has_none_is_not_taken_for_the_one_that_was_meant() -> None:
    network, offer = opened(2, 3, code=None)
    join(network, 1, offer)
    network.run(seconds=2)
    assert refusal(network, 1) is RefusedJoin.NO_CODE
    assert at_table(network, 0) == {0}


def test_an_open_table_tells_whoever_comes_with_a_code_unasked() -> None:
    network, offer = opened(2, 3, code=None)
    heard = overheard(network)
    network.inject(1, 0, encode(CodeShare(offer.offer_id, b"x" * 32)))
    assert [message.reason for _, _, message, _ in heard] == ["no_code"]


def test_a_full_table_spends_no_guess_and_a_closed_one_says_so() -> None:
    network, offer = opened(3, 2)
    join(network, 1, offer)
    assert network.run(lambda: at_table(network, 1) == {0, 1}, seconds=5)
    for _ in range(GUESSES_PER_HOST + 1):
        join(network, 2, offer, WRONG)
        network.run(seconds=1)
        assert refusal(network, 2) is RefusedJoin.FULL
    network.do(0, Peer.leave)
    join(network, 2, offer)
    network.run(seconds=1)
    assert refusal(network, 2) is RefusedJoin.CLOSED


def test_a_member_comes_back_on_a_new_link_without_the_code_and_one_who_left_needs_none_again() -> None:
    network, offer = opened(2, 3)
    join(network, 1, offer)
    assert network.run(lambda: at_table(network, 1) == {0, 1}, seconds=5)
    network.cut(0, 1)
    network.run(seconds=5)
    network.link(0, 1)
    heard = overheard(network)
    network.run(seconds=2)
    assert at_table(network, 0) == {0, 1}
    assert not [one for one in heard if isinstance(one[2], CodeShare)]
    network.cut(0, 1)
    network.run(seconds=14)
    network.link(0, 1)
    assert network.run(lambda: at_table(network, 0) == {0, 1}, seconds=5)


@pytest.mark.parametrize("lost", [CodeShare, CodeAnswer, CodeProof])
def test_a_word_that_is_lost_is_said_again_and_costs_no_second_guess(lost: type) -> None:
    network, offer = opened(2, 3)
    dropped: list[object] = []

    def lose_first(_sender: object, _receiver: object, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, lost) and not dropped:
            dropped.append(decoded)
            return None
        return message

    network.on_message = lose_first
    join(network, 1, offer)
    network.run(lambda: refusal(network, 1) is not None or len(at_table(network, 1)) == 2, seconds=9)
    assert dropped
    if lost is CodeProof:
        # The opener asks for it in vain once: a link loses nothing, so this one was dropped as a flood.
        assert refusal(network, 1) is RefusedJoin.CODE
    else:
        assert at_table(network, 0) == at_table(network, 1) == {0, 1}


def test_a_link_that_is_made_anew_in_the_middle_begins_a_new_exchange_that_works() -> None:
    network, offer = opened(2, 3)
    heard = overheard(network)
    join(network, 1, offer)
    assert network.run(lambda: any(isinstance(one[2], CodeAnswer) for one in heard), seconds=2)
    network.cut(0, 1)
    network.link(0, 1)
    assert network.run(lambda: at_table(network, 0) == at_table(network, 1) == {0, 1}, seconds=9)
    shares = [one[2].share for one in heard if isinstance(one[2], CodeShare)]
    assert len(set(shares)) == 2


@pytest.mark.parametrize("milliseconds", range(0, 60, 3))
def test_a_link_that_breaks_at_any_moment_of_the_way_in_costs_time_only(milliseconds: int) -> None:
    network, offer = opened(2, 3)
    join(network, 1, offer)
    network.run(seconds=milliseconds / 1000)
    network.cut(0, 1)
    network.link(0, 1)
    assert network.run(lambda: at_table(network, 0) == at_table(network, 1) == {0, 1}, seconds=9)
    assert refusal(network, 1) is None


# What travels and what is kept


def test_the_code_is_in_no_message_no_event_and_no_picture() -> None:
    code = own_code("Correct Horse")
    network, offer = opened(3, 3, code=code)
    heard = overheard(network)
    for index in (1, 2):
        join(network, index, offer, code)
    network.run(seconds=3)
    for index in range(3):
        network.do(index, Peer.set_ready, True)
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=60)
    network.run(seconds=2)
    secrets = (b"Correct", b"correct", b"Horse", b"horse", code.password, code.password.hex().encode())
    for _, _, _, message in heard:
        assert not any(secret in message for secret in secrets)
    for player in network.players:
        seen = repr((player.events, player.lobby, player.table, player.disk.keeps)).encode()
        assert not any(secret in seen for secret in secrets)
        assert not any(secret in (player.peer.transcript() or b"") for secret in secrets)


def test_the_job_that_works_an_exchange_out_shows_no_secret() -> None:
    network, offer = opened(2, 3)
    effects = network.players[1].peer.join(offer.opener, offer.offer_id, network.now, CODE)
    (run,) = [effect for effect in effects if isinstance(effect, Run)]
    assert CODE.password in run.job.args
    assert repr(CODE.password) not in repr(run)


def test_nothing_of_the_code_is_left_in_a_peer_once_it_has_left_the_table() -> None:
    """Neither the code nor what it was made into: looked for in everything that the peers can still reach."""
    network, offer = opened(2, 2)
    join(network, 1, offer)
    assert network.run(lambda: at_table(network, 1) == {0, 1}, seconds=5)
    assert left_in(network) == [{CODE.text}, {CODE.text}]
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=60)
    assert left_in(network) == [{CODE.text}, {CODE.text}], "kept for the tables that go on from it"
    for index in (0, 1):
        network.do(index, Peer.leave)
    assert left_in(network) == [set(), set()]


def left_in(network: MemoryNetwork) -> list[set[object]]:
    """What of the code can still be reached in each peer."""
    return [reachable(player.peer) & {CODE.text, CODE.password} for player in network.players]


def reachable(root: object) -> set[object]:
    """All texts and bytes that can be reached from an object."""
    import gc  # noqa: PLC0415
    import types  # noqa: PLC0415

    seen: set[int] = set()
    found: set[object] = set()
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | types.ModuleType | types.FunctionType):
            continue
        seen.add(id(one))
        if isinstance(one, str | bytes):
            found.add(one)
        else:
            waiting.extend(gc.get_referents(one))
    return found


# Guesses


def try_once(network: MemoryNetwork, index: int, offer_id: bytes, opener: bytes) -> RefusedJoin:
    """One wrong code; returns how it was refused."""
    before = len(network.players[index].of(JoinRefused))
    network.do(index, Peer.join, opener, offer_id, code=WRONG)
    assert network.run(lambda: len(network.players[index].of(JoinRefused)) > before, seconds=15)
    return network.players[index].of(JoinRefused)[-1].reason


def test_one_address_has_so_many_guesses_a_minute_whatever_keys_it_comes_with() -> None:
    network, offer = opened(5, 6)
    for index in (1, 2, 3):
        network.hosts[index] = "192.0.2.66"
        network.cut(0, index)
        network.link(0, index)
    network.run(seconds=1)
    begun = network.now
    refused = [try_once(network, 1 + turn % 3, offer.offer_id, offer.opener) for turn in range(12)]
    assert network.now - begun < MINUTE_S
    assert refused == [RefusedJoin.WRONG_CODE] * GUESSES_PER_HOST + [RefusedJoin.GUESSES] * 4
    assert try_once(network, 4, offer.offer_id, offer.opener) is RefusedJoin.WRONG_CODE, "another address"
    join(network, 4, offer)
    assert network.run(lambda: at_table(network, 4) == {0, 4}, seconds=5), "who knows it gets in meanwhile"
    network.run(seconds=MINUTE_S)
    assert try_once(network, 1, offer.offer_id, offer.opener) is RefusedJoin.WRONG_CODE


def test_who_knows_the_code_spends_no_guess_however_often_it_comes_and_goes() -> None:
    network, offer = opened(3, 6)
    for _ in range(2 * GUESSES_PER_HOST):
        join(network, 1, offer)
        assert network.run(lambda: at_table(network, 1) == {0, 1}, seconds=5)
        network.do(1, Peer.leave)
        network.run(seconds=1)
    assert not network.players[1].of(JoinRefused)


def test_all_addresses_together_have_so_many_guesses_a_minute_at_one_table() -> None:
    """Raw words, as a program would send them that keeps to nothing, over many links at once."""
    minutes = 6
    network, offer = opened(9, 6)
    answers = [0]

    def count(_sender: object, _receiver: object, message: bytes) -> bytes:
        answers[0] += isinstance(decode(message), CodeAnswer)
        return message

    network.on_message = count
    share = element(WRONG.password)
    end = network.now + minutes * MINUTE_S
    number = 0
    while network.now < end:
        for index in range(1, 9):
            number += 1
            network.hosts[index] = f"192.0.2.{number % 250}"
            network.cut(0, index)
            network.link(0, index)
            network.inject(index, 0, encode(CodeShare(offer.offer_id, share)))
        network.run(seconds=0.5)
        for index in range(1, 9):
            network.inject(index, 0, encode(CodeProof(offer.offer_id, number.to_bytes(32, "big"))))
        network.run(seconds=0.5)
    assert answers[0] <= minutes * GUESSES_IN_ALL
    assert answers[0] >= (minutes - 1) * GUESSES_IN_ALL, "the bound was reached, or this shows nothing"
    assert at_table(network, 0) == {0}


def element(password: bytes) -> bytes:
    """A first word that is well formed."""
    from crypto import ask_password  # noqa: PLC0415

    return ask_password(password, b"", b"", bytes(32))


def test_a_flood_of_exchanges_makes_no_more_work_than_the_guesses_allow() -> None:
    """5000 first words a second from as many links as there can be: the jobs that they cause are counted."""
    network, offer = opened(1, 6)
    opener = network.players[0].peer
    from p2p.protocol.peer_core import Channel  # noqa: PLC0415

    jobs = most = 0
    running: list[Run] = []
    keys = [number.to_bytes(32, "little") for number in range(1, 65)]
    for key in keys:
        opener.link_up(key, 0.0, Channel(key.hex(), key))
    now = 0.0
    for number in range(50_000):
        now += 0.0002
        share = CodeShare(offer.offer_id, number.to_bytes(32, "big"))
        effects = opener.receive(keys[number % 64], encode(share), now)
        running += [effect for effect in effects if isinstance(effect, Run)]
        jobs += sum(isinstance(effect, Run) for effect in effects)
        most = max(most, len(running))
        if number % 100 == 99 and running:
            opener.job_done(running.pop(0).job.id, ValueError(), now)
    assert now < MINUTE_S
    assert jobs == GUESSES_IN_ALL
    assert most <= 8


# Impostors


def test_an_opener_who_does_not_know_the_code_gets_nobody_and_hears_no_proof() -> None:
    """Somebody opens a table of the same title with a code that he guessed."""
    network, _ = opened(3, 3)
    network.do(2, Peer.open_table, "Kitchen", PAGAT, 3, code=WRONG)
    assert network.run(lambda: len(network.players[1].lobby.offers) == 2, seconds=5)
    impostor = next(o for o in network.players[1].lobby.offers if o.opener == network.players[2].peer.key)
    heard = overheard(network)
    join(network, 1, impostor)
    network.run(seconds=3)
    assert refusal(network, 1) is RefusedJoin.WRONG_CODE
    assert not [one for one in heard if one[0] == 1 and isinstance(one[2], CodeProof | Join)]
    assert at_table(network, 2) == {2}


def test_an_opener_who_skips_the_exchange_and_says_that_one_is_in_gets_nobody() -> None:
    network, offer = opened(2, 2)

    def skip(sender: object, _receiver: object, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, CodeAnswer):
            people = (
                RosterSeat(offer.opener, "Player 0", True),
                RosterSeat(network.players[1].peer.key, "Player 1", False),
            )
            rules = (tuple(sorted(PAGAT.to_mapping().items())), USUAL)
            return encode(Roster(offer.offer_id, "Kitchen", *rules, 2, people, None))
        return message

    network.on_message = skip
    join(network, 1, offer)
    network.run(seconds=5)
    assert network.players[1].peer.table is None
    network.run(seconds=10)
    assert refusal(network, 1) is RefusedJoin.NO_LINK


def test_an_impostor_gets_so_many_guesses_a_minute_at_what_a_program_asks_with() -> None:
    """A program that asks on and on, and an opener who cuts the link each time to be asked anew."""
    network, offer = opened(2, 3, code=WRONG)
    begun = network.now
    while network.now - begun < MINUTE_S:
        if network.players[1].lobby.joining is None:
            join(network, 1, offer)
        network.run(seconds=0.2)
        network.cut(0, 1)
        network.link(0, 1)
        network.run(seconds=0.2)
    reasons = [one.reason for one in network.players[1].of(JoinRefused)]
    assert reasons.count(RefusedJoin.WRONG_CODE) == GUESSES_PER_HOST
    assert set(reasons) == {RefusedJoin.WRONG_CODE, RefusedJoin.GUESSES}


def test_the_joiner_finishes_an_exchange_once_however_many_answers_come() -> None:
    network, offer = opened(2, 3, code=WRONG)
    heard = overheard(network)
    join(network, 1, offer)
    assert network.run(lambda: any(isinstance(one[2], CodeShare) for one in heard), seconds=2)
    jobs = [
        effect
        for number in range(20)
        for effect in network.players[1].peer.receive(
            offer.opener,
            encode(CodeAnswer(offer.offer_id, number.to_bytes(32, "big"), bytes(32), 1)),
            network.now,
        )
        if isinstance(effect, Run)
    ]
    assert len(jobs) == 1


# Old and foreign words


def test_words_of_an_exchange_mean_nothing_on_another_link_of_the_same_two() -> None:
    """All that was said on the way in, played again on the next link by somebody who has recorded it."""
    network, offer = opened(2, 3)
    heard = overheard(network)
    join(network, 1, offer)
    assert network.run(lambda: at_table(network, 1) == {0, 1}, seconds=5)
    said = [message for sender, _, word, message in heard if sender == 1 and not isinstance(word, Withdraw)]
    # The table is opened anew, so nobody is in yet.
    network.do(0, Peer.leave)
    network.do(0, Peer.open_table, "Kitchen", PAGAT, 3, code=CODE)
    network.run(seconds=2)
    assert network.players[1].of(TableClosed)[-1].reason is ClosedBecause.OPENER_LEFT
    new = network.players[0].lobby.offers[0].offer_id
    network.cut(0, 1)
    network.link(0, 1)
    network.on_message = None
    for message in said:
        word = decode(message)
        if isinstance(word, CodeShare | CodeProof | Join):
            for offer_id in (word.offer_id, new):
                network.inject(1, 0, encode(replace(word, offer_id=offer_id)))
                network.run(seconds=0.1)
    assert at_table(network, 0) == {0}


def test_a_share_played_again_by_another_key_gets_that_key_nowhere() -> None:
    network, offer = opened(3, 4)
    heard = overheard(network)
    join(network, 1, offer)
    assert network.run(lambda: at_table(network, 1) == {0, 1}, seconds=5)
    for sender, _, word, message in list(heard):
        if sender == 1 and isinstance(word, CodeShare | CodeProof | Join):
            network.inject(2, 0, message)
            network.run(seconds=0.1)
    assert at_table(network, 0) == {0, 1}


def test_a_join_without_a_proof_and_a_proof_without_an_exchange_get_nobody_in() -> None:
    network, offer = opened(2, 3)
    network.inject(1, 0, encode(CodeProof(offer.offer_id, bytes(32))))
    network.inject(1, 0, encode(Join(offer.offer_id, "Boris", b"n" * 32)))
    network.inject(1, 0, encode(CodeShare(offer.offer_id, element(CODE.password))))
    network.inject(1, 0, encode(CodeProof(offer.offer_id, bytes(32))))  # before its answer
    network.run(seconds=1)
    network.inject(1, 0, encode(CodeProof(offer.offer_id, bytes(32))))
    network.inject(1, 0, encode(Join(offer.offer_id, "Boris", b"n" * 32)))
    network.run(seconds=1)
    assert at_table(network, 0) == {0}


@pytest.mark.parametrize("share", [bytes(32), (1).to_bytes(32, "little"), b"\xff" * 32])
def test_a_share_that_is_no_element_is_a_guess_and_gets_no_answer(share: bytes) -> None:
    network, offer = opened(2, 3)
    heard = overheard(network)
    for _ in range(GUESSES_PER_HOST):
        network.cut(0, 1)
        network.link(0, 1)
        network.inject(1, 0, encode(CodeShare(offer.offer_id, share)))
        network.run(seconds=0.5)
    assert not [one for one in heard if isinstance(one[2], CodeAnswer)]
    join(network, 1, offer)
    network.run(seconds=2)
    assert refusal(network, 1) is RefusedJoin.GUESSES
