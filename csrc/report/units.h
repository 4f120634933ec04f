// The units that time is listed by: `tipoff report --by UNIT`. One row in units.c each; a kind that is no plain table
// of a granularity is a file of its own. Not for other libraries.
#ifndef TIPOFF_REPORT_UNITS_H
#define TIPOFF_REPORT_UNITS_H

#include "base/hash_index.h"
#include "report/formats.h"
#include "report/run.h"
#include "report/value.h"

// A unit, as its kind found it. Units of one hart and image whose texts are equal are one, whatever their modes and
// address spaces: those are units themselves.
struct unit {
    char *unit;                         // as in files: an address, or the name again
    char *name;                         // for people
    const char *image;                  // whose code it is, or ""
    const char *file;                   // NULL: none, or not known; lives as long as the report
    unsigned line;                      // 0: of the whole file
    struct place place;                 // the first that was found of it
    const void *own;                    // the kind's
    uint64_t harts[SAMPLES_HARTS / 64]; // whose time it has, a bit each
};

struct sheet;
struct units;
#define UNIT_NONE SIZE_MAX

enum { UNIT_COLUMNS = 9 };
struct unit_column {
    const char *key;     // in CSV and JSON
    const char *heading; // in text; NULL: not shown there
    bool number;         // right-aligned
};

struct unit_kind {
    const char *name, *text; // as it is asked for; one line
    const char *heading;     // of its table, with a place for two numbers: how many are shown, of how many
    bool plain;              // it is `granularity`, and nothing more
    bool several;            // it takes the files of all harts of a run: options->more
    bool addresses;          // its units are addresses, which mean something in one build only
    enum granularity granularity;
    const struct unit_column columns[UNIT_COLUMNS]; // up to the first without a key
    // What it keeps for a report; may be NULL, as may all below but `find`. NULL: no memory.
    void *(*create)(const struct run *d);
    void (*destroy)(void *state);
    // The unit of a place (not of the end of the run), by units_add; `hit` is NULL outside all images. UNIT_NONE: no
    // memory.
    size_t (*find)(struct units *u, struct place place, const struct image_hit *hit);
    // The value of column `column`, whose text may be in `room`. All units have their times by then.
    struct value (*cell)(const struct units *u, const struct unit *unit, unsigned column, char *room, size_t size);
    void (*notes)(const struct units *u, FILE *out); // text: lines after the table
    // Of a kind that is not of places, which has none of the above but name, text and heading: it fills a table, which
    // is written in every format. 0, or a negative errno with err.
    int (*fill)(const struct run *d, const struct report_options *o, struct sheet *s, struct error *err);
    report_writer *write; // in place of `fill`: it writes its tables itself
};

const struct unit_kind *unit_kind_find(const char *name); // NULL: there is none
void unit_kind_names(char *text, size_t size);            // "instruction, line, ... and process"
size_t unit_kind_count(void);
const struct unit_kind *unit_kind(size_t i);

struct units { // all of a report, of one kind
    const struct run *run;
    const struct unit_kind *kind;
    void *state; // of the kind
    struct unit *list;
    struct unit_time *times; // of each
    size_t *ranked;          // units with time (or that stand for others with time), longest first
    size_t count, capacity;
    struct hash_index index;
    struct profile_table *table; // rows by unit, state and vector: pc is the unit's number
    const struct profile_row *rows;
    size_t row_count;
    size_t *first_row; // of each unit, and one more
};
// Of all time that is reported. NULL: no memory.
struct units *units_create(const struct run *d, const struct unit_kind *kind);
void units_destroy(struct units *u); // NULL is fine
// The unit of a place that has time.
size_t units_find(struct units *u, struct place place);
// It has time of that place's hart, or what is inside it does.
void units_add_hart(struct units *u, size_t unit, struct place place);
// "0" or "0 1": of one that has none the hart of its place.
void units_harts(const struct unit *unit, char *text, size_t size);
struct value units_cell(const struct units *u, size_t unit, unsigned column, char *room, size_t size);

// For kinds. The unit with these texts, which are copied; made if there is none. UNIT_NONE: no memory.
size_t units_add(struct units *u, const struct unit *unit);
// "[no line] eval", of code that the kind knows no more of; outside all images its address.
size_t units_add_bare(struct units *u, struct place place, const struct image_hit *hit, const char *what);

report_writer report_by;

#endif
