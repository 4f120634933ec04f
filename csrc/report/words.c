// Addresses, instructions and reasons in words.
#include "report/words.h"
#include "base/paths.h"
#include "base/plain_text.h"
#include "instructions.h"
#include "isa/control.h"
#include "isa/rvc.h"
#include "report/contexts.h"
#include "report/folded.h"
#include "report/run.h"
#include "report/run_images.h"
#include "report/short_name.h"
#include "results.h"
#include <stdarg.h>
#include <string.h>

static const char *const state_names[] = {STATE_NAMES, "Unknown"};

const char *report_state_name(unsigned state) {
    return state_names[state];
}

const char *report_state_words(unsigned state) {
    static const char *const words[] = {
        "instructions commit",
        "the oldest instruction is not finished",
        "refilling after an instruction that flushed the pipeline",
        "the front end has not delivered the next instruction",
        "the profiler does not know",
    };
    return words[state];
}

void words_append(char *text, size_t size, const char *format, ...) {
    const size_t used = strlen(text);
    va_list values;
    va_start(values, format);
    vsnprintf(text + used, size - used, format, values);
    va_end(values);
}

static void plain_address(uint64_t address, char *text, size_t size) {
    snprintf(text, size, "0x%llx", (unsigned long long)address);
}

void report_name(const struct run *d, enum granularity g, struct place place, char *text, size_t size) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END) {
        snprintf(text, size, place_equal(place, REPORT_LEFT_OUT) ? FOLDED_LEFT_OUT : "end of run");
    } else if (g == BY_APPLICATION) {
        report_process(d, place.context, text, size);
    } else if (!images_find(d->images, place, &hit)) {
        plain_address(place.pc, text, size);
    } else {
        const struct program_function *f = image_hit_function(&hit);
        uint64_t offset = place.pc - hit.bias - f->entry;
        char behind[32] = "";
        if (offset) snprintf(behind, sizeof behind, "+0x%llx", (unsigned long long)offset);
        char brief[REPORT_WHOLE];
        const bool is_brief = size <= REPORT_SHOWN && short_name(f->name, brief, sizeof brief);
        // report_label puts image and process after it
        plain_fit(text, size - size / 4, is_brief ? brief : f->name, behind);
    }
}

void report_unit(const struct run *d, enum granularity g, struct place place, char *text, size_t size) {
    if (g == BY_FUNCTION || g == BY_APPLICATION || place.pc == PROFILE_PC_END) {
        report_name(d, g, place, text, size);
    } else {
        plain_address(place.pc, text, size);
    }
}

// The disassembler writes a branch's target as an address, last in the line: a symbol says more.
void report_instruction(const struct run *d, struct place place, char *text, size_t size) {
    struct image_hit hit;
    if (size) *text = '\0';
    if (place.pc == PROFILE_PC_END) return;
    const bool found = images_find(d->images, place, &hit);
    const struct program_instruction *i = found ? image_hit_instruction(&hit) : NULL;
    const struct traced_text *traced = !found || i->data ? run_traced_text(d, place.pc) : NULL;
    if (traced) plain_put(text, size, traced->text);
    if (traced || !found) return;
    if (!i->bytes) return; // it is not known (analysis/program_sampled.h)
    if (i->data) {
        disasm_data(i->insn, i->bytes, text, size);
        return;
    }
    disasm_text(d->disasm, place.pc, i->insn, text, size);
    uint64_t target;
    char *last = strrchr(text, ' ');
    if (!control_target(place.pc, i->insn, &target) || !last || strncmp(last, " 0x", 3) != 0) return;
    const struct place to = {target, place.context};
    report_name(d, BY_INSTRUCTION, to, last + 1, size - (size_t)(last + 1 - text));
}

const char *report_execution_unit(const struct run *d, struct place place) {
    static const char *const names[] = {UNIT_NAMES};
    static const struct insn_info info[] = {INSN_INFO_ROWS};
    struct image_hit hit;
    if (!images_find(d->images, place, &hit) || image_hit_instruction(&hit)->data) return "";
    return names[info[insn_decode(insn_word(image_hit_instruction(&hit)->insn))].unit];
}

bool report_data(const struct run *d, uint64_t address, char *text, size_t size) {
    bool found = false;
    for (size_t i = 0; !found && i < images_count(d->images); i++) {
        const struct program *program = images_program(d->images, i);
        found = program && program_data(program, address, text, size);
    }
    return found;
}

const char *report_source(const struct run *d, struct place place, unsigned *line) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END || !images_find(d->images, place, &hit)) return NULL;
    const char *file = program_source(hit.program, place.pc - hit.bias, line);
    return file ? paths_plain(file) : NULL;
}

struct reason {
    const char *event;
    const char *words;
};

static const struct reason stalled[] = {{"ST_COH", "another hart had its line"},
                                        {"ST_LLC", "load missed the LLC"},
                                        {"ST_L1", "missed the L1 data cache"},
                                        {"ST_TLB", "missed the data TLB"}};
static const struct reason flushed[] = {{"FL_MB", "mispredicted"},
                                        {"FL_EX", "trapped"},
                                        {"FL_COH", "another hart took its line, ran again"},
                                        {"FL_MO", "broke memory order, ran again"}};
static const struct reason drained[] = {{"DR_L1", "fetch missed the L1 instruction cache"},
                                        {"DR_TLB", "fetch missed the instruction TLB"},
                                        {"DR_SQ", "store queue was full"}};
// Of each state: what it says of its owner, and the events that can say more; the first of equals counts.
static const struct {
    const char *words;
    const struct reason *reasons;
    size_t count;
} explanations[] = {
    {"commits", NULL, 0},
    {"the core waits for it", stalled, 4},
    {"the pipeline refills after it", flushed, 4},
    {"arrives late", drained, 3},
    {"", NULL, 0},
};

// The event of the list that has most of the unit's time, if that explains it: its number in *event.
static const char *explained(const struct run *d, const struct unit_time *unit, const struct reason *reasons,
                             size_t count, unsigned *event) {
    uint64_t most = unit->weight / REPORT_WHY_PART;
    const char *words = NULL;
    for (size_t r = 0; r < count; r++) {
        for (uint32_t e = 0; e < d->header->event_count; e++) {
            if (strcmp(d->header->events[e], reasons[r].event) != 0 || unit->events[e] <= most) continue;
            most = unit->events[e];
            words = reasons[r].words;
            *event = e;
        }
    }
    return words;
}

bool report_why(const struct run *d, const struct unit_time *unit, char *text, size_t size, unsigned *event) {
    unsigned most = 0;
    for (unsigned s = 1; s <= STATE_COUNT; s++) {
        if (unit->states[s] > unit->states[most]) most = s;
    }
    const char *because = explained(d, unit, explanations[most].reasons, explanations[most].count, event);
    snprintf(text, size, "%s%s%s", explanations[most].words, because ? ": " : "", because ? because : "");
    return because;
}

const char *report_explanation(unsigned state, size_t i, const char **event) {
    *event = NULL;
    if (i == 0) return explanations[state].words;
    if (i > explanations[state].count) return NULL;
    *event = explanations[state].reasons[i - 1].event;
    return explanations[state].reasons[i - 1].words;
}
