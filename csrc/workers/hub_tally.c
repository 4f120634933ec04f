// Messages come ahead of the cycles that they belong to, which are shown with a delay where they are equal: so both
// wait, and are put together when nothing more can come for them.
#include "workers/hub_tally.h"
#include "base/array.h"
#include <stdlib.h>
#include <string.h>

enum { ASKS = HUB_EVENTS, ANSWERS }; // beside events, as differences of numbers

static bool put(struct hub_tally *h, uint64_t cycle, unsigned what, unsigned id) {
    if (!array_reserve(&h->list, &h->capacity, h->count, sizeof *h->list)) return false;
    h->list[h->count++] = (struct hub_message){.cycle = cycle, .what = (uint8_t)what, .id = (uint8_t)(id & 31)};
    return true;
}

static bool put_event(struct hub_tally *h, uint64_t cycle, unsigned event) {
    return put(h, cycle, event - PMU_EVENT_KEYED, 0);
}

void hub_tally_free(struct hub_tally *h) {
    free(h->list);
}

bool hub_tally_memory(struct hub_tally *h, const struct memory_event *e) {
    const uint64_t asked = e->tick - 1; // the cycle of what the core sends
    if (!h->coherent) return true;
    switch (e->kind) {
    case MEMORY_READ: return e->prefetch || put(h, asked, ASKS, e->id);
    case MEMORY_RESPONSE:
        return put(h, e->tick, ANSWERS, e->id) && (!e->refused || put_event(h, e->tick, PMU_EVENT_PREFETCHES_REFUSED));
    case MEMORY_SNOOP: return put_event(h, e->tick, PMU_EVENT_SNOOPS);
    case MEMORY_SNOOPED: return !e->found || put_event(h, asked, PMU_EVENT_SNOOPS_HIT);
    default: return true;
    }
}

// ---- cycles ----
// What one of equal cycles shows itself. A line that is lost with none in its place has gone by a snoop, whose answer
// goes up in the next cycle; or, where its words were not read, as it was asked for again.
static bool put_lines(struct hub_tally *h, uint64_t cycle, const struct trace_accesses *accesses) {
    bool lost = false, asked = false, comes = false;
    for (uint64_t i = 0; i < accesses->count; i++) {
        const struct access_event *e = &accesses->list[i];
        if (e->kind == ACCESS_LINE_LOST) *(e->id ? &lost : &asked) = true;
        comes |= e->kind == ACCESS_LINE_SHARED || e->kind == ACCESS_LINE_OWNED;
    }
    return (!lost || comes || put_event(h, cycle + 1, PMU_EVENT_LINES_LOST)) &&
           (!asked || put_event(h, cycle, PMU_EVENT_UPGRADES));
}

static bool put_replay(struct hub_tally *h, const struct worker_view *v) {
    const unsigned psv = v->bundle->exception_psv;
    return put_event(h, v->cycle,
                     psv >> EVENT_FL_COH & 1  ? PMU_EVENT_REPLAYS_SNOOP
                     : psv >> EVENT_FL_MO & 1 ? PMU_EVENT_REPLAYS_ORDER
                                              : PMU_EVENT_REPLAYS_PAGE);
}

// Adds what happens in those cycles of the span that lie in `from` to `end`.
static void count(const struct hub_tally *h, const struct hub_span *s, uint64_t from, uint64_t end, uint32_t *waits,
                  uint64_t of[HUB_EVENTS]) {
    uint64_t waited = 0, at = s->cycle;
    for (size_t i = 0; i < h->count; i++) {
        const struct hub_message *m = &h->list[i];
        if (m->cycle < from || m->cycle >= end) continue;
        if (m->what < HUB_EVENTS) {
            of[m->what] += m->cycle >= s->cycle;
            continue;
        }
        const uint64_t next = m->cycle + 1; // from then on it waits, or no more
        if (*waits && next > at) waited += next - at;
        if (next > at) at = next;
        *waits = (*waits & ~(UINT32_C(1) << m->id)) | (uint32_t)(m->what == ASKS) << m->id;
    }
    if (*waits && end > at) waited += end - at;
    if (!s->commits) of[PMU_EVENT_HUB_WAITS - PMU_EVENT_KEYED] += waited;
}

// The oldest span: nothing more can come for it.
static void book(struct hub_tally *h) {
    const struct hub_span *s = &h->last[0];
    const uint64_t end = s->end;
    size_t kept = 0;
    if (h->count || h->waits) {
        count(h, s, h->until, end, &h->waits, h->total[s->mode]);
        for (size_t i = 0; i < h->count; i++)
            if (h->list[i].cycle >= end) h->list[kept++] = h->list[i];
        h->count = kept;
    }
    h->until = end;
    memmove(&h->last[0], &h->last[1], (HUB_BACK - 1) * sizeof h->last[0]);
    h->spans--;
}

bool hub_tally_cycle(struct hub_tally *h, const struct worker_view *v, unsigned mode) {
    const struct commit_bundle *b = v->bundle;
    if (!h->coherent) return true;
    if (h->spans == HUB_BACK) book(h);
    h->last[h->spans++] = (struct hub_span){
        .cycle = v->cycle, .end = v->cycle + v->count, .mode = mode % HUB_MODES, .commits = b->commit != 0};
    if (h->vectors && b->exception && b->replay && !put_replay(h, v)) return false;
    return !v->accesses || v->accesses->count == 0 || put_lines(h, v->cycle, v->accesses);
}

uint64_t hub_tally_up_to(const struct hub_tally *h, unsigned number, unsigned modes, uint64_t cycle) {
    uint64_t sum = 0, from = h->until;
    uint32_t waits = h->waits;
    if (number < PMU_EVENT_KEYED || number >= PMU_EVENT_NUMBERS) return 0;
    for (unsigned m = 0; m < HUB_MODES; m++)
        if (modes >> m & 1) sum += h->total[m][number - PMU_EVENT_KEYED];
    for (unsigned i = 0; i < h->spans && from <= cycle; i++) {
        const struct hub_span *s = &h->last[i];
        uint64_t of[HUB_EVENTS] = {0};
        const uint64_t end = s->end <= cycle ? s->end : cycle + 1;
        count(h, s, from, end, &waits, of);
        if (modes >> s->mode & 1) sum += of[number - PMU_EVENT_KEYED];
        from = end;
    }
    return sum;
}
