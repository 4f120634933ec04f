// One record of a perf.data file: a map, a task, a sample, or what the pipe form has instead of a header.
#include "base/bisect.h"
#include "import/perf_data_internal.h"
#include <stdlib.h>
#include <string.h>

// Records of perf itself.
enum { HEADER_ATTR = 64, EVENT_UPDATE = 78, HEADER_BUILD_ID = 67, HEADER_FEATURE = 80, UPDATE_NAME = 2 };
enum { BUILD_ID_FIELD = 24 }; // device, inode and generation, or a build id

static int by_id(const void *x, const void *y) {
    const struct perf_id *a = x, *b = y;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->event < b->event ? -1 : a->event > b->event;
}
static bool before_id(const void *entry, const void *id) {
    return ((const struct perf_id *)entry)->id < *(const uint64_t *)id;
}

unsigned perf_event_of(struct perf_data *p, uint64_t id) {
    if (!p->ids_sorted && p->id_count) qsort(p->ids, p->id_count, sizeof *p->ids, by_id);
    p->ids_sorted = true;
    const size_t at = bisect(p->ids, p->id_count, sizeof *p->ids, before_id, &id);
    return at < p->id_count && p->ids[at].id == id ? p->ids[at].event : p->event_count;
}

// All events agree on where the id stands, or it stands at one end.
static bool identified(const struct perf_data *p) {
    return p->event_count && p->events[0].sample_type & PERF_SAMPLE_IDENTIFIER;
}

// The time of a record other than a sample, in the trailer at its end, which it cuts off.
static uint64_t when_of(const struct perf_data *p, struct perf_bytes *b) {
    const struct perf_event_kind *e = p->events;
    if (!p->event_count || !e->id_all) return p->number;
    const uint64_t t = e->sample_type;
    const uint64_t in_it[] = {PERF_SAMPLE_TID,       PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
                              PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,  PERF_SAMPLE_IDENTIFIER};
    uint64_t bytes = 0, before = 0, when = p->number;
    for (size_t i = 0; i < sizeof in_it / sizeof *in_it; i++)
        if (t & in_it[i]) bytes += 8;
    if (t & PERF_SAMPLE_TID) before = 8;
    if (bytes > (uint64_t)(b->end - b->at)) return when;
    b->end -= bytes;
    if (t & PERF_SAMPLE_TIME) memcpy(&when, b->end + before, sizeof when);
    return when;
}

// ---- who runs what ----
static bool take_map(struct perf_data *p, const struct perf_event_header *h, struct perf_bytes *b,
                     const struct perf_takes *t, struct error *err) {
    enum { EXECUTE = 4 };
    struct perf_map m = {.when = when_of(p, b)};
    uint64_t protection = EXECUTE;
    m.kernel = (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER;
    m.pid = (uint32_t)perf_get(b, 4);
    perf_pass(b, 4);
    m.start = perf_get(b, 8);
    m.bytes = perf_get(b, 8);
    m.offset = perf_get(b, 8);
    if (h->type == PERF_RECORD_MMAP2) {
        const uint8_t *field = b->at;
        perf_pass(b, BUILD_ID_FIELD);
        if (!b->bad && h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID && field[0] <= PERF_BUILD_ID) {
            m.build_id_bytes = field[0];
            memcpy(m.build_id, field + 4, PERF_BUILD_ID);
        }
        protection = perf_get(b, 4);
        perf_pass(b, 4);
    } else if (h->misc & PERF_RECORD_MISC_MMAP_DATA) {
        protection = 0;
    }
    m.path = perf_get_text(b);
    return b->bad || !(protection & EXECUTE) || !m.bytes || t->map(t->context, &m, err);
}

static bool take_comm(struct perf_data *p, const struct perf_event_header *h, struct perf_bytes *b,
                      const struct perf_takes *t, struct error *err) {
    struct perf_task task = {.when = when_of(p, b), .exec = h->misc & PERF_RECORD_MISC_COMM_EXEC};
    task.pid = (uint32_t)perf_get(b, 4);
    task.tid = (uint32_t)perf_get(b, 4);
    task.name = perf_get_text(b);
    return b->bad || t->task(t->context, &task, err);
}

static bool take_fork(struct perf_data *p, struct perf_bytes *b, const struct perf_takes *t, struct error *err) {
    struct perf_task task = {.when = when_of(p, b), .fork = true, .name = ""};
    task.pid = (uint32_t)perf_get(b, 4);
    task.parent = (uint32_t)perf_get(b, 4);
    task.tid = (uint32_t)perf_get(b, 4);
    return b->bad || t->task(t->context, &task, err);
}

// ---- samples ----
// Passes over the counters that a sample may carry (perf_event.h: read_format).
static void pass_counts(struct perf_bytes *b, uint64_t format) {
    const uint64_t times =
        (format & PERF_FORMAT_TOTAL_TIME_ENABLED ? 8 : 0) + (format & PERF_FORMAT_TOTAL_TIME_RUNNING ? 8 : 0);
    const uint64_t each = 8 + (format & PERF_FORMAT_ID ? 8 : 0) + (format & 1u << 4 ? 8 : 0); // 4: lost
    const uint64_t count = format & PERF_FORMAT_GROUP ? perf_get(b, 8) : 1;
    perf_pass(b, times);
    if (count > PERF_RECORD_BYTES)
        b->bad = true;
    else
        perf_pass(b, count * each);
}

static void get_chain(struct perf_data *p, struct perf_bytes *b, struct perf_sample *s) {
    const uint64_t count = perf_get(b, 8);
    if (count > (uint64_t)(b->end - b->at) / 8) {
        b->bad = true;
        return;
    }
    memcpy(p->chain, b->at, count * 8);
    perf_pass(b, count * 8);
    s->chain = p->chain;
    s->depth = count;
}

// The event of a sample: by the id, which stands first, or where sample_type has it; else there is one event alone.
static unsigned sample_event(struct perf_data *p, const struct perf_bytes *whole) {
    struct perf_bytes b = *whole;
    const uint64_t t = p->event_count ? p->events[0].sample_type : 0;
    if (p->event_count < 2) return 0;
    if (identified(p)) return perf_event_of(p, perf_get(&b, 8));
    if (!(t & PERF_SAMPLE_ID)) return 0;
    const uint64_t in_front[] = {PERF_SAMPLE_IP, PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR};
    for (size_t i = 0; i < sizeof in_front / sizeof *in_front; i++)
        if (t & in_front[i]) perf_pass(&b, 8);
    return perf_event_of(p, perf_get(&b, 8));
}

// As far as the call chain; what follows is not used (linux/perf_event.h: PERF_RECORD_SAMPLE).
static bool take_sample(struct perf_data *p, const struct perf_event_header *h, struct perf_bytes *b,
                        const struct perf_takes *t, struct error *err) {
    struct perf_sample s = {.event = sample_event(p, b), .mode = h->misc & PERF_RECORD_MISC_CPUMODE_MASK};
    if (s.event >= p->event_count) return true;
    const struct perf_event_kind *e = &p->events[s.event];
    const uint64_t type = e->sample_type;
    s.when = p->number;
    s.period = e->frequency ? 1 : e->period;
    if (type & PERF_SAMPLE_IDENTIFIER) perf_pass(b, 8);
    if (type & PERF_SAMPLE_IP) s.ip = perf_get(b, 8);
    if (type & PERF_SAMPLE_TID) s.pid = (uint32_t)perf_get(b, 4), s.tid = (uint32_t)perf_get(b, 4);
    if (type & PERF_SAMPLE_TIME) s.when = perf_get(b, 8);
    if (type & PERF_SAMPLE_ADDR) perf_pass(b, 8);
    if (type & PERF_SAMPLE_ID) perf_pass(b, 8);
    if (type & PERF_SAMPLE_STREAM_ID) perf_pass(b, 8);
    if (type & PERF_SAMPLE_CPU) perf_pass(b, 8);
    if (type & PERF_SAMPLE_PERIOD) s.period = perf_get(b, 8);
    if (type & PERF_SAMPLE_READ) pass_counts(b, e->read_format);
    if (type & PERF_SAMPLE_CALLCHAIN) get_chain(p, b, &s);
    return b->bad || t->sample(t->context, &s, err);
}

// ---- the pipe form ----
static bool take_attribute(struct perf_data *p, struct perf_bytes *b, struct error *err) {
    enum { SIZE_AT = 4 };
    uint32_t bytes = 0;
    if (b->end - b->at >= PERF_ATTR_OLDEST) memcpy(&bytes, b->at + SIZE_AT, sizeof bytes);
    if (bytes < PERF_ATTR_OLDEST || bytes > (size_t)(b->end - b->at)) return true;
    struct perf_bytes attr = {b->at, b->at + bytes, false};
    const size_t ids = (size_t)(b->end - b->at - bytes) / 8;
    return perf_add_event(p, &attr, b->at + bytes, ids) || error_nomem(err, p->path) == 0;
}

static void take_update(struct perf_data *p, struct perf_bytes *b) {
    const uint64_t what = perf_get(b, 8), id = perf_get(b, 8);
    const unsigned event = perf_event_of(p, id);
    const char *name = perf_get_text(b);
    if (what == UPDATE_NAME && !b->bad && event < p->event_count)
        snprintf(p->events[event].name, sizeof p->events[event].name, "%s", name);
}

static bool take_of_perf(struct perf_data *p, const struct perf_event_header *h, struct perf_bytes *b,
                         const struct perf_takes *t, struct error *err) {
    if (h->type == HEADER_ATTR) return !p->pipe || take_attribute(p, b, err);
    if (h->type == EVENT_UPDATE) take_update(p, b);
    if (h->type == HEADER_FEATURE) {
        const uint64_t feature = perf_get(b, 8);
        if (!b->bad) perf_feature(p, (unsigned)feature, b);
    }
    if (h->type == HEADER_BUILD_ID) {
        b->at -= sizeof *h; // the section has the records' heads, too
        return perf_build_ids(b, t, err);
    }
    return true;
}

bool perf_take_record(struct perf_data *p, const struct perf_event_header *h, struct perf_bytes *b,
                      const struct perf_takes *t, struct error *err) {
    p->number++;
    switch (h->type) {
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2: return !t->map || take_map(p, h, b, t, err);
    case PERF_RECORD_COMM: return !t->task || take_comm(p, h, b, t, err);
    case PERF_RECORD_FORK: return !t->task || take_fork(p, b, t, err);
    case PERF_RECORD_LOST:
        perf_pass(b, 8);
        p->lost += perf_get(b, 8);
        return true;
    case PERF_RECORD_LOST_SAMPLES: p->lost += perf_get(b, 8); return true;
    case PERF_RECORD_SAMPLE: return !t->sample || take_sample(p, h, b, t, err);
    default: return take_of_perf(p, h, b, t, err);
    }
}
