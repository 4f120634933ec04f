// A flame graph as an SVG of its own, in the manner of Brendan Gregg's: a box each function on the one that called it,
// as wide as its time with all that it called; on top the function's own time by commit state and events. Below the
// name a strip says by commit state what the time of the box was.
//
// It needs nothing but itself, has no script, and follows the reader's choice of light or dark.
#include "base/paths.h"
#include "report/flame_layout.h"
#include "report/formats.h"
#include "report/stacks.h"
#include "report/style.h"
#include "report/value.h"
#include "report/words.h"
#include "report/xml_text.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

// In units of the picture, pixels where it is not scaled.
enum { WIDTH = 1200, EDGE = 12, HEAD = 66, FOOT = 26, LEVEL = 18, BOX = 17, STRIP = 3, PAD = 4 };
#define LETTER 6.7 // of a column in 11 px: the widest monospaced font in use has 0.602 of its size
#define LEAST 0.1  // narrower boxes are not drawn
enum { TEXT = REPORT_WHOLE, MODES = 4, LEAST_COLUMNS = 3 };

// Hues as on the page of HTML reports (html/style/colours.css, which tests/exports compares with); light, then dark.
static const char style[] =
    "text{font:11px 'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace;fill:#1b2027}\n"
    ".head{font-size:15px;font-weight:bold}.dim{fill:#5a6472}.back{fill:#ffffff}\n"
    ".box{stroke:#ffffff;stroke-width:.4}.all{fill:#e2e5ea}\n"
    ".one,.user{fill:#d9e4f3}.supervisor{fill:#e6dcef}.machine{fill:#dfe2e6}\n"
    ".s0{fill:#009e73}.s1{fill:#d55e00}.s2{fill:#c970a5}.s3{fill:#005f9e}.s4{fill:#8a929d}.leaf{fill-opacity:.35}\n"
    "@media (prefers-color-scheme:dark){\n"
    "text{fill:#e2e6eb}.dim{fill:#98a2b0}.back{fill:#14171c}.box{stroke:#14171c}.all{fill:#2b313a}\n"
    ".one,.user{fill:#1f3150}.supervisor{fill:#3a2a49}.machine{fill:#2b3038}\n"
    ".s0{fill:#22b58b}.s1{fill:#ec7b28}.s2{fill:#e6a4cc}.s3{fill:#3a8fcf}\n"
    "}\n";

struct picture {
    const struct run *data;
    const struct call_tree *tree;
    struct flame_layout layout;
    size_t levels;               // drawn
    uint64_t narrow, narrow_own; // boxes that are not drawn, and the time that ends in them
    unsigned modes;              // those of the run, a bit each; 0: only one, or the file does not distinguish them
    FILE *out;
};

static double length(const struct picture *p, uint64_t weight) {
    return p->tree->total ? (WIDTH - 2.0 * EDGE) * (double)weight / (double)p->tree->total : 0;
}

static bool drawn(const struct picture *p, const struct flame_box *b) {
    return b->depth == 0 || length(p, b->weight) >= LEAST;
}

static double share(const struct picture *p, uint64_t weight) {
    return percent_of(weight, p->tree->total);
}

// ---- tooltips ----
static void write_time(const struct picture *p, const char *what, uint64_t weight) {
    char cycles[32];
    fprintf(p->out, "%s%s cycles, %.2f %%", what, style_cycles(p->data, weight, cycles), share(p, weight));
}

static void write_leaf_name(const struct picture *p, const struct flame_box *b, char *text, size_t size) {
    char events[TEXT / 2];
    stacks_events(p->data, b->psv, events, sizeof events);
    if (b->psv) {
        snprintf(text, size, "%s %s", report_state_name(b->state), events);
    } else {
        snprintf(text, size, "%s", report_state_name(b->state));
    }
}

static const char *name_of(const struct picture *p, const struct flame_box *b) {
    return b->frame == CALL_TREE_NONE ? "all" : p->layout.names[b->frame];
}

static void write_leaf_title(const struct picture *p, const struct flame_box *b) {
    static const char *const texts[] = {EVENT_TEXTS};
    char name[TEXT];
    write_leaf_name(p, b, name, sizeof name);
    xml_text(p->out, name_of(p, b));
    fputs(": ", p->out);
    xml_text(p->out, name);
    write_time(p, "\n", b->weight);
    fputs("\n", p->out);
    xml_text(p->out, report_state_words(b->state));
    for (unsigned e = 0; e < EVENT_COUNT; e++) {
        if (!(b->psv >> e & 1)) continue;
        fprintf(p->out, "\n%s: ", e < p->data->header->event_count ? p->data->header->events[e] : "?");
        xml_text(p->out, texts[e]);
    }
}

static void write_title(const struct picture *p, const struct flame_box *b) {
    fputs("<title>", p->out);
    if (b->leaf) {
        write_leaf_title(p, b);
    } else {
        xml_text(p->out, name_of(p, b));
        write_time(p, "\n", b->weight);
        if (b->frame != CALL_TREE_NONE) write_time(p, "\nof its own: ", b->own);
        for (unsigned s = 0; s <= STATE_COUNT; s++) {
            if (!b->states[s]) continue;
            fprintf(p->out, "\n%s", report_state_name(s));
            write_time(p, ": ", b->states[s]);
        }
    }
    fputs("</title>", p->out);
}

// ---- boxes ----
static const char *const modes[MODES] = {"user", "supervisor", "one", "machine"}; // classes

static const char *mode_of(const struct picture *p, const struct flame_box *b) {
    if (b->frame == CALL_TREE_NONE) return "all";
    const struct place place = p->tree->functions[p->tree->frames[b->frame].function].place;
    return p->modes && place.pc != PROFILE_PC_END ? modes[place_mode(place.context)] : "one";
}

static void write_strip(const struct picture *p, const struct flame_box *b, double top) {
    uint64_t left = b->left;
    for (unsigned s = 0; s <= STATE_COUNT; s++) {
        const double wide = length(p, b->states[s]);
        if (wide >= LEAST)
            fprintf(p->out, "<rect class=\"s%u\" x=\"%.4f\" y=\"%.0f\" width=\"%.4f\" height=\"%d\"/>", s,
                    EDGE + length(p, left), top + BOX - STRIP, wide, STRIP);
        left += b->states[s];
    }
}

static void write_box(const struct picture *p, const struct flame_box *b) {
    const double left = EDGE + length(p, b->left), wide = length(p, b->weight);
    const double top = HEAD + (double)((p->levels - 1 - b->depth) * LEVEL);
    char name[TEXT];
    fputs("<g>", p->out);
    write_title(p, b);
    if (b->leaf) {
        write_leaf_name(p, b, name, sizeof name);
        fprintf(p->out, "<rect class=\"box leaf s%u\"", b->state);
    } else {
        snprintf(name, sizeof name, "%s", name_of(p, b));
        fprintf(p->out, "<rect class=\"box %s\"", mode_of(p, b));
    }
    fprintf(p->out, " x=\"%.4f\" y=\"%.0f\" width=\"%.4f\" height=\"%d\"/>", left, top, wide, BOX);
    if (!b->leaf) write_strip(p, b, top);
    const double columns = (wide - 2 * PAD) / LETTER;
    if (columns >= LEAST_COLUMNS) {
        fprintf(p->out, "<text x=\"%.4f\" y=\"%.0f\">", left + PAD, top + 11);
        xml_text_fitted(p->out, name, (size_t)columns);
        fputs("</text>", p->out);
    }
    fputs("</g>\n", p->out);
}

// ---- the picture ----
static double write_key(const struct picture *p, double left, const char *class, const char *words) {
    fprintf(p->out, "<rect class=\"%s\" x=\"%.1f\" y=\"44\" width=\"11\" height=\"11\"/><text x=\"%.1f\" y=\"54\">",
            class, left, left + 15);
    xml_text(p->out, words);
    fputs("</text>\n", p->out);
    return left + 15 + LETTER * ((double)strlen(words) + 2);
}

static void write_legend(const struct picture *p) {
    const struct flame_box *all = &p->layout.boxes[0];
    double left = EDGE;
    for (unsigned s = 0; s <= STATE_COUNT; s++) {
        char class[8], words[64];
        if (!all->states[s]) continue;
        snprintf(class, sizeof class, "s%u", s);
        snprintf(words, sizeof words, "%s %.1f %%", report_state_name(s), share(p, all->states[s]));
        left = write_key(p, left, class, words);
    }
    for (unsigned m = 0; m < MODES; m++) {
        char words[64];
        snprintf(words, sizeof words, "%s mode", modes[m]);
        if (p->modes >> m & 1) left = write_key(p, left, modes[m], words);
    }
}

static void write_head(const struct picture *p, double height) {
    const struct run *d = p->data;
    char words[TEXT];
    fprintf(p->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" "
            "role=\"img\">\n<style>\n%s</style>\n<title>",
            WIDTH, height, WIDTH, height, style);
    snprintf(words, sizeof words, "%s on %s", paths_name(d->header->program), d->header->config);
    xml_text(p->out, words);
    fprintf(p->out,
            "</title>\n<rect class=\"back\" width=\"%d\" height=\"%.0f\"/>\n<text class=\"head\" x=\"%d\" y=\"20\">",
            WIDTH, height, EDGE);
    xml_text_fitted(p->out, words, (size_t)((WIDTH - 2 * EDGE) / (LETTER * 15 / 11)));
    fprintf(p->out, "</text>\n<text class=\"dim\" x=\"%d\" y=\"36\">", EDGE);
    char cycles[32];
    fprintf(p->out, "%s cycles by ", style_cycles(d, p->tree->total, cycles));
    xml_text(p->out, d->profiler);
    fputs("; width: time, with all that was called; on top: a function's own, by state and events</text>\n", p->out);
}

static void write_foot(const struct picture *p, double height) {
    if (!p->narrow) return;
    char boxes[32];
    fprintf(p->out,
            "<text class=\"dim\" x=\"%d\" y=\"%.0f\">%s boxes narrower than %.1f are not drawn: %.2f %% of the "
            "time</text>\n",
            EDGE, height - 10, style_number(p->narrow, boxes), LEAST, share(p, p->narrow_own));
}

static unsigned modes_of(const struct run *d) {
    unsigned found = 0;
    for (size_t i = 0; i < d->row_count; i++) {
        if (d->rows[i].pc != PROFILE_PC_END) found |= 1u << place_mode(d->rows[i].context);
    }
    return d->header->contexts && found & (found - 1) ? found : 0;
}

// What stands on a box that is not drawn is not drawn either. All time ends in leaves, where there are any.
static void measure(struct picture *p) {
    bool leaves = false;
    for (size_t i = 0; i < p->layout.count; i++)
        leaves = leaves || p->layout.boxes[i].leaf;
    for (size_t i = 0; i < p->layout.count; i++) {
        const struct flame_box *b = &p->layout.boxes[i];
        if (drawn(p, b)) {
            if (b->depth >= p->levels) p->levels = b->depth + 1;
        } else {
            p->narrow++;
            p->narrow_own += b->leaf ? b->weight : leaves ? 0 : b->own;
        }
    }
}

static void write_picture(struct picture *p) {
    measure(p);
    const double height = HEAD + (double)(p->levels * LEVEL) + FOOT;
    write_head(p, height);
    write_legend(p);
    for (size_t i = 0; i < p->layout.count; i++) {
        if (drawn(p, &p->layout.boxes[i])) write_box(p, &p->layout.boxes[i]);
    }
    write_foot(p, height);
    fputs("</svg>\n", p->out);
}

static int write_flamegraph(const struct run *d, const struct report_options *o, FILE *out, struct error *err) {
    struct call_tree tree;
    struct picture p = {.data = d, .tree = &tree, .modes = modes_of(d), .out = out};
    if (!call_tree_create_any(&tree, d, o->one_table ? BY_INSTRUCTION : BY_FUNCTION, 0, err)) return -EINVAL;
    const bool good = flame_layout_create(&p.layout, d, &tree, o->one_table);
    if (good) write_picture(&p);
    flame_layout_destroy(&p.layout, &tree);
    call_tree_destroy(&tree);
    return good ? 0 : report_out_of_memory(d->path, err);
}

const struct report_format format_flamegraph = {.name = "flamegraph", .write = write_flamegraph, .whole_stacks = true};
