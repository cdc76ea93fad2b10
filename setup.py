"""Compile the message catalogs while building; everything else about the project stands in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
# A build backend does not put the project on the path.
sys.path.insert(0, str(ROOT))


class BuildWithCatalogs(build_py):
    """`build_py` that also writes `verish.mo`: into the build, or into the source of an editable install."""

    def run(self) -> None:
        """Copy the packages, then compile the catalogs beside them."""
        super().run()
        from ui.locale.catalogs import compile_to  # noqa: PLC0415  (babel is there only while building)

        source = ROOT / "ui" / "locale"
        target = source if getattr(self, "editable_mode", False) else Path(self.build_lib) / "ui" / "locale"
        compile_to(source, target)


setup(cmdclass={"build_py": BuildWithCatalogs})
