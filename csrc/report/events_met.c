// Reads executions by vector and stalls without an event from the run's statistics.
#include "instructions.h"
#include "isa/rvc.h"
#include "report/json.h"
#include "report/stacks.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static uint64_t member(const cJSON *object, const char *key) {
    return json_u64(cJSON_GetObjectItemCaseSensitive(object, key));
}

static void read_executions(struct events_met *e, const cJSON *array) {
    const cJSON *item;
    cJSON_ArrayForEach(item, array) {
        uint64_t psv = member(item, "psv"), count = member(item, "count");
        e->executions += count;
        if (psv) e->any += count;
        if (psv & (psv - 1)) e->combined += count;
    }
}

static uint64_t context_of(const cJSON *item) {
    return place_context((uint8_t)(member(item, "mode") & 3), member(item, "space"));
}

static bool read_stalls(struct events_met *e, const cJSON *base) {
    const cJSON *lengths = cJSON_GetObjectItemCaseSensitive(base, "lengths"), *item;
    const cJSON *longs = cJSON_GetObjectItemCaseSensitive(base, "long");
    e->stalls = member(base, "count");
    e->stall_cycles = member(base, "cycles");
    e->lengths = calloc((size_t)cJSON_GetArraySize(lengths) + 1, sizeof *e->lengths);
    e->longs = calloc((size_t)cJSON_GetArraySize(longs) + 1, sizeof *e->longs);
    if (!e->lengths || !e->longs) return false;
    cJSON_ArrayForEach(item, lengths) {
        e->lengths[e->length_count][0] = json_u64(cJSON_GetArrayItem(item, 0));
        e->lengths[e->length_count++][1] = json_u64(cJSON_GetArrayItem(item, 1));
    }
    cJSON_ArrayForEach(item, longs) {
        const cJSON *pc = cJSON_GetObjectItemCaseSensitive(item, "pc");
        e->longs[e->long_count++] =
            (struct long_stall){{cJSON_IsString(pc) ? strtoull(pc->valuestring, NULL, 16) : 0, context_of(item)},
                                member(item, "count"),
                                member(item, "cycles"),
                                member(item, "longest")};
    }
    return true;
}

bool events_met_read(struct events_met *e, const struct run *d) {
    cJSON *statistics = samples_statistics(d->samples) ? cJSON_Parse(samples_statistics(d->samples)) : NULL;
    const cJSON *base = cJSON_GetObjectItemCaseSensitive(statistics, "base_stalls");
    bool good = true;
    *e = (struct events_met){.known = cJSON_IsObject(base)};
    if (e->known) {
        read_executions(e, cJSON_GetObjectItemCaseSensitive(statistics, "executions"));
        good = read_stalls(e, base);
    }
    cJSON_Delete(statistics);
    if (!good) events_met_free(e);
    return good;
}

void events_met_free(struct events_met *e) {
    free(e->lengths);
    free(e->longs);
    *e = (struct events_met){0};
}

uint64_t events_met_quantile(const struct events_met *e, double share) {
    uint64_t sum = 0;
    for (size_t i = 0; i < e->length_count; i++) {
        sum += e->lengths[i][1];
        if ((double)sum >= share * (double)e->stalls) return e->lengths[i][0];
    }
    return 0;
}

uint64_t events_met_longest(const struct events_met *e) {
    return e->length_count ? e->lengths[e->length_count - 1][0] : 0;
}

uint64_t events_met_from(const struct events_met *e, uint64_t length) {
    uint64_t sum = 0;
    for (size_t i = 0; i < e->length_count; i++) {
        if (e->lengths[i][0] >= length) sum += e->lengths[i][1];
    }
    return sum;
}

const char *stalls_kind(const struct run *d, struct place place) {
    static const char *const names[] = {UNIT_NAMES};
    static const struct {
        const char *unit, *words;
    } kinds[] = {
        {"alu", "integer operation (end of a chain)"},
        {"branch", "branch (end of a chain)"},
        {"jal", "jump"},
        {"jalr", "indirect jump (end of a chain)"},
        {"mul", "multiply"},
        {"div", "divide"},
        {"load", "load (a device, or waits for its address or an older store)"},
        {"store", "store (waits for its operands, or while others wait for the walker)"},
        {"amo", "atomic (waits until older stores have drained)"},
        {"csr", "CSR access (satp: waits until older stores have drained)"},
        {"fp", "floating-point operation"},
        {"fence", "fence (waits until older stores have drained)"},
        {"sys", "environment call, trap return, wfi"},
    };
    static const struct insn_info info[] = {INSN_INFO_ROWS};
    struct image_hit hit;
    size_t count;
    if (!images_find(d->images, place, &hit)) return "not in the program";
    uint32_t insn = program_instructions(hit.program, &count)[hit.instruction].insn;
    const char *unit = names[info[insn_decode(insn_word(insn))].unit];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].unit, unit) == 0) return kinds[i].words;
    }
    return unit; // a unit without words of its own: its name
}
