// The harness's side of sampling. Expectations: harness/expected_samples.h, harness/trigger_model.h.
#include "harness/sampler.h"
#include "csrs.h"
#include "events.h"
#include "harness/expected_samples.h"
#include "harness/trigger_model.h"
#include "harness/waiting_samples.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sampler {
    struct sampler_options options;
    struct samples_writer *writer;
    struct sampler_counts counts;                     // all
    struct sampler_counts emitted;                    // of them, those before `end`
    uint64_t end;                                     // first cycle that does not count; UINT64_MAX: all do
    struct expected_sample pending[EXPECTED_SAMPLES]; // as they stood then: what comes later does not count
    unsigned pending_first, pending_count;
    bool started, prepared;
    uint64_t seeded, previous; // cycles: in which the seed was written, of the last trigger of the sample before
    struct expected_samples expected;
    struct trigger_model due;
    struct waiting_samples waiting; // for their call stacks
    struct sample_record collected; // last
};

struct sampler *sampler_create(const struct sampler_options *options, struct samples_writer *writer,
                               struct error *err) {
    struct sampler *s = error_calloc(sizeof *s, "sampler", err);
    if (!s) return NULL;
    s->options = *options;
    s->end = UINT64_MAX;
    s->writer = writer;
    s->waiting.no_stacks = !options->stacks;
    s->waiting.no_data = !options->data;
    expected_samples_init(&s->expected, options->tea, options->address_bits);
    return s;
}

void sampler_destroy(struct sampler *s) {
    if (s) waiting_samples_free(&s->waiting);
    free(s);
}

static int write_csr(const struct model_api *api, struct model *model, int csr, uint64_t value, struct error *err) {
    int result = api->csr_write(model, csr, value);
    if (result < 0) error_set(err, "the model has no CSR 0x%x for sampling: build it again", (unsigned)csr);
    return result;
}

// A unit in reset takes no setting: a foreign core's top may hold it there for as long as its core.
static int check_set_up(const struct model_api *api, struct model *model, uint64_t period, struct error *err) {
    uint64_t now;
    if (api->csr_read(model, CSR_TIPOFF_PERIOD, &now) == 0 && now == period) return 0;
    error_set(err,
              "the model's sampling unit is still in reset when it is set up, and takes no period: in the model's top "
              "let u_harness leave reset with rst_ni or a cycle later, however long the core's own reset takes");
    return -EINVAL;
}

int sampler_prepare(struct sampler *s, const struct model_api *api, struct model *model, struct error *err) {
    const struct sampling_settings *settings = &s->options.settings;
    s->prepared = true;
    if (!settings->period) return 0;
    s->seeded = api->cycles(model);
    const uint64_t jitter =
        (uint64_t)settings->golden << 54 | (uint64_t)settings->jitter_bits << 48 | (uint32_t)settings->seed;
    int result = write_csr(api, model, CSR_TIPOFF_JITTER, jitter, err);
    if (result == 0) result = write_csr(api, model, CSR_TIPOFF_PERIOD, settings->period, err);
    if (result < 0) return result;
    return write_csr(api, model, CSR_MHPMCOUNTER3 + (int)s->options.counter - 3, -settings->period, err);
}

int sampler_start(struct sampler *s, const struct model_api *api, struct model *model, uint64_t begin,
                  struct error *err) {
    const struct sampling_settings *settings = &s->options.settings;
    s->previous = begin;
    s->started = true;
    if (!settings->period) return api->follow_program(model), 0;
    int result = s->prepared ? 0 : sampler_prepare(s, api, model, err);
    const int event = CSR_MHPMEVENT3 + (int)s->options.counter - 3;
    trigger_model_start(&s->due, settings, s->seeded, api->cycles(model));
    if (result == 0) result = write_csr(api, model, event, PMU_EVENT_CYCLES, err);
    return result == 0 ? check_set_up(api, model, settings->period, err) : result;
}

bool sampler_waits(const struct sampler *s) {
    return expected_samples_wait(&s->expected);
}

void sampler_cycle(struct sampler *s, uint64_t cycle, const struct commit_bundle *bundle) {
    expected_samples_cycle(&s->expected, cycle, bundle);
}

static int wrong(struct error *err, uint64_t cycle, const char *what) {
    error_set(err, "cycle %" PRIu64 ": the sampling unit %s", cycle, what);
    return -EBADMSG;
}

int sampler_trigger(struct sampler *s, uint64_t cycle, bool taken, const struct sample *select,
                    const struct commit_bundle *bundle, struct error *err) {
    bool takes;
    s->counts.triggers++;
    if (cycle < s->end) s->emitted.triggers++;
    if (s->options.settings.period) {
        if (cycle != s->due.next) {
            error_set(err, "cycle %" PRIu64 ": the sampling counter overflows, it is due in cycle %" PRIu64, cycle,
                      s->due.next);
            return -EBADMSG;
        }
        trigger_model_advance(&s->due);
    }
    if (!expected_samples_trigger(&s->expected, cycle, select, bundle, &takes))
        return wrong(err, cycle, "has announced none of the samples before");
    if (takes != taken)
        return wrong(err, cycle, taken ? "takes a sample while one waits" : "takes no sample of this trigger");
    return 0;
}

// A sample as its CSRs show it.
static int read_sample(unsigned width, const struct model_api *api, struct model *model, struct expected_sample *e) {
    uint64_t data, repeat = 0, psv[2] = {0, 0};
    struct sample *sample = &e->sample;
    *e = (struct expected_sample){0};
    int result = api->csr_read(model, CSR_SHPMSDATA, &data);
    if (result < 0) return result;
    sample->state = SHPMSDATA_STATE(data);
    sample->valid = SHPMSDATA_VALID(data);
    sample->oldest = SHPMSDATA_OLDEST(data);
    sample->exception = SHPMSDATA_EXCEPTION(data);
    sample->flush = SHPMSDATA_FLUSH(data);
    sample->mispredict = SHPMSDATA_MISPREDICT(data);
    sample->priv = SHPMSDATA_MODE(data);
    e->partial = SHPMSDATA_PARTIAL(data);
    if (!SHPMSDATA_READY(data)) return -EAGAIN;
    result = api->csr_read(model, CSR_TIPOFF_CYCLE, &e->cycle);
    if (result == 0) result = api->csr_read(model, CSR_TIPOFF_REPEAT, &repeat);
    if (result == 0) result = api->csr_read(model, CSR_TIPOFF_SPACE, &sample->space);
    e->repeats = (uint32_t)repeat;
    e->stalled = (uint32_t)(repeat >> 32);
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

static int check(const struct expected_sample *e, const struct expected_sample *got, unsigned width,
                 struct error *err) {
    const struct sample *a = &e->sample, *b = &got->sample;
    const struct {
        const char *field;
        uint64_t expected, got;
    } fields[] = {{"its cycle", e->cycle, got->cycle},
                  {"its state", a->state, b->state},
                  {"its valid lanes", a->valid, b->valid},
                  {"its oldest lane", a->oldest, b->oldest},
                  {"its exception flag", a->exception, b->exception},
                  {"its flush flag", a->flush, b->flush},
                  {"its mispredict flag", a->mispredict, b->mispredict},
                  {"its privilege mode", a->priv, b->priv},
                  {"its address space", a->space, b->space},
                  {"its repeats", e->repeats, got->repeats},
                  {"its repeats in Stalled after Drained", e->stalled, got->stalled}};
    const char *field = NULL;
    uint64_t expected = 0, shown = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields && !field; i++) {
        if (fields[i].expected != fields[i].got)
            field = fields[i].field, expected = fields[i].expected, shown = fields[i].got;
    }
    for (unsigned lane = 0; lane < width && !field; lane++) {
        if (!(a->valid >> lane & 1)) continue;
        if (a->addr[lane] != b->addr[lane]) field = "an address", expected = a->addr[lane], shown = b->addr[lane];
        if (a->psv[lane] != b->psv[lane]) field = "a PSV", expected = a->psv[lane], shown = b->psv[lane];
    }
    if (!field) return 0;
    error_set(err, "sample of cycle %" PRIu64 ": the unit shows %s as 0x%" PRIx64 ", the core showed 0x%" PRIx64,
              e->cycle, field, shown, expected);
    return -EBADMSG;
}

// Of a sample that was taken: what of it counts; NULL: nothing.
static const struct expected_sample *counting(struct sampler *s, const struct expected_sample *e,
                                              struct expected_sample *part) {
    if (e->cycle >= s->end) return NULL;
    if (!s->pending_count) return e;
    const struct expected_sample *pending = &s->pending[s->pending_first++];
    s->pending_count--;
    *part = *e;
    part->last = pending->last;
    part->repeats = pending->repeats;
    part->stalled = pending->stalled;
    part->stalled_cycles = pending->stalled_cycles;
    return part;
}

static void add_counts(struct sampler_counts *c, const struct expected_sample *e) {
    const uint64_t further = e->repeats + (uint64_t)e->stalled;
    c->samples++;
    c->partial += e->partial;
    c->repeats += further;
    c->squares += (1 + further) * (1 + further);
}

static int file_sample(struct sampler *s, const struct expected_sample *e, struct error *err) {
    struct expected_sample part;
    add_counts(&s->counts, e);
    e = counting(s, e, &part);
    if (!e) return 0;
    add_counts(&s->emitted, e);
    struct sample_record record = {.cycle = e->cycle,
                                   .cycles = e->last - s->previous,
                                   .stalled_cycles = e->stalled_cycles,
                                   .repeats = e->repeats,
                                   .stalled = e->stalled,
                                   .hart = (uint8_t)s->options.hart_id,
                                   .partial = e->partial,
                                   .sample = e->sample};
    s->collected = record;
    s->previous = e->last;
    if (!s->writer) return 0;
    const bool waits = s->options.stacks || s->options.data;
    return waits ? waiting_samples_add(&s->waiting, &record, err) : samples_add(s->writer, &record, err);
}

struct waiting_samples *sampler_waiting(struct sampler *s) {
    return &s->waiting;
}

int sampler_collect(struct sampler *s, const struct model_api *api, struct model *model, bool ended,
                    struct error *err) {
    struct expected_sample got;
    int result = read_sample(s->options.width, api, model, &got);
    if (result < 0) {
        error_set(err, "the sampling unit announced a sample, but it cannot be read (%s)", strerror(-result));
        return result;
    }
    const struct expected_sample *oldest = expected_samples_oldest(&s->expected);
    if (!oldest) return wrong(err, got.cycle, "announced an unexpected sample");
    struct expected_sample e = *oldest;
    expected_samples_forget(&s->expected);
    e.partial = got.partial;
    result = check(&e, &got, s->options.width, err);
    if (result == 0 && !ended)
        result = api->csr_write(model, CSR_SHPMSDATA, 0); // acknowledges: frees the registers for the next
    return result == 0 ? file_sample(s, &e, err) : result;
}

void sampler_end(struct sampler *s, uint64_t cycle) {
    const struct expected_samples *e = &s->expected;
    s->end = cycle;
    for (unsigned i = 0; i < e->count; i++)
        s->pending[i] = e->list[(e->first + i) % EXPECTED_SAMPLES];
    s->pending_count = e->count;
}

bool sampler_owes(const struct sampler *s) {
    return s->pending_count > 0;
}

int sampler_finish(struct sampler *s, const struct model_api *api, struct model *model, uint64_t cycles,
                   struct error *err) {
    int result = api->csr_read(model, CSR_TIPOFF_COLLISIONS, &s->counts.lost);
    if (result < 0) return result;
    if (s->end == UINT64_MAX) {
        s->emitted.lost = s->counts.lost;
    } else if (s->pending_count == 0) {
        s->emitted.lost = s->emitted.triggers - s->emitted.samples - s->emitted.repeats;
    }
    // An overflow shows in the cycle after it: one of the last cycle does not.
    if (s->options.settings.period && s->started && s->due.next + 1 < cycles)
        return wrong(err, s->due.next, "misses the trigger that is due");
    uint64_t waiting = 0; // triggers of samples that the run's end has cut off
    while (s->expected.count) {
        const struct expected_sample *e = &s->expected.list[s->expected.first];
        waiting += 1 + e->repeats + (uint64_t)e->stalled;
        expected_samples_forget(&s->expected);
    }
    const struct sampler_counts *c = &s->counts;
    if (c->samples + c->repeats + c->lost + waiting == c->triggers) return 0;
    error_set(err,
              "%" PRIu64 " triggers, but %" PRIu64 " samples, %" PRIu64 " repeats, %" PRIu64 " lost, %" PRIu64
              " waiting at the end: the sampling unit has lost some",
              c->triggers, c->samples, c->repeats, c->lost, waiting);
    return -EBADMSG;
}

const struct sample_record *sampler_collected(const struct sampler *s) {
    return s->emitted.samples ? &s->collected : NULL;
}

struct sampler_counts sampler_counts(const struct sampler *s) {
    return s->emitted;
}
