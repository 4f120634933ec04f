// Counts executions of an instruction on all harts, as markers of regions are counted: gus_until.h.
#include "cli/gus_until.h"
#include "base/position.h"

bool gus_until_parse(struct gus_until *u, const char *text, const struct image *image, struct error *err) {
    struct position at;
    if (position_parse(&at, text, POSITIONS_ON_ISS, image, err) < 0) return false;
    if (at.kind != POSITION_PLACE) {
        error_set(err, "--to %s: of several harts, and after a warm-up, an execution ends the run: give PLACE:N", text);
        return false;
    }
    *u = (struct gus_until){at.value, at.count ? at.count : 1};
    return true;
}

bool gus_until_stepped(void *context, unsigned hart, const struct iss_retire *retire) {
    struct gus_until *const u = context;
    (void)hart;
    return retire->pc == u->pc && !retire->interrupt && --u->left == 0;
}
