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

static void write_cycles(const struct shown *s, const char *key, size_t member, uint64_t first, FILE *out) {
    fprintf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < s->head->rows.count; i++) {
        const uint64_t cycle = *(const uint64_t *)((const char *)&s->rows[i] + member);
        if (i) fputc(',', out);
        fprintf(out, "%lld", cycle == SNIPPET_NEVER ? -1LL : (long long)(cycle - first));
    }
    fputc(']', out);
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
    const struct place place = {s->head->place.pc, d->header->contexts ? s->head->place.context : 0};
    const struct html_slot slot = html_functions_find(f, d, place);
    fprintf(out,
            "{\"function\":%d,\"instruction\":%u,\"cycle\":%llu,\"from\":%llu,\"state\":%u,\"triggers\":%llu,"
            "\"row\":%u,\"address\":[",
            slot.function == HTML_NONE ? -1 : (int)slot.function, slot.instruction, (unsigned long long)s->head->cycle,
            (unsigned long long)first, s->head->state, (unsigned long long)s->head->triggers, s->head->row);
    for (size_t i = 0; i < s->head->rows.count; i++)
        fprintf(out, i ? ",%u" : "%u", address_of(s, i, strings));
    fputs("],\"name\":[", out);
    for (size_t i = 0; i < s->head->rows.count; i++)
        fprintf(out, i ? ",%u" : "%u", name_of(d, s, i, strings));
    fputs("],\"text\":[", out);
    for (size_t i = 0; i < s->head->rows.count; i++)
        fprintf(out, i ? ",%u" : "%u", text_of(d, s, i, strings));
    fputs("],\"psv\":[", out);
    for (size_t i = 0; i < s->head->rows.count; i++)
        fprintf(out, i ? ",%u" : "%u", s->rows[i].psv);
    fputs("],\"squashed\":[", out);
    for (size_t i = 0; i < s->head->rows.count; i++)
        fprintf(out, i ? ",%d" : "%d", s->rows[i].squashed);
    fputc(']', out);
    write_cycles(s, "fetched", offsetof(struct snippet_row, fetched), first, out);
    write_cycles(s, "dispatched", offsetof(struct snippet_row, dispatched), first, out);
    write_cycles(s, "issued", offsetof(struct snippet_row, issued), first, out);
    write_cycles(s, "done", offsetof(struct snippet_row, done), first, out);
    write_cycles(s, "left", offsetof(struct snippet_row, left), first, out);
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
