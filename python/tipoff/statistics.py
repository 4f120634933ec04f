"""Statistics of a run, `tipoff run --stats FILE`: JSON, as a dict."""
import json

from .container import Error


def statistics(path):
    """The dict. docs/guide/profiling.md, "Files for other programs", has what is in it."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except OSError as error:
        raise Error(f"{path}: cannot open: {error.strerror}: name a file that exists") from None
    except ValueError:
        raise Error(f"{path}: not JSON: name a file that tipoff run --stats has written") from None
