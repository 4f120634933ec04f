// The registers are the program's (docs/reference/profileme.md), of the harness's own unit.
#include "harness/instruction_sampler.h"
#include "csrs.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WINDOW = 10, LEAST_INTERVAL = 16 };
enum { COUNTS = 0x62, SEED = 3 }; // number in siselect and of sireg (docs/reference/profileme.md)

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !errno && (*end == ',' || *end == 0) && *value >= least && *value <= most;
}

static bool word(const char *text, const char *expected) {
    size_t length = strlen(expected);
    return strncmp(text, expected, length) == 0 && (text[length] == ',' || text[length] == 0);
}

static bool key(struct instruction_settings *s, const char *text) {
    uint64_t value;
    if (strncmp(text, "jitter=", 7) == 0) {
        if (!number(text + 7, 0, 31, &value)) return false;
        s->jitter = (uint8_t)value;
    } else if (strncmp(text, "pairs=", 6) == 0) {
        if (!number(text + 6, 1, 1 << MOST_WINDOW, &value) || (value & (value - 1))) return false;
        s->pairs = true;
        s->window = (uint8_t)__builtin_ctzll(value);
    } else if (word(text, "count=opportunities")) {
        s->opportunities = true;
    } else {
        return word(text, "count=instructions");
    }
    return true;
}

int instruction_sampler_parse(struct instruction_settings *settings, const char *text, struct error *err) {
    *settings = (struct instruction_settings){0};
    bool good = number(text, LEAST_INTERVAL, UINT32_MAX, &settings->interval);
    for (const char *comma = strchr(text, ','); good && comma; comma = strchr(comma + 1, ','))
        good = key(settings, comma + 1);
    if (good && UINT64_C(1) << settings->jitter <= settings->interval) return 0;
    error_set(err,
              "--profileme %.60s: give INTERVAL[,jitter=BITS][,pairs=WINDOW][,count=instructions|opportunities]: an "
              "interval of %d "
              "instructions at least, random bits of it, a window of 1, 2, 4 to %d instructions",
              text, LEAST_INTERVAL, 1 << MOST_WINDOW);
    return -EINVAL;
}

int instruction_sampler_check(const struct instruction_settings *s, unsigned tags, struct error *err) {
    const unsigned needed = s->pairs ? 2 : 1;
    if (tags >= needed) return 0;
    error_set(err,
              "--profileme: this core follows %u instructions at a time%s: choose a configuration with profile.tags = "
              "%u at least, full2 or full4",
              tags, s->pairs ? ", and pairs need two" : "", needed);
    return -EINVAL;
}

static int programmed(int result, struct error *err) {
    if (result < 0) error_set(err, "--profileme: the model has no ProfileMe: build it again");
    return result;
}

int instruction_sampler_prepare(const struct instruction_settings *s, uint64_t seed, const struct model_api *api,
                                struct model *model, struct error *err) {
    int result = api->window_write(model, COUNTS, SEED, seed);
    if (result == 0) result = api->csr_write(model, CSR_SPDISCOUNTER, s->interval << 32 | s->interval);
    return programmed(result, err);
}

int instruction_sampler_start(const struct instruction_settings *s, const struct model_api *api, struct model *model,
                              struct error *err) {
    const uint64_t control =
        (s->opportunities ? 2u : 1u) | (uint64_t)s->pairs << 2 | (uint64_t)s->jitter << 4 | (uint64_t)s->window << 12;
    return programmed(api->csr_write(model, CSR_MPDISCTL, control), err);
}
