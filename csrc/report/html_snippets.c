// Pipeline snippets of the HTML report: the rows of each as columns, cycles counted from the first that is in it.
#include "profile/snippet.h"
#include "report/html_document.h"
#include "report/words.h"

enum { TEXT = REPORT_WHOLE };

struct shown {
    const struct snippet *head;
    const struct snippet_row *rows; // its own
};

static uint64_t first_cycle(const struct shown *s) {
    uint64_t first = s->rows[0].fetched;
    for (size_t i = 1; i < s->head->rows.count; i++)
        if (s->rows[i].fetched < first) first = s->rows[i].fetched;
    return first;
}

static int64_t since(uint64_t first, uint64_t cycle) {
    return cycle == SNIPPET_NEVER ? -1 : (int64_t)(cycle - first);
}

static uint32_t name_of(const struct run *d, const struct shown *s, size_t i, struct string_table *strings) {
    char text[TEXT];
    const struct place place = {s->rows[i].pc, s->head->place.context};
    report_name(d, BY_INSTRUCTION, place, text, sizeof text);
    return string_table_number(strings, text);
}

static uint32_t text_of(const struct run *d, const struct shown *s, size_t i, struct string_table *strings) {
    char text[TEXT] = "";
    if (d->disasm) disasm_text(d->disasm, s->rows[i].pc, s->rows[i].insn, text, sizeof text);
    return string_table_number(strings, text);
}

static uint32_t address_of(const struct shown *s, size_t i, struct string_table *strings) {
    char text[32];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)s->rows[i].pc);
    return string_table_number(strings, text);
}

static void write_snippet(const struct html_functions *f, const struct run *d, const struct shown *s,
                          struct string_table *strings, FILE *out) {
    const uint64_t first = first_cycle(s);
    const size_t count = s->head->rows.count;
    const struct place place = {s->head->place.pc, d->header->contexts ? s->head->place.context : 0};
    const struct html_slot slot = html_functions_find(f, d, place);
    fprintf(out,
            "{\"function\":%d,\"instruction\":%u,\"cycle\":%llu,\"from\":%llu,\"state\":%u,\"triggers\":%llu,"
            "\"row\":%u",
            slot.function == HTML_NONE ? -1 : (int)slot.function, slot.instruction, (unsigned long long)s->head->cycle,
            (unsigned long long)first, s->head->state, (unsigned long long)s->head->triggers, s->head->row);
    JSON_COLUMN(out, ",\"address\"", i, count, address_of(s, i, strings));
    JSON_COLUMN(out, ",\"name\"", i, count, name_of(d, s, i, strings));
    JSON_COLUMN(out, ",\"text\"", i, count, text_of(d, s, i, strings));
    JSON_COLUMN(out, ",\"psv\"", i, count, s->rows[i].psv);
    JSON_COLUMN(out, ",\"squashed\"", i, count, s->rows[i].squashed);
    JSON_COLUMN(out, ",\"fetched\"", i, count, since(first, s->rows[i].fetched));
    JSON_COLUMN(out, ",\"dispatched\"", i, count, since(first, s->rows[i].dispatched));
    JSON_COLUMN(out, ",\"issued\"", i, count, since(first, s->rows[i].issued));
    JSON_COLUMN(out, ",\"done\"", i, count, since(first, s->rows[i].done));
    JSON_COLUMN(out, ",\"left\"", i, count, since(first, s->rows[i].left));
    fputc('}', out);
}

void html_snippets_write(const struct html_functions *f, const struct run *d, struct string_table *strings, FILE *out) {
    const struct results *results = samples_results(d->samples);
    size_t count, row_count;
    const struct snippet *list = results_snippet(results, &count);
    const struct snippet_row *rows = results_snippet_row(results, &row_count);
    fputs("\"snippets\":[", out);
    for (size_t i = 0; i < count; i++) {
        if (i) fputs(",\n", out);
        write_snippet(f, d, &(struct shown){&list[i], rows + list[i].rows.first}, strings, out);
    }
    fputs("],\n", out);
}
