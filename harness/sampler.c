// Programs the sample unit, reads each sample through its CSRs, and checks it against what the core showed.
#include "harness/sampler.h"
#include "csrs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EVENT_SELECT_CYCLES = 1 }; // mhpmevent event 1: cycles

struct sampler {
    struct sampler_options options;
    struct samples_writer *writer;
    uint64_t count, previous_cycle;
    bool open; // taken, not collected yet
    enum { FOR_NOTHING, FOR_DISPATCH, FOR_LEAVING } waits;
    uint64_t open_cycle;
    struct sample expected;
};

struct sampler *sampler_create(const struct sampler_options *options, struct samples_writer *writer,
                               struct error *err) {
    struct sampler *s = calloc(1, sizeof *s);
    if (!s) {
        error_set(err, "sampler: out of memory: free some and run again");
        return NULL;
    }
    s->options = *options;
    s->writer = writer;
    return s;
}

void sampler_destroy(struct sampler *s) {
    free(s);
}

int sampler_start(struct sampler *s, const struct model_api *api, struct model *model, struct error *err) {
    const struct sampler_options *o = &s->options;
    const struct {
        int csr;
        uint64_t value;
    } writes[] = {
        {CSR_TIPOFF_JITTER, (uint64_t)o->jitter_bits << 48 | (o->seed & 0xffffffffu)},
        {CSR_TIPOFF_PERIOD, o->period},
        {CSR_MHPMCOUNTER3 + (int)o->counter - 3, -o->period},
        {CSR_MHPMEVENT3 + (int)o->counter - 3, EVENT_SELECT_CYCLES},
    };
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
        int result = api->csr_write(model, writes[i].csr, writes[i].value);
        if (result < 0) {
            error_set(err, "the model has no CSR 0x%x for sampling: build it again", (unsigned)writes[i].csr);
            return result;
        }
    }
    return 0;
}

void sampler_cycle(struct sampler *s, const struct commit_bundle *bundle) {
    struct sample *e = &s->expected;
    if (s->waits == FOR_DISPATCH && bundle->dispatch_valid & 1) {
        e->valid = 1;
        e->addr[0] = bundle->dispatch_pc[0];
        s->waits = s->options.tea ? FOR_LEAVING : FOR_NOTHING;
    } else if (s->waits == FOR_LEAVING && (bundle->commit || bundle->exception)) {
        e->psv[e->oldest] = bundle->exception ? bundle->exception_psv : bundle->psv[bundle->oldest];
        s->waits = FOR_NOTHING;
    }
}

bool sampler_waits(const struct sampler *s) {
    return s->waits != FOR_NOTHING;
}

void sampler_trigger(struct sampler *s, uint64_t cycle, const struct sample *select,
                     const struct commit_bundle *bundle) {
    s->open = true;
    s->open_cycle = cycle;
    s->expected = *select;
    s->waits = FOR_NOTHING;
    if (select->state == STATE_DRAINED) s->waits = FOR_DISPATCH;
    if (select->state == STATE_STALLED && s->options.tea) s->waits = FOR_LEAVING;
    sampler_cycle(s, bundle);
}

static int read_sample(unsigned width, const struct model_api *api, struct model *model, struct sample *sample) {
    uint64_t data, psv[2] = {0, 0};
    memset(sample, 0, sizeof *sample);
    int result = api->csr_read(model, CSR_SHPMSDATA, &data);
    if (result < 0) return result;
    sample->state = data >> 5 & 3;
    sample->valid = (uint8_t)(data >> 7);
    sample->oldest = data >> 15 & 7;
    sample->exception = data >> 18 & 1;
    sample->flush = data >> 19 & 1;
    sample->mispredict = data >> 20 & 1;
    if (!(data >> 22 & 1)) return -EAGAIN; // not ready
    for (unsigned i = 0; i < (width + 3) / 4 && result == 0; i++) {
        result = api->csr_read(model, CSR_TIPOFF_PSV0 + (int)i, &psv[i]);
    }
    for (unsigned lane = 0; lane < width && result == 0; lane++) {
        if (!(sample->valid >> lane & 1)) continue;
        result = api->csr_read(model, CSR_TIPOFF_ADDR0 + (int)lane, &sample->addr[lane]);
        sample->psv[lane] = (uint16_t)(psv[lane / 4] >> (16 * (lane % 4)));
    }
    return result;
}

static int differ(uint64_t cycle, const char *field, uint64_t expected, uint64_t got, struct error *err) {
    error_set(err, "cycle %llu: the sample unit shows %s = 0x%llx, the core showed 0x%llx when it was taken",
              (unsigned long long)cycle, field, (unsigned long long)got, (unsigned long long)expected);
    return -EBADMSG;
}

static int check(const struct sampler *s, const struct sample *got, struct error *err) {
    const struct sample *e = &s->expected;
    uint64_t cycle = s->open_cycle;
    if (got->state != e->state) return differ(cycle, "state", e->state, got->state, err);
    if (got->valid != e->valid) return differ(cycle, "valid lanes", e->valid, got->valid, err);
    if (got->oldest != e->oldest) return differ(cycle, "oldest lane", e->oldest, got->oldest, err);
    if (got->exception != e->exception) return differ(cycle, "exception", e->exception, got->exception, err);
    if (got->flush != e->flush) return differ(cycle, "flush", e->flush, got->flush, err);
    if (got->mispredict != e->mispredict) return differ(cycle, "mispredict", e->mispredict, got->mispredict, err);
    for (unsigned lane = 0; lane < s->options.width; lane++) {
        if (!(e->valid >> lane & 1)) continue;
        if (got->addr[lane] != e->addr[lane]) return differ(cycle, "an address", e->addr[lane], got->addr[lane], err);
        if (got->psv[lane] != e->psv[lane]) return differ(cycle, "a PSV", e->psv[lane], got->psv[lane], err);
    }
    return 0;
}

int sampler_collect(struct sampler *s, const struct model_api *api, struct model *model, struct error *err) {
    struct sample_record record = {.cycle = s->open_cycle, .cycles = s->open_cycle - s->previous_cycle};
    int result = read_sample(s->options.width, api, model, &record.sample);
    if (result < 0) {
        error_set(err, "cycle %llu: the sample unit announced a sample, but it cannot be read (%s)",
                  (unsigned long long)s->open_cycle, strerror(-result));
        return result;
    }
    if (!s->open) {
        error_set(err, "the sample unit announced a sample without a trigger");
        return -EBADMSG;
    }
    result = check(s, &record.sample, err);
    if (result < 0) return result;
    api->csr_write(model, CSR_SHPMSDATA, 0); // acknowledges: the next trigger is no collision
    s->open = false;
    s->previous_cycle = s->open_cycle;
    s->count++;
    return s->writer ? samples_add(s->writer, &record, err) : 0;
}

uint64_t sampler_count(const struct sampler *s) {
    return s->count;
}

uint64_t sampler_collisions(struct sampler *s, const struct model_api *api, struct model *model) {
    uint64_t value = 0;
    (void)s;
    api->csr_read(model, CSR_TIPOFF_COLLISIONS, &value);
    return value;
}
