// When a model is looked at for being idle, and what is done then: part of the shim (model_shim.cpp).
#ifndef TIPOFF_HARNESS_IDLE_RUN_H
#define TIPOFF_HARNESS_IDLE_RUN_H

// Two cycles in which nothing but what goes on by itself changes. Returns the cycles run; *quiet: for how many more
// that is so.
static uint64_t look(model *m, const volatile int *stop, uint64_t *quiet) {
    idle *s = &m->idle;
    const unsigned char *state = idle_state(m->top);
    *quiet = 0;
    s->rested = false;
    memcpy(s->was.data(), state, s->was.size());
    cycle(m);
    if (!idle_rests(s, state) || !goes_on(m, stop)) return 1;
    for (const idle_member &f : s->free)
        memcpy(s->is.data() + f.from, state + f.from, f.bytes);
    cycle(m);
    if (!idle_rests(s, state) || !goes_on(m, stop) || tipoff_ticks_same() < 3) return 2;
    s->rested = true;
    *quiet = UINT64_MAX;
    for (const idle_member &f : s->free) {
        memcpy(s->was.data() + f.from, s->is.data() + f.from, f.bytes);
        *quiet = std::min(*quiet, idle_member_horizon(f, s->was.data(), state));
        memcpy(s->is.data() + f.from, state + f.from, f.bytes);
    }
    return 2;
}

// The cycles are run, and must come to what skipping them would come to, all along. Returns how many.
static uint64_t check_left_out(model *m, uint64_t most, const volatile int *stop) {
    idle *s = &m->idle;
    const unsigned char *state = idle_state(m->top);
    uint64_t n = 0;
    while (n < most && goes_on(m, stop)) {
        cycle(m);
        n++;
        if (tipoff_ticks_same() == 1) break; // the tick of this one says something new
        s->skipped++;
        if (!idle_rests(s, state) || !idle_predicts(s, state, n)) s->differs = true;
        if (s->differs) break;
    }
    return n;
}

// Lets the platform go on alone, then takes the model to the same cycle. The last cycles are run, with the ticks that
// they had: as many are left out as leave the lowest bits of all counters as they were, so that what the model has
// worked out from them for the next clock edge is right.
static uint64_t leave_out(model *m, uint64_t most, const volatile int *stop) {
    idle *s = &m->idle;
    unsigned char *state = idle_state(m->top);
    uint64_t n = 0;
    while (n < most && !*stop && tipoff_tick_same())
        n++;
    const uint64_t run = n < 2 * IDLE_STEP ? n : IDLE_STEP + n % IDLE_STEP, out = n - run;
    if (out) idle_advance(s, state, out, tipoff_mtime(static_cast<unsigned>(run)));
    m->time += 2 * out;
    s->skipped += out;
    tipoff_ticks_again(static_cast<unsigned>(run));
    for (uint64_t i = 0; i < run; i++) {
        cycle(m);
        if (i == 0 && !idle_predicts(s, state, out + 1)) s->differs = true;
    }
    if (!tipoff_tick_waits()) return n;
    cycle(m);
    return n + 1;
}

// A core that may be idle; returns the cycles that have passed, `most` or fewer.
static uint64_t skip(model *m, uint64_t most, const volatile int *stop) {
    uint64_t quiet;
    const uint64_t n = look(m, stop, &quiet);
    if (quiet < 2 * IDLE_STEP) return n;
    quiet = std::min(quiet, most - n - 1);
    return n + (m->idle.mode == MODEL_SKIP_CHECK ? check_left_out(m, quiet, stop) : leave_out(m, quiet, stop));
}

static uint64_t perhaps_skip(model *m, uint64_t most, const volatile int *stop) {
    idle *s = &m->idle;
    uint64_t instructions;
    memcpy(&instructions, idle_state(m->top) + s->commits, sizeof instructions);
    if (instructions != s->instructions) {
        s->instructions = instructions;
        s->still = 0;
        s->next = IDLE_FIRST;
    }
    if (++s->still < s->next || most < 4 * IDLE_STEP) return 0;
    const uint64_t before = s->skipped, n = skip(m, most, stop);
    s->still = 0;
    s->next = s->skipped > before || s->rested ? IDLE_FIRST : std::min<uint64_t>(2 * s->next, IDLE_SELDOM);
    return n;
}

#endif
