// Units of the run: modules (the images: a program, a library, a kernel), privilege modes, processes, and its time.
#include "report/contexts.h"
#include "report/units.h"
#include "report/windows.h"
#include <string.h>

enum { TEXT = 512 };

static size_t add(struct units *u, struct place place, const char *text, const char *image) {
    return units_add(u, &(struct unit){.unit = (char *)text, .name = (char *)text, .image = image, .place = place});
}

static size_t find_module(struct units *u, struct place place, const struct image_hit *hit) {
    const char *image = report_image(u->run, place);
    (void)hit;
    return add(u, place, *image ? image : "[unknown]", image);
}

static size_t find_mode(struct units *u, struct place place, const struct image_hit *hit) {
    const char *mode = report_mode_name(u->run, place.context);
    (void)hit;
    return add(u, place, *mode ? mode : "[not recorded]", "");
}

static size_t find_process(struct units *u, struct place place, const struct image_hit *hit) {
    char text[TEXT];
    (void)hit;
    report_process(u->run, place.context, text, sizeof text);
    return add(u, place, text, "");
}

const struct unit_kind unit_module = {.name = "module",
                                      .text = "an ELF file: the program, a library, the kernel, the firmware",
                                      .heading = "Modules by time (%zu of %zu)",
                                      .find = find_module};
const struct unit_kind unit_mode = {
    .name = "mode", .text = "a privilege mode", .heading = "Privilege modes by time (%zu of %zu)", .find = find_mode};
const struct unit_kind unit_process = {
    .name = "process", .text = "an address space", .heading = "Processes by time (%zu of %zu)", .find = find_process};
const struct unit_kind unit_window = {.name = "window",
                                      .text =
                                          "the run's time in windows, and in phases: --windows N, --window-cycles N",
                                      .write = report_windows};
