// A short list of images, searched in order: there are some ten, not a thousand.
#include "analysis/images.h"
#include "analysis/analysis.h"
#include "base/array.h"
#include "base/plain_text.h"
#include <stdlib.h>
#include <string.h>

struct entry {
    char *name;
    struct image_extent extent;
    struct program *program;
    bool shared; // the program is another entry's
};

struct images {
    struct entry *list;
    size_t count, capacity;
};

struct images *images_create(void) {
    return calloc(1, sizeof(struct images));
}

void images_destroy(struct images *images) {
    for (size_t i = 0; images && i < images->count; i++) {
        free(images->list[i].name);
        if (!images->list[i].shared) program_destroy(images->list[i].program);
    }
    if (images) free(images->list);
    free(images);
}

static bool add(struct images *images, const char *name, const struct image_extent *extent, struct program *program,
                bool shared) {
    char *copy = plain_name(name);
    if (!copy || !array_reserve(&images->list, &images->capacity, images->count, sizeof *images->list)) {
        free(copy);
        if (!shared) program_destroy(program);
        return false;
    }
    images->list[images->count++] = (struct entry){copy, *extent, program, shared};
    return true;
}

bool images_add(struct images *images, const char *name, const struct image_extent *extent, struct program *program) {
    return add(images, name, extent, program, false);
}

bool images_add_extent(struct images *images, size_t of, const struct image_extent *extent) {
    return add(images, images->list[of].name, extent, images->list[of].program, true);
}

size_t images_count(const struct images *images) {
    return images->count;
}
const char *images_name(const struct images *images, size_t i) {
    return images->list[i].name;
}
const struct image_extent *images_extent(const struct images *images, size_t i) {
    return &images->list[i].extent;
}
const struct program *images_program(const struct images *images, size_t i) {
    return images->list[i].program;
}

bool images_any_program(const struct images *images) {
    for (size_t i = 0; i < images->count; i++) {
        if (images->list[i].program) return true;
    }
    return false;
}

// Images of any address space come second, and only where none is named by its own.
static bool is_of(const struct images *images, size_t i, uint64_t context, bool any) {
    const struct image_extent *e = &images->list[i].extent;
    if (!(e->modes >> place_mode(context) & 1) || e->any_space != any) return false;
    return any || e->space == place_space(context);
}

static bool has_own(const struct images *images, uint64_t context) {
    for (size_t i = 0; i < images->count; i++) {
        if (is_of(images, i, context, false)) return true;
    }
    return false;
}

bool images_find(const struct images *images, struct place place, struct image_hit *hit) {
    const bool any = !has_own(images, place.context);
    for (size_t i = 0; i < images->count; i++) {
        const struct entry *e = &images->list[i];
        if (!e->program || !is_of(images, i, place.context, any)) continue;
        size_t at = program_find(e->program, place.pc - e->extent.bias);
        if (at == PROGRAM_NONE) continue;
        *hit = (struct image_hit){i, at, e->program, e->extent.bias};
        return true;
    }
    return false;
}

size_t images_of_context(const struct images *images, uint64_t context) {
    const bool any = !has_own(images, context);
    for (size_t i = 0; i < images->count; i++) {
        if (is_of(images, i, context, any)) return i;
    }
    return SIZE_MAX;
}

size_t images_only_of_context(const struct images *images, uint64_t context) {
    const bool any = !has_own(images, context);
    size_t only = images_of_context(images, context);
    for (size_t i = only + 1; only != SIZE_MAX && i < images->count; i++) {
        if (is_of(images, i, context, any)) return SIZE_MAX;
    }
    return only;
}

const struct program_instruction *image_hit_instruction(const struct image_hit *hit) {
    size_t count;
    return &program_instructions(hit->program, &count)[hit->instruction];
}

const struct program_function *image_hit_function(const struct image_hit *hit) {
    size_t count;
    return &program_functions(hit->program, &count)[image_hit_instruction(hit)->function];
}

// ---- units ----
struct place unit_of(const struct images *images, enum granularity g, struct place place) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END) return PLACE_END;
    if (g == BY_APPLICATION)
        return (struct place){0,
                              place_on_hart(place_context(0, place_space(place.context)), place_hart(place.context))};
    if (g == BY_INSTRUCTION || !images || !images_find(images, place, &hit)) return place;
    size_t count;
    const struct program_instruction *instructions = program_instructions(hit.program, &count);
    const struct program_instruction *i = &instructions[hit.instruction];
    uint64_t first =
        g == BY_BLOCK ? instructions[i->block].pc : program_functions(hit.program, &count)[i->function].entry;
    return (struct place){first + hit.bias, place.context};
}
