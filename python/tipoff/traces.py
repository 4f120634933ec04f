"""Binary traces: csrc/trace/trace_file.h (commit bundles) and signal_trace.h (signals) have their records."""
import struct
from typing import NamedTuple

from .container import Container, Error, HEADER, header, texts, whole

CYCLES = 16  # type of a block

_fixed = struct.Struct("<2Q9BQHQH")
_lane = struct.Struct("<QIHQ")


class Cycle(NamedTuple):
    """The commit bundle of `count` equal cycles from `cycle` on; lists are by lane, and docs/guide/integration.md has the fields."""

    cycle: int
    count: int
    rob_empty: bool
    exception: bool
    interrupt: bool
    replay: bool
    redirect: bool
    fetch_valid: bool
    oldest: int
    cause: int
    valid: list
    commit: list
    mispredict: list
    flush: list
    first: list
    dispatch_valid: list
    exception_pc: int
    exception_psv: int
    fetch_pc: int
    dispatch_rob: int
    pc: list
    insn: list
    psv: list
    dispatch_pc: list


class Trace:
    """A trace that `tipoff run --trace` has written: width, program; iterated over, its Cycles."""

    def __init__(self, path):
        self.path = str(path)
        self._file = Container(path, "trace", 1, 1)
        self._blocks = self._file.blocks()
        said = _header(self._blocks, path, width=whole(1, 8))
        self.width, self.program = said["width"], said.get("program", "")

    @property
    def complete(self):
        """It ended cleanly; known after the last Cycle."""
        return self._file.complete

    def __iter__(self):
        size, lanes = _fixed.size + self.width * _lane.size, range(self.width)
        for kind, data in self._blocks:
            if kind != CYCLES:
                continue
            _whole(data, size, self.path)
            for at in range(0, len(data), size):
                cycle, count, flags, oldest, cause, *masks, exception_pc, exception_psv, fetch_pc, dispatch_rob = _fixed.unpack_from(data, at)
                pc, insn, psv, dispatch_pc = zip(*_lane.iter_unpack(data[at + _fixed.size : at + size]))
                yield Cycle(
                    cycle,
                    count,
                    *(bool(flags >> i & 1) for i in range(6)),
                    oldest,
                    cause,
                    *([bool(mask >> lane & 1) for lane in lanes] for mask in masks),
                    exception_pc,
                    exception_psv,
                    fetch_pc,
                    dispatch_rob,
                    list(pc),
                    list(insn),
                    list(psv),
                    list(dispatch_pc),
                )


class Signals:
    """A trace of a group of signals: group, columns; iterated over, (cycle, count of equal cycles, values by column)."""

    def __init__(self, path):
        self.path = str(path)
        self._file = Container(path, "signals", 1, 1)
        self._blocks = self._file.blocks()
        said = _header(self._blocks, path, group=lambda value: isinstance(value, str), columns=texts)
        self.group, self.columns = said["group"], said["columns"]

    @property
    def complete(self):
        """It ended cleanly; known after the last row."""
        return self._file.complete

    def __iter__(self):
        row = struct.Struct(f"<{2 + len(self.columns)}Q")
        for kind, data in self._blocks:
            if kind == CYCLES:
                _whole(data, row.size, self.path)
                for cycle, count, *values in row.iter_unpack(data):
                    yield cycle, count, values


def _header(blocks, path, **wanted):
    for kind, data in blocks:
        if kind == HEADER:
            return header(data, path, **wanted)
    raise Error(f"{path}: has no header: the run that wrote it ended before it began")


def _whole(data, size, path):
    if len(data) % size:
        raise Error(f"{path}: a block does not consist of whole records: record the trace again")
