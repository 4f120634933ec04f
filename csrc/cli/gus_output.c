// What `tipoff gus` reports, written: gus_output.h.
#include "cli/gus_output.h"
#include "base/output.h"
#include "cli/cli.h"
#include "report/report.h"
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool written(const struct gus_report *r, enum gus_format format, const char *path, struct error *err) {
    struct output *output = output_open(path, err);
    return output && output_close(output, gus_report_write(r, format, output_file(output), err), err) == 0;
}

// How the text looks is up to where it goes.
static void set_look(const struct gus_output *o, struct gus_report *r) {
    const struct report_options defaults = report_defaults(stdout, &cli_notices);
    struct winsize size;
    r->utf8 = defaults.utf8;
    r->colour = defaults.colour && !o->output;
    if (!o->output && isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) r->columns = size.ws_col;
}

int gus_output_write(const struct gus_output *o, struct gus_report *r, struct error *err) {
    set_look(o, r);
    if (o->heat_map && !written(r, GUS_SVG, o->heat_map, err)) return STATUS_OUTPUT;
    if (o->output) return written(r, o->format, o->output, err) ? EXIT_SUCCESS : STATUS_OUTPUT;
    if (!gus_report_write(r, o->format, stdout, err)) return STATUS_BAD_INPUT;
    return stdout_written(err) ? EXIT_SUCCESS : STATUS_OUTPUT;
}
