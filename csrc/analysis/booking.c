// Books samples to instructions, and instructions to larger units. Integers throughout: nothing is rounded.
#include "analysis/analysis.h"

bool booking_add_sample(struct profile_table *t, const struct sample_record *r, uint32_t units) {
    const struct sample *s = &r->sample;
    const uint64_t context = place_context(s->priv, s->space);
    const uint64_t weight = (r->cycles - r->stalled_cycles) * units;
    // A Drained sample whose instruction then stalled the core: one instruction, in lane 0.
    if (r->stalled_cycles) {
        struct place place = s->valid & 1 ? (struct place){s->addr[0], context} : PLACE_END;
        if (!profile_table_add_stack(t, place, r->stack[0], STATE_STALLED, s->psv[0], r->stalled_cycles * units))
            return false;
        if (weight == 0) return true;
    }
    const unsigned lanes = (unsigned)__builtin_popcount(s->valid);
    if (lanes == 0) return profile_table_add(t, PLACE_END, s->state, 0, weight);
    if (units % lanes != 0) return false;
    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        if (!(s->valid >> lane & 1)) continue;
        struct place place = {s->addr[lane], context};
        if (!profile_table_add_stack(t, place, r->stack[lane], s->state, s->psv[lane], weight / lanes)) return false;
    }
    return true;
}

bool booking_add_samples(struct profile_table *t, const struct sample_record *records, size_t count, uint32_t units) {
    for (size_t i = 0; i < count; i++) {
        if (!booking_add_sample(t, &records[i], units)) return false;
    }
    return true;
}

struct profile_table *booking_aggregate(const struct profile_row *rows, size_t count, const struct images *images,
                                        enum granularity g, uint16_t event_mask) {
    struct profile_table *t = profile_table_create();
    for (size_t i = 0; t && i < count; i++) {
        const struct profile_row *r = &rows[i];
        if (profile_table_add(t, unit_of(images, g, row_place(r)), r->state, r->psv & event_mask, r->weight)) continue;
        profile_table_destroy(t);
        return NULL;
    }
    return t;
}

struct profile_table *booking_components(const struct profile_row *rows, size_t count, const struct images *images,
                                         enum granularity g, uint16_t event_mask) {
    struct profile_table *t = profile_table_create();
    for (size_t i = 0; t && i < count; i++) {
        if (profile_table_add(t, unit_of(images, g, row_place(&rows[i])), STATE_COUNT, rows[i].psv & event_mask,
                              rows[i].weight))
            continue;
        profile_table_destroy(t);
        return NULL;
    }
    return t;
}
