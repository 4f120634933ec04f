// Modes and processes: who an address belongs to, and how much time each of them has.
#include "report/contexts.h"
#include "report/run.h"
#include "report/style.h"
#include "report/words.h"
#include <string.h>

static const char *const mode_names[] = {"user", "supervisor", "?", "machine"};

const char *report_mode_name(const struct run *d, uint64_t context) {
    return d->header->contexts ? mode_names[place_mode(context)] : "";
}

bool report_has_modes(const struct run *d) {
    return images_count(d->images) > 1;
}

bool report_shows_image(const struct run *d, const char *image, const char *name) {
    if (!*image || !report_has_modes(d) || strcmp(image, name) == 0) return false;
    if (!style_sampled(d)) return true;
    // The program's own functions are called as those of the core's runs; "[kernel]" says it.
    return strcmp(image, images_name(d->images, 0)) != 0 &&
           !(*image == '[' && strncmp(name, image, strlen(image)) == 0);
}

// The image of user code that lies in one address space: the first is the program's own.
static size_t image_of_process(const struct run *d, uint64_t space) {
    for (size_t i = 0; i < images_count(d->images); i++) {
        const struct image_extent *e = images_extent(d->images, i);
        if (e->modes & 1u << MODE_USER && !e->any_space && e->space == space) return i;
    }
    return SIZE_MAX;
}

// It has an image of its own, and it is the one that was asked for.
static bool is_program(const struct run *d, uint64_t space) {
    size_t i = image_of_process(d, space);
    return i != SIZE_MAX && strcmp(images_name(d->images, i), images_name(d->images, 0)) == 0;
}

// The program that a process without an image of its own executes, as far as is known; or NULL.
static const char *child_of(const struct run *d, uint64_t context) {
    size_t i = images_of_context(d->images, place_context(MODE_USER, place_space(context)));
    return i == SIZE_MAX ? NULL : images_name(d->images, i);
}

void report_process(const struct run *d, uint64_t context, char *text, size_t size) {
    const uint64_t space = place_space(context);
    size_t i = image_of_process(d, space);
    if (i != SIZE_MAX) {
        snprintf(text, size, "%s", images_name(d->images, i));
    } else if (report_has_modes(d) && space && child_of(d, context)) {
        snprintf(text, size, "%s's child 0x%llx", child_of(d, context), (unsigned long long)space);
    } else if (report_has_modes(d) && space) {
        snprintf(text, size, "process 0x%llx", (unsigned long long)space);
    } else if (d->spaces > 1 && space) {
        snprintf(text, size, "space 0x%llx", (unsigned long long)space);
    } else {
        snprintf(text, size, "%s", d->spaces > 1 ? "no address space" : d->header->program);
    }
}

const char *report_image(const struct run *d, struct place place) {
    struct image_hit hit;
    if (place.pc == PROFILE_PC_END) return "";
    // Where none of them has the address, only a single one can be meant.
    size_t i = images_find(d->images, place, &hit) ? hit.image : images_only_of_context(d->images, place.context);
    return i == SIZE_MAX ? "" : images_name(d->images, i);
}

void report_label(const struct run *d, enum granularity g, struct place place, char *text, size_t size) {
    char process[160];
    report_name(d, g, place, text, size);
    if (place.pc == PROFILE_PC_END || g == BY_APPLICATION) return;
    const char *image = report_image(d, place);
    if (report_shows_image(d, image, text)) words_append(text, size, " [%s]", image);
    if (d->spaces < 2 || is_program(d, place_space(place.context))) return;
    report_process(d, place.context, process, sizeof process);
    words_append(text, size, " {%s}", process);
}

void report_label_of_hart(const struct run *d, enum granularity g, struct place place, char *text, size_t size) {
    report_label(d, g, place, text, size);
    if (d->harts > 1 && place.pc != PROFILE_PC_END) words_append(text, size, " {hart %u}", place_hart(place.context));
}

void report_context_words(const struct run *d, struct place place, char *text, size_t size) {
    char process[160];
    if (place.pc == PROFILE_PC_END) {
        snprintf(text, size, "end of run");
        return;
    }
    int used = 0;
    if (d->harts > 1) used = snprintf(text, size, "hart %u: ", place_hart(place.context));
    text += used, size -= (size_t)used;
    report_process(d, place.context, process, sizeof process);
    const unsigned mode = place_mode(place.context);
    const char *image = report_image(d, (struct place){0, place.context});
    if (style_sampled(d) && *image == '[') {
        snprintf(text, size, "%s", image);
    } else if (style_sampled(d)) {
        snprintf(text, size, "programs and libraries (user mode)");
    } else if (!report_has_modes(d)) {
        snprintf(text, size, "%s, %s mode", process, mode_names[mode]);
    } else if (mode == MODE_USER) {
        snprintf(text, size, "%s, its own code (user mode)", process);
    } else {
        snprintf(text, size, "%s, in the %s on its behalf (%s mode)", process, *image ? image : "unknown",
                 mode_names[mode]);
    }
}

void report_count_contexts(struct run *d) {
    uint64_t last_context = 0;
    enum { MANY = 64 };
    uint64_t contexts[MANY], spaces[MANY];
    d->contexts = d->spaces = 0;
    for (size_t i = 0; i < d->row_count; i++) {
        const uint64_t context = d->rows[i].context, space = place_space(context);
        size_t k;
        if (d->rows[i].pc == PROFILE_PC_END || (d->contexts && context == last_context)) continue;
        for (k = 0; k < d->contexts && contexts[k] != context; k++) {
        }
        if (k == d->contexts && k < MANY) contexts[d->contexts++] = context;
        for (k = 0; k < d->spaces && spaces[k] != space; k++) {
        }
        if (k == d->spaces && k < MANY) spaces[d->spaces++] = space;
        last_context = context;
    }
}
