// One table for both forms: the singles that gain something, the best first, and the sets that gain more than their
// best member does alone, at 15 %.
#include "methods/gus/view_heat.h"
#include "report/xml_text.h"
#include <stdlib.h>
#include <string.h>

enum { NAME = 240, MOST_SETS = 12, CELL = 34, LEFT = 330, HEAD = 64, LEVELS = 5, NARROW = 72 };
#define LEAST 0.0005 // gain at 15 % that is shown

struct row {
    const struct gus_variant *variant; // at 15 %
    double gains[GUS_HEAT_COLUMNS];
    uint32_t known; // bit i: gains[i] was asked for; of most sets only the last is
    double bound;   // of ten times as fast
    bool bound_known;
};
struct map {
    struct row *rows;
    size_t singles, count; // rows; those of sets are behind those of singles
};

double gus_gain(const struct gus_report *r, const struct gus_variant *v) {
    return v->time ? (double)gus_time(r->model) / (double)v->time - 1 : 0;
}

void gus_variant_name(const struct gus_report *r, const struct gus_variant *v, char *text, size_t size) {
    size_t n = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < v->count && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? " + " : "", r->table->resources[v->resources[i]].name);
}

// ---- the table ----
static int by_gain(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    const double gx = x->gains[GUS_HEAT_COLUMNS - 1], gy = y->gains[GUS_HEAT_COLUMNS - 1];
    return gx != gy ? (gx < gy ? 1 : -1) : x->variant->resources[0] - y->variant->resources[0];
}

static double alone(const struct map *m, uint8_t resource) {
    for (size_t i = 0; i < m->singles; i++)
        if (m->rows[i].variant->resources[0] == resource) return m->rows[i].gains[GUS_HEAT_COLUMNS - 1];
    return 0;
}

// A set in balance: none of its members gains nearly as much alone, nor all of them together one after the other.
static bool in_balance(const struct map *m, const struct gus_variant *v, double gain) {
    double most = 0;
    for (unsigned i = 0; i < v->count; i++)
        most = alone(m, v->resources[i]) > most ? alone(m, v->resources[i]) : most;
    return gain > most + LEAST && gain > 1.1 * most;
}

static bool same_set(const struct gus_variant *a, const struct gus_variant *b) {
    return a->count == b->count && memcmp(a->resources, b->resources, a->count) == 0;
}

static void fill(const struct gus_report *r, struct row *row) {
    for (size_t i = 0; i < r->variant_count; i++) {
        const struct gus_variant *v = &r->variants[i];
        if (!same_set(v, row->variant)) continue;
        if (v->percent <= GUS_HEAT_COLUMNS) {
            row->gains[v->percent - 1] = gus_gain(r, v);
            row->known |= 1u << (v->percent - 1);
        } else {
            row->bound = gus_gain(r, v);
            row->bound_known = true;
        }
    }
}

static bool make(const struct gus_report *r, struct map *m) {
    *m = (struct map){.rows = calloc(r->variant_count + 1, sizeof *m->rows)};
    if (!m->rows) return false;
    for (size_t i = 0; i < r->variant_count; i++) {
        const struct gus_variant *v = &r->variants[i];
        if (v->count != 1 || v->percent != GUS_HEAT_COLUMNS || gus_gain(r, v) < LEAST) continue;
        m->rows[m->singles].variant = v;
        fill(r, &m->rows[m->singles++]);
    }
    qsort(m->rows, m->singles, sizeof *m->rows, by_gain);
    m->count = m->singles;
    for (size_t i = 0; i < r->variant_count && m->count < m->singles + MOST_SETS; i++) { // the best first already
        const struct gus_variant *v = &r->variants[i];
        if (v->count < 2 || v->percent != GUS_HEAT_COLUMNS || !in_balance(m, v, gus_gain(r, v))) continue;
        m->rows[m->count].variant = v;
        fill(r, &m->rows[m->count++]);
    }
    return true;
}

// Of five, by how much of the acceleration itself is gained: a resource that all waits for gains as much as it gets
// faster.
static unsigned level(double gain, unsigned percent) {
    double part = gain / (percent / 100.0);
    return part < 0.02 ? 0 : part < 0.25 ? 1 : part < 0.5 ? 2 : part < 0.75 ? 3 : 4;
}

// ---- text ----
static void text_cells(const struct gus_report *r, const struct row *row, unsigned width, FILE *out) {
    static const char *const shades[LEVELS] = {"·", "░", "▒", "▓", "█"},
                             *const letters[LEVELS] = {".", "-", "+", "*", "#"},
                             *const colours[LEVELS] = {"\033[2m", "\033[33m", "\033[33m", "\033[31m", "\033[1;31m"};
    for (unsigned p = 1; p <= GUS_HEAT_COLUMNS; p++) {
        if (!(row->known >> (p - 1) & 1)) {
            fprintf(out, "%*s", (int)width, "");
            continue;
        }
        const unsigned l = level(row->gains[p - 1], p);
        if (r->colour) fputs(colours[l], out);
        for (unsigned i = 0; i < width; i++)
            fputs((r->utf8 ? shades : letters)[l], out);
        if (r->colour) fputs("\033[0m", out);
    }
}

static void text_row(const struct gus_report *r, const struct row *row, unsigned width, FILE *out) {
    char name[NAME];
    gus_variant_name(r, row->variant, name, sizeof name);
    const bool single = row->variant->count == 1;
    if (single) fprintf(out, "  %-14s ", name);
    // A set's name is behind its row; on a terminal that is too narrow for it, before it.
    const unsigned taken = 37 + width * GUS_HEAT_COLUMNS;
    const bool below = !single && r->columns && strlen(name) + taken > r->columns;
    if (below) fprintf(out, "  %s\n", name);
    if (!single) fprintf(out, "  %-14s ", "");
    text_cells(r, row, width, out);
    fprintf(out, " %5.1f %% ", 100 * row->gains[GUS_HEAT_COLUMNS - 1]);
    if (row->bound_known) {
        fprintf(out, "%6.1f %%", 100 * row->bound);
    } else {
        fprintf(out, "%6s  ", "-");
    }
    fprintf(out, below || single ? "\n" : "  %s\n", name);
}

// A cell is two letters wide, or one on a narrow terminal.
bool gus_heat_text(const struct gus_report *r, FILE *out) {
    struct map m;
    if (!make(r, &m)) return false;
    const unsigned width = r->columns && r->columns < NARROW ? 1 : 2;
    fprintf(out, "\nSensitivity: how much faster the stream is\n  %-14s %-*s %7s %8s\n", "resource",
            (int)(width * GUS_HEAT_COLUMNS), width == 1 ? "1 to 15 %" : "1 % to 15 % faster", "at 15 %", "10 times");
    for (size_t i = 0; i < m.singles; i++)
        text_row(r, &m.rows[i], width, out);
    if (m.singles == 0) fprintf(out, "  no resource alone gains 0.05 %%\n");
    if (m.count > m.singles) fprintf(out, "  In balance: faster together, they gain more than the best of them\n");
    for (size_t i = m.singles; i < m.count; i++)
        text_row(r, &m.rows[i], width, out);
    fprintf(out, r->utf8 ? "  █ gains 3/4 of what it is faster by, ▓ 1/2, ▒ 1/4, ░ 2 %%, · less\n"
                         : "  # gains 3/4 of what it is faster by, * 1/2, + 1/4, - 2 %%, . less\n");
    free(m.rows);
    return true;
}

// ---- SVG ----
static const char style[] =
    "text{font:11px 'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace;fill:#1b2027}\n"
    ".head{font-size:15px;font-weight:bold}.dim{fill:#5a6472}.back{fill:#ffffff}.number{text-anchor:middle}\n"
    ".l0{fill:#eef0f3}.l1{fill:#f9d9bd}.l2{fill:#f2b07b}.l3{fill:#e57f35}.l4{fill:#d55e00}\n"
    "@media (prefers-color-scheme:dark){text{fill:#e2e6eb}.dim{fill:#98a2b0}.back{fill:#14171c}\n"
    ".l0{fill:#20252c}.l1{fill:#4a3120}.l2{fill:#7a451b}.l3{fill:#b35a15}.l4{fill:#ec7b28}}\n";

static void cell(FILE *out, unsigned column, size_t y, unsigned shade, double gain) {
    const unsigned x = LEFT + column * CELL;
    fprintf(out,
            "<rect x='%u' y='%zu' width='%d' height='19' class='l%u'/>"
            "<text x='%u' y='%zu' class='number'>%.1f</text>\n",
            x, y, CELL - 1, shade, x + CELL / 2, y + 14, 100 * gain);
}

bool gus_heat_draw(const struct gus_report *r, FILE *out) {
    struct map m;
    char name[NAME];
    if (!make(r, &m)) return false;
    const unsigned width = LEFT + (GUS_HEAT_COLUMNS + 2) * CELL + 12;
    const size_t height = HEAD + 20 * (m.count + 1) + 20;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %u %zu' role='img'>\n<title>Sensitivity</title>\n"
            "<style>\n%s</style>\n<rect width='100%%' height='100%%' class='back'/>\n<text x='12' y='22' class='head'>",
            width, height, style);
    xml_text(out, r->program);
    fputs(" on ", out);
    xml_text(out, r->config);
    fputs("</text>\n<text x='12' y='42' class='dim'>how much faster the stream is, in %, with a resource faster by "
          "..., and "
          "ten times as fast</text>\n",
          out);
    for (unsigned p = 1; p <= GUS_HEAT_COLUMNS; p++)
        fprintf(out, "<text x='%u' y='%d' class='number dim'>%u %%</text>\n", LEFT + (p - 1) * CELL + CELL / 2,
                HEAD - 4, p);
    fprintf(out, "<text x='%u' y='%d' class='number dim'>x 10</text>\n", LEFT + GUS_HEAT_COLUMNS * CELL + CELL / 2 + 6,
            HEAD - 4);
    for (size_t i = 0; i < m.count; i++) {
        const struct row *row = &m.rows[i];
        const size_t y = HEAD + 20 * (i + (i >= m.singles));
        gus_variant_name(r, row->variant, name, sizeof name);
        fprintf(out, "<text x='12' y='%zu'>", y + 14);
        if (strlen(name) > LEFT / 7) { // the whole, where the pointer rests
            fputs("<title>", out);
            xml_text(out, name);
            fputs("</title>", out);
        }
        xml_text_fitted(out, name, LEFT / 7);
        fputs("</text>\n", out);
        for (unsigned p = 1; p <= GUS_HEAT_COLUMNS; p++)
            if (row->known >> (p - 1) & 1) cell(out, p - 1, y, level(row->gains[p - 1], p), row->gains[p - 1]);
        if (!row->bound_known) continue;
        fprintf(out, "<text x='%u' y='%zu' class='number'>%.0f</text>\n", LEFT + GUS_HEAT_COLUMNS * CELL + CELL / 2 + 6,
                y + 14, 100 * row->bound);
    }
    fputs("</svg>\n", out);
    free(m.rows);
    return true;
}
