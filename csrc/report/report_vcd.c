// The samples as a VCD (IEEE 1364-2005, clause 18), for a waveform viewer beside the design's own signals, which
// `tipoff run --fst` writes: time is the same in both. `sampled` is high in the cycle of a sample; all else holds from
// there to the next one, as the unit's sample registers do. Before the first sample everything is unknown.
//
// Texts are variables of type string, an extension that GTKWave and Surfer read. A value ends at a space there: in its
// place stands an underscore.
#include "report/contexts.h"
#include "report/export.h"
#include "report/formats.h"
#include "report/words.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Time in the waveforms of a run (harness/model_shim.cpp): two steps of 1 ps a cycle, four cycles of reset in front.
enum { STEPS = 2, FIRST = 8 };

enum { NAME = REPORT_WHOLE, BITS = 64, FIRST_ID = '!', IDS = '~' - '!' + 1 };
enum { TEXTS = 4, FLAGS = 3, OF_SAMPLE = 6, OF_LANE = 3 };
enum { VARIABLES = 1 + TEXTS + OF_SAMPLE + FLAGS + 16 + OF_LANE * MAX_LANES };
_Static_assert(VARIABLES <= IDS, "an identifier is one character");

struct variable {
    const char *name;
    unsigned bits; // 0: a text
    bool known;    // it has a value:
    uint64_t value;
    char text[NAME];
};
struct vcd {
    const struct run *data;
    struct variable variables[VARIABLES]; // in the order in which they are declared
    unsigned count, used;                 // declared; of the current sample, given their values so far
    struct place place;                   // whose texts the variables have
    uint64_t now, low;                    // steps: what was written last; where `sampled` goes low again
    FILE *out;
};

// ---- declarations ----
static void declare(struct vcd *v, const char *name, unsigned bits) {
    struct variable *variable = &v->variables[v->count];
    *variable = (struct variable){.name = name, .bits = bits};
    const int id = FIRST_ID + (int)v->count++;
    if (bits < 2) {
        fprintf(v->out, "$var %s 1 %c %s $end\n", bits ? "wire" : "string", id, name);
    } else {
        fprintf(v->out, "$var wire %u %c %s [%u:0] $end\n", bits, id, name, bits - 1);
    }
}

static void declare_all(struct vcd *v) {
    const struct samples_header *h = v->data->header;
    fprintf(v->out, "$comment %s on %s: samples of %s $end\n", export_title(v->data), h->config, v->data->profiler);
    fputs("$timescale 1 ps $end\n$scope module tipoff $end\n", v->out);
    declare(v, "sampled", 1);
    declare(v, "state", 0);
    declare(v, "mode", 0);
    declare(v, "function", 0);
    declare(v, "instruction", 0);
    declare(v, "state_number", 2);
    declare(v, "commits", 4);
    declare(v, "triggers", BITS);
    declare(v, "space", BITS);
    declare(v, "pc", BITS);
    declare(v, "psv", h->event_count);
    for (unsigned e = 0; e < h->event_count; e++)
        declare(v, h->events[e], 1);
    declare(v, "exception", 1);
    declare(v, "flush", 1);
    declare(v, "mispredict", 1);
    for (unsigned lane = 0; lane < h->width; lane++) {
        fprintf(v->out, "$scope module lane%u $end\n", lane);
        declare(v, "valid", 1);
        declare(v, "pc", BITS);
        declare(v, "psv", h->event_count);
        fputs("$upscope $end\n", v->out);
    }
    fputs("$upscope $end\n$enddefinitions $end\n", v->out);
}

// ---- values: of the variables in the order of their declaration, each written where it changes ----
static void at(struct vcd *v, uint64_t time) {
    if (time != v->now) fprintf(v->out, "#%" PRIu64 "\n", time);
    v->now = time;
}

static void write_id(const struct vcd *v, unsigned variable) {
    fprintf(v->out, "%c\n", FIRST_ID + (int)variable);
}

static void write_bits(const struct vcd *v, unsigned bits, uint64_t value) {
    unsigned most = value ? BITS - (unsigned)__builtin_clzll(value) : 1; // leading zeros may be left out
    if (bits > 1) fputc('b', v->out);
    while (most-- > 0)
        fputc(value >> most & 1 ? '1' : '0', v->out);
    if (bits > 1) fputc(' ', v->out);
}

static void number(struct vcd *v, uint64_t value) {
    struct variable *variable = &v->variables[v->used];
    if (!variable->known || variable->value != value) {
        write_bits(v, variable->bits, value);
        write_id(v, v->used);
    }
    variable->known = true;
    variable->value = value;
    v->used++;
}

static void text(struct vcd *v, const char *value) {
    struct variable *variable = &v->variables[v->used];
    if (!variable->known || strcmp(variable->text, value) != 0) {
        fputs(*value ? "s" : "s-", v->out);
        for (const char *c = value; *c; c++)
            fputc((unsigned char)*c <= ' ' || *c == 0x7f ? '_' : *c, v->out);
        fputc(' ', v->out);
        write_id(v, v->used);
    }
    variable->known = true;
    snprintf(variable->text, sizeof variable->text, "%s", value);
    v->used++;
}

static void texts_of(struct vcd *v, const struct sample *s, struct place place) {
    char name[NAME] = "", instruction[NAME] = "";
    if (place_equal(place, v->place) && v->variables[v->used].known) {
        v->used += 2;
        return;
    }
    if (s->valid) {
        report_name(v->data, BY_FUNCTION, unit_of(v->data->images, BY_FUNCTION, place), name, sizeof name);
        report_instruction(v->data, place, instruction, sizeof instruction);
    }
    text(v, name);
    text(v, instruction);
    v->place = place;
}

static void write_sample(struct vcd *v, const struct sample_record *r) {
    const struct samples_header *h = v->data->header;
    const struct sample *s = &r->sample;
    const unsigned first = s->valid ? s->oldest : 0;
    const uint64_t pc = s->valid ? s->addr[first] : 0;
    const uint16_t psv = s->valid ? s->psv[first] : 0;
    v->used = 0;
    number(v, 1);
    text(v, report_state_name(s->state));
    text(v, report_mode_name(v->data, place_context(s->priv, s->space)));
    texts_of(v, s, (struct place){s->valid ? pc : PROFILE_PC_END, place_context(s->priv, s->space)});
    number(v, s->state);
    number(v, s->state == STATE_COMPUTING ? (unsigned)__builtin_popcount(s->valid) : 0);
    number(v, samples_periods(r));
    number(v, s->space);
    number(v, pc);
    number(v, psv);
    for (unsigned e = 0; e < h->event_count; e++)
        number(v, psv >> e & 1);
    number(v, s->exception);
    number(v, s->flush);
    number(v, s->mispredict);
    for (unsigned lane = 0; lane < h->width; lane++) {
        number(v, s->valid >> lane & 1);
        number(v, s->addr[lane]);
        number(v, s->psv[lane]);
    }
}

static void go_low(struct vcd *v) {
    if (!v->variables[0].value) return;
    at(v, v->low);
    v->used = 0;
    number(v, 0);
}

static bool take(void *context, const struct samples_header *header, const struct sample_record *record) {
    struct vcd *v = context;
    (void)header;
    const uint64_t time = STEPS * record->cycle + FIRST;
    if (v->low < time) go_low(v);
    at(v, time);
    write_sample(v, record);
    v->low = time + STEPS;
    return true;
}

static void write_unknown(struct vcd *v) {
    fputs("#0\n$dumpvars\n", v->out);
    for (unsigned i = 0; i < v->count; i++) {
        if (!v->variables[i].bits) continue;
        fputs(v->variables[i].bits > 1 ? "bx " : i ? "x" : "0", v->out);
        write_id(v, i);
    }
    fputs("$end\n", v->out);
}

static int write_vcd(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    (void)o;
    if (!export_has_times(d, "--format vcd", err)) return -EINVAL;
    struct vcd *v = calloc(1, sizeof *v);
    if (!v) return report_out_of_memory(d->path, err);
    v->data = d;
    v->out = out;
    declare_all(v);
    write_unknown(v);
    const bool good = sample_store_each(d->store, d->header, take, v);
    const uint64_t end = STEPS * d->cycles + FIRST;
    go_low(v);
    if (end > v->now) at(v, end);
    free(v);
    return good ? 0 : report_out_of_memory(d->path, err);
}

const struct report_format format_vcd = {.name = "vcd", .write = write_vcd, .one_hart = true};
