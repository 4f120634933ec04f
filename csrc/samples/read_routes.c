// The ways to the instructions that ProfileMe sampled, from a sample file.
#include "base/array.h"
#include "base/bytes.h"
#include "samples/read_internal.h"
#include "samples/samples_format.h"
#include <stdlib.h>

static bool read_route(struct read_routes *r, const uint8_t **p, const uint8_t *end, size_t bytes) {
    if (end - *p < ROUTES_HEAD) return false;
    struct route route = {.first = r->view.step_count, .known = bytes_get(p, 1) != 0};
    route.count = (uint32_t)bytes_get(p, 2);
    if ((size_t)(end - *p) < route.count * bytes) return false;
    for (uint32_t i = 0; i < route.count; i++, *p += bytes - ROUTE_STEP_BYTES) {
        if (!array_reserve(&r->steps, &r->step_capacity, r->view.step_count, sizeof *r->steps)) return false;
        struct route_step *step = &r->steps[r->view.step_count++];
        step->from = bytes_get(p, 8);
        step->to = bytes_get(p, 8);
    }
    if (!array_reserve(&r->list, &r->capacity, r->view.count, sizeof *r->list)) return false;
    r->list[r->view.count++] = route;
    return true;
}

bool read_routes_block(struct read_routes *r, const uint8_t *data, size_t size) {
    const uint8_t *p = data, *const end = data + size;
    const size_t bytes = size >= 2 ? bytes_get(&p, 2) : 0;
    bool good = bytes >= ROUTE_STEP_BYTES;
    while (good && p < end)
        good = read_route(r, &p, end, bytes);
    r->view.steps = r->steps;
    r->view.list = r->list;
    return good;
}

void read_routes_free(struct read_routes *r) {
    free(r->steps);
    free(r->list);
}
