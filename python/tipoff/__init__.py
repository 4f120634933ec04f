"""Reads tipoff's files in Python: sample files (.tips), binary traces, traces of signals, statistics.

    import tipoff
    run = tipoff.Samples("my.tips")
    for sample in run.samples:
        print(sample.cycle, sample.state, [hex(lane.address) for lane in sample.lanes])

Needs the standard library and zstandard (Debian: python3-zstandard). docs/guide/python.md has what every name means.
"""
from .container import Error
from .frames import frame
from .records import Call, Lane, Row, Sample
from .results import merge
from .samples import NEVER, Samples, UNKNOWN
from .traces import Cycle, Signals, Trace
from .statistics import statistics
from .version import __version__

__all__ = ["Call", "Cycle", "Error", "Lane", "NEVER", "Row", "Sample", "Samples", "Signals", "Trace", "UNKNOWN", "__version__", "frame", "merge", "statistics"]
