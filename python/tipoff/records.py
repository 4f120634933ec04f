"""What a sample file is made of, as Python has it: samples, rows of profiles, call stacks."""
from typing import NamedTuple


class Lane(NamedTuple):
    """An instruction that a sample belongs to."""

    address: int
    events: tuple  # names of those that it met
    stack: int  # number: Samples.callers


class Sample(NamedTuple):
    """One sample: docs/guide/profiling.md says what its cycles are given to."""

    cycle: int  # of its trigger, counted from reset
    cycles: int  # that it stands for
    stalled_cycles: int  # of them: Stalled, of the instruction of a Drained sample
    repeats: int  # further triggers in its state
    stalled: int  # further triggers in Stalled
    state: str
    exception: bool  # flags of the instruction, in Flushed
    flush: bool
    mispredict: bool
    hart: int
    mode: str  # "U", "S" or "M"
    space: int  # satp's page number; 0: none
    lanes: list  # of Lane, lowest first; empty at the end of the run
    partial: bool  # its events may lack some: the core keeps vectors only shortly before samples
    data_of: str | None  # what it waits for: its own "access", or "drain": a store of another instruction, next to leave the store queue
    data: int | None  # physical address of that


class Row(NamedTuple):
    """Time of a profile."""

    address: int | None  # None: the end of the run
    mode: str
    space: int
    state: str  # "Unknown": the profiler knows no states
    events: tuple
    weight: int  # in 1/U of a cycle, U being Samples.units
    stack: int


class Call(NamedTuple):
    """A stack: the one that it was called from, and how."""

    parent: int
    kind: str  # one of KINDS
    site: int  # address of the call, or of the instruction that trapped or was interrupted
    entry: int  # first instruction that ran after it
    mode: str
    space: int
