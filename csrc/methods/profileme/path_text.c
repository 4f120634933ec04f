// A path in words: functions and their branches, or every transfer of control.
#include "methods/profileme/path_text.h"
#include <inttypes.h>
#include <string.h>

static void write_line(const struct profileme_page *page, struct place place, FILE *out) {
    unsigned line;
    char name[256];
    if (report_source(page->data, place, &line)) {
        fprintf(out, "%u", line);
        return;
    }
    report_name(page->data, BY_INSTRUCTION, place, name, sizeof name);
    const char *offset = strrchr(name, '+');
    fputs(offset ? offset : "+0", out);
}

void path_text_way(const struct profileme_page *page, const struct path_walk *s, FILE *out) {
    uint32_t function = UINT32_MAX;
    for (uint32_t i = s->count; i-- > 0;) {
        const struct path_step *step = &s->steps[i];
        const enum path_kind kind = path_graph_kind(s->graph, step->from, step->to);
        size_t count;
        const struct program_instruction *all = program_instructions(s->program, &count);
        const struct place from = {all[step->from].pc + s->bias, s->place.context};
        const struct program_function *functions = program_functions(s->program, &count);
        if (function != all[step->from].function)
            fprintf(out, "%s%s", i + 1 == s->count ? "" : " ", functions[all[step->from].function].name);
        function = all[step->from].function;
        if (kind == PATH_BRANCH) {
            const uint64_t behind = all[step->from].pc + ((all[step->from].insn & 3) == 3 ? 4 : 2);
            fputc(' ', out);
            write_line(page, from, out);
            fputc(all[step->to].pc == behind ? '-' : '+', out);
        }
        if (kind == PATH_CALL) fputs(" ->", out);
        if (kind == PATH_RETURN) fputs(" <-", out);
        if (all[step->to].function != function && kind != PATH_CALL && kind != PATH_RETURN) fputs(" ~>", out);
    }
    const size_t at = program_find(s->program, s->place.pc - s->bias);
    size_t count;
    const uint32_t last = program_instructions(s->program, &count)[at].function;
    if (last != function) fprintf(out, "%s%s", s->count ? " " : "", program_functions(s->program, &count)[last].name);
}

void path_text_steps(const struct path_walk *s, FILE *out) {
    size_t count;
    const struct program_instruction *all = program_instructions(s->program, &count);
    for (uint32_t i = s->count; i-- > 0;) {
        const struct path_step *step = &s->steps[i];
        fprintf(out, "%s0x%08" PRIx64 ">0x%08" PRIx64, i + 1 == s->count ? "" : " ", all[step->from].pc + s->bias,
                all[step->to].pc + s->bias);
    }
}
