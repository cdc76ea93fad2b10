"""Russian for the tests of the interface: catalogs compiled once, English again after each test."""

from collections.abc import Iterator

import pytest

from ui import i18n


@pytest.fixture(scope="session", autouse=True)
def _catalogs() -> None:
    i18n.compile_catalogs()


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    i18n.use_language("en")
    yield
    i18n.use_language("en")


@pytest.fixture
def russian() -> None:
    """Speak Russian in this test."""
    i18n.use_language("ru")
