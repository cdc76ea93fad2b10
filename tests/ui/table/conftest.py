"""The clock of the tests of the table."""

import pytest
from table_pictures import Clock


@pytest.fixture
def clock() -> Clock:
    """Stands still until it is moved."""
    return Clock()
