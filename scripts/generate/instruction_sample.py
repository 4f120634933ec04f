"""tables/instruction_sample.tsv: ProfileMe's record of one instruction, as struct, words and C struct."""
from generate.reading import number, read_table, refuse_duplicates, TableError
from generate.text import BANNER, c_header, md_table


def check(path):
    rows, taken = read_table(path), {}
    refuse_duplicates(path, rows, "field")
    for row in rows:
        word, high, low = (number(path, row, column) for column in ("word", "high", "low"))
        if not low <= high < 64 or word >= 12:
            raise TableError(
                f"{path}:{row['_line']}: {row['field']}: word {word}, bits {high}:{low}; give a word below 12, the highest bit, up to 63, and the lowest"
            )
        for bit in range(low, high + 1):
            other = taken.setdefault((word, bit), row["field"])
            if other != row["field"]:
                raise TableError(f"{path}:{row['_line']}: {row['field']}: bit {bit} of word {word} belongs to {other} already")
        row["word_n"], row["low_n"], row["width_n"] = word, low, high - low + 1
    return rows


def words(tables):
    return max(row["word_n"] for row in tables.instruction_sample) + 1


def sv(tables, _config):
    rows = tables.instruction_sample
    lines = [f"// {BANNER}", "package instruction_sample_pkg;", f"  localparam int unsigned SampleWords = {words(tables)};", "  typedef struct packed {"]
    for row in rows:
        width = f" [{row['width_n'] - 1}:0]" if row["width_n"] > 1 else ""
        lines.append(f"    logic{width} {row['field']};  // {row['text']}")
    lines += [
        "  } instruction_sample_t;",
        "",
        "  function automatic logic [63:0] instruction_sample_word(input instruction_sample_t sample, input logic [3:0] word);",
        "    instruction_sample_word = '0;",
        "    case (word)",
    ]
    for word in range(words(tables)):
        found = [row for row in rows if row["word_n"] == word]
        if found:
            lines.append(f"      4'd{word}: begin")
            lines += [f"        instruction_sample_word[{row['low_n']} +: {row['width_n']}] = sample.{row['field']};" for row in found]
            lines.append("      end")
    return "\n".join([*lines, "      default: ;", "    endcase", "  endfunction", "endpackage", ""])


def c(tables):
    rows = tables.instruction_sample
    body = [f"enum {{ INSTRUCTION_SAMPLE_WORDS = {words(tables)} }};", "", "struct instruction_sample {"]
    for row in rows:
        size = next(b for b in (8, 16, 32, 64) if row["width_n"] <= b)
        body.append(f"    {'bool' if row['width_n'] == 1 else f'uint{size}_t'} {row['field']};  // {row['text']}")
    body += [
        "};",
        "",
        "// From the words that the profile registers show, and back: bits of no field are 0.",
        "static inline void instruction_sample_unpack(struct instruction_sample *s, const uint64_t words[INSTRUCTION_SAMPLE_WORDS]) {",
    ]
    for row in rows:
        mask = "" if row["width_n"] == 64 else f" & UINT64_C(0x{(1 << row['width_n']) - 1:x})"
        shift = f" >> {row['low_n']}" if row["low_n"] else ""
        body.append(f"    s->{row['field']} = words[{row['word_n']}]{shift}{mask};")
    body += [
        "}",
        "static inline void instruction_sample_pack(const struct instruction_sample *s, uint64_t words[INSTRUCTION_SAMPLE_WORDS]) {",
        "    for (unsigned i = 0; i < INSTRUCTION_SAMPLE_WORDS; i++) words[i] = 0;",
    ]
    for row in rows:
        shift = f" << {row['low_n']}" if row["low_n"] else ""
        body.append(f"    words[{row['word_n']}] |= (uint64_t)s->{row['field']}{shift};")
    body += ["}", "", "// For readers that go through the fields by name: X(field, text).", "#define INSTRUCTION_SAMPLE_FIELDS(X) \\"]
    body += ["    " + " \\\n    ".join(f'X({row["field"]}, "{row["text"]}")' for row in rows)]
    return c_header("INSTRUCTION_SAMPLE", body)


def doc(tables):
    rows = [
        dict(
            row,
            where=f"0x{0x60 + row['word_n'] // 6:x} sireg{'' if row['word_n'] % 6 == 0 else row['word_n'] % 6 + 1}",
            bits=row["high"] if row["high"] == row["low"] else f"{row['high']}:{row['low']}",
        )
        for row in tables.instruction_sample
    ]
    return md_table(rows, ("where", "bits", "field", "text"))
