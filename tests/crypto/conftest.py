import random

import pytest
from crypto_scene import CONTEXT_CHANGES
from tiny_group import quick_group

from crypto import Ristretto255


@pytest.fixture(params=["ristretto255", "small"])
def group(request):
    return Ristretto255() if request.param == "ristretto255" else quick_group()


@pytest.fixture
def draw():
    """Random bytes from a fixed seed, so that a failure repeats."""
    return random.Random(20).randbytes


@pytest.fixture(params=CONTEXT_CHANGES, ids=lambda change: next(iter(change)))
def context_change(request):
    return request.param
