"""Samples that software on the core has taken (tests/workloads/runtime/sampling.c): sets a program up, reads its buffer.

Used by tests/profile/test_software_sampling.py and scripts/sampling_overhead.py. A program learns from words in its
`sampling_settings` how often to sample and how wide the core is: they are written into a copy of the ELF file.
"""
import collections
import json
import pathlib
import struct

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATES = ("Computing", "Stalled", "Flushed", "Drained")
MODES = {0: "U", 1: "S", 3: "M"}
PERF_MISC = {"U": 2, "S": 1, "M": 3}
PERF_RECORD_SAMPLE = 9
METADATA_BYTES = 40  # as in perf's record
VECTORS_FROM = 28  # in shpmsdata
HEADER_WORDS = ("count", "used", "overflow", "lost", "calls", "ticks")

Symbol = collections.namedtuple("Symbol", "address bytes function")


class Elf:
    """Symbols and bytes of a 64-bit little-endian ELF file."""

    def __init__(self, path):
        self.data = bytearray(pathlib.Path(path).read_bytes())
        header = struct.unpack_from("<16sHHIQQQIHHHHHH", self.data)
        self.segments = [struct.unpack_from("<IIQQQQQQ", self.data, header[5] + i * header[9]) for i in range(header[10])]
        sections = [struct.unpack_from("<IIQQQQIIQQ", self.data, header[6] + i * header[11]) for i in range(header[12])]
        self.symbols = {}
        for section in (s for s in sections if s[1] == 2):  # SHT_SYMTAB
            names = sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 24):
                name, info, _, index, value, size = struct.unpack_from("<IBBHQQ", self.data, at)
                text = self.data[names + name : self.data.index(0, names + name)].decode()
                if index and text:
                    self.symbols[text] = Symbol(value, size, info & 15 == 2)

    def write_words(self, address, words):
        for kind, _, offset, virtual, _, file_bytes, _, _ in self.segments:
            if kind == 1 and virtual <= address and address + 8 * len(words) <= virtual + file_bytes:
                struct.pack_into(f"<{len(words)}Q", self.data, offset + address - virtual, *words)
                return
        raise ValueError(f"0x{address:x} is not in the file")


def core(config):
    """What the handler has to know of a configuration: width, sampling counter, vectors in shpmsdata, further PSV words."""
    keys = json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))
    rows = [row.split("\t") for row in (ROOT / "tables/events.tsv").read_text(encoding="utf-8").splitlines() if row and row[0] != "#"]
    psv_bits = sum(row[4] == "-" or keys.get(row[4], 0) for row in rows[1:])
    width = keys["core.width"]
    fit = (64 - VECTORS_FROM) // psv_bits >= width
    return {"width": width, "counter": keys["profile.counter"], "psv_bits": psv_bits, "psv_words": 0 if fit else (width + 3) // 4}


def set_up(program, copy, config, period, jitter=0, timer=0):
    """Writes `copy` of `program`, which samples itself every `period` cycles. Returns its symbols."""
    elf, about = Elf(program), core(config)
    elf.write_words(elf.symbols["sampling_settings"].address, (period, jitter, about["counter"], about["width"], about["psv_words"], timer))
    pathlib.Path(copy).write_bytes(elf.data)
    return elf.symbols


def decode(record, about):
    """One record, with the fields of `tipoff samples`; and where the record contradicts itself, ValueError."""
    width, psv_bits = about["width"], about["psv_bits"]
    kind, misc, size, space, time, cpu, stalled, period, data, pc = struct.unpack_from("<IHHQQIIQQQ", record)
    words = struct.unpack_from(f"<{width + about['psv_words']}Q", record, METADATA_BYTES + 16)
    valid, oldest = data >> 7 & 0xFF, data >> 15 & 7
    if about["psv_words"]:
        vectors = [words[width + lane // 4] >> 16 * (lane % 4) & 0xFFFF for lane in range(width)]
    else:
        vectors = [data >> VECTORS_FROM + psv_bits * lane & (1 << psv_bits) - 1 for lane in range(width)]
    sample = {
        "cycle": time,
        "state": STATES[data >> 5 & 3],
        "priv": MODES[data >> 23 & 3],
        "space": space,
        "hart": cpu,
        "repeats": period - 1 - stalled,
        "stalled": stalled,
        "valid": valid,
        "oldest": oldest,
        "exception": data >> 18 & 1,
        "flush": data >> 19 & 1,
        "mispredict": data >> 20 & 1,
    }
    for lane in range(width):
        seen = valid >> lane & 1
        sample[f"addr{lane}"] = words[lane] if seen else None
        sample[f"psv{lane}"] = vectors[lane] if seen else None
    faults = [
        text
        for text, wrong in {
            "is not of perf's kind": kind != PERF_RECORD_SAMPLE,
            "has a mode in its header that is not the sample's": misc != PERF_MISC[sample["priv"]],
            "has another size than it says": size != len(record),
            "was not ready": not data >> 22 & 1,
            "names another counter": data & 31 != about["counter"],
            "is not Drained as its front-end bit says": (data >> 21 & 1) != (sample["state"] == "Drained"),
            "has another address in shpmspc than in the oldest lane": oldest >= width or pc != words[oldest],
            "has an address in a lane that is not valid": any(words[lane] for lane in range(width) if not valid >> lane & 1),
            "has a vector in a lane that is not valid": any(vectors[lane] for lane in range(width) if not valid >> lane & 1),
            "has bits where shpmsdata has no field": data >> 25 & 7 or data >> VECTORS_FROM + psv_bits * min(width, (64 - VECTORS_FROM) // psv_bits),
            "has other vectors in shpmsdata than in tipoff_psv": any(
                data >> VECTORS_FROM + psv_bits * lane & (1 << psv_bits) - 1 != vectors[lane] for lane in range(min(width, (64 - VECTORS_FROM) // psv_bits))
            ),
        }.items()
        if wrong
    ]
    if faults:
        raise ValueError(f"the record of cycle {time} {' and '.join(faults)}")
    return sample


def read_buffer(path, config):
    """(counts, samples) of a dump of sampling_buffer."""
    data, about = pathlib.Path(path).read_bytes(), core(config)
    counts = dict(zip(HEADER_WORDS, struct.unpack_from(f"<{len(HEADER_WORDS)}Q", data)))
    size = METADATA_BYTES + 16 + 8 * (about["width"] + about["psv_words"])
    if counts["used"] != counts["count"] * size:
        raise ValueError(f"{counts['count']} records of {size} bytes are not {counts['used']} bytes")
    start = 8 * len(HEADER_WORDS)
    return dict(counts, record_bytes=size), [decode(data[at : at + size], about) for at in range(start, start + counts["used"], size)]
