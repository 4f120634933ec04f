// A sample's addresses are looked up one by one; call chains become stacks from the outermost frame inwards.
#include "import/perf_samples.h"
#include "records.h"
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STACKS = 1 << 22 };
#define MARKERS UINT64_C(4095)       // addresses from -MARKERS on say whose the ones after them are
#define TOTAL_MOST (UINT64_MAX >> 2) // of a profile

// ---- profiles ----
// Events of our own export are one profile, and its states.
static uint8_t own_state(const char *name) {
    static const char *const states[] = {STATE_NAMES};
    static const char own[] = "tipoff:";
    for (uint8_t s = 0; strncmp(name, own, sizeof own - 1) == 0 && s < STATE_COUNT; s++)
        if (strcasecmp(name + sizeof own - 1, states[s]) == 0) return s;
    return STATE_COUNT;
}

static bool meet(struct perf_samples *s, unsigned event) {
    struct perf_source *source = &s->sources[event];
    const uint8_t state = own_state(s->events[event].name);
    const char *name = state < STATE_COUNT ? "tipoff" : s->events[event].name;
    unsigned p = 0;
    while (p < s->profile_count && strcmp(s->profiles[p].name, name) != 0)
        p++;
    if (p == s->profile_count) {
        snprintf(s->profiles[p].name, sizeof s->profiles[p].name, "%s", name);
        if (!(s->profiles[p].table = profile_table_create_small())) return false;
        s->profile_count++;
    }
    *source = (struct perf_source){true, p, state};
    return true;
}

// ---- places ----
static unsigned mode_of(uint8_t mode, uint64_t ip) {
    if (mode == PERF_RECORD_MISC_KERNEL) return MODE_SUPERVISOR;
    if (mode == PERF_RECORD_MISC_USER) return MODE_USER;
    if (mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN) return (int64_t)ip < 0 ? MODE_SUPERVISOR : MODE_USER;
    return MODE_MACHINE; // a hypervisor, or what runs under this machine's
}

static void widen(struct perf_elf *f, const struct perf_place *p) {
    if (f->readable) return;
    if (!f->high || p->start < f->low) f->low = p->start;
    if (p->length <= UINT64_MAX - p->start && p->start + p->length > f->high) f->high = p->start + p->length;
}

// `behind`: it is the address after a call.
static struct place place_of(struct perf_samples *s, const struct perf_sample *sample, unsigned mode, uint64_t ip,
                             bool behind) {
    struct perf_place p;
    if (mode != MODE_USER) return (struct place){ip - behind, place_context((uint8_t)mode, 0)};
    if (!perf_maps_find(s->maps, sample->pid, sample->when, ip - behind, &p))
        return (struct place){ip - behind, place_context(PERF_MODE_UNKNOWN, 0)};
    struct perf_elf *f = &s->files[p.object];
    perf_elf_open(f, perf_maps_object(s->maps, p.object)->path);
    uint64_t address = perf_elf_address(f, p.offset);
    if (!f->placed) f->bias = ip - behind - address;
    f->placed = true;
    widen(f, &p);
    if (behind) address = perf_elf_call(f, address + 1);
    return (struct place){address, place_context(MODE_USER, p.object)};
}

// ---- call chains ----
struct frame {
    struct place place;
    bool entered; // by an exception or an interrupt, as the markers between them say
};

static unsigned marked(uint64_t marker, unsigned mode) {
    if (marker == (uint64_t)PERF_CONTEXT_USER) return MODE_USER;
    if (marker == (uint64_t)PERF_CONTEXT_KERNEL) return MODE_SUPERVISOR;
    return marker == (uint64_t)PERF_CONTEXT_HV || marker <= (uint64_t)PERF_CONTEXT_GUEST ? MODE_MACHINE : mode;
}

// The callers' frames, the innermost first: after a marker an address is that of an instruction, else one after a call.
static size_t callers(struct perf_samples *s, const struct perf_sample *sample, struct frame *frames) {
    unsigned mode = mode_of(sample->mode, sample->ip);
    size_t count = 0;
    bool first = true, exact = true;
    for (size_t i = 0; i < sample->depth; i++) {
        const uint64_t ip = sample->chain[i];
        if (ip >= -MARKERS) {
            mode = marked(ip, mode);
            exact = true;
            continue;
        }
        if (!first) frames[count++] = (struct frame){place_of(s, sample, mode, ip, !exact && ip), exact};
        first = exact = false;
    }
    return count;
}

static uint32_t stack_of(struct perf_samples *s, const struct perf_sample *sample, uint64_t context) {
    struct frame *frames = s->frames;
    if (!sample->depth) return STACK_UNKNOWN;
    const size_t count = callers(s, sample, frames);
    const uint64_t outermost = count ? frames[count - 1].place.context : context;
    uint32_t stack = stack_table_find(s->stacks, &(struct stack_node){.kind = STACK_ROOT, .context = outermost});
    for (size_t i = count; i-- > 0;) {
        const struct stack_node node = {.parent = stack,
                                        .kind = frames[i].entered ? STACK_EXCEPTION : STACK_CALL,
                                        .site = frames[i].place.pc,
                                        .context = i ? frames[i - 1].place.context : context};
        if (stack == STACK_LOST) break;
        stack = stack_table_find(s->stacks, &node);
    }
    return stack;
}

bool perf_samples_add(struct perf_samples *s, const struct perf_sample *sample) {
    struct perf_source *source = &s->sources[sample->event];
    if (!source->met && !meet(s, sample->event)) return false;
    struct profile_table *table = s->profiles[source->profile].table;
    const struct place place = place_of(s, sample, mode_of(sample->mode, sample->ip), sample->ip, false);
    s->count++;
    s->profiles[source->profile].samples++;
    if (!sample->period) return true;
    if (sample->period > TOTAL_MOST - profile_table_total(table)) {
        s->unwritten++;
        return true;
    }
    if (place_mode(place.context) == MODE_USER) s->files[place_space(place.context)].weight += sample->period / 2 + 1;
    return profile_table_add_stack(table, place, stack_of(s, sample, place.context), source->state, 0, sample->period);
}

struct perf_samples *perf_samples_create(const char *path, struct perf_maps *maps, size_t object, const char *program,
                                         const struct perf_event_kind *events, struct error *err) {
    enum { CHAIN = 1 << 13 }; // of a record of 64 KiB
    struct perf_samples *s = error_calloc(sizeof *s, path, err);
    if (!s) {
        perf_maps_destroy(maps);
        return NULL;
    }
    s->maps = maps;
    s->events = events;
    s->files = calloc(perf_maps_objects(maps) + 1, sizeof *s->files);
    s->stacks = stack_table_create(STACKS);
    s->frames = calloc(CHAIN, sizeof(struct frame));
    if (s->files && s->stacks && s->frames) {
        if (object != SIZE_MAX) perf_elf_open(&s->files[object], program);
        return s;
    }
    perf_samples_destroy(s);
    error_nomem(err, path);
    return NULL;
}

void perf_samples_destroy(struct perf_samples *s) {
    if (!s) return;
    for (size_t i = 0; s->files && i < perf_maps_objects(s->maps); i++)
        perf_elf_free(&s->files[i]);
    for (unsigned i = 0; i < s->profile_count; i++)
        profile_table_destroy(s->profiles[i].table);
    stack_table_destroy(s->stacks);
    perf_maps_destroy(s->maps);
    free(s->files);
    free(s->frames);
    free(s);
}
