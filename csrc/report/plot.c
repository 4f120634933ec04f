// Points as an SVG of its own, that follows the reader's choice of light or dark.
#include "report/plot.h"
#include "report/xml_text.h"
#include <math.h>

enum { WIDTH = 760, HEIGHT = 480, LEFT = 90, RIGHT = 20, TOP = 76, BOTTOM = 60, STEPS = 5, CURVE = 200 };

static const char style[] =
    "text{font:11px 'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace;fill:#1b2027}\n"
    ".head{font-size:15px;font-weight:bold}.dim{fill:#5a6472}.back{fill:#ffffff}.grid{stroke:#e2e5ea}.envelope{stroke:#"
    "5a6472;fill:none}\n"
    ".p0{fill:#005f9e}.p1{fill:#d55e00}.p2{fill:#009e73}.p0,.p1,.p2{fill-opacity:.6}\n"
    "@media "
    "(prefers-color-scheme:dark){text{fill:#e2e6eb}.dim{fill:#98a2b0}.back{fill:#14171c}.grid{stroke:#2b313a}.envelope{"
    "stroke:#98a2b0}\n"
    ".p0{fill:#3a8fcf}.p1{fill:#ec7b28}.p2{fill:#22b58b}}\n";

struct axis {
    double low, high, step;
    bool log; // low and high are powers of ten
};

// Five steps or more of 1, 2 or 5 times a power of ten.
static struct axis axis(double low, double high) {
    if (!(high > low)) high = low + 1;
    const double rough = (high - low) / STEPS, power = pow(10, floor(log10(rough))), times = rough / power;
    const double step = power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
    return (struct axis){floor(low / step) * step, ceil(high / step) * step, step, false};
}

static int steps_of(const struct axis *a) {
    return (int)lround((a->high - a->low) / a->step);
}

static double across(const struct axis *x, double value) {
    const double place = x->log ? log10(value) : value;
    return LEFT + (WIDTH - LEFT - RIGHT) * (place - x->low) / (x->high - x->low);
}
static double down(const struct axis *y, double value) {
    const double inside = value < y->low ? y->low : value > y->high ? y->high : value;
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (inside - y->low) / (y->high - y->low);
}

static void write_number(double value, FILE *out) {
    if (fabs(value) >= 1e6)
        fprintf(out, "%.4gM", value / 1e6);
    else if (fabs(value) >= 1e4)
        fprintf(out, "%.4gk", value / 1e3);
    else
        fprintf(out, "%.4g", value);
}

static void write_axes(const struct plot *p, const struct axis *x, const struct axis *y, FILE *out) {
    for (int i = 0; i <= steps_of(x); i++) {
        const double v = x->log ? pow(10, x->low + i * x->step) : x->low + i * x->step;
        fprintf(
            out,
            "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text class=\"dim\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">",
            across(x, v), TOP, HEIGHT - BOTTOM, across(x, v), HEIGHT - BOTTOM + 16);
        write_number(v, out);
        fputs("</text>\n", out);
    }
    for (int i = 0; i <= steps_of(y); i++) {
        const double v = y->low + i * y->step;
        fprintf(out,
                "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text class=\"dim\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">",
                LEFT, down(y, v), WIDTH - RIGHT, LEFT - 6, down(y, v) + 4);
        write_number(fabs(v) < y->step / 1000 ? 0 : v, out);
        fputs("</text>\n", out);
    }
    fprintf(out, "<text text-anchor=\"middle\" x=\"%d\" y=\"%d\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 40);
    xml_text(out, p->x);
    fprintf(out, "</text>\n<text text-anchor=\"middle\" transform=\"rotate(-90)\" x=\"%d\" y=\"16\">",
            -(TOP + HEIGHT - BOTTOM) / 2);
    xml_text(out, p->y);
    fputs("</text>\n", out);
}

static void write_envelope(const struct axis *x, const struct axis *y, FILE *out) {
    for (int sign = -1; sign <= 1; sign += 2) {
        fputs("<path class=\"envelope\" d=\"", out);
        for (int i = 0; i <= CURVE; i++) {
            const double k = pow(10, x->high * i / CURVE);
            fprintf(out, "%c%.1f %.1f", i ? 'L' : 'M', across(x, k), down(y, 1 + sign / sqrt(k)));
        }
        fputs("\"/>\n", out);
    }
}

// Circle, square, triangle: the paper's.
static void write_point(double x, double y, const struct plot_point *point, FILE *out) {
    if (point->series == 0)
        fprintf(out, "<circle class=\"p0\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\">", x, y);
    else if (point->series == 1)
        fprintf(out, "<path class=\"p1\" d=\"M%.1f %.1fh6v6h-6z\">", x - 3, y - 3);
    else
        fprintf(out, "<path class=\"p2\" d=\"M%.1f %.1fl4 7h-8z\">", x, y - 4);
    if (point->title) {
        fputs("<title>", out);
        xml_text(out, point->title);
        fputs("</title>", out);
    }
    fputs(point->series == 0 ? "</circle>\n" : "</path>\n", out);
}

static void write_key(const struct plot *p, FILE *out) {
    double x = LEFT;
    for (unsigned i = 0; i < 3; i++) {
        if (!p->series[i]) continue;
        write_point(x, 58, &(struct plot_point){.series = i}, out);
        fprintf(out, "<text x=\"%.0f\" y=\"62\">", x + 8);
        xml_text_fitted(out, p->series[i], 24);
        fputs("</text>\n", out);
        x += 200;
    }
}

void plot_write(const struct plot *p, FILE *out) {
    double right = 0, top = 0, bottom = 0;
    for (size_t i = 0; i < p->count; i++) {
        right = fmax(right, p->points[i].x);
        top = fmax(top, p->points[i].y);
        bottom = fmin(bottom, p->points[i].y);
    }
    const struct axis x = p->envelope ? (struct axis){0, ceil(log10(fmax(right, 10))), 1, true} : axis(0, right),
                      y = p->envelope ? (struct axis){0, 2, 0.5, false} : axis(bottom, top);
    fprintf(out,
            "<!-- %s -->\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\">\n<style>\n%s</style>\n<title>",
            p->head, WIDTH, HEIGHT, WIDTH, HEIGHT, style);
    xml_text(out, p->head);
    fprintf(out, "</title>\n<rect class=\"back\" width=\"%d\" height=\"%d\"/>\n<text class=\"head\" x=\"12\" y=\"22\">",
            WIDTH, HEIGHT);
    xml_text_fitted(out, p->head, 80);
    fputs("</text>\n<text class=\"dim\" x=\"12\" y=\"40\">", out);
    xml_text(out, p->text);
    fputs("</text>\n", out);
    write_key(p, out);
    write_axes(p, &x, &y, out);
    if (p->envelope) write_envelope(&x, &y, out);
    for (size_t i = 0; i < p->count; i++)
        write_point(across(&x, p->points[i].x), down(&y, p->points[i].y), &p->points[i], out);
    fputs("</svg>\n", out);
}
