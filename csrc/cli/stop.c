// Where a run on the ISS stops: see stop.h. An interrupt that is taken at the address is no arrival: it comes again.
#include "cli/stop.h"

bool stop_parse(struct stop *stop, const char *text, const struct image *image, struct error *err) {
    struct error fault;
    *stop = (struct stop){.wanted = true};
    if (position_parse(&stop->at, text, POSITIONS_ON_ISS, image, &fault) < 0) {
        error_set(err, "--at %s: %s", text, fault.text);
        return false;
    }
    stop->left = stop->at.count ? stop->at.count : 1;
    return true;
}

static bool is(const struct stop *stop, enum position_kind kind) {
    return stop->wanted && stop->at.kind == kind;
}

bool stop_needs_steps(const struct stop *stop) {
    return is(stop, POSITION_PLACE);
}
bool stop_at_marker(const struct stop *stop) {
    return is(stop, POSITION_MARKER);
}
uint64_t stop_limit(const struct stop *stop, uint64_t max) {
    return is(stop, POSITION_CYCLE) && stop->at.value < max ? stop->at.value : max;
}

bool stop_reached(const struct stop *stop, const struct hart *next, uint64_t done) {
    if (!stop->wanted) return false;
    switch (stop->at.kind) {
    case POSITION_CYCLE: return done >= stop->at.value;
    case POSITION_PLACE: return stop->left == 1 && next && hart_pc(next) == stop->at.value;
    case POSITION_MARKER: return stop->marked;
    default: return false;
    }
}

void stop_after(struct stop *stop, struct iss *iss, const struct iss_retire *retire) {
    unsigned marker = stop_at_marker(stop) ? iss_take_marker(iss) : 0;
    if (marker && (stop->at.value == 0 || stop->at.value == marker)) stop->marked = true;
    bool executed = stop_needs_steps(stop) && retire && retire->pc == stop->at.value && !retire->interrupt;
    if (executed && stop->left > 1) stop->left--;
}
