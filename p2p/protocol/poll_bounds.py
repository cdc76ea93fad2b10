"""How much the polls of one step may take, in memory and in the journal, whatever liars sign."""

from p2p.protocol.ballot import MAX_BALLOT_BYTES

BALLOTS_PER_SEAT = 32
"""Ballots kept of one seat at one step, beside those that decide something; of more, the highest. A poll is
over after a few; liars fill no memory."""
BALLOT_BYTES_PER_SEAT = 4 * MAX_BALLOT_BYTES
"""What those ballots take together. An answer that brings no entry has 150 bytes."""
POLLS_PER_OPENER = 16
"""Polls of one seat at one step that another answers, and that the own one opens: of each seat no more come
to an end, so a peer has at most 192 ballots of its own at a step, and of every other seat as many that
decide something. An honest seat opens two or three; the sixteenth would come after nine hours
(`poll_votes.OPEN_AGAIN_S`)."""
POLL_STEPS_KEPT = 16
"""The latest steps whose polls are held. While one honest seat waits at a step, the others get no further
than once around the table."""
