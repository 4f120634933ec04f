"""tables/results.tsv: what a run can leave, as C structs and their descriptions, names for Python, and a page."""
from generate.result_rows import NAMES, constant, living
from generate.text import BANNER, md_table

KINDS_OF = {"place": "PLACE", "rows": "ROWS", "index": "INDEX", "flag": "FLAG", "f64": "REAL", "text": "TEXT"}  # enum result_type; else a number


def struct(row):
    body = [f"// {row['text']}", f"struct {row['name']} {{"]
    for field in row["fields"]:
        says = "key" if field.key else field.unit
        size = f"[{field.bound}]" if field.type == "text" else ""
        if field.array and field is row["arrays"][field.array][0]:
            body.append(f"    {field.c()[0]} {field.array}[{len(row['arrays'][field.array])}]; // by enum {row['name']}_{field.array}")
        if not field.array:
            body.append(f"    {field.c()[0]} {field.name}{size}; // {says}")
    body.append("};")
    for name, elements in row["arrays"].items():
        body.append(f"enum {row['name']}_{name} {{")
        body += [f"    {name.upper()}_{f.name.upper()}, // {f.unit}" for f in elements]
        body += [f"    {row['name'].upper()}_{name.upper()}S", "};"]
    bounds = [f for f in row["fields"] if f.type == "rows"]
    return body + [f"enum {{ {row['name'].upper()}_{f.name.upper()} = {f.bound} }}; // rows at most" for f in bounds]


def accessors(row):
    name, upper = row["name"], constant(row["name"])
    if row["kind"] == "scalar":
        body = [
            f"static inline const struct {name} *results_{name}(const struct results *r) {{",
            "    size_t count;",
            f"    const struct {name} *rows = (const struct {name} *)results_rows(r, {upper}, &count);",
            "    return count ? rows : NULL;",
            "}",
        ]
    else:
        body = [
            f"static inline const struct {name} *results_{name}(const struct results *r, size_t *count) {{",
            f"    return (const struct {name} *)results_rows(r, {upper}, count);",
            "}",
        ]
    return body + [
        f"static inline bool results_add_{name}(struct results *r, const struct {name} *row) {{",
        f"    return results_add(r, {upper}, row);",
        "}",
    ]


def c(tables):
    rows = living(tables.results)
    body = [
        f"// {BANNER}",
        "// Rows of the results of a run. results_NAME: all rows, none where the run did not keep them; of a scalar its row, or NULL. results_add_NAME: one row",
        "// more, copied; false: out of memory.",
        "#ifndef TIPOFF_GEN_RESULTS_H",
        "#define TIPOFF_GEN_RESULTS_H",
        "",
        '#include "profile/result_store.h"',
        "",
        "enum result_number {",
        *(f"    {constant(row['name'])}," for row in rows),
        "    RESULT_COUNT",
        "};",
        "",
    ]
    for row in rows:
        body += [*struct(row), *accessors(row), ""]
    return "\n".join([*body, "#endif", ""])


def names_of(field):
    return f"names_of_{field.type}" if field.type in NAMES else "NULL"


def c_fields(tables):
    """What the store, the files and --stats know of each result: included by one file."""
    rows = living(tables.results)
    body = [
        f"// {BANNER}",
        "#ifndef TIPOFF_GEN_RESULT_FIELDS_H",
        "#define TIPOFF_GEN_RESULT_FIELDS_H",
        "",
        '#include "events.h"',
        '#include "records.h"',
        '#include "results.h"',
        "",
        *(f"static const char *const names_of_{kind}[] = {{{names}}};" for kind, names in NAMES.items()),
        "",
    ]
    for row in rows:
        body.append(f"static const struct result_field fields_of_{row['name']}[] = {{")
        for f in row["fields"]:
            kind = KINDS_OF.get(f.type, "NUMBER")
            within = next((i for i, g in enumerate(row["fields"]) if f.type == "index" and g.name == f.arguments[0]), 0)
            of = constant(f.arguments[0]) if f.type == "rows" else within
            body.append(
                f'    {{"{f.name}", "{f.member}", {f.id}, {f.since}, RESULT_{kind}, {f.c()[1]}, {str(f.key).lower()}, RESULT_MERGE_{f.merge.upper()}, {of}, '
                f'offsetof(struct {row["name"]}, {f.c_name}), {f.least}, {f.c()[2]}, "{f.unit}", "{f.whole_type()}", {names_of(f)}}},'
            )
        body += [
            "};",
            f'_Static_assert({len(row["fields"])} <= RESULT_FIELDS_MOST && sizeof(struct {row["name"]}) <= RESULT_ROW_MOST, "{row["name"]} is too large");',
        ]
    body += ["", "static const struct result_info result_infos[] = {"]
    for row in rows:
        layout, *words = (row["stats"] if row["stats"] != "-" else "none").split(":")
        words = [f'"{word}"' for word in words] + ["NULL"] * (2 - len(words))
        body.append(
            f'    {{"{row["name"]}", {row["id_n"]}, {row["since_n"]}, RESULT_{row["kind"].upper()}, RESULT_STATS_{layout.upper()}, {words[0]}, {words[1]}, '
            f'fields_of_{row["name"]}, {len(row["fields"])}, sizeof(struct {row["name"]})}},'
        )
    return "\n".join([*body, "};", "", "#endif", ""])


def python(tables):
    """Names for readers of sample files in Python: python/tipoff has it as it is here."""
    body = [
        '"""Results of a sample file by number: name, kind, and of each field by its number name, type and merge rule ("key": none, it is one). '
        + BANNER
        + '"""',
        "",
        "RESULTS = {",
    ]
    for row in living(tables.results):
        body += [f'    {row["id_n"]}: (', f'        "{row["name"]}",', f'        "{row["kind"]}",', "        {"]
        body += [f'            {f.id}: ("{f.name}", "{f.written}", "{"key" if f.key else f.merge}"),' for f in row["fields"]]
        body += ["        },", "    ),"]
    body += ["}", "", "# --stats, in its order: result, shape and its words, and of each field its name, name there and type", "STATISTICS = ("]
    for row in living(tables.results):
        if row["stats"] == "-":
            continue
        shape, key, group = [*row["stats"].split(":"), None][:3]
        fields = [f'("{f.name}", "{f.member}", "{f.written}"),' for f in row["fields"]]
        listed = f"({fields[0]})" if len(fields) == 1 else "\n            ".join(["(", *fields]) + "\n        )"  # as black has it
        group = f'"{group}"' if group else None
        body.append(f'    (\n        "{row["name"]}",\n        "{shape}",\n        "{key}",\n        {group},\n        {listed},\n    ),')
    return "\n".join([*body, ")", ""])


def doc(tables):
    lines = [
        "# Results of a run",
        "",
        f"<!-- {BANNER} -->",
        "What a run leaves in its sample file for reports besides samples and profiles, and what of it `--stats` has, in which shape. Every block",
        "names its result, hart, region and the ids and sizes of its fields; a reader passes over results and fields that it does not know. A row of",
        "tables/results.tsv makes the C struct, the block, its writer and reader, `--stats` and this page: a worker calls `results_add_NAME` in its",
        "`publish`. A block has the bytes of its rows by planes (of all rows the first bytes, then the second ones), which pack to half and less.",
        "",
        "`tipoff results` lists what is below in text, CSV or JSON; `tipoff results FILE.tips...` what files have of it, the results and fields of a",
        "later version by their numbers; `--rows NAME` the rows. Results of several files become one by the merge rule of each field: `sum`, `max`,",
        "`min`, `last`; `none`: values that differ stay apart, rows of a list as rows, a scalar or a table as no result at all. In C that is",
        "`results_merge`, in Python `tipoff.merge`; both refuse a sum that the type does not hold. Files that are not of one build of one program are",
        "merged all the same, with a warning. A cycle that did not come is all ones: `never` in `tipoff results`, an empty cell in its CSV, null in its",
        "JSON, `tipoff.NEVER` in Python. What a released version has keeps its id, name and type, or retires (`tests/unit/gen/schema-v3.tsv`).",
        "",
        "No rows of results are:",
        "",
        "- samples, call stacks and ProfileMe's records. They are written while the run goes on, and a run that dies keeps them up to its last whole",
        "  block; results are written at the end, each with the number of its rows in front.",
        "- profiles (time by address, state, vector and stack, one for each profiler), for speed: 3,000,000 rows are read in 0.09 s there, and in 0.31 s",
        "  as rows of a table of seven fields, for 14 % fewer bytes. They also have to be understood, or time would be missing without a word, while a",
        "  reader passes over results.",
        "- `config`, `settings` and `program` of `--stats`, which are text: the header of a sample file has them.",
        "",
        "`--stats` is made of the rows alone, in the order below, and so is `statistics` in Python. `members:KEY`: the fields are members of the object",
        "KEY, which several results may share (a dot: of the whole); a field INNER.NAME of an object in it. `names:KEY`: the members of KEY are called as",
        "the first field says. `objects:KEY`, `arrays:KEY`: an array with one of them for each row. `groups:KEY:ROWS`: an array of contexts, rows as text in",
        "ROWS. A type with + starts at 1; a value that its type does not have is refused with file, block, result and field. Before version 4 a sample",
        "file had all of this as JSON, too.",
        "",
    ]
    for row in tables.results:
        lines += [f"## {row['name']}", "", f"{row['text'][0].upper()}{row['text'][1:]}.", ""]
        lines.append(f"Id {row['id']}, {row['kind']}, since version {row['since']}" + ("" if row["retired"] == "-" else f", retired in {row['retired']}"))
        lines[-1] += f"; in `--stats`: `{row['stats']}`." if row["stats"] != "-" else "."
        cells = [
            {"id": f.id, "field": f.name, "type": f.whole_type(), "unit": "key" if f.key else f.unit, "merge": "" if f.key else f.merge} for f in row["fields"]
        ]
        lines += ["", md_table(cells, ("id", "field", "type", "unit", "merge"))]
    return "\n".join(lines).rstrip("\n") + "\n"
