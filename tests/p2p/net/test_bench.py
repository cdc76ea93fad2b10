"""The measurement of a lay plays with real links, and ends."""

import pytest

from p2p.net.bench import measure_links

pytestmark = pytest.mark.network


async def test_lays_between_four_real_peers_are_measured() -> None:
    found = await measure_links(most_lays=5)
    assert found.lays == 5
    assert found.link_rtt_ms > 0
    assert found.lay_rtts > 0
