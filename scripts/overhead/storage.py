#!/usr/bin/python3
"""What a complete unit would save by keeping less, and what that would cost in accuracy: the table "Smaller" of docs/results/overhead.md.

    scripts/overhead/storage.py [--only IDEA] FILE.tips...      measures the ideas, and their errors by these samples; writes the page
    scripts/overhead/storage.py --vectors                       measures TEA's vectors (attach/psv_table.sv) by entries of the ROB

An idea is a change of the sources in words (IDEAS): what does not apply any more stops the run. A copy with it goes through the flow of `make overhead`, as TEA at
4 lanes. Its error is the part of the time that its profile books elsewhere than that of whole samples does: the samples of the files, each as the smaller unit would have
taken it. Files: of `tipoff run --config tea4 --period N --jitter --samples FILE PROGRAM`.
"""
import argparse
import collections
import pathlib
import shutil
import sys

import designs
import document
import flow
import library
import overhead
import state

sys.path.insert(0, str(library.ROOT / "python"))
import tipoff  # noqa: E402

LANES = 4
ENTRIES, SETS = (32, 64, 128), 3  # of the ROB; sources of events while an instruction is in flight
NEAR = 1 << 12  # bytes: a delta of 12 bits, in steps of 2, either way
CODES = 31  # vectors that 5 bits distinguish, beside "another one"
ADDRESS_BITS = 40  # Sv39's, and one that says the sign; of a physical address all that this platform has
COUNT_BITS = 16

ADDRESS = [
    ("records_pkg.sv", "logic [CoreWidth-1:0][63:0] addr;", f"logic [CoreWidth-1:0][{ADDRESS_BITS - 1}:0] addr;"),
    ("records_pkg.sv", "logic [63:0] pc;  // the youngest", f"logic [{ADDRESS_BITS - 1}:0] pc;  // the youngest"),
]
ADDRESS += [
    ("sample_select.sv", "= bundle_i.pc[i];", f"= bundle_i.pc[i][{ADDRESS_BITS - 1}:0];"),
    ("tea_unit.sv", "= bundle_i.dispatch_pc[0];", f"= bundle_i.dispatch_pc[0][{ADDRESS_BITS - 1}:0];"),
    ("tip_unit.sv", "= bundle_i.dispatch_pc[0];", f"= bundle_i.dispatch_pc[0][{ADDRESS_BITS - 1}:0];"),
    ("oir_update.sv", "pc: bundle_i.exception_pc,", f"pc: bundle_i.exception_pc[{ADDRESS_BITS - 1}:0],"),
    ("oir_update.sv", "pc: bundle_i.pc[youngest],", f"pc: bundle_i.pc[youngest][{ADDRESS_BITS - 1}:0],"),
    ("tip_csrs.sv", "addr_word = shown.addr[i];", "addr_word = 64'(signed'(shown.addr[i]));"),
    ("tip_csrs.sv", "hide ? '0 : shown.addr[shown.oldest];", "hide ? '0 : 64'(signed'(shown.addr[shown.oldest]));"),
]
COUNTS = [
    ("profile_pkg.sv", "logic [31:0] repeats;", f"logic [{COUNT_BITS - 1}:0] repeats;"),
    ("profile_pkg.sv", "logic [31:0] stalled;", f"logic [{COUNT_BITS - 1}:0] stalled;"),
    ("sample_delivery.sv", "CountBits = 32", f"CountBits = {COUNT_BITS}"),
    ("sample_delivery.sv", "repeats: 32'(now.repeats), stalled: 32'(now.stalled)", f"repeats: {COUNT_BITS}'(now.repeats), stalled: {COUNT_BITS}'(now.stalled)"),
    ("tip_csrs.sv", "{sample_i.stalled, sample_i.repeats}", f"{{{32 - COUNT_BITS}'d0, sample_i.stalled, {32 - COUNT_BITS}'d0, sample_i.repeats}}"),
]
CYCLE = [
    ("profile_pkg.sv", "logic [63:0] cycle;", "logic [31:0] cycle;"),
    ("sample_delivery.sv", "logic [63:0] cycle;", "logic [31:0] cycle;"),
    ("sample_delivery.sv", "logic [63:0] cycle_q;", "logic [31:0] cycle_q;"),
    ("sample_delivery.sv", "cycle_q + 64'd1", "cycle_q + 32'd1"),
    ("tip_csrs.sv", "read = sample_i.cycle;", "read = 64'(sample_i.cycle);"),
]
ONE = [
    ("sample_delivery.sv", "assign take_o = !ready_q || acknowledge_i;", "assign take_o = acknowledge_i;"),
    ("sample_delivery.sv", "ready_q <= goes || (ready_q && !acknowledge_i);", "ready_q <= hold_i.complete && !(hold_i.held && acknowledge_i);"),
    ("sample_delivery.sv", "pulse_q <= goes;", "pulse_q <= hold_i.complete && !ready_q;"),
    ("sample_delivery.sv", "    if (goes) front_q <= '{sample: sample_i, cycle: now.cycle, repeats: 32'(now.repeats), stalled: 32'(now.stalled)};\n", ""),
    ("sample_delivery.sv", "logic ready_q, pulse_q, full, goes;\n  delivery_t front_q;", "logic ready_q, pulse_q, full;"),
    ("sample_delivery.sv", "  assign goes = hold_i.complete && take_o;\n", ""),
    (
        "sample_delivery.sv",
        "assign sample_o = front_q;",
        "assign sample_o = '{sample: sample_i, cycle: story_q.cycle, repeats: 32'(story_q.repeats), stalled: 32'(story_q.stalled)};",
    ),
]


def booked(samples, lanes_of):
    """Time by instruction and events, as `lanes_of` gives a sample's lanes: {(address, events): cycles}."""
    time = collections.Counter()
    for sample in samples:
        lanes = lanes_of(sample)
        for address, events in lanes:
            time[address, events] += sample.cycles / len(lanes)
    return time


def whole(sample):
    return [(lane.address, lane.events) for lane in sample.lanes]


def truncated(sample):
    def extended(address):
        low = address & ((1 << ADDRESS_BITS) - 1)
        return low | (-(low >> (ADDRESS_BITS - 1)) << ADDRESS_BITS) & ((1 << 64) - 1)

    return [(extended(lane.address), lane.events) for lane in sample.lanes]


def near(sample):
    first = sample.lanes[0].address
    return [(lane.address, lane.events) for lane in sample.lanes if -NEAR <= lane.address - first < NEAR]


def one_vector(sample):
    return [(lane.address, lane.events if lane is sample.lanes[0] else ()) for lane in sample.lanes]


def encoded(samples):
    """With the CODES most frequent vectors of all; what has another one is left without."""
    seen = collections.Counter(lane.events for sample in samples for lane in sample.lanes)
    known = {events for events, _ in seen.most_common(CODES)}
    return lambda sample: [(lane.address, lane.events if lane.events in known else ()) for lane in sample.lanes]


def counted(sample):
    """Triggers beyond the counts are lost, and with them their time: part of the sample's."""
    kept = 1 + min(sample.repeats, (1 << COUNT_BITS) - 1) + min(sample.stalled, (1 << COUNT_BITS) - 1)
    return whole(sample) if kept == 1 + sample.repeats + sample.stalled else [(None, ()), *whole(sample)]


# name: (what it is, changes of the sources or None, bits saved as computed where nothing is synthesized, a sample's lanes and events as stored)
IDEAS = {
    "addresses of 40 bits": (f"OIR and both samples keep {ADDRESS_BITS} bits of an address, and extend the sign: all of Sv39", ADDRESS, 0, truncated),
    "counts of 16 bits": ("further triggers of a sample: above 65,535 they are counted as lost", COUNTS, 0, counted),
    "cycle of 32 bits": ("the cycle counter and both samples' cycles; software has mcycle for the rest", CYCLE, 0, whole),
    "one sample": (
        "no second register: a trigger between completion and acknowledgement is lost; its error is the reader's, none where the counter stands still meanwhile",
        ONE,
        0,
        None,
    ),
    "all four": ("the four above together", ADDRESS + COUNTS + CYCLE + ONE, 0, truncated),
    "addresses as offsets": (
        "the first lane's address, and 12 bits for each other one: lanes further than 4 KiB away are left out",
        None,
        2 * (LANES - 1) * (64 - 12),
        near,
    ),
    "one vector a sample": ("the first lane's, none of the others", None, 2 * (LANES - 1) * 9, one_vector),
    "vectors as codes": (
        f"5 bits for 9 in every entry of the ROB (192) and in samples and OIR: the {CODES} vectors that are most frequent",
        None,
        4 * (192 + 2 * LANES + 1),
        encoded,
    ),
}


def changed(files, edits, folder):
    """Copies of the files with the edits made, each at least once."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = []
    for path in map(pathlib.Path, files):
        text = path.read_text()
        for name, old, new in edits:
            if name != path.name:
                continue
            # after COUNTS the line of front_q, which ONE takes out, says 16
            old = old if old in text else old.replace("32'(now", f"{COUNT_BITS}'(now")
            if old not in text:
                raise SystemExit(f"storage: {path.name} has no {old!r} any more: say in IDEAS what took its place")
            text = text.replace(old, new)
        copy = folder / path.name
        copy.write_text(text)
        made.append(str(copy))
    return made


def measured(name, edits, cells):
    unit = next(row for row in state.rows("units.tsv") if row["unit"] == "TEA")
    design, _ = designs.design_of(unit, LANES)
    if name == "all four":  # counts are 16 bits there
        edits = [(file, old, new.replace("32'(story_q", f"{COUNT_BITS}'(story_q")) for file, old, new in edits]
    found = flow.measure({"top": design["top"], "files": changed(design["files"], edits, designs.generated_room() / "storage")}, cells)
    return {"flip-flops": len(found["flops"]), "gates": round(found["gates"]), "path ns": round(found["path"]["ns"], 3)}


def error(files, lanes_of):
    """(mean, worst) over the files, in parts of the time."""
    found = []
    if lanes_of is encoded:
        lanes_of = encoded([sample for samples in files for sample in samples])
    for samples in files:
        kept = [sample for sample in samples if sample.lanes]
        right = booked(kept, whole)
        got = booked(kept, lanes_of)
        total = sum(right.values())
        found.append(sum(abs(right[key] - got[key]) for key in {*right, *got}) / 2 / total)
    return sum(found) / len(found), max(found)


def vectors(cells):
    """TEA's vectors beside a ROB of a number of entries, at LANES: rows of {entries, flip-flops, gates}."""
    rows = []
    for entries in ENTRIES:
        found = flow.measure(
            {"top": "psv_table", "files": [str(library.ROOT / "attach/psv_table.sv")], "parameters": f"Entries={entries},Lanes={LANES},Sets={SETS}"}, cells
        )
        rows.append(
            {"entries": entries, "lanes": LANES, "flip-flops": len(found["flops"]), "gates": round(found["gates"]), "path ns": round(found["path"]["ns"], 3)}
        )
        print(f"  vectors of {entries} entries: {rows[-1]}", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="IDEA", choices=IDEAS)
    parser.add_argument("--vectors", action="store_true", help="TEA's vectors by number of ROB entries instead")
    parser.add_argument("files", nargs="*", metavar="FILE.tips")
    arguments = parser.parse_args()
    library.ROOM.mkdir(parents=True, exist_ok=True)
    flow.install_front_end()
    cells = library.fetched()
    if arguments.vectors:
        measured_vectors = vectors(cells)
        document.write(overhead.keep({**overhead.kept_results(), "vectors": measured_vectors}))
        return 0
    if not arguments.files:
        parser.error("name sample files of tea4")
    files = [tipoff.Samples(path).samples for path in arguments.files]
    rows = {row["idea"]: row for row in overhead.kept_results().get("storage", {}).get("ideas", [])}
    for name, (text, edits, bits, lanes_of) in IDEAS.items():
        if arguments.only and name != arguments.only:
            continue
        row = rows[name] = {"idea": name, "text": text, "synthesized": edits is not None}
        if edits is None:
            row["bits saved"] = bits
        else:
            row.update(measured(name, edits, cells))
        if lanes_of:
            row["mean error"], row["worst error"] = error(files, lanes_of)
        print(
            f"  {name:22} {row.get('flip-flops', -bits):7,} gates {row.get('gates', 0):7,} error {100 * row.get('mean error', 0):.4f} % worst {100 * row.get('worst error', 0):.4f} %",
            flush=True,
        )
    results = overhead.kept_results()
    results["storage"] = {"programs": len(files), "samples": sum(map(len, files)), "ideas": [rows[name] for name in IDEAS if name in rows]}
    document.write(overhead.keep(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
