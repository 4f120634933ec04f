"""Short names of what was generated: a model, a sample file and the command know by them whether they belong together."""
import hashlib
import json
import re

from generate.text import c_header


def digest(value):
    """Short name of a value, the same for equal ones."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def tables_digest(tables):
    """Of what the rows of all tables mean: what is only text for people does not count."""
    rows = [
        tables.instructions,
        tables.events,
        tables.pmu_events,
        tables.csrs,
        tables.csr_fields,
        tables.regions,
        tables.records,
        tables.instruction_sample,
        tables.keys,
        tables.signals,
    ]
    return digest(
        [
            [{column: str(cell) for column, cell in row.items() if column not in ("text", "_line") and not isinstance(cell, (set, list))} for row in table]
            for table in rows
        ]
    )


def events_digest(tables):
    """Of what the numbers in a sample file mean: events, their order and states, and the fields of a sample. Events of some cores alone, which stand
    last, are left out: files of other cores stay what they are, and those of such cores have the names."""
    return digest(
        [
            [(row["name"], row["state"], row["sets"]) for row in tables.events if row["key"] == "-"],
            [(row["field"], row["width"], row["per"]) for row in tables.records if row["record"] == "sample"],
        ]
    )


def model_digest(packages):
    """Of all that a model is made of besides the RTL: the generated packages, without their comments."""
    return digest([re.sub(r"//.*", "", text) for text in packages])


def define(name, value):
    return f'#define {name} "{value}"'


def c(tables):
    return c_header(
        "TABLES_DIGEST",
        [
            "// TABLES_DIGEST: of all tables; EVENTS_DIGEST: of what a sample file's numbers depend on.",
            define("TABLES_DIGEST", tables_digest(tables)),
            define("EVENTS_DIGEST", events_digest(tables)),
        ],
    )


def c_model(_tables, config, model):
    return c_header(
        "MODEL_DIGEST", ["// What a model built from this folder says of itself.", define("CONFIG_NAME", config.name), define("MODEL_DIGEST", model)]
    )
