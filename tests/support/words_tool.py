"""`.ci/words.py` as a module: it is a script of developers, not a part of the package."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from support.paths import ROOT


def words_tool() -> ModuleType:
    """The module, loaded once."""
    name = "tilewright_words_tool"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / "words.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]
