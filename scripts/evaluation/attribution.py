"""Who owns each cycle of a run, from a trace of every cycle (`tipoff run --trace`), for numpy: what the evaluation's study draws samples from.

docs/guide/profiling.md, "What a cycle is given to". Vectors and address spaces are left out: a unit is an instruction's address. Beside the owners, how long each execution was exposed in all
(its cycles of all states): what a counter of cycles since the last commit knows when a sample completes.
"""
import json
import struct

import numpy
import zstandard

BLOCK = struct.Struct("<5I")  # csrc/base/container.h
HEADER, CYCLES = 1, 16
COMPUTING, STALLED, FLUSHED, DRAINED = range(4)
NOBODY = 2**64 - 1


def blocks(path):
    with open(path, "rb") as file:
        file.seek(24)
        while len(words := file.read(BLOCK.size)) == BLOCK.size:
            number, raw, stored = BLOCK.unpack(words)[:3]
            data = file.read(stored)
            yield number, data if raw == stored else zstandard.ZstdDecompressor().decompress(data, max_output_size=raw)


def records(path):
    """Records of csrc/trace/trace_file.h."""
    width, parts = 0, []
    for number, data in blocks(path):
        if number == HEADER:
            width = json.loads(data)["width"]
        elif number == CYCLES:
            parts.append(data)
    lane = numpy.dtype([("pc", "<u8"), ("insn", "<u4"), ("psv", "<u2"), ("dispatch_pc", "<u8")])
    bytes_ = [(name, "u1") for name in ("flags", "oldest", "cause", "valid", "commit", "mispredict", "flush", "first", "dispatch_valid")]
    ends = [("exception_pc", "<u8"), ("exception_psv", "<u2"), ("fetch_pc", "<u8"), ("dispatch_rob", "<u2"), ("lane", lane, (width,))]
    return width, numpy.frombuffer(b"".join(parts), numpy.dtype([("cycle", "<u8"), ("count", "<u8"), *bytes_, *ends]))


class Attribution:
    """cycles; of each record: unit[record, lane], share[record, lane] (0: no owner), exposed[record, lane]; of each cycle its record; of each unit its truth (part of the time),
    executions and block (units that always follow each other)."""

    def __init__(self, path, most):
        width, trace = records(path)
        keep = numpy.searchsorted(numpy.cumsum(trace["count"]), most) + 1
        trace = trace[:keep]
        self._own(width, trace)
        count = trace["count"].astype(numpy.int64)
        self.cycles = int(count.sum())
        self.record = numpy.repeat(numpy.arange(len(trace)), count)
        units = len(self.addresses)
        self.truth = self._sum(self.share * count[:, None], units) / self.cycles
        self.square = self._sum(self.share**2 * count[:, None], units) / self.cycles
        executed = (self.share > 0) & (self.state == COMPUTING)[:, None]
        self.executions = numpy.bincount(self.unit[executed], minlength=units)
        self.block = chains(self.unit[executed], units)

    def _sum(self, weight, units):
        return numpy.bincount(self.unit.ravel(), weights=weight.ravel(), minlength=units)

    def _own(self, width, trace):
        rows = numpy.arange(len(trace))
        count, oldest = trace["count"].astype(float), trace["oldest"].astype(int)
        pc, commits = numpy.full((len(trace), width), NOBODY, numpy.uint64), numpy.zeros(len(trace), int)
        for k in range(width):  # in age order
            lane = (oldest + k) % width
            on = (trace["commit"] >> lane.astype(numpy.uint8) & 1) == 1
            pc[on, k] = trace["lane"]["pc"][rows[on], lane[on]]
            commits += on
        empty, excepts = (trace["flags"] & 1) == 1, (trace["flags"] >> 1 & 1) == 1
        leaves = (commits > 0) | excepts
        last = numpy.maximum.accumulate(numpy.where(leaves, rows, -1))
        before = numpy.concatenate([[-1], last[:-1]])  # who left last, before this record
        ahead = numpy.minimum.accumulate(numpy.where(leaves, rows, len(trace))[::-1])[::-1]
        after = numpy.minimum(ahead, len(trace) - 1)  # who leaves next
        youngest = (oldest + numpy.maximum(commits, 1) - 1) % width
        flushes = ((trace["mispredict"] | trace["flush"]) >> youngest.astype(numpy.uint8) & 1 == 1) & (commits > 0) | excepts
        flushed = (commits == 0) & empty & (before >= 0) & flushes[numpy.maximum(before, 0)]
        self.state = numpy.select([commits > 0, flushed, ~empty], [COMPUTING, FLUSHED, STALLED], DRAINED)
        waits = (self.state == STALLED) | (self.state == DRAINED)
        leaver = numpy.where(excepts & (commits == 0), trace["exception_pc"], trace["lane"]["pc"][rows, oldest])
        young = numpy.where(excepts, trace["exception_pc"], trace["lane"]["pc"][rows, youngest])
        pc[waits, 0] = numpy.where(ahead < len(trace), leaver[after], NOBODY)[waits]
        pc[flushed, 0] = young[before[flushed]]
        owners = numpy.maximum(commits, 1)
        self.share = numpy.where(numpy.arange(width)[None, :] < owners[:, None], 1.0 / owners[:, None], 0)
        self.addresses, unit = numpy.unique(pc, return_inverse=True)
        self.unit = unit.reshape(pc.shape)
        self._expose(count, leaves, waits, flushed, after, before, numpy.where(commits > 0, commits - 1, 0))

    def _expose(self, count, leaves, waits, flushed, after, before, youngest):
        rows, size = numpy.arange(len(count)), len(count)
        waited = numpy.bincount(after, weights=numpy.where(waits, count, 0), minlength=size)
        refilled = numpy.bincount(numpy.maximum(before, 0), weights=numpy.where(flushed, count, 0), minlength=size)
        execution = numpy.where((self.state == COMPUTING)[:, None], self.share, 0.0)
        execution[:, 0] += numpy.where(leaves, waited, 0)
        execution[rows, youngest] += numpy.where(leaves, refilled, 0)
        self.exposed = execution.copy()
        self.exposed[waits, 0] = execution[after[waits], 0]
        self.exposed[flushed, 0] = execution[before[flushed], youngest[before[flushed]]]
        self.exposed = numpy.maximum(self.exposed, 1e-9)


def chains(sequence, units):
    """For each unit the first of its chain: units, each followed by the next alone, and the next by nobody else. They are executed equally often (but for traps)."""
    pairs = numpy.unique(sequence[:-1].astype(numpy.int64) * units + sequence[1:])
    a, b = pairs // units, pairs % units
    follows, precedes = numpy.bincount(a, minlength=units), numpy.bincount(b, minlength=units)
    following = {int(x): int(y) for x, y in zip(a, b) if follows[x] == 1 and precedes[y] == 1 and x != y}
    chain = numpy.arange(units)
    for head in set(following) - set(following.values()):
        unit = head
        while unit in following:
            unit = following[unit]
            chain[unit] = head
    return chain
