// A table of meanings: where each goes in the bundle, and how wide it may be.
#include "import/layout.h"
#include "base/toml.h"
#include "import/import.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_MOST = 1 << 16, ROB_MOST = 1 << 14 }; // bytes, entries

enum kind { ONE, MASK, LANES }; // a number; a bit a lane; a number a lane
struct meaning {
    const char *name;
    enum kind kind;
    unsigned width; // bits at most; of a mask, of all lanes
    size_t at, bytes;
};
#define OF(NAME, KIND, WIDTH, MEMBER)                                                                                  \
    { NAME, KIND, WIDTH, offsetof(struct trace_record, MEMBER), sizeof(((struct trace_record *)0)->MEMBER) }
enum { CYCLE, COUNT, VALID, COMMIT, PC, ROB_EMPTY, FIRST }; // the first of `meanings`
static const struct meaning meanings[] = {
    OF("cycle", ONE, 64, cycle),
    OF("count", ONE, 64, count),
    OF("valid", MASK, MAX_LANES, bundle.valid),
    OF("commit", MASK, MAX_LANES, bundle.commit),
    OF("pc", LANES, 64, bundle.pc[0]),
    OF("rob_empty", ONE, 1, bundle.rob_empty),
    OF("first", MASK, MAX_LANES, bundle.first),
    OF("oldest", ONE, 8, bundle.oldest),
    OF("mispredict", MASK, MAX_LANES, bundle.mispredict),
    OF("flush", MASK, MAX_LANES, bundle.flush),
    OF("insn", LANES, 32, bundle.insn[0]),
    OF("psv", LANES, 16, bundle.psv[0]),
    OF("exception", ONE, 1, bundle.exception),
    OF("interrupt", ONE, 1, bundle.interrupt),
    OF("replay", ONE, 1, bundle.replay),
    OF("cause", ONE, 8, bundle.cause),
    OF("exception_pc", ONE, 64, bundle.exception_pc),
    OF("exception_psv", ONE, 16, bundle.exception_psv),
    OF("priv", ONE, 2, bundle.priv),
    OF("space", ONE, 64, bundle.space),
    OF("redirect", ONE, 1, bundle.redirect),
    OF("fetch_valid", ONE, 1, bundle.fetch_valid),
    OF("fetch_pc", ONE, 64, bundle.fetch_pc),
    OF("dispatch_valid", MASK, MAX_LANES, bundle.dispatch_valid),
    OF("dispatch_pc", LANES, 64, bundle.dispatch_pc[0]),
    OF("dispatch_rob", ONE, 16, bundle.dispatch_rob),
};
enum { MEANINGS = sizeof meanings / sizeof meanings[0] };

struct place_of { // in bits
    bool named;
    int64_t offset, width, stride;
};

struct layout {
    int64_t bytes, lane_bytes, lanes, rob;
    bool big;
    char container[16];
    struct place_of places[MEANINGS];
};

unsigned layout_lanes(const struct layout *l) {
    return (unsigned)l->lanes;
}
unsigned layout_rob(const struct layout *l) {
    return l->rob ? (unsigned)l->rob : 1;
}
size_t layout_bytes(const struct layout *l) {
    return (size_t)(l->bytes + l->lane_bytes * l->lanes);
}
const char *layout_container(const struct layout *l) {
    return l->container;
}
bool layout_has_cycle(const struct layout *l) {
    return l->places[CYCLE].named;
}
void layout_close(struct layout *l) {
    free(l);
}

static const struct place_of *find(const struct layout *l, const char *name) {
    for (unsigned i = 0; i < MEANINGS; i++)
        if (strcmp(meanings[i].name, name) == 0) return l->places[i].named ? &l->places[i] : NULL;
    return NULL;
}
static bool all(const struct layout *l, const char *const *names) {
    for (; *names; names++)
        if (!find(l, *names)) return false;
    return true;
}

// rob_empty follows from valid. Of what a core cannot show the bundle has nothing.
unsigned layout_shows(const struct layout *l) {
    static const char *const flushed[] = {"mispredict", "flush", "exception", "exception_pc", NULL},
                             *const dispatch[] = {"dispatch_valid", "dispatch_pc", "dispatch_rob", NULL},
                             *const fetch[] = {"fetch_valid", "fetch_pc", NULL}, *const events[] = {"psv", NULL},
                             *const modes[] = {"priv", NULL};
    return IMPORT_DRAINED | (all(l, flushed) ? IMPORT_FLUSHED : 0) | (all(l, dispatch) ? IMPORT_DISPATCH : 0) |
           (all(l, fetch) ? IMPORT_FETCH : 0) | (all(l, events) ? IMPORT_EVENTS : 0) |
           (all(l, modes) ? IMPORT_MODES : 0);
}

// ---- the TOML file ----
static bool in_range(const struct toml_value *v, int64_t least, int64_t most, int64_t *into, struct error *err) {
    const char *const what = v->member ? v->member : v->key;
    if (v->kind == TOML_NUMBER && v->number >= least && v->number <= most) {
        *into = v->number;
        return true;
    }
    error_set(err, "%s%s%s: must be %lld to %lld", v->member ? v->key : "", v->member ? "." : "", what,
              (long long)least, (long long)most);
    return false;
}

static bool take_record(struct layout *l, const struct toml_value *v, struct error *err) {
    const bool text = v->kind == TOML_TEXT;
    if (v->member) return error_set(err, "[record] has no tables"), false;
    if (strcmp(v->key, "bytes") == 0) return in_range(v, 1, RECORD_MOST, &l->bytes, err);
    if (strcmp(v->key, "lane_bytes") == 0) return in_range(v, 0, RECORD_MOST, &l->lane_bytes, err);
    if (strcmp(v->key, "lanes") == 0) return in_range(v, 1, MAX_LANES, &l->lanes, err);
    if (strcmp(v->key, "rob") == 0) return in_range(v, 1, ROB_MOST, &l->rob, err);
    if (strcmp(v->key, "container") == 0 && text && strcmp(v->text, TRACE_KIND) == 0) {
        snprintf(l->container, sizeof l->container, "%s", v->text);
        return true;
    }
    if (strcmp(v->key, "endian") == 0 && text && (strcmp(v->text, "big") == 0 || strcmp(v->text, "little") == 0)) {
        l->big = v->text[0] == 'b';
        return true;
    }
    error_set(err,
              "[record] %.32s: no such key, or not that value: bytes, lane_bytes, lanes, rob, endian (\"little\", "
              "\"big\"), container (\"" TRACE_KIND "\")",
              v->key);
    return false;
}

static bool take_field(struct layout *l, const struct toml_value *v, struct error *err) {
    unsigned i = 0;
    while (i < MEANINGS && strcmp(meanings[i].name, v->key) != 0)
        i++;
    if (i == MEANINGS) {
        char known[400] = "";
        for (unsigned k = 0; k < MEANINGS; k++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k ? ", " : "", meanings[k].name);
        error_set(err, "[fields] %.32s: no such meaning: %s", v->key, known);
        return false;
    }
    struct place_of *const p = &l->places[i];
    p->named = true;
    if (v->member && strcmp(v->member, "offset") == 0)
        return in_range(v, 0, INT64_C(8) * RECORD_MOST - 1, &p->offset, err);
    if (v->member && strcmp(v->member, "width") == 0) return in_range(v, 1, meanings[i].width, &p->width, err);
    if (v->member && strcmp(v->member, "stride") == 0)
        return in_range(v, 1, INT64_C(8) * RECORD_MOST - 1, &p->stride, err);
    error_set(err, "[fields] %.32s: not {offset = BITS, width = BITS, stride = BITS}", v->key);
    return false;
}

static bool take(void *context, const struct toml_value *v, struct error *err) {
    if (strcmp(v->table, "record") == 0) return take_record(context, v, err);
    if (strcmp(v->table, "fields") == 0) return take_field(context, v, err);
    error_set(err, "[%.32s]: no such table: [record], [fields]", v->table);
    return false;
}

// ---- whether it can be ----
// Where the field ends, in bits. A mask of no stride has its lanes side by side.
static bool settle(const struct layout *l, const struct meaning *m, struct place_of *p, int64_t *end) {
    const bool lanes = m->kind == LANES || (m->kind == MASK && p->stride);
    if (!p->width) return false;
    if (m->kind == LANES && !p->stride) p->stride = 8 * l->lane_bytes;
    *end = p->offset + (lanes ? (l->lanes - 1) * p->stride : 0) + p->width;
    return m->kind == ONE ? !p->stride : m->kind == MASK ? !p->stride || p->width == 1 : p->stride || l->lanes == 1;
}

static bool check(struct layout *l, const char *path, struct error *err) {
    static const unsigned needed[] = {VALID, COMMIT, PC};
    if (!l->lanes || !l->bytes) return error_set(err, "%s: [record] needs bytes and lanes", path), false;
    for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!l->places[needed[i]].named)
            return error_set(err, "%s: [fields] needs %s", path, meanings[needed[i]].name), false;
    for (unsigned i = 0; i < MEANINGS; i++) {
        int64_t end = 0;
        if (!l->places[i].named) continue;
        if (!settle(l, &meanings[i], &l->places[i], &end)) {
            error_set(err, "%s: [fields] %s: needs offset and width%s", path, meanings[i].name,
                      meanings[i].kind == ONE     ? "; it has no stride"
                      : meanings[i].kind == LANES ? ", and stride or [record] lane_bytes"
                                                  : "; with a stride its width is 1");
            return false;
        }
        if (end <= 8 * (int64_t)layout_bytes(l)) continue;
        error_set(err, "%s: [fields] %s: ends at bit %lld of a record of %zu bytes", path, meanings[i].name,
                  (long long)end, layout_bytes(l));
        return false;
    }
    if (!find(l, "dispatch_rob") || l->rob) return true;
    error_set(err, "%s: [record] needs rob, the ROB's entries, as there is dispatch_rob", path);
    return false;
}

struct layout *layout_open(const char *path, unsigned lanes, struct error *err) {
    struct layout *l = error_calloc(sizeof *l, path, err);
    if (!l) return NULL;
    bool good = toml_read(path, take, l, err);
    if (lanes) l->lanes = lanes;
    good = good && check(l, path, err);
    if (good) return l;
    free(l);
    return NULL;
}

// ---- a record ----
// The bytes that the bits lie in, as one number; then the bits.
static uint64_t bits(const struct layout *l, const uint8_t *record, int64_t at, int64_t width) {
    const size_t first = (size_t)at / 8, last = (size_t)(at + width - 1) / 8;
    const unsigned spare = (unsigned)(l->big ? 7 - (at + width - 1) % 8 : at % 8);
    unsigned __int128 value = 0;
    for (size_t i = 0; i <= last - first; i++)
        value = value << 8 | record[l->big ? first + i : last - i];
    return (uint64_t)(value >> spare) & UINT64_MAX >> (64 - width);
}

static void put(struct trace_record *got, size_t at, size_t bytes, uint64_t value) {
    memcpy((char *)got + at, &value, bytes);
}

static uint64_t mask(const struct layout *l, const struct place_of *p, const uint8_t *record) {
    uint64_t value = 0;
    if (!p->stride) return bits(l, record, p->offset, p->width);
    for (int64_t lane = 0; lane < l->lanes; lane++)
        value |= bits(l, record, p->offset + lane * p->stride, 1) << lane;
    return value;
}

// What the rules of a bundle (oracle.h) do not say.
static bool fits(const struct layout *l, const struct trace_record *r, struct error *err) {
    const struct commit_bundle *const b = &r->bundle;
    const unsigned lanes = (1u << l->lanes) - 1;
    if ((b->valid | b->commit | b->mispredict | b->flush | b->first | b->dispatch_valid) & ~lanes)
        return error_set(err, "a mask has a bit above lane %lld", (long long)l->lanes - 1), false;
    if (!r->count) return error_set(err, "count is 0"), false;
    return r->count == 1 || !(b->commit || b->exception || b->dispatch_valid) ||
           (error_set(err, "count is above 1, and something commits, excepts or dispatches"), false);
}

bool layout_get(const struct layout *l, const uint8_t *record, struct trace_record *got, struct error *err) {
    *got = (struct trace_record){.count = 1};
    for (unsigned i = 0; i < MEANINGS; i++) {
        const struct meaning *const m = &meanings[i];
        const struct place_of *const p = &l->places[i];
        if (!p->named) continue;
        if (m->kind == MASK) put(got, m->at, m->bytes, mask(l, p, record));
        if (m->kind == ONE) put(got, m->at, m->bytes, bits(l, record, p->offset, p->width));
        for (int64_t lane = 0; m->kind == LANES && lane < l->lanes; lane++)
            put(got, m->at + (size_t)lane * m->bytes, m->bytes,
                bits(l, record, p->offset + lane * p->stride, p->width));
    }
    if (!l->places[FIRST].named) got->bundle.first = got->bundle.valid;
    if (!l->places[ROB_EMPTY].named) got->bundle.rob_empty = !got->bundle.valid;
    return fits(l, got, err);
}
