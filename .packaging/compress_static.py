"""Build hook of the wheel: compressed static files beside the others, as WhiteNoise serves them."""

import runpy
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompressedStaticFiles(BuildHookInterface):
    """Adds ``.gz`` and ``.br`` files to the wheel. An editable install has none: ``tefuda serve`` makes its own."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compress a copy of the static files, so that nothing is written beside the sources."""
        if version == "editable":
            return
        pack = runpy.run_path(str(Path(self.root, "webapp/web/templating/packing.py")))["pack"]
        self._folder = Path(tempfile.mkdtemp(prefix="tefuda-static-"))
        for path in pack(Path(self.root, "static"), self._folder):
            inside = path.relative_to(self._folder).as_posix()
            build_data["force_include"][str(path)] = f"webapp/static/{inside}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy."""
        if version != "editable":
            shutil.rmtree(self._folder)
