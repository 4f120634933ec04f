// What a perf.data file says before and after its records: events, their names and ids, the machine.
#include "base/array.h"
#include "base/plain_text.h"
#include "import/perf_data_internal.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURE_BUILD_ID = 2, FEATURE_ARCH = 6, FEATURE_CPU = 8, FEATURE_EVENTS = 12, FEATURES = 256 };
enum { HEADER = 104, PIPE_HEADER = 16, SECTION = 16, IDS_MOST = 1 << 17, SECTION_MOST = 1 << 26 };

// ---- events ----
static void name_event(struct perf_event_kind *e) {
    static const char *const hardware[] = {
        "cycles",        "instructions", "cache-references",        "cache-misses",           "branches",
        "branch-misses", "bus-cycles",   "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"};
    static const char *const software[] = {"cpu-clock", "task-clock"};
    if (e->type == PERF_TYPE_HARDWARE && (e->config & UINT32_MAX) < sizeof hardware / sizeof *hardware)
        snprintf(e->name, sizeof e->name, "%s", hardware[e->config & UINT32_MAX]);
    else if (e->type == PERF_TYPE_SOFTWARE && e->config < sizeof software / sizeof *software)
        snprintf(e->name, sizeof e->name, "%s", software[e->config]);
    else
        snprintf(e->name, sizeof e->name, "event %" PRIu32 ":0x%" PRIx64, e->type, e->config);
}

static bool add_id(struct perf_data *p, uint64_t id, unsigned event) {
    if (p->id_count >= IDS_MOST) return true;
    if (!array_reserve(&p->ids, &p->id_capacity, p->id_count, sizeof *p->ids)) return false;
    p->ids[p->id_count++] = (struct perf_id){id, event};
    p->ids_sorted = false;
    return true;
}

bool perf_add_event(struct perf_data *p, struct perf_bytes *attr, const uint8_t *ids, size_t id_count) {
    enum { FREQUENCY = 10, ID_ALL = 18 };
    if (p->event_count == PERF_EVENTS) return true;
    struct perf_event_kind *e = &p->events[p->event_count];
    *e = (struct perf_event_kind){.type = (uint32_t)perf_get(attr, 4)};
    perf_pass(attr, 4);
    e->config = perf_get(attr, 8);
    e->period = perf_get(attr, 8);
    e->sample_type = perf_get(attr, 8);
    e->read_format = perf_get(attr, 8);
    const uint64_t bits = perf_get(attr, 8);
    e->frequency = bits >> FREQUENCY & 1;
    e->id_all = bits >> ID_ALL & 1;
    name_event(e);
    for (size_t i = 0; i < id_count; i++) {
        uint64_t id;
        memcpy(&id, ids + i * sizeof id, sizeof id);
        if (!add_id(p, id, p->event_count)) return false;
    }
    p->event_count++;
    return true;
}

// ---- sections of the file form ----
// `bytes` bytes at `at`, from malloc; NULL: the file is shorter, or no memory.
static uint8_t *section(struct perf_data *p, uint64_t at, uint64_t bytes) {
    if (bytes > SECTION_MOST || at > p->file_bytes || bytes > p->file_bytes - at) return NULL;
    uint8_t *data = malloc(bytes + 1);
    if (data && fseeko(p->file, (off_t)at, SEEK_SET) == 0 && fread(data, 1, bytes, p->file) == bytes) return data;
    free(data);
    return NULL;
}

static bool bad_head(const struct perf_data *p, struct error *err) {
    error_set(err, "%s: a perf.data file whose header is damaged or not whole: record or copy it again", p->path);
    return false;
}

static bool read_attribute(struct perf_data *p, const uint8_t *entry, size_t bytes, struct error *err) {
    struct perf_bytes attr = {entry, entry + bytes - SECTION, false}, where = {attr.end, entry + bytes, false};
    const uint64_t at = perf_get(&where, 8), size = perf_get(&where, 8);
    uint8_t *ids = section(p, at, size);
    const bool good = (ids || !size) && perf_add_event(p, &attr, ids, ids ? size / 8 : 0);
    free(ids);
    return good || bad_head(p, err);
}

static bool read_attributes(struct perf_data *p, uint64_t entry, uint64_t at, uint64_t bytes, struct error *err) {
    if (entry < PERF_ATTR_OLDEST + SECTION || entry > bytes) return bad_head(p, err);
    uint8_t *list = section(p, at, bytes);
    bool good = list || bad_head(p, err);
    for (uint64_t i = 0; good && i + entry <= bytes; i += entry)
        good = read_attribute(p, list + i, entry, err);
    free(list);
    return good;
}

bool perf_read_head(struct perf_data *p, struct error *err) {
    uint8_t head[HEADER] = {0};
    rewind(p->file);
    const size_t got = fread(head, 1, sizeof head, p->file);
    if (got >= 8 && memcmp(head, "2ELIFREP", 8) == 0) {
        error_set(err, "%s: perf.data of a big-endian machine, which is not read: convert it there (perf script)",
                  p->path);
        return false;
    }
    if (got < PIPE_HEADER || memcmp(head, "PERFILE2", 8) != 0) {
        error_set(err, "%s: not a perf.data file (PERFILE2): name what `perf record` wrote", p->path);
        return false;
    }
    struct perf_bytes b = {head + 8, head + got, false};
    p->event_count = 0;
    p->id_count = 0;
    p->pipe = perf_get(&b, 8) == PIPE_HEADER;
    if (p->pipe) {
        p->data_at = PIPE_HEADER;
        p->data_bytes = p->file_bytes - PIPE_HEADER;
        return true;
    }
    const uint64_t entry = perf_get(&b, 8), at = perf_get(&b, 8), bytes = perf_get(&b, 8);
    p->data_at = perf_get(&b, 8);
    p->data_bytes = perf_get(&b, 8);
    if (b.bad || p->data_at > p->file_bytes) return bad_head(p, err);
    return read_attributes(p, entry, at, bytes, err);
}

// ---- features ----
static void feature_text(struct perf_bytes *b, char *text, size_t size) {
    const uint64_t bytes = perf_get(b, 4);
    if (b->bad || bytes > (size_t)(b->end - b->at)) return;
    char raw[256];
    snprintf(raw, sizeof raw, "%.*s", (int)(bytes < sizeof raw ? bytes : sizeof raw - 1), (const char *)b->at);
    plain_put(text, size, raw);
    perf_pass(b, bytes);
}

// The names of events, by their ids; of those without ids in their order.
static void feature_events(struct perf_data *p, struct perf_bytes *b) {
    const uint64_t count = perf_get(b, 4), attr_bytes = perf_get(b, 4);
    for (uint64_t i = 0; i < count && !b->bad; i++) {
        char name[PERF_EVENT_NAME] = "";
        perf_pass(b, attr_bytes);
        const uint64_t ids = perf_get(b, 4);
        feature_text(b, name, sizeof name);
        uint64_t event = i;
        for (uint64_t k = 0; k < ids && !b->bad; k++) {
            const uint64_t id = perf_get(b, 8);
            if (k == 0) event = perf_event_of(p, id);
        }
        if (!b->bad && event < p->event_count && *name)
            snprintf(p->events[event].name, sizeof p->events[event].name, "%s", name);
    }
}

void perf_feature(struct perf_data *p, unsigned feature, struct perf_bytes *b) {
    if (feature == FEATURE_ARCH) feature_text(b, p->arch, sizeof p->arch);
    if (feature == FEATURE_CPU) feature_text(b, p->cpu, sizeof p->cpu);
    if (feature == FEATURE_EVENTS) feature_events(p, b);
}

bool perf_build_ids(struct perf_bytes *b, const struct perf_takes *t, struct error *err) {
    enum { HAS_SIZE = 1 << 15, ROOM = 24 };
    while (t->build_id && b->end - b->at > 8) {
        perf_pass(b, 4);
        const unsigned misc = (unsigned)perf_get(b, 2), size = (unsigned)perf_get(b, 2);
        if (size < 8 + 4 + ROOM || size - 8 > (size_t)(b->end - b->at)) return true;
        struct perf_bytes one = {b->at, b->at + size - 8, false};
        perf_pass(b, size - 8);
        perf_pass(&one, 4);
        const uint8_t *id = one.at;
        perf_pass(&one, ROOM);
        const unsigned bytes = misc & HAS_SIZE ? id[PERF_BUILD_ID] : PERF_BUILD_ID;
        const char *path = perf_get_text(&one);
        if (*path && bytes <= PERF_BUILD_ID && !t->build_id(t->context, path, id, bytes, err)) return false;
    }
    return true;
}

// After the data there is a section for each bit of the header, in their order.
bool perf_read_features(struct perf_data *p, const struct perf_takes *t, struct error *err) {
    enum { BITS = 72, WORD = 64 };
    uint8_t *bits = p->pipe ? NULL : section(p, BITS, FEATURES / 8);
    uint64_t at = p->data_at + p->data_bytes;
    bool good = true;
    for (unsigned f = 0; bits && good && f < FEATURES; f++) {
        if (!(bits[f / 8] >> f % 8 & 1)) continue;
        uint8_t *entry = section(p, at, SECTION);
        if (!entry) break; // a file that is cut has no features
        struct perf_bytes b = {entry, entry + SECTION, false};
        const uint64_t where = perf_get(&b, 8), bytes = perf_get(&b, 8);
        uint8_t *data = section(p, where, bytes);
        b = (struct perf_bytes){data, data ? data + bytes : data, false};
        if (data && f == FEATURE_BUILD_ID) good = perf_build_ids(&b, t, err);
        if (data) perf_feature(p, f, &b);
        free(data);
        free(entry);
        at += SECTION;
    }
    free(bits);
    return good;
}
