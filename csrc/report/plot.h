// A plot of points as an SVG of its own, in the report's colours.
#ifndef TIPOFF_REPORT_PLOT_H
#define TIPOFF_REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct plot_point {
    double x, y;
    unsigned series;   // its colour and shape: 0 to 2
    const char *title; // shown where the pointer rests; may be NULL
};
struct plot {
    const char *head, *text, *x, *y; // title, line below it, names of the axes
    const char *series[3];           // NULL: no key
    const struct plot_point *points;
    size_t count;
    bool envelope; // y = 1 +- 1/sqrt(x), the y axis from 0 to 2, points beyond it at its end, and x by powers of ten
};
void plot_write(const struct plot *p, FILE *out);

#endif
