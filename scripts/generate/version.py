"""The version as C has it: from python/tipoff/version.py, where it stands."""
import pathlib
import re

from generate import text
from generate.reading import TableError

PLACE = pathlib.Path(__file__).resolve().parents[2] / "python/tipoff/version.py"


def c(_):
    found = re.search(r'^__version__ = "([0-9]+(?:\.[0-9]+)*)"$', PLACE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if not found:
        raise TableError(f'{PLACE}: no version: write __version__ = "1.2", numbers and points')
    return text.c_header("VERSION", [f'#define TIPOFF_VERSION "{found[1]}"'])
