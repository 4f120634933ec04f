// While the selectors are written, one a cycle, mcountinhibit holds all counters still; one write sets them off
// together. By then the first instruction is still on its way from memory: what is missed is Drained cycles, and the
// statistics say how many (from_cycle).
#include "harness/event_counters.h"
#include "csrs.h"
#include "events.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const struct pmu_event_info events[PMU_EVENT_COUNT] = {PMU_EVENT_ROWS};

static const struct pmu_event_info *find(const char *name, size_t length) {
    for (size_t i = 0; i < PMU_EVENT_COUNT; i++) {
        if (strlen(events[i].name) == length && strncasecmp(events[i].name, name, length) == 0) return &events[i];
    }
    return NULL;
}

static void unknown(const char *name, size_t length, struct error *err) {
    char names[sizeof err->text / 2];
    size_t used = 0;
    for (size_t i = 0; i < PMU_EVENT_COUNT && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", events[i].name);
    error_set(err, "--count %.*s: no such event; there are %s", (int)(length < 32 ? length : 32), name, names);
}

// MINH, SINH and UINH of all modes that are not named.
static bool parse_modes(const char *modes, size_t length, uint64_t *inhibit) {
    static const char letters[] = "msu";
    *inhibit = UINT64_C(7) << 60;
    for (size_t i = 0; i < length; i++) {
        const char *letter = strchr(letters, modes[i]);
        if (!letter) return false;
        *inhibit &= ~(UINT64_C(1) << (62 - (letter - letters)));
    }
    return length > 0;
}

static int parse_one(struct event_counters *c, const char *text, size_t length, struct error *err) {
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) : length;
    const struct pmu_event_info *event = find(text, name);
    if (!event) {
        unknown(text, name, err);
        return -EINVAL;
    }
    uint64_t inhibit = 0;
    if (colon && !parse_modes(colon + 1, length - name - 1, &inhibit)) {
        error_set(err, "--count %.*s: modes are letters of m (machine), s (supervisor) and u (user)",
                  (int)(length < 64 ? length : 64), text);
        return -EINVAL;
    }
    if (c->count == EVENT_COUNTERS_MOST) {
        error_set(err, "--count: more than %d events: count the others in a second run", EVENT_COUNTERS_MOST);
        return -EINVAL;
    }
    struct event_counter *row = &c->rows[c->count++];
    row->select = inhibit | event->number;
    snprintf(row->name, sizeof row->name, "%s%.*s", event->name, colon ? (int)(length - name) : 0, text + name);
    return 0;
}

int event_counters_parse(struct event_counters *c, const char *text, struct error *err) {
    for (;;) {
        size_t length = strcspn(text, ",");
        int result = parse_one(c, text, length, err);
        if (result < 0 || !text[length]) return result;
        text += length + 1;
    }
}

int event_counters_assign(struct event_counters *c, const struct machine_config *config, bool sampling,
                          struct error *err) {
    unsigned counter = 2 + config->counters, free = config->counters - sampling;
    if (c->count > free) {
        error_set(err, "--count: %u events, but %s has %u counters%s: count the others in a second run", c->count,
                  config->name, free, sampling ? " besides the sampling one" : "");
        return -EINVAL;
    }
    for (unsigned i = 0; i < c->count; i++, counter--) {
        if (sampling && counter == config->sample_counter) counter--;
        c->rows[i].counter = counter;
    }
    return 0;
}

int event_counters_start(struct event_counters *c, const struct model_api *api, struct model *model,
                         struct error *err) {
    uint64_t mine = 0;
    if (c->count == 0) return 0;
    for (unsigned i = 0; i < c->count; i++)
        mine |= UINT64_C(1) << c->rows[i].counter;
    int result = api->csr_write(model, CSR_MCOUNTINHIBIT, mine);
    for (unsigned i = 0; result == 0 && i < c->count; i++)
        result = api->csr_write(model, CSR_MHPMEVENT3 + (int)c->rows[i].counter - 3, c->rows[i].select);
    if (result == 0) result = api->csr_write(model, CSR_MCOUNTINHIBIT, 0);
    c->from_cycle = api->cycles(model);
    if (result < 0) error_set(err, "the model has no counters to program: build it again");
    return result;
}

void event_counters_read(struct event_counters *c, const struct model_api *api, struct model *model) {
    for (unsigned i = 0; i < c->count; i++)
        api->csr_read(model, CSR_MHPMCOUNTER3 + (int)c->rows[i].counter - 3, &c->rows[i].value);
}

void event_counters_add(cJSON *object, const struct event_counters *c) {
    if (c->count == 0) return;
    cJSON *counts = cJSON_AddObjectToObject(object, "counts");
    cJSON_AddNumberToObject(counts, "from_cycle", (double)c->from_cycle);
    for (unsigned i = 0; i < c->count; i++)
        cJSON_AddNumberToObject(counts, c->rows[i].name, (double)c->rows[i].value);
}

void event_counters_print(const struct event_counters *c, FILE *out) {
    for (unsigned i = 0; i < c->count; i++)
        fprintf(out, "  %18" PRIu64 "  %s\n", c->rows[i].value, c->rows[i].name);
}
