"""Where the fields of tables/records.tsv stand in a configuration's packed structs (records_pkg.sv): the C structs filled from the bits."""
from generate.config import derived
from generate.events import of_core
from generate.text import c_header


def widths(tables, config):
    """The names that stand for a width."""
    return {"PsvBits": len(of_core(tables, config))} | {name: value for name, (value, _) in derived(tables, config).items()}


def fields(tables, config, record):
    """Name, index of its lane (None: it has none), lowest bit and width of each; the first field of a packed struct has the highest bits."""
    names, lanes, at = widths(tables, config), config.keys["core.width"], 0
    for row in reversed([r for r in tables.records if r["record"] == record]):
        width = int(row["width"]) if row["width"].isdigit() else names[row["width"]]
        if row["per"] == "lane" and width > 1:
            for lane in range(lanes):
                yield row["field"], lane, at + lane * width, width
            at += lanes * width
        else:  # one bit for each lane: a mask, in C as here
            width *= lanes if row["per"] == "lane" else 1
            yield row["field"], None, at, width
            at += width


def c(tables, config, _model):
    body = ['#include "base/packed_bits.h"', '#include "records.h"', "", "// bits: the record as DPI passes it, words of 32 bits, the lowest first."]
    for record in dict.fromkeys(row["record"] for row in tables.records):
        found = list(fields(tables, config, record))
        total = sum(width for *_, width in found)
        body += [f"enum {{ {record.upper()}_BITS = {total} }};", f"static inline void {record}_from_bits(struct {record} *r, const uint32_t *bits) {{"]
        for name, lane, at, width in found:
            place = name if lane is None else f"{name}[{lane}]"
            body.append(f"    PACKED_BITS(r->{place}, bits, {record.upper()}_BITS, {at}, {width});")
        body.append("}")
    return c_header("RECORD_BITS", body)
